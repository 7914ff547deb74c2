// Numbers, times and names as people read them. Pure: no document, no clock of its own.

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const everyUnprintable = new RegExp(unprintable.source, "gu");
/** What shows nothing of itself: blanks, marks, and letters that are only fillers. */
const invisible = /[\p{Z}\p{M}\u115F\u1160\u3164\uFFA0\s]/gu;

/** Text from the air or from a broker: what a screen does not show, or what turns it around, is escaped. */
export function printable(value, limit = 400) {
  const text = typeof value === "string" ? value : value === undefined || value === null ? "" : String(value);
  const cut = text.length > limit ? [...text.slice(0, limit + 1)].slice(0, limit).join("") + "…" : text;
  if (!unprintable.test(cut)) return cut;
  return cut.replace(everyUnprintable, (scalar) => `\\u{${scalar.codePointAt(0).toString(16).toUpperCase()}}`);
}

/** Whether a screen shows something of it. */
export function isVisible(value) {
  return typeof value === "string" && value.replace(everyUnprintable, "").replace(invisible, "") !== "";
}

/** A board's name for people: its address where there is no name to be seen. */
export function boardName(info, id) {
  return isVisible(info?.name) ? printable(info.name, 80) : address(id);
}

/** `e5a1c2d3f4b6` as `E5:A1:C2:D3:F4:B6`; anything else as it is. */
export function address(id) {
  const text = printable(id, 64);
  return /^[0-9a-f]{12}$/.test(text) ? text.toUpperCase().match(/../g).join(":") : text;
}

/** How long something has been so, in one unit; milliseconds. */
export function age(span) {
  if (!Number.isFinite(span)) return "–";
  const seconds = Math.max(0, Math.floor(span / 1000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6000) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

/** A point in time as seen from `now`: `in 3 min`, `12 s ago`. */
export function when(time, now) {
  if (!Number.isFinite(time)) return "–";
  return time > now ? `in ${age(time - now)}` : `${age(now - time)} ago`;
}

/** Time of day where the reader is, with the date unless it is today. */
export function clock(time, now) {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return "–";
  const [at, today] = [new Date(time), new Date(now)];
  const two = (value) => String(value).padStart(2, "0");
  const hours = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return at.toDateString() === today.toDateString() ? hours : `${date} ${hours}`;
}

/** One decimal below ten, none above. */
export function rounded(value) {
  if (!Number.isFinite(value)) return "–";
  return Math.abs(value) < 9.95 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}

/** A measured value with as many digits as its size deserves. */
export function measured(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

export function bytes(value) {
  if (!Number.isFinite(value)) return "–";
  let [amount, unit] = [value, "B"];
  for (const larger of ["kB", "MB", "GB", "TB"]) if (amount >= 1000) [amount, unit] = [amount / 1000, larger];
  return `${rounded(amount)} ${unit}`;
}

/** `1 board`, `2 boards`. */
export function count(value, noun) {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
}

/** A value with its unit, a dash where there is none. */
export function withUnit(value, unit) {
  return Number.isFinite(value) ? `${value} ${unit}` : "–";
}

const suffixes = [
  ["_dps", "°/s"], ["_deg", "°"], ["_pct", "%"], ["_mv", "mV"], ["_ut", "µT"], ["_pa", "Pa"], ["_lx", "lx"],
  ["_g", "g"], ["_c", "°C"], ["_m", "m"],
];

/** The unit of a field: what the catalogue says, else what its name ends in. */
export function unitOf(field, catalogue) {
  const known = (Array.isArray(catalogue) ? catalogue : []).find((entry) => entry?.name === field);
  if (typeof known?.unit === "string") return printable(known.unit, 12);
  return suffixes.find(([suffix]) => field.endsWith(suffix))?.[1] ?? "";
}

/** The name of a field without its unit. */
export function fieldLabel(field) {
  const suffix = suffixes.find(([end]) => field.endsWith(end))?.[0] ?? "";
  return printable(field.slice(0, field.length - suffix.length), 32);
}

/** A document's value in one line. */
export function plain(value) {
  if (typeof value === "string") return printable(value, 2000);
  if (value === undefined) return "–";
  return printable(JSON.stringify(value) ?? "–", 2000);
}

/** The members of an object as lines, without the time at which it was read. */
export function lines(data) {
  if (data === null || typeof data !== "object") return [];
  return Object.entries(data).filter(([key]) => key !== "ts_ms")
    .map(([key, value]) => `${printable(key, 64)}: ${plain(value)}`);
}
