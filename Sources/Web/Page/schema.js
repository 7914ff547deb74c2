// From what a verb declares of its arguments to fields of a form, and from what was typed to arguments. Pure.

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

/** What kind of field a declared value makes. */
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

/** Fields for what a stream offers (`offers` of the catalogue): lists to choose from, ranges to type in. */
export function offered(entry) {
  const all = Object.entries(entry?.offers ?? {}).map(([name, offer]) => {
    if (Array.isArray(offer)) return { name, kind: "choice", options: offer, description: "" };
    return { name, kind: "number", minimum: offer?.min, maximum: offer?.max, step: offer?.step, description: "" };
  });
  if (entry?.readable && !entry?.offers?.every) {
    all.push({ name: "every", kind: "text", description: "how often it is read, such as 60s" });
  }
  return all;
}

/** The argument that was typed: `{value}`, `{}` where nothing was, or `{error}` with what to write instead. */
export function argument(field, typed) {
  if (Array.isArray(typed)) return typed.length > 0 || !field.required ? (typed.length > 0 ? { value: typed } : {}) : needed(field);
  if (typeof typed === "boolean") return { value: typed };
  const text = String(typed ?? "").trim();
  if (text === "") return field.required ? needed(field) : {};
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
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (field.of === "string") return { value: parts };
  const all = parts.map(Number);
  return all.every((value) => Number.isFinite(value) && (field.of !== "integer" || Number.isInteger(value)))
    ? { value: all } : { error: `${field.name}: write numbers, with commas between them` };
}

/** All arguments of a form: `{args}` or `{errors}`, one for each field that is wrong. */
export function collect(all, typed) {
  const [args, errors] = [{}, []];
  for (const field of all) {
    const { value, error } = argument(field, typed(field));
    if (error !== undefined) errors.push({ name: field.name, error });
    else if (value !== undefined) args[field.name] = value;
  }
  return errors.length > 0 ? { errors } : { args };
}

/** `#rrggbb` as the contract's colour. */
export function colour(text) {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  return parts === null ? undefined
    : { r: parseInt(parts[1], 16), g: parseInt(parts[2], 16), b: parseInt(parts[3], 16) };
}

/** Two configurations side by side, a row for each value: `{path, desired, reported, isSame}`. */
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
