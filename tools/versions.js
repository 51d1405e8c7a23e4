// The switch between the versions of the docs that a site has; tools/site.py writes their list here.
const versions = VERSIONS;
const script = document.currentScript;
const here = script.dataset.version;
const top_ = new URL(".", script.src);

// The same page of another version, or that version's first page where it has none.
async function go(version) {
  const page = location.href.slice(new URL(here + "/", top_).href.length).split("#")[0];
  const same = new URL(version + "/" + page, top_);
  const found = await fetch(same, { method: "HEAD" }).then((answer) => answer.ok, () => false);
  location.href = found ? same : new URL(version + "/index.html", top_);
}

const brand = document.querySelector(".sidebar-brand");
if (brand) {
  const label = document.createElement("label");
  label.className = "version-switch";
  label.style.cssText = "display:block;padding:0 var(--sidebar-item-spacing-horizontal) .5rem;font-size:.875rem";
  const choice = document.createElement("select");
  choice.style.cssText = "font:inherit;color:inherit;background:var(--color-background-primary);margin-left:.4rem";
  for (const version of versions) choice.add(new Option(version, version, false, version === here));
  choice.addEventListener("change", () => go(choice.value));
  label.append("Version", choice);
  brand.after(label);
}

const article = document.querySelector("article");
if (article && here !== versions[0]) {
  const note = document.createElement("p");
  const newest = document.createElement("a");
  newest.href = new URL(versions[0] + "/index.html", top_);
  newest.textContent = versions[0];
  newest.addEventListener("click", (event) => {
    event.preventDefault();
    go(versions[0]);
  });
  note.setAttribute("role", "note");
  note.append(`This page is about version ${here}. The newest is `, newest, ".");
  article.prepend(note);
}
