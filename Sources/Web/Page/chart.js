// Pictures on canvases: live streams, stored sessions, and the box of a board's orientation.
import { button, h, write } from "./dom.js";
import { bands, bucketExtent, extent, frame, picture, scale, strokes } from "./geometry.js";
import { clock, fieldLabel, measured } from "./text.js";

const margins = { left: 56, right: 12, top: 10, bottom: 24 };

/** The page's colours as canvases need them; read again when the reader changes from light to dark. */
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

/** Axes with their numbers; times stand as times of day, or as seconds before the end. */
function axes({ ink }, view, values, from, to, colours, now) {
  ink.lineWidth = 1;
  ink.strokeStyle = colours.line;
  ink.fillStyle = colours.text;
  ink.textBaseline = "middle";
  ink.textAlign = "right";
  for (const tick of values.ticks) {
    const y = Math.round(view.y(tick)) + 0.5;
    ink.beginPath();
    ink.moveTo(view.left, y);
    ink.lineTo(view.right, y);
    ink.stroke();
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

/** What charts have in common: a canvas that follows pointer and arrow keys, and a key of its traces. */
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

  /** An empty picture with its axes; null while it has no size. `canvas.view` says what its pixels mean. */
  begin([least, greatest], from, to, colours, now, gaps = []) {
    this.isStale = false;
    const page = sheet(this.canvas);
    if (page === null) return null;
    const values = scale(least, greatest);
    const view = (this.canvas.view = frame(page.width, page.height, margins, from, to, values.low, values.high));
    shade(page.ink, view, gaps, colours);
    axes(page, view, values, from, to, colours, now);
    return { ink: page.ink, view };
  }

  cross(ink, view, x, colours) {
    ink.strokeStyle = colours.text;
    ink.beginPath();
    ink.moveTo(x, view.top);
    ink.lineTo(x, view.bottom);
    ink.stroke();
  }
}

/** A live stream, or those of its fields that have one unit. */
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
        ink.beginPath();
        line.forEach(([x, y], place) => (place === 0 ? ink.moveTo(x, y) : ink.lineTo(x, y)));
        if (line.length === 1) ink.fillRect(line[0][0] - 1.5, line[0][1] - 1.5, 3, 3);
        else ink.stroke();
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

/** A stored session: the least and the greatest of each bucket as a band. */
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
        ink.beginPath();
        band.forEach(({ x, top, bottom }, place) => {
          if (place === 0) ink.moveTo(x, top);
          ink.lineTo(x, top);
          ink.lineTo(x, Math.max(bottom, top + 0.5));
          const distance = Math.abs(x - (this.cursor ?? Infinity));
          if (distance < (nearest?.distance ?? 20)) nearest = { distance, x, time: band[place].time };
        });
        ink.stroke();
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

/** The box, with its reset. `canvas.orientation` is the quaternion that it shows. */
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
  const path = (points) => {
    ink.beginPath();
    points.forEach(({ x, y }, place) => (place === 0 ? ink.moveTo(x, y) : ink.lineTo(x, y)));
    ink.closePath();
  };
  ink.lineJoin = "round";
  for (const face of faces) {
    path(face.points);
    ink.fillStyle = face.name === "top" ? colours.accent : colours.board;
    ink.globalAlpha = 1;
    ink.fill();
    ink.fillStyle = "#000";
    ink.globalAlpha = 0.55 * (1 - face.light);
    ink.fill();
    ink.globalAlpha = 1;
    ink.strokeStyle = colours.text;
    ink.stroke();
  }
  if (arrow !== null) {
    const [tail, tip, left, right] = arrow;
    ink.strokeStyle = colours.background;
    ink.lineWidth = 3;
    ink.beginPath();
    ink.moveTo(tail.x, tail.y);
    ink.lineTo(tip.x, tip.y);
    ink.moveTo(left.x, left.y);
    ink.lineTo(tip.x, tip.y);
    ink.lineTo(right.x, right.y);
    ink.stroke();
    ink.lineWidth = 1;
  }
  canvas.orientation = q;
}
