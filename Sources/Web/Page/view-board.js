// One board.
import { boxCanvas, bullets, button, drawBox, facts, h, Keyed, LiveChart, mark, row, section, table, write } from "./dom.js";
import { condition, update } from "./fleet.js";
import { askedTwice, boardControls, resultPanel } from "./forms.js";
import { angles, orientation, relative, Series } from "./geometry.js";
import { address, age, boardName, clock, comparison, count, elements, lines, rounded, unitOf, when } from "./text.js";

const spans = [[10, "10 seconds"], [30, "30 seconds"], [60, "1 minute"], [300, "5 minutes"]];
const mostEvents = 50;

export function boardView(context, id) {
  const { model } = context;
  model.watch(id);
  const title = h("h1", { tabindex: -1 });
  const word = h("span", { class: "badge" });
  const why = bullets("why");
  const about = facts();
  const panel = resultPanel(context);
  const explain = button("Explain in words", () => panel.send(`board/${id}`, "explain"));
  const [charts, box, firmware, events, battery, setup] = [chartPanel(context, id), boxPanel(context), firmwarePanel(context, id), eventPanel(context, id, `?board=${id}`), batteryPanel(context, id), setupPanel()];
  const controls = boardControls(context, id);
  const simulated = h("div");
  const absent = h("p", { class: "notice", hidden: true }, "No gateway says anything of this board: admit it on the page of the fleet, or start its gateway.");
  const node = h("div", {}, title, h("p", { class: "row" }, word, explain, h("a", { href: `#/sessions?board=${id}` }, "Sessions"), h("a", { href: "#/" }, "All boards")),
    absent, why.node, panel.node, about.node,
    h("div", { class: "columns" }, h("div", {}, charts.node, box.node, battery.node), h("div", {}, simulated, controls.node), h("div", {}, firmware.node, events.node, setup.node)));

  function fill(now) {
    const board = model.fleet.boards.get(id);
    mark(absent, "hidden", board !== undefined);
    const current = board ?? { id };
    write(title, boardName(current.info, id));
    const how = condition(model.fleet, current, now);
    write(word, how.isInMaintenance ? "maintenance" : how.word, how.isInMaintenance ? "maintenance" : how.isOnline ? (how.isTroubled ? "warning" : "good") : "bad");
    why.set(board === undefined ? [] : how.why);
    about.set(boardFacts(context, current, how, now));
    setup.fill(current, now);
    firmware.fill(current, now, how.isAway);
    controls.fill(current);
    battery.fill(current);
    if (board && [...context.verbs.values()].some((verb) => verb.for === "simulator")) import("./stimuli.js").then(({ show }) => show(simulated, context, current), () => {});
  }

  fill(context.now());
  return {
    title: "Board", node, live: () => [id], name: () => context.name(id),
    update: (changes, now) => {
      if (changes.all || changes.boards.has(id) || changes.gateways.size > 0) fill(now);
      if (changes.all || changes.events) events.fill(now);
    },
    tick: (now) => {
      fill(now);
      events.fill(now);
    },
    frame: (time) => {
      charts.frame(time);
      box.frame(time);
      battery.frame();
    },
    redraw: () => {
      for (const part of [charts, box, battery]) part.redraw();
    },
    close: () => {
      battery.close();
      model.watch(undefined);
    },
  };
}

function boardFacts(context, board, how, now) {
  const { info = {}, state = {}, availability } = board;
  const rate = context.model.rates.of(board.id, performance.now());
  const text = (value) => (typeof value === "string" ? value : "");
  const known = (value, show) => (Number.isFinite(value) ? show(value) : "");
  return [
    ["Address", address(board.id)], ["Gateway", text(context.model.fleet.gatewayID(board))], ["Model", text(info.model)],
    ["Site", text(info.site)], ["Groups", text(elements(info.groups).join(" "))],
    ["Labels", lines(info.labels).join(", ")], ["Profile", text(info.profile)], ["Connection", text(how.link)],
    ["Since", known(availability?.since_ms, (since) => `${clock(since, now)} (${age(now - since)})`)],
    ["Maintenance", how.isInMaintenance ? `ends ${when(state.maintenance_until_ms, now)}; ${text(state.maintenance_reason)} ${text(state.maintenance_who)}` : ""],
    ["Tried again", state.until_ms > now ? when(state.until_ms, now) : ""],
    ["Signal", known(state.rssi_dbm, (signal) => `${signal} dBm`)],
    ["Battery", known(state.battery_pct, (share) => `${share} %${known(state.battery_mv, (voltage) => `, ${voltage} mV`)}, ${when(state.battery_ms, now)}${state.charging ? ", charging" : ""}`)],
    ["Rate", how.isConnected && rate !== undefined ? `${rounded(rate)} samples/s` : ""],
    ["Lost in 24 h", known(state.samples_lost_24h, (lost) => count(lost, "sample"))],
    ["Log", known(state.log_used_pct, (share) => `${share} % used${known(state.log_full_ms, (time) => `, full ${when(time, now)}`)}`)],
    ["Last answer", known(state.last_session_ms, (time) => when(time, now))],
    ["Next contact", known(state.next_contact_ms, (time) => when(time, now))],
    ["Connections in 24 h", known(state.sessions_24h, (all) => `${all}, ${state.session_fail_24h} failed`)],
  ];
}

function chartPanel(context, id) {
  const { model } = context;
  let [pausedAt, drawnAt, edge] = [undefined, 0, 0];
  const span = h("select", { id: "span", onchange: () => redraw() }, spans.map(([seconds, label]) => h("option", { value: seconds }, label)));
  span.value = "30";
  const pause = button("Pause charts", () => {
    pausedAt = pausedAt === undefined ? edge : undefined;
    write(pause, pausedAt === undefined ? "Pause charts" : "Go on");
    mark(pause, "aria-pressed", String(pausedAt !== undefined));
    redraw();
  }, { "aria-pressed": "false" });
  const [place, empty] = [h("div", { class: "charts" }), h("p", { class: "hint" })];
  const node = section("charts", "Live", h("p", { class: "row" }, h("label", { for: "span" }, "Last"), span, pause), empty, place);
  const list = new Keyed(place, (item) => item.chart);
  const known = new Map();

  function items() {
    const all = [];
    for (const [stream, series] of [...model.series].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const fields = model.fleet.boards.get(id)?.info?.streams?.[stream]?.fields;
      const units = new Map();
      for (const field of series.values.keys()) {
        const unit = unitOf(field, fields);
        units.set(unit, [...(units.get(unit) ?? []), field]);
      }
      for (const [unit, names] of units) {
        const key = `${stream}\n${unit}\n${names.join()}`;
        const chart = known.get(key) ?? new LiveChart(stream, names, unit);
        known.set(key, chart);
        all.push({ key, chart, series });
      }
    }
    return all;
  }

  function draw() {
    const all = items();
    list.show(all, (item) => item.key);
    const wanted = Object.keys(model.fleet.boards.get(id)?.config?.desired?.stream ?? {});
    const silent = wanted.filter((stream) => !model.series.has(stream));
    write(empty, all.length === 0 && silent.length === 0 ? "No stream runs. Start one under Commands."
      : silent.length > 0 ? `No live sample yet of ${silent.join(", ")}.` : "");
    mark(empty, "hidden", empty.textContent === "");
    const to = pausedAt ?? edge;
    const colours = context.colours();
    for (const { chart, series } of all) chart.draw(series, to - Number(span.value) * 1000, to, colours);
  }

  const redraw = () => (drawnAt = 0);
  return {
    node, redraw,
    frame: (time) => {
      const isStale = [...known.values()].some((chart) => chart.isStale);
      if (!isStale && time - drawnAt < (context.hasReducedMotion() ? 1000 : 45)) return;
      drawnAt = time;
      // The right edge goes on between samples, while the page is live.
      if (model.status.isLive) {
        const ends = [...model.series.values()].filter((series) => series.last !== undefined)
          .map((series) => series.last + Math.min(5000, time - series.arrived));
        edge = ends.length > 0 ? Math.max(...ends) : context.now();
      }
      draw();
    },
  };
}

function boxPanel(context) {
  const { model } = context;
  let [reference, q, drawn] = [undefined, undefined, undefined];
  const set = (value) => () => {
    reference = value();
    drawn = undefined;
  };
  const { node, canvas, readout } = boxCanvas(set(() => q), set(() => undefined));
  mark(node, "hidden", true);
  return {
    node, redraw: () => (drawn = undefined),
    frame: (time) => {
      const sample = (model.series.get("quaternion") ?? model.series.get("euler"))?.latest;
      if (sample === undefined || sample === drawn?.sample) return;
      if (drawn !== undefined && context.hasReducedMotion() && time - drawn.time < 1000) return;
      const next = orientation(sample);
      if (next === null) return;
      q = next;
      mark(node, "hidden", undefined);
      const seen = relative(reference, q);
      drawBox(canvas, seen, context.colours());
      const { heading, pitch, roll } = angles(seen);
      write(readout, `heading ${heading.toFixed(0)}°, pitch ${pitch.toFixed(0)}°, roll ${roll.toFixed(0)}°${reference ? ", since the reset" : ""}`);
      if (canvas.clientWidth > 0) drawn = { sample, time };
    },
  };
}

/** What it runs and what there is, a button that asks twice, how far an update is, and where it stays. */
function firmwarePanel(context, id) {
  const target = `board/${id}`;
  const [about, sentence, bar, panel] = [facts(), h("p"), h("progress", { max: 100, "aria-label": "Progress of the firmware" }), resultPanel(context)];
  let [how, asked] = [];
  const { start, ask } = askedTwice("Update the firmware", "Leave it", () => [
    [`${context.name(id)} gets firmware ${(asked = how).latest ?? ""}${how.installed ? ` in the place of ${how.installed}` : ""}. It takes some minutes; ${how.isStranded ? "" : "its log is downloaded before, and "}nothing is measured meanwhile.`, "Update it"],
    ["From the first byte to the last it has no application. Is it charged, near, and not needed now?", "Yes, update it now"],
  ], () => panel.send(target, "firmware-update", { confirm: id, version: asked.latest }));
  const abort = button("Abort the update", () => panel.send(target, "firmware-abort"));
  return {
    node: section("firmware", "Firmware", about.node, sentence, bar, h("p", { class: "row" }, start, abort), ask, panel.node),
    fill: (board, now, isAway) => {
      how = update(board, now, isAway);
      const can = (verb) => elements(board.info?.verbs).includes(verb) && context.verbs.has(verb);
      about.set([["Installed", how.installed], ["Available", how.latest], ["Checked", board.firmware?.checked_ms && when(board.firmware.checked_ms, now)],
        ["Bootloader", board.firmware?.bootloader_version], ["Update", how.isWanted && !can("firmware-update") && "not from here (http.commands, commands.allow)"]]);
      write(sentence, how.sentence);
      mark(sentence, "class", how.isStranded ? "notice" : "stage");
      mark(bar, "hidden", how.percent === undefined);
      bar.value = how.percent ?? 0;
      mark(start, "hidden", !how.isWanted || !can("firmware-update"));
      mark(abort, "hidden", !how.isEarly || !can("firmware-abort"));
    },
  };
}

/** What happened to a board or a gateway: what is kept of it, and what comes. */
export function eventPanel(context, owner, query) {
  const { model } = context;
  const place = h("ol", { class: "events" });
  const empty = h("p", { class: "hint" }, "None is known.");
  const list = new Keyed(place, () => {
    const [time, text] = [h("span", { class: "hint" }), h("span")];
    return { node: h("li", {}, time, " ", text), time, text };
  });
  let [asked, past] = [undefined, []];
  /** Once for each connection, as nothing was heard before it. */
  async function load() {
    if (query === undefined || !model.status.isLive || asked === model.status.since) return;
    asked = model.status.since;
    try {
      past = elements(await context.link.get(`/api/events${query}`));
    } catch {
      // Without an archive there is what has come since.
    }
  }
  return {
    node: section("events", "Events", empty, place),
    fill: (now) => {
      load();
      const mine = new Map([...past, ...model.events.filter((event) => event.owner === owner || event.board === owner)]
        .map((event) => [event?.event_id ?? event?.id, event]).filter(([key]) => typeof key === "string"));
      const all = [...mine.values()].sort((one, other) => other.ts_ms - one.ts_ms).slice(0, mostEvents);
      mark(empty, "hidden", all.length > 0);
      list.show(all, (event) => event.event_id ?? event.id, (entry, event) => {
        const { ts_ms, event_id, event_type, kind, gw, board, message, owner: _, maintenance, ...more } = event;
        const isCommand = kind === "command";
        write(entry.time, clock(ts_ms, now));
        write(entry.text, `${isCommand ? event.verb : kind} ${event_type}${message ? `: ${message}` : isCommand ? "" : ` ${lines(more).join(", ")}`}`);
      });
    },
  };
}

/** The battery over time: what is stored of it, and the readings since. */
function batteryPanel(context, id) {
  const chart = new LiveChart("Battery", ["battery_pct"], "%", { isDated: true });
  const node = h("section", { hidden: true, "aria-label": "Battery trend" }, chart.node);
  let [series, isStale, isClosed] = [new Series(Infinity), true, false];
  const add = (points) => {
    for (const [time, percent] of points) if (series.push({ ts_ms: time, battery_pct: percent })) isStale = true;
  };
  const fill = () => add(context.model.batteries.get(id) ?? []);
  async function load() {
    try {
      const all = await context.link.get(`/api/sessions?board=${id}`);
      const session = elements(all).filter((one) => one?.streams?.includes?.("battery") && one.samples > 1)
        .sort((one, other) => other.started_ms - one.started_ms)[0];
      if (session === undefined || isClosed) return;
      const plot = await context.link.get(`/api/session/${encodeURIComponent(session.session)}/plot?stream=battery&buckets=300`);
      const at = plot.fields.indexOf("battery_pct") * 2 + 2;
      if (at < 2) return;
      series = new Series(Infinity);
      add(plot.buckets.map((bucket) => [bucket[0], (bucket[at] + bucket[at + 1]) / 2]));
      fill();
    } catch {
      // Without stored sessions there is what was read since.
    }
  }
  load();
  const draw = () => {
    if (series.times.length < 2) return;
    mark(node, "hidden", undefined);
    chart.draw(series, series.times[0], series.last, context.colours());
    isStale = false;
  };
  return {
    node, redraw: () => (isStale = true), close: () => (isClosed = true),
    fill,
    frame: () => (isStale || chart.isStale) && draw(),
  };
}

function setupPanel() {
  const heads = ["Setting", "Wanted", "Reported"];
  const state = h("p");
  const notes = bullets("why");
  const { node: settings, rows } = table("Settings", heads);
  const list = new Keyed(rows, () => row(heads));
  return {
    node: section("setup", "Configuration", state, notes.node, settings),
    fill: (board, now) => {
      const { config } = board;
      if (config === undefined) {
        write(state, "Nothing is known of its configuration yet.");
        return;
      }
      const applied = Number.isFinite(config.applied_ms) ? `, written ${when(config.applied_ms, now)}` : "";
      write(state, `${config.in_sync ? "It does what it should" : "It differs from what it should do"}${applied}${config.profile ? `; profile ${config.profile}` : ""}.`, config.in_sync ? "good" : "warning");
      const used = lines(config.slots_used).join(", ");
      notes.set([
        ...(config.error ? [config.error] : []), ...elements(config.differences),
        ...elements(config.overlay).map((entry) => `${entry}: changed by a command`), ...elements(config.foreign).map((entry) => `${entry}: on the board, not ours`),
        ...(used ? [`Slots used: ${used}`] : []), ...(config.truncated ? ["Parts were left out, as they are too large."] : []),
      ]);
      list.show(comparison(config.desired, config.reported).slice(0, 200), ({ path }) => path, (entry, item) => {
        write(entry.cells[0], item.path);
        write(entry.cells[1], item.desired ?? "–");
        write(entry.cells[2], item.reported ?? "–");
        mark(entry.node, "data-state", item.isSame || config.in_sync ? undefined : "trouble");
      });
    },
  };
}
