// One Python in a worker of its own. As "prover" it has dpverify and Arb; as "kernel" the packed kernel and nothing else.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const DESK = `
import sys
sys.path.insert(0, "/room")
from dpverify.classroom.desk import answer
answer
`;

const KERNEL = `
import json, sys, time
sys.path.insert(0, "/kernel.pyz")
import kernel

def answer(asked):
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

let answer;

async function archive(pyodide, name, place) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (place.endsWith(".pyz")) pyodide.FS.writeFile(place, new Uint8Array(bytes));
  else pyodide.unpackArchive(bytes, "zip", { extractDir: place });
}

async function begin(role) {
  const indexURL = new URL("pyodide/", self.location).href;
  const pyodide = await loadPyodide({ indexURL, packageBaseUrl: indexURL, stdout() {}, stderr() {} });
  if (role === "kernel") {
    await archive(pyodide, "kernel.pyz", "/kernel.pyz");
    answer = pyodide.runPython(KERNEL);
    return;
  }
  self.postMessage({ state: "Arithmetic is being loaded …" });
  const flint = new URL("flint.json", self.location);
  const wheel = new URL((await (await fetch(flint)).json()).wheel, self.location).href;
  await Promise.all([
    pyodide.loadPackage(wheel, { messageCallback() {} }),
    archive(pyodide, "dpverify.zip", "/room"),
  ]);
  answer = pyodide.runPython(DESK);
}

self.onmessage = async ({ data }) => {
  if (data.begin) {
    try {
      await begin(data.begin);
      self.postMessage({ ready: true });
    } catch (error) {
      self.postMessage({ failed: String(error) });
    }
    return;
  }
  try {
    self.postMessage({ number: data.number, answer: answer(data.asked) });
  } catch (error) {
    self.postMessage({ number: data.number, failed: String(error) });
  }
};
