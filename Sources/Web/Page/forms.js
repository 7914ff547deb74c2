// Forms of commands, made from what verbs declare and what a board accepts (`info.verbs`), and what becomes of each.
import { bullets, button, h, Keyed, mark, write } from "./dom.js";
import { jobCounts, notDone, sentence } from "./model.js";
import { argumentLabel, clock, collect, colour, count, elements, field, lines, offered, plain, quantity, variants } from "./text.js";

let serial = 0;
export function control(field, extra = {}) {
  serial += 1;
  const id = `field-${serial}`;
  const label = field.label ?? argumentLabel(field.name);
  const hint = [field.description, range(field), field.standard !== undefined ? `default ${plain(field.standard)}` : ""]
    .filter(Boolean).join("; ");
  const described = { id, name: field.name, "aria-describedby": hint ? `${id}-hint` : undefined, "aria-required": field.required || undefined };
  const input = makeInput(field, described, extra);
  const fault = h("span", { class: "fault", id: `${id}-fault` });
  const node = h("div", { class: "field" },
    field.kind === "several" ? undefined : h("label", { for: id }, label + (field.required ? " *" : "")), input.node,
    hint ? h("span", { class: "hint", id: `${id}-hint` }, hint) : undefined, fault);
  return {
    node, field, typed: input.typed, focus: () => input.node.focus(),
    complain: (text) => {
      write(fault, text ?? "");
      mark(input.node, "aria-invalid", text !== undefined ? "true" : undefined);
      mark(input.node, "aria-describedby", [hint ? `${id}-hint` : "", text !== undefined ? `${id}-fault` : ""].filter(Boolean).join(" ") || undefined);
    },
  };
}

function range({ minimum, maximum }) {
  if (minimum === undefined && maximum === undefined) return "";
  return Math.abs(minimum ?? 0) > 1e9 || Math.abs(maximum ?? 0) > 1e15 ? "" : `${minimum ?? "…"} to ${maximum ?? "…"}`;
}

function makeInput(field, described, { options, colour }) {
  if (colour) {
    const node = h("input", { ...described, type: "color", value: colour });
    return { node, typed: () => node.value };
  }
  const choices = options ?? (field.kind === "flag" ? ["true", "false"] : field.kind === "choice" ? field.options : undefined);
  if (choices !== undefined) {
    const words = { true: "yes", false: "no" };
    const node = h("select", described, field.required && options === undefined ? [] : h("option", { value: "" }, field.required ? "choose" : "default"),
      choices.map((option) => h("option", { value: option }, field.kind === "flag" ? words[option] : option)));
    return { node, typed: () => node.value };
  }
  if (field.kind === "several") {
    const boxes = field.options.map((option) => [option, h("input", { type: "checkbox" })]);
    const node = h("fieldset", {}, h("legend", {}, argumentLabel(field.name)),
      boxes.map(([option, box]) => h("label", { class: "check" }, box, option)));
    return { node, typed: () => boxes.filter(([, box]) => box.checked).map(([option]) => option) };
  }
  const node = field.kind === "json"
    ? h("textarea", { ...described, rows: 2, spellcheck: "false", placeholder: "JSON" })
    : h("input", {
      ...described, type: "text", autocomplete: "off", spellcheck: "false",
      inputmode: field.kind === "integer" ? "numeric" : field.kind === "number" ? "decimal" : undefined,
    });
  return { node, typed: () => node.value };
}

/** Arguments of these controls, or undefined where one is wrong; that one says so and has the focus. */
export function readControls(controls) {
  for (const entry of controls) entry.complain(undefined);
  const { args, errors } = collect(controls.map((entry) => entry.field), (field) => controls.find((entry) => entry.field === field).typed());
  if (errors === undefined) return args;
  for (const { name, error } of errors) controls.find((entry) => entry.field.name === name).complain(error);
  controls.find((entry) => entry.field.name === errors[0].name).focus();
  return undefined;
}
export function submitted(done, attributes, ...children) {
  return h("form", {
    novalidate: true, ...attributes, onsubmit: (event) => {
      event.preventDefault();
      done();
    },
  }, ...children);
}

/** A whole form of a verb. `target` is a function, as a group may be chosen; `confirm` is what must be typed. */
export function verbForm(context, verb, target, { label, confirm, options = {} } = {}) {
  const { choice, options: shapes } = variants(verb);
  const panel = resultPanel(context);
  const body = h("div", { class: "fields" });
  let [controls, choosing] = [[], undefined];
  const build = (shape) => {
    controls = shape.fields.map((field) => {
      const isConfirmation = field.name === "confirm";
      const known = options[field.name];
      return control(isConfirmation ? { ...field, label: `Confirm: type ${confirm?.() ?? "the id"}` } : field,
        { options: field.kind === "text" ? known : undefined });
    });
    body.replaceChildren(...(choosing ? [choosing.node] : []), ...controls.map((entry) => entry.node));
  };
  if (choice !== undefined) {
    choosing = control({ name: choice, kind: "choice", options: shapes.map((shape) => shape.name), required: true, description: "" });
    choosing.node.querySelector("select").addEventListener("change", () => build(shapes.find((shape) => shape.name === choosing.typed()) ?? shapes[0]));
  }
  build(shapes[0]);
  const form = submitted(() => {
    const args = readControls(controls);
    if (args === undefined) return;
    if (choice !== undefined) args[choice] = choosing.typed();
    panel.send(target(), verb.verb, args);
  }, {}, h("p", { class: "hint" }, verb.summary), body, h("button", { type: "submit" }, label ?? verb.verb));
  return h("div", { class: "verb" }, form, panel.node);
}
/** The stages of a request and its result; `done` is called when there is one. */
export function resultPanel(context, done) {
  const stage = h("p", { class: "stage" });
  const trail = h("p", { class: "trail hint" });
  const bar = h("progress", { max: 100, hidden: true, "aria-label": "Progress" });
  const data = bullets("data");
  const node = h("div", { class: "result", role: "status", hidden: true }, stage, bar, trail, data.node);
  const show = (request, now) => {
    mark(node, "hidden", undefined);
    mark(node, "data-stage", request.isFinal ? (request.ok ? "done" : "failed") : "running");
    write(stage, sentence(request, now));
    write(trail, request.stages.join(" → "));
    const hasShare = !request.isFinal && Number.isFinite(request.pct);
    mark(bar, "hidden", !hasShare);
    if (hasShare) bar.value = request.pct;
    if (request.isFinal) done?.();
    data.set(request.isFinal || request.stage === "progress" ? results(request, context) : []);
  };
  const follow = (request) => context.follow(request, show);
  return { node, follow, send: (target, verb, args = {}) => follow(context.send(target, verb, args)) };
}

/** A button that asks twice before it acts. `steps` gives two of `[question, answer]`; `keep` leaves all as it is. */
export function askedTwice(label, keep, steps, act, attributes = {}) {
  const ask = h("div", { class: "notice", role: "group", "aria-label": label, hidden: true, ...attributes });
  const close = () => {
    mark(ask, "hidden", true);
    start.focus();
  };
  const show = ([[question, answer], ...more]) => {
    const next = button(answer, () => {
      if (more.length > 0) return show(more);
      close();
      act();
    }, { class: more.length > 0 ? undefined : "danger" });
    ask.replaceChildren(h("p", {}, question), next, button(keep, close));
    mark(ask, "hidden", undefined);
    next.focus();
  };
  const start = button(label, () => show(steps()), attributes);
  return { start, ask };
}

export function results(request, context) {
  const { data } = request;
  const now = context.now();
  if (request.verb === "explain" && typeof data?.summary === "string") return explanation(data, now);
  if (request.target.startsWith("group/")) {
    const counts = jobCounts(request);
    const all = [`${counts.done} of ${counts.total} done, ${counts.failed} failed, ${counts.unknown} unknown, ${counts.skipped} skipped`];
    for (const member of notDone(request).slice(0, 100)) {
      all.push(`${context.name(member.board)}: ${member.stage}${member.code ? ` (${member.code})` : ""} ${member.message ?? ""}`.trim());
    }
    return all;
  }
  // The list of a scan has its own table.
  if (request.verb === "scan" && Array.isArray(data?.boards)) return [count(data.boards.length, "board") + " received"];
  const list = Object.entries(data ?? {}).find(([, value]) => Array.isArray(value) && value.some((entry) => typeof entry === "object"));
  if (list === undefined) return lines(data);
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => key !== list[0]));
  return [...lines(rest), ...list[1].slice(0, 100).map((entry) => lines(entry).join(", "))];
}

function explanation(data, now) {
  const causes = elements(data.causes).map((cause) =>
    `${cause.text}${Number.isFinite(cause.since_ms) ? ` (since ${clock(cause.since_ms, now)})` : ""} [${cause.code}]`);
  const next = elements(data.next).map((step) => `At ${clock(step.at_ms, now)}: ${step.text}`);
  return [data.summary, ...causes, ...next];
}

// What can be asked of a board

/** Verbs that have a place of their own; all others stand as forms below. */
const placed = new Set(["explain", "identify", "led", "haptic", "stream-start", "stream-stop", "log-start", "log-stop", "log-download", "log-status"]);
const groups = [
  ["Log: erase", ["log-clear"]], ["Macros", ["macro-list", "macro-run", "macro-record", "macro-erase"]],
  ["Profile and maintenance", ["profile", "maintenance", "settings"]],
  ["Firmware", ["firmware-check", "firmware-update", "firmware-abort", "bootloader"]],
  ["Reset and connection", ["reset", "disconnect", "sleep", "factory-reset"]], ["Read", ["read"]],
];

export function boardControls(context, id) {
  const target = () => `board/${id}`;
  const node = h("section", { class: "beside", "aria-labelledby": "controls-title" });
  let [signature, offers, parts] = [];
  function build(board, isWhole) {
    const verbs = new Set(elements(board.info?.verbs));
    const can = (verb) => verbs.has(verb) && context.verbs.has(verb);
    const missing = verbs.size === 0 ? "This board accepts no command: the gateway's file allows none (commands.allow), or it was not asked yet."
      : context.verbs.size === 0 ? "No command may be sent from here (http.commands), or the gateway did not say yet what commands take." : undefined;
    const made = missing ? [] : [streams, logging].map((part) => part(context, board, target, can) ?? { node: h("div") });
    if (isWhole) {
      node.replaceChildren(h("h2", { id: "controls-title" }, "Commands"), ...(missing ? [h("p", { class: "notice" }, missing)]
        : [modeChoice(context), signals(context, board, target, can), ...made.map((part) => part.node), ...rest(context, board, target, can, verbs)]));
    } else {
      // Streams come and go: what is typed elsewhere, and what became of it, stays.
      made.forEach((part, place) => parts[place].node.replaceWith(part.node));
    }
    parts = made;
  }
  return {
    node,
    fill: (board) => {
      const [verbs, streams] = [JSON.stringify([board.info?.verbs, context.verbs.size]), JSON.stringify(board.info?.streams)];
      if (verbs !== signature || streams !== offers) build(board, verbs !== signature);
      [signature, offers] = [verbs, streams];
      for (const part of parts) part.fill?.(board);
    },
  };
}

function modeChoice(context) {
  const choice = h("select", { id: "mode", onchange: () => (context.mode = choice.value) },
    h("option", { value: "now" }, "now; connect for it"), h("option", { value: "queue" }, "at its next contact"));
  choice.value = context.mode ?? "now";
  return h("p", { class: "row" }, h("label", { for: "mode" }, "When"), choice);
}

function signals(context, board, target, can) {
  const parts = [];
  if (can("identify")) {
    const panel = resultPanel(context);
    parts.push(h("div", { class: "verb" }, button("Identify: flash and buzz", () => panel.send(target(), "identify")), panel.node));
  }
  if (can("led")) parts.push(ledForm(context, board, target));
  if (can("haptic")) parts.push(verbForm(context, context.verbs.get("haptic"), target, { label: "Run motor or buzzer" }));
  return h("div", { class: "panel", hidden: parts.length === 0 }, h("h3", {}, "Find it"), parts);
}

function ledForm(context, board, target) {
  const declared = variants(context.verbs.get("led")).options[0].fields;
  const find = (name) => declared.find((entry) => entry.name === name);
  const { r = 0, g = 255, b = 0 } = board.led?.color ?? {};
  const hex = `#${[r, g, b].map((part) => (part & 255).toString(16).padStart(2, "0")).join("")}`;
  const picker = control({ name: "colour", kind: "text", description: "" }, { colour: hex });
  const others = ["pattern", "brightness", "repeat"].map(find).filter(Boolean).map((entry) => control(entry));
  const panel = resultPanel(context);
  const off = button("LED off", () => panel.send(target(), "led", { state: "OFF" }));
  return submitted(() => {
    const args = readControls(others);
    if (args !== undefined) panel.send(target(), "led", { ...args, color: colour(picker.typed()) });
  }, { class: "verb" }, h("div", { class: "fields" }, picker.node, others.map((entry) => entry.node)),
  h("p", { class: "row" }, h("button", { type: "submit" }, "Set LED"), off), panel.node);
}

function catalogue(board, key) {
  return Object.entries(board.info?.streams ?? {}).filter(([, entry]) => entry?.[key]).sort(([one], [other]) => (one < other ? -1 : 1));
}
function streams(context, board, target, can) {
  if (!can("stream-start") && !can("stream-stop")) return undefined;
  const running = h("ul", { class: "running" });
  const none = h("p", { class: "hint" });
  const panel = resultPanel(context);
  const list = new Keyed(running, (item) => {
    const label = h("span");
    const stop = can("stream-stop")
      ? button("Stop", () => panel.send(target(), "stream-stop", { stream: item.name }), { "aria-label": `Stop ${item.name}` }) : undefined;
    return { node: h("li", {}, label, " ", stop), label };
  });
  const fill = (current) => {
    const all = Object.entries(current.config?.desired?.stream ?? {}).map(([name, settings]) => ({ name, settings }));
    write(none, all.length === 0 ? "No stream is wanted of it now." : "");
    list.show(all, (item) => item.name, (entry, item) => {
      const settings = Object.entries(item.settings ?? {}).filter(([key]) => ["rate_hz", "range_g", "range_dps", "mode", "every"].includes(key))
        .map(([key, value]) => quantity(key, value)).join(", ");
      write(entry.label, `${item.name}${settings ? ` (${settings})` : ""}`);
    });
  };
  const form = can("stream-start") ? configured(context, "Start stream", catalogue(board, "streamable"), (stream, args) =>
    panel.send(target(), "stream-start", { stream, ...args }), [
    { name: "for_s", ...field({ type: "number", minimum: 1, maximum: 604800, description: "seconds until it stops by itself" }) },
    { name: "nearest", ...field({ type: "boolean", description: "accept the nearest value that is offered" }) },
  ]) : undefined;
  return { node: h("div", { class: "panel" }, h("h3", {}, "Streams"), running, none, form, panel.node), fill };
}

function configured(context, label, entries, done, more) {
  const options = entries.map(([name]) => name);
  const choice = control({ name: "stream", kind: "choice", options, required: true, description: "" }, { options });
  const body = h("div", { class: "fields" });
  let controls = [];
  const build = () => {
    const entry = entries.find(([name]) => name === choice.typed())?.[1];
    controls = entry === undefined ? [] : [...offered(entry), ...more].map((one) => control(one));
    body.replaceChildren(...controls.map((one) => one.node));
  };
  choice.node.querySelector("select").addEventListener("change", build);
  return submitted(() => {
    const chosen = readControls([choice]);
    const args = chosen && readControls(controls);
    if (args !== undefined) done(chosen.stream, args);
  }, {}, choice.node, body, h("button", { type: "submit" }, label));
}

function logging(context, board, target, can) {
  const parts = [];
  if (can("log-start")) parts.push(logForm(context, board, target));
  const panel = resultPanel(context);
  const press = (label, verb, args = {}) => can(verb) ? button(label, () => panel.send(target(), verb, args)) : undefined;
  const buttons = [press("Stop logging", "log-stop"), press("Download the log", "log-download"), press("Log status", "log-status")].filter(Boolean);
  if (buttons.length > 0) parts.push(h("p", { class: "row" }, buttons), panel.node);
  return parts.length > 0 ? { node: h("div", { class: "panel" }, h("h3", {}, "Log"), parts) } : undefined;
}

function logForm(context, board, target) {
  const panel = resultPanel(context);
  const fault = h("p", { class: "fault", role: "alert" });
  const loggers = board.info?.slots?.loggers;
  const entries = catalogue(board, "loggable").map(([name, entry]) => {
    const box = h("input", { type: "checkbox" });
    const controls = offered(entry).map((one) => control(one));
    const body = h("div", { class: "fields", hidden: true }, controls.map((one) => one.node));
    box.addEventListener("change", () => mark(body, "hidden", !box.checked));
    return {
      name, entry, box, controls,
      node: h("div", {}, h("label", { class: "check" }, box, `${name}${entry.entries ? `, ${entry.entries} of ${loggers ?? "8"} loggers` : ""}`), body),
    };
  });
  const circular = control({ name: "circular", ...field(context.verbs.get("log-start").schema.$defs.args.properties.circular) });
  return submitted(() => {
    const chosen = entries.filter((entry) => entry.box.checked);
    write(fault, chosen.length === 0 ? "Choose at least one stream to log." : "");
    const wanted = {};
    for (const entry of chosen) {
      const args = readControls(entry.controls);
      if (args === undefined) return;
      wanted[entry.name] = args;
    }
    const more = readControls([circular]);
    if (chosen.length > 0 && more !== undefined) panel.send(target(), "log-start", { streams: wanted, ...more });
  }, {}, h("details", {}, h("summary", {}, "Choose what to log"), entries.map((entry) => entry.node), circular.node),
  fault, h("button", { type: "submit" }, "Start logging"), panel.node);
}

function rest(context, board, target, can, verbs) {
  const profiles = [...new Set([...context.model.fleet.boards.values()].map((other) => other.info?.profile).filter((name) => typeof name === "string"))].sort();
  const form = (verb) => verbForm(context, context.verbs.get(verb), target, {
    label: verb, confirm: () => board.id, options: verb === "profile" && profiles.length > 0 ? { name: profiles } : {},
  });
  const shown = new Set(placed);
  const parts = groups.map(([title, names]) => {
    const present = names.filter((name) => can(name) && context.verbs.has(name));
    for (const name of names) shown.add(name);
    return present.length > 0 ? h("details", { class: "panel" }, h("summary", {}, title), present.map(form)) : undefined;
  });
  const others = [...verbs].filter((name) => typeof name === "string" && !shown.has(name) && can(name) && context.verbs.has(name)).sort();
  if (others.length > 0) {
    parts.push(h("details", { class: "panel" }, h("summary", {}, "More commands"),
      others.map((name) => h("details", {}, h("summary", {}, name), form(name)))));
  }
  return parts.filter(Boolean);
}
