// The page: what the reader types becomes a question for the worker, and its answer is shown. Text from outside is only
// ever set as text; MathML alone is set as markup, which dpverify composes of its own commands, digits and letters.
import { figure } from "./plot.js";
import { Ended, Python, pause } from "./python.js";

const MOMENT = 300; // milliseconds that a proof which is no longer wanted may still take before it is given up
const PATIENCE = 700; // and those that Python may take to give it up, before another takes its place
const GRACE = 5000; // milliseconds beyond a proof's own limit after which its worker is ended
const SETTLING = 2000; // milliseconds that keeping the files may take
const TYPING = 400; // milliseconds of rest before a question is asked

const $ = (id) => document.getElementById(id);
const known = JSON.parse($("known").textContent);
const begun = performance.now();
window.classroom = { timings: {} }; // read by tests and by the curious

const state = (text) => { $("state").textContent = text; };

// Files are kept with the browser from the first visit on, where it lets a page do so; Python is hired once they are.
async function settle() {
  const keeper = navigator.serviceWorker, had = keeper?.controller;
  if (!keeper) return;
  const changed = new Promise((resolve) => keeper.addEventListener("controllerchange", resolve, { once: true }));
  try { await keeper.register("service.js"); } catch { return; }
  if (had) changed.then(() => location.reload()); // another version of the page is there
  else await Promise.race([changed, pause(SETTLING)]);
}
await settle();

// A proof that is no longer wanted is given up at its next step; where that takes long a second Python stands ready.
let prover = new Python("prover", state), spare = null;
let kernel = null; // hired once the prover is there: two that load at once are slower than one after the other

function train() {
  const room = navigator.deviceMemory === undefined || navigator.deviceMemory >= 4;
  if (!spare && room) spare = new Python("prover");
}

function replace() {
  prover.end();
  prover = spare ?? new Python("prover", state);
  spare = null;
  prover.ready.then(train, () => {});
}

async function rest(milliseconds) {
  for (let waited = 0; prover.busy && waited < milliseconds; waited += 50) await pause(50);
}

async function free() {
  await rest(MOMENT);
  if (prover.busy) prover.drop();
  await rest(PATIENCE);
  if (prover.busy) replace();
}

async function within(seconds, question) {
  const mine = prover;
  const timer = setTimeout(() => { if (mine === prover && mine.busy) replace(); }, seconds * 1000 + GRACE);
  try { return await mine.ask(question); } finally { clearTimeout(timer); }
}

// --- the explorer -------------------------------------------------------------------------------------------------

const parameters = {}; // what each parameter was last set to
let turn = 0;

function asked(kind) {
  const given = {};
  for (const input of $("parameters").querySelectorAll("input")) given[input.name] = input.value;
  return {
    kind, generator: $("generator").value, dimension: $("dimension").value, parameters: given,
    sensitivity: $("sensitivity").value, scale: $("scale").value, reach: $("reach").value, limit: $("limit").value,
  };
}

function boxes(names, defaults) {
  const held = $("parameters"), old = [...held.querySelectorAll("input")].map((input) => input.name);
  if (old.join() === names.join()) return;
  held.replaceChildren(...names.map((name) => {
    const field = document.createElement("p"), label = document.createElement("label"), input = document.createElement("input");
    field.className = "field";
    input.id = `parameter-${name}`; input.name = name; input.value = parameters[name] ?? defaults[name] ?? "1";
    label.htmlFor = input.id; label.textContent = `Parameter ${name}`;
    input.addEventListener("input", () => { parameters[name] = input.value; changed(); });
    field.append(label, input);
    return field;
  }));
}

function verdict(kind, tone, title, ...lines) {
  const held = $("verdict"), heading = document.createElement("h2");
  held.dataset.verdict = kind; held.className = tone;
  heading.textContent = title;
  held.replaceChildren(heading, ...lines.filter(Boolean).map((line) => {
    if (typeof line !== "string") return line;
    const found = document.createElement("p");
    found.textContent = line;
    return found;
  }));
}

function sentence(pieces) {
  const found = document.createElement("p");
  for (const each of pieces) {
    found.append(each.text);
    found.insertAdjacentHTML("beforeend", each.formula);  // within the line, and no region of its own
  }
  return found;
}

function hide() { for (const id of ["proof", "kernel", "elsewhere"]) $(id).hidden = true; }

function pictures(list) {
  const loss = list.filter((p) => p.title === "The privacy loss");
  $("plot-loss").replaceChildren(...loss.map(figure));
  $("plots").replaceChildren(...list.filter((p) => !loss.includes(p)).map(figure));
}

function markup(text) {
  const held = document.createElement("div");
  held.className = "formula"; held.tabIndex = 0; held.setAttribute("role", "region"); held.setAttribute("aria-label", "formula");
  held.innerHTML = text;
  return held;
}

function rows(parts) {
  return parts.map((part) => {
    const list = document.createElement("dl");
    for (const row of part) {
      const term = document.createElement("dt"), what = document.createElement("dd");
      term.textContent = row.label;
      if (row.status) {
        const status = document.createElement("strong");
        status.className = `status ${row.status}`; status.textContent = row.status;
        what.append(status, `: ${row.text}`);
      } else what.textContent = row.text;
      list.append(term, what);
    }
    return list;
  });
}

async function question(resting) {
  const mine = ++turn, current = () => mine === turn;
  await pause(resting);
  if (!current()) return;
  await free();
  if (!current()) return;
  const started = performance.now();
  try {
    const read = await prover.ask(asked("read"));
    if (!current()) return;
    $("trouble").textContent = read.trouble ? `✗ ${read.trouble}` : "";
    $("generator").setAttribute("aria-invalid", String(Boolean(read.trouble)));
    $("formula").innerHTML = read.formula ?? "";
    if (read.trouble) { boxes([], {}); return wrong("what is wrong stands beside the formula"); }
    boxes(read.names, read.defaults);
    verdict("waiting", "open", "Looking for a proof …", "Curves are drawn first; they prove nothing.");
    const drawn = await prover.ask(asked("draw"));
    if (!current()) return;
    if (drawn.error) return wrong(drawn.error);
    pictures(drawn.pictures);
    const found = await within(Number($("limit").value), asked("prove"));
    if (!current()) return;
    if (found.error) return wrong(found.error);
    show(found);
    classroom.timings.warm = performance.now() - started;
    classroom.timings.cold ??= performance.now() - begun;
  } catch (error) {
    if (!current()) return;
    if (error instanceof Ended) verdict("undecided", "open", "Undecided", "The time limit ran out.");
    else verdict("failed", "bad", "The page failed, and nothing is proved", String(error.message ?? error));
  }
}

function wrong(why) {
  pictures([]); hide();
  verdict("wrong", "open", "Nothing is asked yet", why);
}

function show(found) {
  const size = found.epsilon, headline = size ? `ε ${size.decimal.startsWith("between") ? "is" : "="} ${size.decimal}` : found.title;
  const formula = size?.formula ? (size.formula.startsWith("<math") ? markup(size.formula) : size.formula) : null;
  verdict(found.verdict, found.tone, headline, size ? found.title : null, formula, sentence(found.reason));
  pictures(found.pictures);
  $("rows").replaceChildren(...rows(found.parts.slice(1)));
  $("bounds").hidden = !size;
  if (size) {
    const list = $("bounds").querySelector("dl");
    list.replaceChildren(...rows([[{ label: "ε is at least", text: size.lower }, { label: "ε is at most", text: size.upper }]])[0].childNodes);
  }
  $("command").textContent = found.command;
  $("python").textContent = found.python;
  const address = new URL(location.href);
  address.hash = found.link;
  $("link").href = address.href; $("link").textContent = address.href;
  history.replaceState(null, "", address.href);
  $("proof").hidden = $("elsewhere").hidden = false;
  $("kernel").hidden = !found.certificate;
  if (found.certificate) {
    $("certificate").value = found.certificate;
    URL.revokeObjectURL($("download").href);
    $("download").href = URL.createObjectURL(new Blob([found.certificate], { type: "application/json" }));
    $("download").download = found.file;
    replay(false);
  }
}

async function replay(redigest) {
  const mine = turn, held = $("replay");
  held.className = ""; held.textContent = "The kernel replays the proof …"; held.dataset.accepted = "";
  try {
    kernel ??= new Python("kernel");
    const told = await kernel.ask({ certificate: $("certificate").value, redigest });
    if (mine !== turn) return;
    held.dataset.accepted = told.accepted;
    held.className = told.accepted ? "good" : "bad";
    held.textContent = told.accepted
      ? `Accepted in ${told.seconds.toFixed(2)} s: ${told.message}. Rules ${told.rules.join(", ")}; assumed: ${told.assumptions.join("; ") || "nothing"}. SHA-256 of the content: ${told.digest}.`
      : `Refused [${told.code}]: ${told.message}`;
    classroom.strangers = told.strangers;
  } catch (error) {
    held.className = "bad"; held.textContent = `The kernel could not run: ${error.message}`;
  }
}

function changed(resting = TYPING) { hide(); question(resting); }

function choose(name) {
  const start = known[name];
  if (!start) return;
  Object.assign(parameters, start.parameters);
  $("parameters").replaceChildren();
  $("generator").value = start.generator; $("dimension").value = start.dimension;
  $("reach").value = start.reach; $("about").textContent = start.text;
  changed(0);
}

function carried() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (!link.has("f")) return false;
  $("generator").value = link.get("f");
  for (const [key, id] of [["d", "dimension"], ["Delta", "sensitivity"], ["sigma", "scale"]])
    if (link.has(key)) $(id).value = link.get(key);
  for (const [key, value] of link) if (key.startsWith("p.")) parameters[key.slice(2)] = value;
  $("parameters").replaceChildren();
  $("example").value = "";
  changed(0);
  return true;
}

for (const id of ["generator", "sensitivity", "scale", "dimension", "reach", "limit"]) {
  $(id).addEventListener("input", () => {
    if (id === "generator") { $("example").value = ""; $("about").textContent = ""; }
    changed();
  });
}
$("example").addEventListener("change", () => choose($("example").value));
$("check").addEventListener("click", () => replay($("redigest").checked));
$("controls").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", carried);

// --- the exercises ------------------------------------------------------------------------------------------------

for (const article of document.querySelectorAll(".exercise")) {
  const exercise = article.dataset.exercise, form = article.querySelector("form"), held = article.querySelector(".grade");
  const failed = (error) => error instanceof Ended
    ? "The answer took too long, or the explorer was asked something new; check again." : `The page failed: ${error.message}`;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answers = {};
    for (const [name, value] of new FormData(form)) answers[name] = answers[name] ? `${answers[name]} ${value}` : value;
    held.dataset.right = ""; held.textContent = "The answer is being judged …";
    try {
      const found = await within(60, { kind: "judge", exercise, answers });
      const list = document.createElement("ul"), head = document.createElement("p");
      head.textContent = found.error ?? (found.right ? "✓ Right." : "Not yet.");
      head.className = found.right ? "good" : "bad";
      for (const finding of found.findings ?? []) {
        const item = document.createElement("li");
        item.textContent = `${finding.right ? "✓" : "✗"} ${finding.told}`;
        list.append(item);
      }
      held.replaceChildren(head, list);
      held.dataset.right = String(Boolean(found.right));
    } catch (error) { held.textContent = failed(error); }
  });
  article.querySelector(".bench")?.addEventListener("click", async () => {
    const bench = article.querySelector(".onbench");
    bench.hidden = false; bench.textContent = "…";
    try { const found = await within(60, { kind: "bench", exercise }); bench.textContent = found.error ?? found.text; }
    catch (error) { bench.textContent = failed(error); }
  });
}

prover.ready.then(() => {
  classroom.timings.loaded = performance.now() - begun;
  classroom.born = prover.born;
  state(`Ready after ${((performance.now() - begun) / 1000).toFixed(1)} s. From here on no network is needed.`);
  kernel ??= new Python("kernel");
  setTimeout(train, 10_000);
}, (error) => {
  state("Python could not be loaded; see below.");
  verdict("failed", "bad", "Python could not be loaded", `${error.message}. The page has to come from a web server: python -m http.server, in its folder.`);
});
if (!carried()) { $("example").value = "student-t"; choose("student-t"); }
