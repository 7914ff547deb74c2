// Pages that list: what boards logged and streamed, jobs of groups, alarms, and a gateway.
import { bullets, button, facts, h, Keyed, mark, row, SessionChart, table, write } from "./dom.js";
import { askedTwice, resultPanel, results, verbForm } from "./forms.js";
import { eventPanel } from "./view-board.js";
import { jobCounts, sentence } from "./model.js";
import { address, age, argumentLabel, bytes, clock, count, elements, plain, when } from "./text.js";

const heads = ["Board", "Kind", "Started", "State", "Samples", "Lost", "Streams", "Actions"];
const pageSize = 100;

export function sessionsView(context, parameters) {
  const board = /^[0-9a-f]{12}$/.test(parameters.get("board") ?? "") ? parameters.get("board") : undefined;
  const fault = h("p", { class: "fault", role: "alert" });
  const summary = h("p", { class: "totals" });
  const others = bullets("hint");
  const { node: tableNode, rows } = table("Sessions", heads, { isTitled: true });
  const plotPlace = h("section", { "aria-label": "Plot" });
  const more = button("Show more", () => {
    limit += pageSize;
    fill(context.now());
  }, { hidden: true });
  const list = new Keyed(rows, (session) => sessionRow(context, session, openPlot, load));
  const title = board ? `Sessions of ${context.name(board)}` : "Sessions";
  const node = h("div", {}, h("h1", { tabindex: -1 }, title),
    h("p", { class: "row" }, button("Look again", () => load()), board ? h("a", { href: "#/sessions" }, "Sessions of all boards") : undefined),
    fault, summary, others.node, plotPlace, tableNode, more);
  let [sessions, plot, limit, isClosed] = [[], undefined, pageSize, false];

  async function load() {
    try {
      const all = await context.link.get(`/api/sessions${board ? `?board=${board}` : ""}`);
      if (isClosed) return;
      sessions = elements(all).filter((session) => typeof session?.session === "string" && /^[0-9A-Za-z._-]{1,64}$/.test(session.session))
        .sort((one, other) => (other.started_ms ?? 0) - (one.started_ms ?? 0));
      write(fault, "");
    } catch (failure) {
      write(fault, `The sessions cannot be shown: ${failure.message}.`);
    }
    fill(context.now());
  }

  function fill(now) {
    write(summary, sessions.length === 0 ? "Nothing is stored yet. Start a log on a board's page; what it downloads stands here."
      : `${count(sessions.length, "session")}, ${sessions.filter((session) => session.state === "short").length} of them incomplete`);
    list.show(sessions.slice(0, limit), (session) => session.session, (entry, session) => entry.fill(session, now));
    mark(tableNode, "hidden", sessions.length === 0);
    mark(more, "hidden", sessions.length <= limit);
    const elsewhere = [...context.model.fleet.gateways.values()].filter((gateway) => context.ownGateway() !== undefined && gateway.id !== context.ownGateway());
    others.set(elsewhere.map((gateway) =>
      `What the boards of gateway ${gateway.id} logged is stored there: see the page of ${gateway.info?.host ?? gateway.id}.`));
  }

  function openPlot(session) {
    plot = plotPanel(context, session);
    plotPlace.replaceChildren(plot.node);
    plot.node.querySelector("h2").focus();
  }

  load();
  return {
    title, node, live: () => [],
    update: (changes) => {
      if (changes.events && context.model.events.at(-1)?.kind === "log-downloaded") load();
      if (plot?.isStale()) plot.draw();
    },
    frame: () => plot?.isStale() && plot.draw(),
    tick: fill, redraw: () => plot?.draw(), close: () => (isClosed = true),
  };
}

const stateWords = {
  cleared: "complete, erased on the board", complete: "complete", short: "incomplete", logging: "the board logs",
  reading: "being downloaded", running: "running", ended: "ended",
};

function sessionRow(context, session, openPlot, reload) {
  const id = session.session;
  const made = row(heads, { "data-session": id });
  const [boardCell, kind, started, state, samples, lost, streams, actions] = made.cells;
  const label = `session ${id.slice(0, 10)} of ${context.name(session.board)}`;
  boardCell.append(h("a", { href: /^[0-9a-f]{12}$/.test(session.board) ? `#/board/${session.board}` : "#/" }, context.name(session.board)),
    h("span", { class: "hint" }, id.slice(0, 10)));
  const word = h("span", { class: "badge" });
  const detail = h("span", { class: "hint" });
  state.append(word, detail);
  const note = h("span", { class: "hint", role: "status" });
  actions.append(h("div", { class: "row" }, button("Plot", () => openPlot(session), { "aria-label": `Plot ${label}` }),
    download(context, session, "csv", "CSV", label, note), download(context, session, "jsonl", "JSON Lines", label, note),
    ...deletion(context, session, label, reload)), note);
  return {
    node: made.node,
    fill: (current, now) => {
      write(kind, current.kind);
      write(started, clock(current.started_ms, now));
      write(word, stateWords[current.state] ?? current.state, current.state === "short" ? "bad" : ["cleared", "complete"].includes(current.state) ? "good" : undefined);
      write(detail, Number.isFinite(current.entries_expected) ? `${current.entries_stored} of ${current.entries_expected} entries`
        : Number.isFinite(current.ended_ms) ? `for ${age(current.ended_ms - current.started_ms)}` : "");
      write(samples, String(current.samples ?? "–") + (Number.isFinite(current.bytes) ? `, ${bytes(current.bytes)}` : ""));
      write(lost, current.samples_lost < 0 ? "some" : String(current.samples_lost ?? "–"), current.samples_lost !== 0 && current.samples_lost !== undefined ? "warning" : undefined);
      write(streams, elements(current.streams).join(" "));
    },
  };
}

/** A link that works as such where no token is needed, and by `fetch` where one is. */
function download(context, session, ending, word, label, note) {
  const path = `/api/session/${session.session}/samples.${ending}`;
  return h("a", {
    href: path, download: "", "aria-label": `${word} of ${label}`, onclick: async (event) => {
      if (context.link.token === "") return;
      event.preventDefault();
      try {
        const response = await context.link.fetch(path);
        const [pieces, reader] = [[], response.body.getReader()];
        let [size, told] = [0, 0];
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          pieces.push(value);
          size += value.length;
          if (performance.now() - told > 500) {
            told = performance.now();
            write(note, `${bytes(size)} so far`);
          }
        }
        const address = URL.createObjectURL(new Blob(pieces));
        const anchor = h("a", { href: address, download: `${session.board}-${session.session}.${ending}` });
        anchor.click();
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
        write(note, `${word}: ${bytes(size)}`);
      } catch (fault) {
        write(note, `${word} could not be downloaded: ${fault.message}`);
      }
    },
  }, word);
}

/** First what would go, then whether that is meant. */
function deletion(context, session, label, reload) {
  const panel = resultPanel(context, reload);
  const gateway = context.gatewayOf(session.board);
  const { start, ask } = askedTwice("Delete", "Keep it", () => [
    [`${label}: ${session.samples ?? 0} samples would go from the gateway's disk.`, "Delete it"],
    ["Nobody can bring it back. Delete it all the same?", "Yes, delete it for good"],
  ], () => panel.send(`gateway/${gateway}`, "sessions-delete", { sessions: [session.session], confirm: gateway }), { "aria-label": `Delete ${label}` });
  return [start, ask, panel.node];
}

function plotPanel(context, session) {
  const fault = h("p", { class: "fault", role: "alert" });
  const names = elements(session.streams).filter((name) => typeof name === "string");
  const choice = h("select", { id: "plot-stream", onchange: () => show() }, names.map((name) => h("option", { value: name }, name)));
  const [place, summary] = [h("div"), h("p", { class: "hint" })];
  let [plot, chart, whole] = [undefined, undefined, undefined];
  const zoom = (factor, shift = 0) => () => {
    if (!plot) return;
    const [middle, half] = [(plot.from_ms + plot.to_ms) / 2, (plot.to_ms - plot.from_ms) / 2];
    const at = middle + shift * half;
    show(Math.max(0, Math.floor(at - half * factor)), Math.ceil(at + half * factor));
  };
  const node = h("div", { class: "panel" }, h("h2", { tabindex: -1 }, `Session ${session.session.slice(0, 10)} of ${context.name(session.board)}`),
    h("p", { class: "row" }, h("label", { for: "plot-stream" }, "Stream"), choice, button("Closer", zoom(0.5)), button("Wider", zoom(2)),
      button("Earlier", zoom(1, -1)), button("Later", zoom(1, 1)), button("All of it", () => whole && show(whole.from_ms, whole.to_ms))),
    fault, place, summary);

  async function show(from, to) {
    if (choice.value === "") {
      write(fault, "This session has no stream that can be shown.");
      return;
    }
    const stream = choice.value;
    const buckets = Math.max(100, Math.min(2000, (place.clientWidth || 800) - 60));
    const span = from !== undefined ? `&from_ms=${from}&to_ms=${to}` : "";
    try {
      const answer = await context.link.get(`/api/session/${session.session}/plot?stream=${encodeURIComponent(stream)}${span}&buckets=${Math.round(buckets)}`);
      if (!elements(answer?.buckets).length) throw new Error("there is no sample of this stream then");
      if (chart === undefined || chart.stream !== stream || from === undefined) {
        chart = new SessionChart(stream, answer.fields.map(String));
        chart.stream = stream;
        place.replaceChildren(chart.node);
        whole = answer;
      }
      plot = answer;
      write(fault, "");
      write(summary, `${count(answer.buckets.reduce((sum, bucket) => sum + bucket[1], 0), "sample")} in ${count(answer.buckets.length, "bucket")}; the board is ${address(session.board)}.`);
      chart.draw(plot, context.colours());
    } catch (failure) {
      write(fault, `The plot cannot be shown: ${failure.message}.`);
    }
  }

  show();
  return { node, isStale: () => chart?.isStale, draw: () => plot && chart.draw(plot, context.colours()) };
}

const never = new Set(["raw", "factory-reset", "firmware-update", "bootloader"]);

export function jobsView(context, parameters) {
  const { model } = context;
  const list = h("div");
  const empty = h("p", { class: "hint" }, "No job went by since this page was opened.");
  const jobs = new Keyed(list, (request) => jobPanel(context, request));
  const group = h("select", { id: "job-group" });
  const groups = new Keyed(group, (name) => ({ node: h("option", { value: name }, "") }));
  const verb = h("select", { id: "job-verb", onchange: () => build() });
  const verbs = new Keyed(verb, (name) => ({ node: h("option", { value: name }, name) }));
  const place = h("div");
  const numbers = Object.entries({ parallel: "Boards at once", per_min: "Boards a minute", abort_fail_pct: "Stop when so many % failed" })
    .map(([name, label]) => [name, h("input", { id: `job-${name}`, type: "text", inputmode: "numeric", size: 6 }), label]);
  const node = h("div", {}, h("h1", { tabindex: -1 }, "Groups and jobs"),
    h("section", { class: "panel", "aria-labelledby": "job-new" }, h("h2", { id: "job-new" }, "Command a group"),
      h("p", { class: "row" }, h("label", { for: "job-group" }, "Group"), group, h("label", { for: "job-verb" }, "Command"), verb),
      h("p", { class: "row" }, numbers.map(([, input, label]) => [h("label", { for: input.id }, label), input])), place),
    h("h2", {}, "Jobs"), empty, list);
  let wanted = parameters.get("group");

  const jobOptions = () => Object.fromEntries(numbers.filter(([, input]) => input.value.trim() !== "").map(([name, input]) => [name, Number(input.value)]));
  function build() {
    const declared = context.verbs.get(verb.value);
    const sending = { ...context, send: (target, name, args) => context.send(target, name, args, { job: jobOptions() }) };
    place.replaceChildren(...(declared ? [verbForm(sending, declared, () => `group/${group.value}`, { label: `Send ${verb.value} to the group`, confirm: () => "the group's name" })] : []));
  }
  function fill(now) {
    const names = ["all", ...model.fleet.groups()];
    groups.show(names, (name) => name, (entry, name) => write(entry.node, `${name} (${count(model.fleet.members(name).length, "board")})`));
    if (wanted && names.includes(wanted)) [group.value, wanted] = [wanted, undefined];
    const accepted = new Set([...model.fleet.boards.values()].flatMap((board) => elements(board.info?.verbs)));
    const before = verb.value;
    verbs.show([...context.verbs.values()].filter((one) => one.for === "board" && accepted.has(one.verb) && !never.has(one.verb))
      .map((one) => one.verb).sort(), (name) => name);
    // What harms nobody stands there first.
    if (before === "" && accepted.has("identify")) verb.value = "identify";
    if (verb.value !== before || (place.childElementCount === 0 && verb.value !== "")) build();
    const all = model.requests.jobs();
    mark(empty, "hidden", all.length > 0);
    jobs.show(all, (request) => request.id, (entry, request) => entry.fill(request, now));
  }
  fill(context.now());
  return { title: "Jobs", node, live: () => [], update: (changes, now) => fill(now), tick: fill };
}

function jobPanel(context, request) {
  const [title, stage, counts] = [h("h3"), h("p", { class: "stage" }), h("p", { class: "hint" })];
  const bar = h("progress", { max: 100, "aria-label": "Progress of the job" });
  const failures = bullets("data");
  const panel = resultPanel(context);
  // Each gateway that has members does its part, so each is asked.
  const owners = () => {
    const said = [...request.parts.keys()].filter(Boolean);
    return said.length > 0 ? said : [...context.model.fleet.gateways.keys()];
  };
  const actions = h("p", { class: "row" }, button("Abort", () => {
    for (const gateway of owners()) panel.send(`gateway/${gateway}`, "cancel", { id: request.id });
  }));
  const node = h("section", { class: "panel", "data-job": request.id, role: "group", "aria-label": `Job ${request.verb}` }, title, stage, bar, counts, actions, failures.node, panel.node);
  return {
    node,
    fill: (current, now) => {
      write(title, `${current.verb} to ${current.target.split("/")[1]}`);
      write(stage, sentence(current, now));
      mark(node, "data-stage", current.isFinal ? (current.ok ? "done" : "failed") : "running");
      const { total, done, failed, unknown, skipped, pending } = jobCounts(current);
      bar.value = Number.isFinite(current.pct) ? current.pct : current.isFinal ? 100 : 0;
      write(counts, total > 0 ? `${done} of ${count(total, "board")} done, ${failed} failed, ${unknown} unknown, ${skipped} skipped, ${pending} to go; job ${current.id}` : `job ${current.id}`);
      mark(actions, "hidden", current.isFinal === true);
      failures.set(results(current, context).slice(1));
    },
  };
}

export function alarmsView(context) {
  const heads = ["Severity", "What", "Since", "Board", "Gateway", "Actions"];
  const empty = h("p", { class: "notice" }, "No alarm: nothing is wrong that a gateway knows of.");
  const { node: alarmTable, rows } = table("Alarms", heads, { isTitled: true });
  const list = new Keyed(rows, (alarm) => {
    const made = row(heads, { "data-alarm": alarm.id });
    const [word, panel] = [h("span", { class: "badge" }), resultPanel(context)];
    made.cells[0].append(word);
    const link = h("a");
    made.cells[3].append(link);
    const [acknowledge, note] = [button("Acknowledge", () => panel.send(`gateway/${alarm.gw}`, "alarm-acknowledge", { alarm: alarm.id })), h("span", { class: "hint" })];
    made.cells[5].append(acknowledge, note, panel.node);
    return { ...made, word, link, acknowledge, note };
  });
  const node = h("div", {}, h("h1", { tabindex: -1 }, "Alarms"), empty, alarmTable);
  const fill = (now) => {
    const all = context.model.fleet.alarms();
    mark(empty, "hidden", all.length > 0);
    mark(alarmTable, "hidden", all.length === 0);
    list.show(all, (alarm) => `${alarm.gw}\n${alarm.id}`, (entry, alarm) => {
      write(entry.word, alarm.severity ?? "–", alarm.acknowledged || alarm.severity === "info" ? undefined : ["critical", "error"].includes(alarm.severity) ? "bad" : "warning");
      write(entry.cells[1], alarm.text ?? alarm.code);
      write(entry.cells[2], Number.isFinite(alarm.since_ms) ? `${clock(alarm.since_ms, now)} (${age(now - alarm.since_ms)})` : "–");
      const isBoard = /^[0-9a-f]{12}$/.test(alarm.board ?? "");
      mark(entry.link, "href", isBoard ? `#/board/${alarm.board}` : undefined);
      write(entry.link, isBoard ? context.name(alarm.board) : "–");
      write(entry.cells[4], alarm.gw);
      mark(entry.acknowledge, "hidden", Boolean(alarm.acknowledged));
      mark(entry.acknowledge, "aria-label", `Acknowledge: ${alarm.text ?? alarm.code}`);
      write(entry.note, alarm.acknowledged ? `acknowledged ${when(alarm.acknowledged_ms, now)}${alarm.acknowledged_by ? ` by ${alarm.acknowledged_by}` : ""}` : "");
      mark(entry.node, "data-state", alarm.acknowledged ? "quiet" : undefined);
    });
  };
  fill(context.now());
  return { title: "Alarms", node, live: () => [], update: (changes, now) => fill(now), tick: fill };
}

export function gatewayView(context, id) {
  const { model } = context;
  const [about, troubles, commands] = [facts(), bullets("why"), h("section", { "aria-label": "Commands" })];
  const events = eventPanel(context, id, id === context.ownGateway() ? "" : undefined);
  const node = h("div", {}, h("h1", { tabindex: -1 }, `Gateway ${id}`), troubles.node, about.node, commands, events.node);
  let signature;
  function build(gateway) {
    const accepted = elements(gateway.info?.verbs).filter((name) => context.verbs.has(name) && name !== "sessions-delete");
    const adapters = [...gateway.adapters.keys()];
    commands.replaceChildren(h("h2", {}, "Commands"), ...accepted.sort().map((name) =>
      h("details", { class: "panel" }, h("summary", {}, name), verbForm(context, context.verbs.get(name), () => `gateway/${id}`, {
        label: name, confirm: () => id, options: name === "adapter-reset" && adapters.length > 0 ? { adapter: adapters } : {},
      }))));
  }
  function fill(now) {
    const gateway = model.fleet.gateways.get(id);
    const wanted = JSON.stringify([gateway?.info?.verbs, context.verbs.size, gateway && [...gateway.adapters.keys()]]);
    if (gateway && wanted !== signature) {
      signature = wanted;
      build(gateway);
    }
    const { info = {}, health = {}, availability } = gateway ?? {};
    troubles.set(gateway === undefined ? ["Nothing is known of this gateway."] : [info.config_error, info.last_crash?.message].filter(Boolean));
    const text = (value) => (value === undefined ? "" : plain(value));
    about.set([
      ["State", text(availability?.state)], ["Site", text(info.site)], ["Host", text(info.host)], ["Version", text(info.version)],
      ["Running for", Number.isFinite(health.uptime_s) ? age(health.uptime_s * 1000) : ""], ["Who may join", text(info.admission)],
      ["Storage", text(health.storage)], ["Disk free", text(bytes(health.storage_free_bytes))], ["Memory", text(bytes(health.rss_bytes))],
      ...["samples_in", "samples_published", "samples_dropped", "samples_lost", "contacts_missed", "commands_ok", "commands_failed"]
        .map((key) => [argumentLabel(key), text(health[key])]),
      ...[...(gateway?.rollouts.values() ?? [])].map((one) => [`Rollout ${one.rollout}`,
        `${one.group}, ${one.version}: ${one.paused ? "paused, " : ""}${one.phase}; ${one.done} of ${one.total} done, ${one.failed} failed, ${one.stranded} stranded. ${one.reason ?? ""}`]),
    ]);
    events.fill(now);
  }
  fill(context.now());
  return { title: `Gateway ${id}`, node, live: () => [], update: (changes, now) => fill(now), tick: fill };
}
