// Nodes made from names, attributes and text; nothing is ever read as HTML. Only what differs is touched. Whatever is
// shown goes through here, and what a screen does not show, or what turns it around, is escaped.
import { bands, bucketExtent, extent, frame, picture, scale, strokes } from "./geometry.js";
import { clock, fieldLabel, measured, printable } from "./text.js";

const isAbsent = (value) => value === undefined || value === false || value === null;

/** An element. Attributes that are functions are listeners (`onclick`); absent ones are left out. */
export function h(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (isAbsent(value)) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : key === "value" ? String(value) : printable(value));
  }
  const all = children.flat(Infinity).filter((child) => !isAbsent(child));
  node.append(...all.map((child) => (child instanceof Node ? child : printable(child))));
  return node;
}

/** Writes a text, and what kind of state it says, if that is given. */
export function write(node, value, ...state) {
  const [first, text] = [node.firstChild, printable(value, 1000)];
  if (state.length > 0) mark(node, "data-state", state[0]);
  if (first !== null && first === node.lastChild && first.nodeType === 3) {
    if (first.data === text) return;
    first.data = text;
  } else if (first !== null || text !== "") {
    node.textContent = text;
  }
}

/** Writes an attribute, if it is another one; `undefined` takes it away. */
export function mark(node, name, value) {
  const wanted = isAbsent(value) ? null : value === true ? "" : printable(value);
  if (node.getAttribute(name) === wanted) return;
  if (wanted === null) node.removeAttribute(name);
  else node.setAttribute(name, wanted);
}

/** Has the parent hold these nodes in this order, and moves only those that must be. */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) {
    if (!wanted.has(child)) child.remove();
  }
  const focused = document.activeElement;
  let next = parent.firstChild;
  for (const node of nodes) {
    // What stands in the way of one that is in place goes on to its own place later.
    if (next !== null && next !== node && next.nextSibling === node) next = node;
    if (node === next) {
      next = next.nextSibling;
      continue;
    }
    parent.insertBefore(node, next);
  }
  if (document.activeElement !== focused && parent.contains(focused)) focused.focus({ preventScroll: true });
}

/** Nodes by key: made once, kept while their key is there. */
export class Keyed {
  #known = new Map();

  constructor(parent, make) {
    [this.parent, this.make] = [parent, make];
  }

  show(items, key, update) {
    const fresh = new Map();
    for (const item of items) {
      const name = key(item);
      const entry = this.#known.get(name) ?? this.make(item);
      update?.(entry, item);
      fresh.set(name, entry);
    }
    this.#known = fresh;
    arrange(this.parent, [...fresh.values()].map((entry) => entry.node));
  }

  get(name) {
    return this.#known.get(name);
  }
}

/** Roles are said, as small screens lay a table out as cards; one that is too wide is moved by keys. A heading above that
 *  says the same lets `isTitled` hide the caption. */
export function table(caption, heads, { isTitled = false } = {}) {
  const row = h("tr", { role: "row" }, heads.map((head) =>
    h("th", { role: "columnheader", scope: "col", class: head.isNumber ? "number" : undefined }, head.node ?? head.text ?? head)));
  const rows = h("tbody", { role: "rowgroup" });
  const content = h("table", { role: "table" }, h("caption", { class: isTitled ? "unseen" : undefined }, caption), h("thead", { role: "rowgroup" }, row), rows);
  return { node: h("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 }, content), rows, heads: [...row.children] };
}
export function row(heads, attributes = {}) {
  const cells = heads.map((head) => h("td", {
    role: "cell", "data-head": head.label ?? head.text ?? (typeof head === "string" ? head : ""), class: head.isNumber ? "number" : undefined,
  }));
  return { node: h("tr", { role: "row", ...attributes }, cells), cells };
}
export function section(id, title, ...children) {
  return h("section", { "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}
export function facts() {
  const node = h("dl", { class: "facts" });
  const pairs = new Keyed(node, (item) => {
    const [term, value] = [h("dt", {}, item[0]), h("dd")];
    return { node: h("div", {}, term, value), value };
  });
  return { node, set: (all) => pairs.show(all.filter(([, text]) => text), ([term]) => term, (entry, [, text]) => write(entry.value, text)) };
}

export function bullets(className) {
  const node = h("ul", { class: className });
  const items = new Keyed(node, () => ({ node: h("li") }));
  return {
    node,
    set: (all) => items.show(all.map((text, place) => [place, text]), ([place]) => place, (entry, [, text]) => write(entry.node, text)),
  };
}

// Pictures on canvases

const margins = { left: 56, right: 12, top: 10, bottom: 24 };
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return {
    text: value("--muted"), line: value("--line"), gap: value("--gap"), board: value("--board"), accent: value("--accent"),
    background: value("--background"), traces: [1, 2, 3, 4, 5, 6].map((place) => value(`--trace-${place}`)),
  };
}

/** A canvas with as many pixels as its screen shows; null while it has no size. */
function sheet(canvas) {
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, Math.min(3, devicePixelRatio || 1)];
  if (width < 40 || height < 40) return null;
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== tall) [canvas.width, canvas.height] = [wide, tall];
  const ink = canvas.getContext("2d");
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  ink.clearRect(0, 0, width, height);
  ink.font = "12px system-ui, sans-serif";
  return { ink, width, height };
}

function trace(ink, points) {
  ink.beginPath();
  for (const [x, y] of points) ink.lineTo(x, y);
  ink.stroke();
}

function axes({ ink }, view, values, from, to, colours, now) {
  ink.lineWidth = 1;
  ink.strokeStyle = colours.line;
  ink.fillStyle = colours.text;
  ink.textBaseline = "middle";
  ink.textAlign = "right";
  for (const tick of values.ticks) {
    const y = Math.round(view.y(tick)) + 0.5;
    trace(ink, [[view.left, y], [view.right, y]]);
    ink.fillText(tick.toFixed(values.decimals), view.left - 6, y);
  }
  ink.textBaseline = "alphabetic";
  const count = Math.max(1, Math.min(6, Math.floor(view.wide / 130)));
  for (let place = 0; place <= count; place += 1) {
    const time = from + ((to - from) * place) / count;
    ink.textAlign = place === 0 ? "left" : place === count ? "right" : "center";
    const label = now === undefined ? clock(time, to) : place === count ? "now" : `−${Math.round((to - time) / 1000)} s`;
    ink.fillText(label, view.x(time), view.bottom + 17);
  }
}

function shade(ink, view, gaps, colours) {
  ink.fillStyle = colours.gap;
  for (const gap of gaps) {
    const [left, right] = [Math.max(view.left, view.x(gap.from)), Math.min(view.right, view.x(gap.to))];
    if (right >= view.left && left <= view.right) ink.fillRect(left, view.top, Math.max(2, right - left), view.tall);
  }
}
class Plot {
  constructor(title, fields, describe) {
    this.fields = fields;
    this.hidden = new Set();
    this.cursor = undefined;
    this.canvas = h("canvas", { class: "plot", tabindex: 0, role: "img", "aria-label": title });
    this.readout = h("p", { class: "readout" });
    const key = fields.map((field, place) => {
      const box = h("input", {
        type: "checkbox", checked: true, onchange: () => {
          if (box.checked) this.hidden.delete(field);
          else this.hidden.add(field);
          this.isStale = true;
        },
      });
      return h("label", { class: `trace trace-${(place % 6) + 1}` }, box, fieldLabel(field));
    });
    this.node = h("figure", {}, h("figcaption", {}, h("strong", {}, title), " ", describe ?? ""), this.canvas,
      h("div", { class: "key" }, key), this.readout);
    this.canvas.addEventListener("pointermove", (event) => this.#point(event.offsetX));
    this.canvas.addEventListener("pointerdown", (event) => this.#point(event.offsetX));
    this.canvas.addEventListener("pointerleave", () => this.#point(undefined));
    this.canvas.addEventListener("keydown", (event) => this.#press(event));
  }

  #point(x) {
    this.cursor = x;
    this.isStale = true;
  }

  #press(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this.#point(undefined);
    if (step === undefined) return;
    event.preventDefault();
    const at = this.cursor ?? (step < 0 ? this.canvas.clientWidth - margins.right : margins.left);
    this.#point(Math.max(margins.left, Math.min(this.canvas.clientWidth - margins.right, at + step * (event.shiftKey ? 40 : 8))));
  }

  get shown() {
    return this.fields.filter((field) => !this.hidden.has(field));
  }

  colour(field, colours) {
    return colours.traces[this.fields.indexOf(field) % colours.traces.length];
  }
  begin([least, greatest], from, to, colours, now, gaps = []) {
    this.isStale = false;
    const page = sheet(this.canvas);
    if (page === null) return null;
    const values = scale(least, greatest);
    const view = frame(page.width, page.height, margins, from, to, values.low, values.high);
    shade(page.ink, view, gaps, colours);
    axes(page, view, values, from, to, colours, now);
    return { ink: page.ink, view };
  }

  cross(ink, view, x, colours) {
    ink.strokeStyle = colours.text;
    trace(ink, [[x, view.top], [x, view.bottom]]);
  }
}

export class LiveChart extends Plot {
  constructor(stream, fields, unit, { isDated = false } = {}) {
    super(unit === "" ? `${stream}: ${fields.join(", ")}` : `${stream} in ${unit}`, fields);
    [this.unit, this.isDated] = [unit, isDated];
  }

  draw(series, from, to, colours) {
    const page = this.begin(extent(series, this.shown, from, to) ?? [0, 1], from, to, colours, this.isDated ? undefined : to, series.gaps);
    if (page === null) return;
    const { ink, view } = page;
    ink.save();
    ink.beginPath();
    ink.rect(view.left, view.top, view.wide, view.tall);
    ink.clip();
    ink.lineWidth = 1.75;
    ink.lineJoin = "round";
    for (const field of this.shown) {
      ink.strokeStyle = ink.fillStyle = this.colour(field, colours);
      for (const line of strokes(series, field, view, from, to)) {
        trace(ink, line);
        if (line.length === 1) ink.fillRect(line[0][0] - 1.5, line[0][1] - 1.5, 3, 3);
      }
    }
    ink.restore();
    this.#read(series, view, ink, colours, to);
  }

  #read(series, view, ink, colours, now) {
    const place = this.cursor === undefined ? series.times.length - 1 : series.nearest(view.time(this.cursor));
    if (place < 0) return;
    const time = series.times[place];
    if (this.cursor !== undefined && time >= view.time(view.left)) this.cross(ink, view, view.x(time), colours);
    const values = this.fields.map((field) => `${fieldLabel(field)} ${measured(series.values.get(field)?.[place])}`).join("   ");
    write(this.readout, `${this.cursor === undefined ? "" : `${clock(time, now)}   `}${values} ${this.unit}`);
  }
}
export class SessionChart extends Plot {
  draw(plot, colours) {
    const page = this.begin(bucketExtent(plot, this.shown) ?? [0, 1], plot.from_ms, plot.to_ms, colours);
    if (page === null) return;
    const { ink, view } = page;
    let nearest;
    for (const field of this.shown) {
      ink.strokeStyle = ink.fillStyle = this.colour(field, colours);
      ink.lineWidth = 1.5;
      for (const band of bands(plot, field, view)) {
        trace(ink, band.flatMap(({ x, top, bottom }) => [[x, top], [x, Math.max(bottom, top + 0.5)]]));
        for (const { x, time } of band) {
          const distance = Math.abs(x - (this.cursor ?? Infinity));
          if (distance < (nearest?.distance ?? 20)) nearest = { distance, x, time };
        }
      }
    }
    if (nearest !== undefined) this.cross(ink, view, nearest.x, colours);
    this.#read(plot, nearest?.time);
  }

  #read(plot, time) {
    const bucket = plot.buckets.find((candidate) => candidate[0] === time);
    if (bucket === undefined) {
      write(this.readout, `${clock(plot.from_ms, plot.to_ms)} to ${clock(plot.to_ms, plot.to_ms)}`);
      return;
    }
    const values = plot.fields.map((field, place) =>
      `${fieldLabel(field)} ${measured(bucket[2 + 2 * place])} … ${measured(bucket[3 + 2 * place])}`).join("   ");
    write(this.readout, `${clock(time, plot.to_ms)}   ${bucket[1]} samples   ${values}`);
  }
}
export function boxCanvas(onreset, onnorth) {
  const canvas = h("canvas", { class: "box", role: "img", "aria-label": "Orientation of the board as a box" });
  const readout = h("p", { class: "readout" });
  const node = h("figure", {}, h("figcaption", {}, h("strong", {}, "Orientation")), canvas, readout,
    h("p", { class: "row" }, button("Reset orientation", onreset), button("As measured", onnorth)));
  return { node, canvas, readout };
}

export function drawBox(canvas, q, colours) {
  const page = sheet(canvas);
  if (page === null) return;
  const { ink, width, height } = page;
  const { faces, arrow } = picture(q, width, height);
  const draw = (points) => trace(ink, points.map(({ x, y }) => [x, y]));
  ink.lineJoin = "round";
  ink.lineWidth = 1;
  for (const { name, points, light } of faces) {
    ink.strokeStyle = colours.text;
    draw([...points, points[0]]);
    ink.fillStyle = name === "top" ? colours.accent : colours.board;
    ink.fill();
    ink.fillStyle = "#000";
    ink.globalAlpha = 0.55 * (1 - light);
    ink.fill();
    ink.globalAlpha = 1;
    ink.stroke();
  }
  if (arrow !== null) {
    const [tail, tip, left, right] = arrow;
    ink.strokeStyle = colours.background;
    ink.lineWidth = 3;
    draw([tail, tip, left, tip, right]);
  }
}
