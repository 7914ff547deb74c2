// What people read and what they type: numbers, times and names; forms' fields from what verbs declare of their
// arguments, and arguments from what was typed. Pure.

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const everyUnprintable = new RegExp(unprintable.source, "gu");
/** What shows nothing of itself: blanks, marks, and letters that are only fillers. */
const invisible = /[\p{Z}\p{M}\u115F\u1160\u3164\uFFA0\s]/gu;

/** Text from the air or from a broker: what a screen does not show, or what turns it around, is escaped. */
export function printable(value, limit = 400) {
  const text = String(value ?? "");
  const scalars = text.length > limit ? [...text.slice(0, 2 * limit + 2)] : [];
  const cut = scalars.length > limit ? scalars.slice(0, limit).join("") + "…" : text;
  if (!unprintable.test(cut)) return cut;
  return cut.replace(everyUnprintable, (scalar) => `\\u{${scalar.codePointAt(0).toString(16).toUpperCase()}}`);
}

export function boardName({ name } = {}, id) {
  const isVisible = typeof name === "string" && name.replace(everyUnprintable, "").replace(invisible, "") !== "";
  return isVisible ? printable(name, 80) : address(id);
}

/** `e5a1c2d3f4b6` as `E5:A1:C2:D3:F4:B6`; anything else as it is. */
export function address(id) {
  const text = printable(id, 64);
  return /^[0-9a-f]{12}$/.test(text) ? text.toUpperCase().match(/../g).join(":") : text;
}

export function age(span) {
  if (!Number.isFinite(span)) return "–";
  const seconds = Math.max(0, Math.floor(span / 1000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6000) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}
export function when(time, now) {
  if (!Number.isFinite(time)) return "–";
  return time > now ? `in ${age(time - now)}` : `${age(now - time)} ago`;
}
export function clock(time, now) {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return "–";
  const [at, today] = [new Date(time), new Date(now)];
  const two = (value) => String(value).padStart(2, "0");
  const hours = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return at.toDateString() === today.toDateString() ? hours : `${date} ${hours}`;
}
export function rounded(value) {
  if (!Number.isFinite(value)) return "–";
  return Math.abs(value) < 9.95 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}
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

export function count(value, noun) {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
}
export function elements(value) {
  return Array.isArray(value) ? value : [];
}

export function withUnit(value, unit) {
  return Number.isFinite(value) ? `${value} ${unit}` : "–";
}

const units = {
  dps: "°/s", deg: "°", pct: "%", mv: "mV", ut: "µT", pa: "Pa", lx: "lx", g: "g", c: "°C", m: "m", ms: "ms", s: "s", hz: "Hz", dbm: "dBm",
};

/** `ax_g` as `["ax", "g"]`; without a unit where the name ends in none. */
function divided(name) {
  const place = name.lastIndexOf("_");
  const unit = name.slice(place + 1);
  return place > 0 && Object.hasOwn(units, unit) ? [name.slice(0, place), units[unit]] : [name, ""];
}

/** The unit of a field: what the catalogue says, else what its name ends in. */
export function unitOf(field, catalogue) {
  const known = elements(catalogue).find((entry) => entry?.name === field);
  return typeof known?.unit === "string" ? printable(known.unit, 12) : divided(field)[1];
}

export function fieldLabel(field) {
  return printable(divided(field)[0], 32);
}

/** `duty_pct` as `Duty (%)`. */
export function argumentLabel(name) {
  const [words, unit] = divided(name);
  const text = words.replace(/_/g, " ");
  return text.slice(0, 1).toUpperCase() + text.slice(1) + (unit && ` (${unit})`);
}

/** `rate_hz` 50 as `50 Hz`; `mode` stays with its name. */
export function quantity(name, value) {
  const [words, unit] = divided(name);
  return unit ? `${words === "range" ? "±" : ""}${plain(value)} ${unit}` : `${words} ${plain(value)}`;
}

export function plain(value) {
  if (typeof value === "string") return printable(value, 2000);
  if (value === undefined) return "–";
  return printable(JSON.stringify(value) ?? "–", 2000);
}
export function lines(data) {
  if (data === null || typeof data !== "object") return [];
  return Object.entries(data).filter(([key]) => key !== "ts_ms")
    .map(([key, value]) => `${printable(key, 64)}: ${plain(value)}`);
}

// Forms

/** The shapes that a verb's arguments may have: one, or one for each value of a first choice (`read`, `sensor`). */
export function variants(verb) {
  const args = verb?.schema?.$defs?.args ?? {};
  if (!Array.isArray(args.oneOf)) return { choice: undefined, options: [{ name: "", fields: fields(args) }] };
  const choice = Object.keys(args.oneOf[0]?.properties ?? {}).find((key) => args.oneOf[0].properties[key]?.const !== undefined);
  const options = args.oneOf.map((shape) => ({
    name: String(shape.properties?.[choice]?.const ?? ""), fields: fields(shape).filter((field) => field.name !== choice),
  }));
  return { choice, options };
}

function fields(shape) {
  const required = new Set(shape.required ?? []);
  return Object.entries(shape.properties ?? {})
    .map(([name, declared]) => ({ name, required: required.has(name), ...field(declared) }));
}

export function field(declared) {
  const { description = "", default: standard, minimum, maximum, pattern, examples } = declared;
  const base = { description, standard, minimum, maximum, pattern };
  if (Array.isArray(declared.enum)) return { ...base, kind: "choice", options: declared.enum };
  switch (declared.type) {
    case "boolean": return { ...base, kind: "flag" };
    case "integer": return { ...base, kind: "integer" };
    case "number":
      return Array.isArray(examples) ? { ...base, kind: "choice", options: examples } : { ...base, kind: "number" };
    case "string": return { ...base, kind: "text", longest: declared.maxLength };
    case "array":
      if (Array.isArray(declared.items?.enum)) return { ...base, kind: "several", options: declared.items.enum };
      if (["string", "integer", "number"].includes(declared.items?.type)) {
        return { ...base, kind: "list", of: declared.items.type };
      }
      return { ...base, kind: "json" };
    default: return { ...base, kind: "json" };
  }
}

export function offered(entry) {
  const all = Object.entries(entry?.offers ?? {}).map(([name, offer]) => {
    if (Array.isArray(offer)) return { name, kind: "choice", options: offer, description: "" };
    return { name, kind: "number", minimum: offer?.min, maximum: offer?.max, description: "" };
  });
  if (entry?.readable && !entry?.offers?.every) {
    all.push({ name: "every", kind: "text", description: "how often it is read, such as 60s" });
  }
  return all;
}

/** What was typed: `{value}`, `{}` where nothing was, or `{error}` with what to write instead. */
export function argument(field, typed) {
  const text = Array.isArray(typed) ? typed.join() : String(typed ?? "").trim();
  if (text === "") return field.required ? needed(field) : {};
  if (typeof typed === "object") return { value: typed };
  switch (field.kind) {
    case "integer":
    case "number": return number(field, text);
    case "choice": {
      const option = field.options.find((candidate) => String(candidate) === text);
      return option === undefined ? { error: `${field.name}: choose one of ${field.options.join(", ")}` } : { value: option };
    }
    case "flag": return text === "true" ? { value: true } : text === "false" ? { value: false } : { error: `${field.name}: yes or no` };
    case "list": return listed(field, text);
    case "json":
      try {
        return { value: JSON.parse(text) };
      } catch (fault) {
        return { error: `${field.name}: this is not JSON (${fault.message})` };
      }
    default:
      if (field.longest && [...text].length > field.longest) return { error: `${field.name}: at most ${field.longest} characters` };
      if (field.pattern && !new RegExp(field.pattern, "u").test(text)) return { error: `${field.name}: ${field.description || "not like that"}` };
      return { value: text };
  }
}

function needed(field) {
  return { error: `${field.name} is needed${field.description ? `: ${field.description}` : ""}` };
}

function number(field, text) {
  const value = Number(text);
  if (!Number.isFinite(value)) return { error: `${field.name}: write a number` };
  if (field.kind === "integer" && !Number.isInteger(value)) return { error: `${field.name}: write a whole number` };
  if (value < field.minimum || value > field.maximum) {
    return { error: `${field.name}: from ${field.minimum ?? "–"} to ${field.maximum ?? "–"}` };
  }
  return { value };
}

function listed(field, text) {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  if (field.of === "string") return { value: parts };
  const all = parts.map(Number);
  return all.every((value) => Number.isFinite(value) && (field.of !== "integer" || Number.isInteger(value)))
    ? { value: all } : { error: `${field.name}: write numbers, with commas between them` };
}
export function collect(all, typed) {
  const [args, errors] = [{}, []];
  for (const field of all) {
    const { value, error } = argument(field, typed(field));
    if (error !== undefined) errors.push({ name: field.name, error });
    else if (value !== undefined) args[field.name] = value;
  }
  return errors.length > 0 ? { errors } : { args };
}
export function colour(text) {
  const [r, g, b] = (/^#[0-9a-f]{6}$/i.test(text) ? text.match(/\w\w/g) : []).map((part) => parseInt(part, 16));
  return b === undefined ? undefined : { r, g, b };
}

export function comparison(desired, reported) {
  const rows = new Map();
  const walk = (value, path, side) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0) {
      for (const [key, inner] of Object.entries(value)) walk(inner, path === "" ? key : `${path} · ${key}`, side);
    } else if (path !== "") {
      const row = rows.get(path) ?? { path };
      row[side] = JSON.stringify(value);
      rows.set(path, row);
    }
  };
  walk(desired, "", "desired");
  walk(reported, "", "reported");
  return [...rows.values()].map((row) => ({ ...row, isSame: row.desired === row.reported }));
}
