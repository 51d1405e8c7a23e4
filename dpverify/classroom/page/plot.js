// A picture, given as numbers and words, drawn as SVG in the page's own ink.
const WIDTH = 560, HEIGHT = 300, LEFT = 70, RIGHT = 16, TOP = 18, BOTTOM = 52;
const SVG = "http://www.w3.org/2000/svg";

function node(name, attributes, text) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  if (text !== undefined) found.textContent = text;
  return found;
}

function steps(low, high) {
  const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12); k++) found.push(k * step);
  return found;
}

function tens(low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first) / 7)), found = [];
  for (let k = first; k <= last; k += every) found.push(10 ** k);
  return found;
}

const told = (value) => {
  const size = Math.abs(value);
  if (size && (size < 1e-3 || size >= 1e6)) return value.toExponential(0).replace("e+", "e");
  return String(Number(value.toPrecision(4)));
};

function heights(picture) {
  const finite = picture.curves.flatMap((c) => c.y).filter((y) => y !== null);
  let low = Math.min(0, ...finite), high = Math.max(...finite, low + 1e-9);
  if (picture.bound) {
    const reach = picture.bound.at || 1;
    low = Math.min(0, Math.max(low, -1.5 * reach));
    high = 1.25 * reach;
  }
  return high > low ? [low, high] : [low - 1, low + 1];
}

export function figure(picture) {
  const xs = picture.curves.flatMap((c) => c.x);
  const [left, right] = [Math.min(...xs), Math.max(...xs)], [low, high] = heights(picture);
  const bend = picture.logarithmic ? Math.log10 : (x) => x;
  const across = (x) => LEFT + ((bend(x) - bend(left)) / (bend(right) - bend(left))) * (WIDTH - LEFT - RIGHT);
  const up = (y) => HEIGHT - BOTTOM - ((y - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const svg = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": picture.alt });
  const inside = node("clipPath", { id: `clip-${++figure.count}` });
  inside.append(node("rect", { x: LEFT, y: TOP - 4, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM + 8 }));
  svg.append(inside);
  for (const y of steps(low, high)) {
    svg.append(node("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: up(y), y2: up(y) }));
    svg.append(node("text", { x: LEFT - 8, y: up(y) + 5, "text-anchor": "end" }, told(y)));
  }
  for (const x of picture.logarithmic ? tens(left, right) : steps(left, right)) {
    svg.append(node("line", { class: "grid", x1: across(x), x2: across(x), y1: TOP, y2: HEIGHT - BOTTOM }));
    svg.append(node("text", { x: across(x), y: HEIGHT - BOTTOM + 20, "text-anchor": "middle" }, told(x)));
  }
  svg.append(node("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, picture.across));
  for (const [k, curve] of picture.curves.entries()) {
    let path = "", pen = "M";
    curve.x.forEach((x, i) => {
      const y = curve.y[i];
      if (y === null) { pen = "M"; return; }
      const height = Math.max(-HEIGHT, Math.min(2 * HEIGHT, up(y)));
      path += `${pen}${across(x).toFixed(1)} ${height.toFixed(1)}`;
      pen = "L";
    });
    svg.append(node("path", { class: `curve c${k}`, d: path, "clip-path": `url(#clip-${figure.count})` }));
  }
  if (picture.bound) {
    const y = up(picture.bound.at);
    svg.append(node("line", { class: "bound", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }));
    svg.append(node("text", { class: "bound", x: WIDTH - RIGHT, y: y - 7, "text-anchor": "end" }, picture.bound.text));
  }
  if (picture.mark && picture.bound) {
    const { x, edge } = picture.mark, y = up(picture.mark.y ?? picture.bound.at);
    const place = edge === "right" ? WIDTH - RIGHT : edge === "left" ? LEFT : across(x);
    svg.append(node("circle", { class: "mark", cx: place, cy: y, r: 5 }));
  }
  const frame = document.createElement("figure"), caption = document.createElement("figcaption");
  caption.textContent = picture.title;
  frame.append(caption, svg);
  if (picture.mark && picture.bound) {
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = `The circle: ${picture.mark.text}.`;
    frame.append(note);
  }
  return frame;
}
figure.count = 0;
