// One Python in a worker. As "prover" it has dpverify and Arb; as "kernel" the packed kernel and nothing else. A shared
// worker outlives the page that hired it, and the next visit finds it ready; a question whose mark is gone, as it is when
// its page has closed, is given up.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const DESK = `
import sys
sys.path.insert(0, "/room")
from dpverify.classroom.desk import answer
answer
`; // answer(asked, wanted)

const KERNEL = `
import json, sys, time
sys.path.insert(0, "/kernel.pyz")
import kernel

def answer(asked, wanted):
    question = json.loads(asked)
    text = question["certificate"]
    begun = time.perf_counter()
    try:
        if question["redigest"]:
            data = json.loads(text)
            data["digest"] = kernel.digest({k: v for k, v in data.items() if k != "digest"})
            text = json.dumps(data, sort_keys=True, indent=1)
        checked = kernel.check_bytes(text.encode())
    except kernel.Rejected as error:
        return json.dumps({"accepted": False, "message": str(error), "code": error.code})
    except (kernel.Unreadable, ValueError, TypeError, AttributeError) as error:
        return json.dumps({"accepted": False, "message": str(error), "code": "format"})
    loaded = sorted({name.partition(".")[0] for name in sys.modules} & {"dpverify", "flint", "numpy", "sympy"})
    return json.dumps({
        "accepted": True, "message": str(checked), "rules": list(checked.rules), "digest": checked.digest,
        "assumptions": list(checked.assumptions), "seconds": time.perf_counter() - begun, "strangers": loaded,
    })
answer
`;

let answer, ready;

async function archive(pyodide, name, place) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (place.endsWith(".pyz")) pyodide.FS.writeFile(place, new Uint8Array(bytes));
  else pyodide.unpackArchive(bytes, "zip", { extractDir: place });
}

async function begin(role, tell) {
  const indexURL = new URL("pyodide/", self.location).href;
  const pyodide = await loadPyodide({ indexURL, packageBaseUrl: indexURL, stdout() {}, stderr() {} });
  if (role === "kernel") {
    await archive(pyodide, "kernel.pyz", "/kernel.pyz");
    answer = pyodide.runPython(KERNEL);
    return;
  }
  tell({ state: "Arithmetic is being loaded …" });
  const flint = new URL("flint.json", self.location);
  const wheel = new URL((await (await fetch(flint)).json()).wheel, self.location).href;
  await Promise.all([
    pyodide.loadPackage(wheel, { messageCallback() {} }),
    archive(pyodide, "dpverify.zip", "/room"),
  ]);
  answer = pyodide.runPython(DESK);
}

// Whether the page still keeps its mark: asked at once and without a message, since Python lets no message in meanwhile.
function kept(mark) {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", mark, false);
    request.send();
    return request.status === 200;
  } catch { return false; }
}

function serve(port) {
  const tell = (told) => port.postMessage(told);
  port.onmessage = async ({ data }) => {
    if (data.begin) {
      ready ??= begin(data.begin, tell);
      ready.then(() => tell({ ready: true, born: performance.timeOrigin }), (error) => { ready = null; tell({ failed: String(error) }); });
      return;
    }
    try {
      tell({ number: data.number, answer: answer(data.asked, () => kept(data.mark)) });
    } catch (error) {
      tell({ number: data.number, failed: String(error) });
    }
  };
  tell({ here: true });
}

if ("onconnect" in self) self.onconnect = ({ ports }) => serve(ports[0]);
else serve(self);
