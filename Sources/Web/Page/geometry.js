// Samples as lines on a picture: what is kept of a stream, its gaps, scales, and buckets of stored sessions; and the
// orientation of a board as a box. Pure.

/** The last minutes of one live stream. Breaks are where samples are known or must be taken to be missing. */
export class Series {
  static most = 12_000;
  times = [];
  values = new Map();
  gaps = [];
  number = -1;

  constructor(span = 300_000) {
    this.span = span;
  }

  get last() {
    return this.times.at(-1);
  }

  /** Gives whether a sample was taken: older and repeated ones are not. */
  push(sample, isBroken = false) {
    const time = sample?.ts_ms;
    if (!Number.isFinite(time) || (this.times.length > 0 && time <= this.last)) return false;
    // A number that does not grow begins another session of the stream.
    if (Number.isFinite(sample.seq)) {
      if (this.number >= 0 && sample.seq <= this.number) isBroken = true;
      this.number = sample.seq;
    }
    if (isBroken && this.times.length > 0) this.gap(this.last, time, false);
    for (const [field, value] of Object.entries(sample)) {
      if (["ts_ms", "seq"].includes(field) || !Number.isFinite(value) || this.values.has(field)) continue;
      if (this.values.size < 16) this.values.set(field, new Array(this.times.length).fill(NaN));
    }
    this.times.push(time);
    for (const [field, all] of this.values) all.push(Number.isFinite(sample[field]) ? sample[field] : NaN);
    if (this.times.length > Series.most || time - this.times[0] > this.span * 1.2) this.#forget(time - this.span);
    return true;
  }

  gap(from, to, isDeclared = true) {
    if (!Number.isFinite(from)) return;
    this.gaps.push({ from, to: Number.isFinite(to) && to >= from ? to : from, isDeclared });
    if (this.gaps.length > 100) this.gaps.shift();
  }

  #forget(before) {
    let from = Math.max(this.times.length - Series.most, 0);
    while (from < this.times.length && this.times[from] < before) from += 1;
    this.times = this.times.slice(from);
    for (const [field, all] of this.values) this.values.set(field, all.slice(from));
    this.gaps = this.gaps.filter((gap) => gap.to >= before);
  }

  get pace() {
    const recent = this.times.slice(-40);
    const steps = recent.slice(1).map((time, place) => time - recent[place]).sort((one, other) => one - other);
    return steps.length > 0 ? steps[steps.length >> 1] : Infinity;
  }
  nearest(time) {
    const place = lowerBound(this.times, time);
    if (place === this.times.length) return place - 1;
    if (place === 0) return 0;
    return time - this.times[place - 1] <= this.times[place] - time ? place - 1 : place;
  }

  /** Places from..<to of what lies in a stretch of time, with a sample on either side. */
  range(from, to) {
    return [Math.max(0, lowerBound(this.times, from) - 1), Math.min(this.times.length, lowerBound(this.times, to) + 1)];
  }
}

function lowerBound(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
export function extent(series, fields, from, to) {
  let [least, greatest] = [Infinity, -Infinity];
  const [first, end] = series.range(from, to);
  for (const field of fields) {
    const all = series.values.get(field) ?? [];
    for (let place = first; place < end; place += 1) {
      if (all[place] < least) least = all[place];
      if (all[place] > greatest) greatest = all[place];
    }
  }
  return least <= greatest ? [least, greatest] : null;
}
export function scale(least, greatest) {
  let [low, high] = [least, greatest];
  const size = Math.max(Math.abs(low), Math.abs(high), 1e-3);
  if (high - low < size * 1e-3) [low, high] = [low - size * 0.05, high + size * 0.05];
  const margin = (high - low) * 0.06;
  [low, high] = [low - margin, high + margin];
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw;
  const ticks = [];
  for (let place = Math.ceil(low / step); place * step <= high && ticks.length < 20; place += 1) ticks.push(place * step);
  return { low, high, ticks, decimals: Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))) };
}

export function frame(width, height, margins, from, to, low, high) {
  const [wide, tall] = [width - margins.left - margins.right, height - margins.top - margins.bottom];
  return {
    x: (time) => margins.left + ((time - from) / (to - from)) * wide,
    y: (value) => margins.top + (1 - (value - low) / (high - low)) * tall,
    time: (x) => from + ((x - margins.left) / wide) * (to - from),
    left: margins.left, right: width - margins.right, top: margins.top, bottom: height - margins.bottom, wide, tall,
  };
}

/** Lines, broken at gaps. Where there are more samples than pixels, each column keeps its first, least, greatest and last. */
export function strokes(series, field, view, from, to) {
  const all = series.values.get(field);
  if (all === undefined || series.times.length === 0) return [];
  const [first, end] = series.range(from, to);
  const longest = Math.max(1500, series.pace * 4);
  const gaps = series.gaps.filter((gap) => gap.to >= from && gap.from <= to).sort((a, b) => a.from - b.from);
  const isThin = end - first <= view.wide * 2;
  const [lines, column] = [[], []];
  let line = [];
  const flush = () => {
    if (column.length === 0) return;
    const points = column.splice(0);
    if (points.length <= 4) line.push(...points);
    else {
      const byValue = [...points].sort((a, b) => a[1] - b[1]);
      const chosen = new Set([points[0], byValue[0], byValue.at(-1), points.at(-1)]);
      line.push(...points.filter((point) => chosen.has(point)));
    }
  };
  const cut = () => {
    flush();
    if (line.length > 0) lines.push(line);
    line = [];
  };
  for (let place = first; place < end; place += 1) {
    const [time, value] = [series.times[place], all[place]];
    if (!Number.isFinite(value)) {
      cut();
      continue;
    }
    const before = series.times[place - 1];
    if (place > first && (time - before > longest || gaps.some((gap) => gap.from < time && gap.to > before))) cut();
    const point = [view.x(time), view.y(value)];
    if (!isThin && column.length > 0 && Math.floor(column[0][0]) !== Math.floor(point[0])) flush();
    column.push(point);
    if (isThin) flush();
  }
  cut();
  return lines;
}

/** One field of buckets `[t_ms, count, min0, max0, …]`, a list for each stretch without a gap. */
export function bands(plot, field, view) {
  const place = 2 + 2 * (plot.fields ?? []).indexOf(field);
  if (place < 2) return [];
  const width = plot.width_ms;
  const [all, last] = [[], { time: -Infinity }];
  for (const bucket of plot.buckets ?? []) {
    const [time, low, high] = [bucket?.[0], bucket?.[place], bucket?.[place + 1]];
    if (![time, low, high].every(Number.isFinite)) continue;
    if (time - last.time > width * 1.5 || all.length === 0) all.push([]);
    all.at(-1).push({ x: view.x(time + width / 2), top: view.y(high), bottom: view.y(low), time });
    last.time = time;
  }
  return all;
}

export function bucketExtent(plot, fields) {
  let [least, greatest] = [Infinity, -Infinity];
  for (const field of fields) {
    const place = 2 + 2 * plot.fields.indexOf(field);
    for (const bucket of plot.buckets) {
      if (bucket[place] < least) least = bucket[place];
      if (bucket[place + 1] > greatest) greatest = bucket[place + 1];
    }
  }
  return least <= greatest ? [least, greatest] : null;
}

/** Samples a second, from the numbers of live samples: thinning does not hide it. */
export class Rates {
  static span = 5000;
  #streams = new Map();

  take(board, stream, sample, arrival) {
    if (![sample?.seq, sample?.ts_ms].every(Number.isFinite)) return;
    let known = this.#streams.get(board);
    if (known === undefined) this.#streams.set(board, (known = new Map()));
    const points = known.get(stream) ?? [];
    if (points.length > 0 && sample.seq <= points.at(-1).seq) points.length = 0;
    points.push({ seq: sample.seq, time: sample.ts_ms, arrival });
    while (points.length > 2 && arrival - points[1].arrival > Rates.span) points.shift();
    known.set(stream, points);
  }
  of(board, now) {
    const rates = [...(this.#streams.get(board)?.values() ?? [])].map((points) => rate(points, now)).filter(Number.isFinite);
    return rates.length > 0 ? rates.reduce((sum, value) => sum + value, 0) : undefined;
  }

  keepOnly(boards) {
    for (const board of this.#streams.keys()) if (!boards.has(board)) this.#streams.delete(board);
  }
}

function rate(points, now) {
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < 2 || last.time <= first.time) return undefined;
  const pace = (last.arrival - first.arrival) / (points.length - 1);
  if (now - last.arrival > Math.max(Rates.span, pace * 3)) return 0;
  return ((last.seq - first.seq) * 1000) / (last.time - first.time);
}

// A board's orientation as a box in perspective. Quaternions are [w, x, y, z] and turn the board's axes into the
// world's: east, north, up. The reader looks from the south, from a little above.

const degrees = 180 / Math.PI;

export function normalized(q) {
  if (!q?.every(Number.isFinite)) return null;
  const length = Math.hypot(...q);
  return length < 1e-6 ? null : q.map((part) => part / length);
}

export function multiply([w, x, y, z], [a, b, c, d]) {
  return [
    w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c,
    w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a,
  ];
}

/** Degrees, as a sensor fusion says them: `pitch` is about the board's x axis, `roll` about its y axis. */
export function fromEuler(heading, pitch, roll) {
  if (![heading, pitch, roll].every(Number.isFinite)) return null;
  const half = (angle) => [Math.cos(angle / 2 / degrees), Math.sin(angle / 2 / degrees)];
  const [[cz, sz], [cy, sy], [cx, sx]] = [half(-heading), half(roll), half(pitch)];
  return multiply(multiply([cz, 0, 0, sz], [cy, 0, sy, 0]), [cx, sx, 0, 0]);
}
export function orientation(sample) {
  if (sample?.qw !== undefined) return normalized([sample.qw, sample.qx, sample.qy, sample.qz]);
  const heading = sample?.heading_deg ?? sample?.yaw_deg;
  return normalized(fromEuler(heading, sample?.pitch_deg, sample?.roll_deg));
}
export function relative(reference, q) {
  if (!reference) return q;
  const [w, x, y, z] = reference;
  return multiply([w, -x, -y, -z], q);
}

export function angles([w, x, y, z]) {
  const heading = -Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * degrees;
  return {
    heading: heading < 0 ? heading + 360 : heading,
    pitch: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * degrees,
    roll: Math.asin(Math.min(Math.max(2 * (w * y - z * x), -1), 1)) * degrees,
  };
}

export function turned([w, x, y, z], [a, b, c]) {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [
    a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx,
  ];
}

const size = [1, 0.7, 0.18];
const faces = Object.entries({
  top: [0, 0, 1], bottom: [0, 0, -1], east: [1, 0, 0], west: [-1, 0, 0], north: [0, 1, 0], south: [0, -1, 0],
}).map(([name, normal]) => {
  const [x, y, z] = normal;
  const corner = (one, other) => [x + z * one + y * other, y + x * one + z * other, z + y * one + x * other];
  return { name, normal, corners: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] };
});
const elevation = 28 / degrees;
const distance = 5;

function projected([east, north, up], width, height) {
  const [c, s] = [Math.cos(elevation), Math.sin(elevation)];
  const depth = north * c - up * s;
  const scale = (Math.min(width, height) * 0.34 * distance) / (distance + depth);
  return { x: width / 2 + east * scale, y: height / 2 - (up * c + north * s) * scale, depth };
}

/** The faces that can be seen, the farthest first, and the arrow along the board's y axis on its top. */
export function picture(q, width, height) {
  const view = [0, -Math.cos(elevation), Math.sin(elevation)];
  const eye = view.map((part) => part * distance);
  const seen = [];
  for (const face of faces) {
    const normal = turned(q, face.normal);
    const middle = turned(q, face.normal.map((part, axis) => part * size[axis]));
    const towards = eye.reduce((sum, part, axis) => sum + (part - middle[axis]) * normal[axis], 0);
    if (towards <= 0) continue;
    const corners = face.corners.map((corner) => turned(q, corner.map((part, axis) => part * size[axis])));
    const points = corners.map((corner) => projected(corner, width, height));
    const depth = points.reduce((sum, point) => sum + point.depth, 0) / points.length;
    const light = Math.max(0, Math.min(1, 0.55 + 0.3 * normal[2] - 0.2 * normal[1] + 0.1 * normal[0]));
    seen.push({ name: face.name, points, depth, light });
  }
  seen.sort((one, other) => other.depth - one.depth);
  const arrow = [[0, -0.45, 1], [0, 0.55, 1], [-0.16, 0.25, 1], [0.16, 0.25, 1]]
    .map((corner) => turned(q, corner.map((part, axis) => part * size[axis])))
    .map((corner) => projected(corner, width, height));
  return { faces: seen, arrow: seen.some((face) => face.name === "top") ? arrow : null };
}
