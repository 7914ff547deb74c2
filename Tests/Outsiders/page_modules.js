// The page's modules without a document: `node Tests/Outsiders/page_modules.js`. Needs Node.js 18 and nothing else.
"use strict";
process.env.TZ = "UTC";
const assert = require("node:assert/strict"), fs = require("node:fs"), os = require("node:os"), path = require("node:path");
const url = require("node:url"), zlib = require("node:zlib");
const folder = path.join(__dirname, "..", "..", "Sources", "Web", "Page");
const files = fs.readdirSync(folder).sort(), scripts = files.filter(name => name.endsWith(".js"));
const source = name => fs.readFileSync(path.join(folder, name), "utf8");
const hostile = ["<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "__proto__", "constructor", "=1+1", "\u202eevil\u0007", "\ud800", "\u200b", "x".repeat(5000), ""];
const board = "e5a1c2d3f4b6", now = 1763671234000;

const tests = {
  "the files are few, short, small when compressed, and hold no script or style in the markup"() {
    const sizes = files.map(name => zlib.gzipSync(source(name), { level: 9 }).length);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 60_000, `${sizes.reduce((sum, size) => sum + size, 0)} bytes`);
    for (const name of files) assert.ok(source(name).split("\n").length <= 400, name);
    assert.doesNotMatch(source("index.html"), /\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)|https?:/);
    for (const name of scripts) assert.doesNotMatch(source(name), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|https?:\/\//, name);
    const preloaded = [...source("index.html").matchAll(/modulepreload" href="\/(\w[\w.-]*)"/g)].map(match => match[1]);
    assert.deepEqual([...preloaded, "app.js", "stimuli.js"].sort(), scripts);
    for (const name of scripts) assert.doesNotMatch(source(name), /from "\.\/stimuli\.js"/, `${name} loads what is of the demo alone`);
  },
  "colours can be read: text by 4.5 to 1, traces and controls by 3 to 1, light and dark"() {
    const [light, dark] = [...source("app.css").matchAll(/:root \{([^}]*)\}/g)].map(match =>
      Object.fromEntries([...match[1].matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value])));
    const luminance = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const contrast = (one, other) => { const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
    for (const theme of [light, dark]) {
      for (const name of ["text", "muted", "accent", "good", "warning", "bad", "trace-1", "trace-2", "trace-3", "trace-4", "trace-5", "trace-6"])
        for (const back of ["background", "surface"]) assert.ok(contrast(theme[name], theme[back]) >= 4.5, `${name} on ${back}: ${contrast(theme[name], theme[back])}`);
      for (const name of ["good", "warning", "bad"]) assert.ok(contrast(theme[name], theme[`${name}-back`]) >= 4.5, `badge ${name}`);
      for (const [front, back] of [["on-accent", "accent"], ["background", "danger"], ["text", "warning-back"]]) assert.ok(contrast(theme[front], theme[back]) >= 4.5, `${front} on ${back}`);
      assert.ok(contrast(theme.control, theme.background) >= 3);
    }
  },
  "what a screen does not show is escaped, cut, and never lost in silence"({ printable, boardName, address }) {
    assert.equal(printable("\u202eevil\u0007\u2028"), "\\u{202E}evil\\u{7}\\u{2028}");
    assert.equal(printable("\ud800"), "\\u{D800}");
    assert.equal(printable("<b>ü€😀"), "<b>ü€😀");
    assert.deepEqual([printable("😀".repeat(300), 10), printable("😀".repeat(10), 10)], ["😀".repeat(10) + "…", "😀".repeat(10)]);
    assert.ok(printable("x".repeat(5000), 80).length <= 81);
    for (const value of [undefined, null, 5, {}, [], true]) assert.equal(typeof printable(value), "string");
    assert.equal(boardName({ name: "\u200b \u3164" }, board), "E5:A1:C2:D3:F4:B6");
    assert.equal(boardName({ name: 7 }, board), "E5:A1:C2:D3:F4:B6");
    assert.equal(boardName({ name: "<img>" }, board), "<img>");
    assert.equal(address("<b>"), "<b>");
  },
  "numbers and times"({ age, argumentLabel, quantity, when, clock, rounded, bytes, count, unitOf, fieldLabel, measured }) {
    assert.deepEqual([age(99_000), age(100_000), age(6_000_000), age(200_000_000), age(-5), age(NaN)], ["99 s", "1 min", "1 h", "2 d", "0 s", "–"]);
    assert.deepEqual([when(now + 60_000, now), when(now - 60_000, now), when(undefined, now)], ["in 60 s", "60 s ago", "–"]);
    assert.deepEqual([clock(now, now), clock(now - 86_400_000, now), clock(1e300, now)], ["20:40:34", "2025-11-19 20:40:34", "–"]);
    assert.deepEqual([rounded(9.94), rounded(9.96), rounded(0), rounded(1234.5), bytes(7.2e9), bytes(undefined)], ["9.9", "10", "0", "1235", "7.2 GB", "–"]);
    assert.deepEqual([count(1, "board"), count(0, "board"), unitOf("ax_g"), unitOf("x", [{ name: "x", unit: "mV" }]), fieldLabel("gx_dps"), measured(-0.5)], ["1 board", "0 boards", "g", "mV", "gx", "-0.500"]);
    assert.deepEqual(["duty_pct", "pulse_ms", "rate_hz", "kind", "on_failure", "for_s", "range_g", "_g"].map(argumentLabel), ["Duty (%)", "Pulse (ms)", "Rate (Hz)", "Kind", "On failure", "For (s)", "Range (g)", " g"]);
    assert.deepEqual([quantity("rate_hz", 50), quantity("range_g", 4), quantity("every", "10s"), quantity("mode", hostile[5])], ["50 Hz", "±4 g", "every 10s", "mode \\u{202E}evil\\u{7}"]);
  },
  "events come out whole however the text is cut, and comments, fields and line ends are as the standard says"({ EventStreamParser, message }) {
    const text = "\ufeff: hello\r\n\r\nevent: document\r\ndata: {\"topic\":\"a\",\ndata: \"payload\":null}\r\rid: 3\nevent:reply\ndata:{\"x\":\"ü\"}\n\ndata\n\nevent: lonely\n\n";
    const whole = new EventStreamParser().feed(text);
    assert.deepEqual(whole, [{ kind: "document", data: "{\"topic\":\"a\",\n\"payload\":null}" }, { kind: "reply", data: "{\"x\":\"ü\"}" }, { kind: "message", data: "" }]);
    for (const size of [1, 2, 3, 7]) {
      const parser = new EventStreamParser(), events = [];
      for (let at = 0; at < text.length; at += size) events.push(...parser.feed(text.slice(at, at + size)));
      assert.deepEqual(events, whole, `pieces of ${size}`);
    }
    const parser = new EventStreamParser();
    for (let part = 0; part < 50; part += 1) parser.feed((part === 0 ? "data: " : "") + "x".repeat(100_000));
    assert.deepEqual(parser.feed("\n\ndata: next\n\n"), [{ kind: "message", data: "next" }]);
    assert.deepEqual(message({ kind: "document", data: "{\"topic\":\"t\",\"payload\":null}" }), { kind: "document", topic: "t", payload: null });
    for (const data of ["", "{", "null", "[]", "5", "{\"topic\":5,\"payload\":{}}", "{\"topic\":\"t\",\"payload\":5}", "{\"topic\":\"t\"}"]) assert.equal(message({ kind: "live", data }), null, data);
    assert.equal(message({ kind: "other", data: "{\"topic\":\"t\",\"payload\":{}}" }), null);
  },
  "the inbox keeps the newest document, a few samples, all else, and stays bounded"({ Inbox }) {
    const inbox = new Inbox();
    for (let at = 0; at < 5000; at += 1) {
      inbox.put({ kind: "document", topic: `d${at % 3}`, payload: at });
      inbox.put({ kind: "live", topic: "l", payload: at });
      inbox.put({ kind: "event", topic: "e", payload: at });
    }
    const all = inbox.drain();
    assert.deepEqual(all.filter(entry => entry.kind === "document").map(entry => entry.payload), [4997, 4998, 4999]);
    assert.equal(all.filter(entry => entry.kind === "live").at(-1).payload, 4999);
    assert.ok(all.length <= 3 + Inbox.mostSamples + Inbox.mostOthers && inbox.isEmpty);
  },
  "attempts are spread, and never more than half a minute apart"({ backoff }) {
    assert.deepEqual([backoff(0, 0), backoff(0, 0.999), backoff(3, 0), backoff(50, 0.999)], [500, 1000, 4000, 29985]);
  },
  "of eight tabs one leads; when it goes another does; two that lead agree"({ Leadership, Wishes }) {
    const tabs = Array.from({ length: 8 }, (_, at) => new Leadership(`tab${at}`, () => at / 10));
    const leaders = () => tabs.filter(tab => tab.isLeader).map(tab => tab.id);
    let time = 0;
    const spread = (from, said) => { for (const entry of said) for (const tab of tabs) if (tab !== from) spread(tab, tab.hear(entry, time)); };
    const run = until => { for (; time < until; time += 25) for (const tab of tabs) spread(tab, tab.tick(time)); };
    for (const tab of tabs) spread(tab, tab.appear(time));
    run(1000);
    assert.deepEqual(leaders(), ["tab0"]);
    spread(tabs[0], tabs[0].leave());
    run(2000);
    assert.deepEqual(leaders(), ["tab1"]);
    spread(tabs[0], tabs[0].appear(time));
    run(3000);
    assert.deepEqual([leaders(), tabs[0].role], [["tab1"], "follower"]);
    tabs.splice(1, 1); // The one that leads crashes.
    run(8000);
    assert.equal(leaders().length, 1);
    tabs[5].role = "leader";
    run(12_000);
    assert.equal(leaders().length, 1);
    for (const tab of tabs) tab.leave();
    run(20_000);
    assert.deepEqual(leaders(), []);
    const wishes = new Wishes();
    wishes.set("a", [board, "not a board", "../x"], 0);
    wishes.set("b", [board, "000000000001"], 20_000);
    wishes.set("many", Array.from({ length: 100 }, (_, at) => `${at}`.padStart(12, "a")), 0);
    assert.ok(wishes.all(0).length === 64 && wishes.all(0).includes(board));
    wishes.remove("many");
    assert.deepEqual([wishes.all(25_000), wishes.all(40_000), wishes.all(60_000)], [["000000000001", board], ["000000000001", board], []]);
  },
  "documents become boards and gateways; hostile topics and payloads change nothing else"({ Fleet, parseTopic }) {
    const fleet = new Fleet();
    for (const topic of ["", "board", "board//state", "board/XX/state", `board/${board}/state/x`, `board/${board}/__proto__`, `board/${board.toUpperCase()}/state`, "group/x/state", "gateway/g/__proto__", "a/b/c/d/e"])
      assert.equal(fleet.apply(topic, { polluted: true }), null, topic);
    assert.equal({}.polluted, undefined);
    assert.deepEqual(fleet.apply("gateway/__proto__/info", { v: 1 }), { kind: "gateway", id: "__proto__" });
    assert.deepEqual([parseTopic("gateway/gw/adapter/aa").name, fleet.boards.size, fleet.gateways.size], ["aa", 0, 1]);
    fleet.apply(`board/${board}/state`, { gw: "gw" });
    for (const payload of [5, "x", [], null]) { fleet.apply(`board/${board}/state`, { gw: "gw" }); fleet.apply(`board/${board}/state`, payload); assert.equal(fleet.boards.size, 0); }
    const documents = { [`board/${board}/info`]: { name: "a" }, "gateway/gw/adapter/aa": { state: "up" }, "gateway/gw/alarms": { alarms: [{ id: "1" }] }, "gateway/gw/availability": { state: "online" }, "gateway/gw/rollout/fw": { phase: "done" } };
    fleet.replace(documents);
    assert.deepEqual(fleet.documents(), documents);
    assert.deepEqual(fleet.alarms(), [{ id: "1", gw: "gw" }]);
    fleet.apply("gateway/gw/availability", { state: "offline" });
    assert.deepEqual([fleet.alarms(), fleet.gateways.get("gw").rollouts.get("fw")], [[], { phase: "done" }]);
    for (const topic of ["alarms", "availability", "adapter/aa", "rollout/fw"]) fleet.apply(`gateway/gw/${topic}`, null);
    assert.equal(fleet.gateways.size, 0);
    fleet.replace({});
    assert.deepEqual([fleet.boards.size, fleet.gateways.size], [0, 0]);
  },
  "troubles come first, the gravest before; totals follow from the rows that are shown"({ Fleet, boardRows, boardName, sorted, passes, totals, gatewayRows, condition }) {
    const fleet = new Fleet();
    const put = (id, name, availability, state = {}, gw = "gw") => {
      fleet.apply(`board/${id}/info`, { name, gw, groups: ["east", 5] });
      fleet.apply(`board/${id}/availability`, { ...availability, gw });
      fleet.apply(`board/${id}/state`, { gw, link: "streaming", samples_lost_24h: 1, ...state });
    };
    fleet.apply("gateway/gw/availability", { state: "online" });
    fleet.apply("gateway/gw/adapter/aa", { state: "up", slots_used: 2, slots_total: 3 });
    fleet.apply("gateway/gw/adapter/bb", { state: "missing", slots_used: 0, slots_total: 0 });
    const online = { state: "online", reason: "connected" };
    put("000000000001", "b good", online);
    put("000000000002", "a good", online, { battery_pct: 3 });
    put("000000000003", "slow", online, { stream_reason: "samples are lost", stream_reason_code: "samples-missing" });
    put("000000000004", "gone", online, {}, "elsewhere");
    put("000000000005", "<img src=x onerror=alert(1)>", { state: "offline", reason: "silent" }, { reason: "it is silent", reason_code: "silent", link: "unreachable" });
    put("000000000006", "being worked on", { state: "offline", reason: "silent" }, { maintenance_until_ms: now + 1000, link: "unreachable" });
    put("000000000007", "waits", online, { link: "waiting-for-slot" });
    const rows = boardRows(fleet, now, id => id === "000000000004" ? 50 : 10, boardName);
    assert.deepEqual(sorted(rows).map(row => row.id.at(-1)), ["5", "4", "3", "6", "2", "1", "7"]);
    assert.deepEqual(sorted(rows, "battery").map(row => row.id.at(-1))[0], "2");
    assert.deepEqual(sorted(rows, "name", true).map(row => row.name)[0], "waits");
    assert.deepEqual(totals(rows), { boards: 7, online: 4, troubled: 3, maintenance: 1, rate: 30, waiting: 0, lost: 7 });
    const found = rows.filter(row => passes(row, { text: "SILENT", trouble: true }));
    assert.deepEqual([found.length, totals(found).boards, totals(found).online], [2, 2, 0]);
    assert.ok(rows.every(row => passes(row, { group: "east" })) && !rows.some(row => passes(row, { group: "west" })));
    assert.equal(rows.find(row => row.id.endsWith("7")).link, "waiting-to-connect");
    const [gateway] = gatewayRows(fleet, rows);
    assert.deepEqual([gateway.boards, gateway.online, gateway.used, gateway.slots], [6, 4, 2, 3]);
    assert.equal(rows.filter(row => row.gateway === "gw" && row.isOnline).length, gateway.online);
    fleet.apply("gateway/gw/adapter/aa", { state: "up", slots_used: 3, slots_total: 3 });
    assert.deepEqual(condition(fleet, fleet.boards.get("000000000007"), now).codes, ["no-slots"]);
    fleet.apply("gateway/gw/availability", { state: "offline" });
    assert.equal(totals(boardRows(fleet, now, () => 10, boardName)).rate, undefined);
  },
  "an update of firmware is said by its stages, and a board that stays in its bootloader with what to do"({ update }) {
    const how = (firmware, more) => update({ id: board, state: { fw: "1.7.2" }, firmware, ...more }, now, more?.isAway), newer = { installed_version: "1.7.2", latest_version: "1.7.3" };
    assert.deepEqual([how(undefined).installed, how(undefined).isWanted, how({ ...newer, stage: "idle" }).isWanted, how({ ...newer, latest_version: "1.7.2" }).isWanted], ["1.7.2", false, true, false]);
    const sending = how({ ...newer, stage: "sending", in_progress: true, update_percentage: 41.6, eta_ms: now + 70_000 });
    assert.match(sending.sentence, /leave the board where it is. 42 %, 70 s left\.$/);
    assert.deepEqual([sending.percent, sending.isWanted, sending.isEarly, sending.isStranded], [41.6, false, false, false]);
    assert.deepEqual(["fetching", "entering-bootloader", "verifying"].map(stage => how({ ...newer, stage, in_progress: true }).isEarly), [true, true, false]);
    assert.equal(how({ ...newer, stage: "sending", in_progress: true }, { availability: { reason: "bootloader" } }).isStranded, false);
    const rescuing = how({ ...newer, stage: "rescuing", last_error: hostile[0] }), foreign = how({ ...newer, stage: "idle" }, { availability: { reason: "bootloader" } });
    assert.ok(rescuing.isStranded && rescuing.isWanted && rescuing.sentence.endsWith(hostile[0]) && foreign.isStranded && foreign.isWanted);
    assert.match(foreign.sentence, /No update was ordered here/);
    assert.equal(how({ ...newer, stage: "failed", last_error: "why" }).sentence, "The last update failed: why");
    assert.match(how({ ...newer, stage: "failed", last_error: "why" }, { availability: { reason: "bootloader" } }).sentence, /why$/);
    const away = how({ ...newer, stage: "sending", in_progress: true, update_percentage: 41 }, { isAway: true });
    assert.deepEqual([away.isRunning, away.isWanted, away.percent, away.isStranded], [false, false, undefined, false]);
    for (const stage of [...hostile, 5, null, {}]) assert.doesNotThrow(() => how({ stage, in_progress: true, update_percentage: "x", eta_ms: {}, latest_version: [] }));
  },
  "what is missing is said with what to do: nothing known, no broker, no adapter, no board"({ Fleet, missing }) {
    const fleet = new Fleet();
    assert.match(missing(fleet, [])[0].how, /metafleet\.yaml.*systemctl start metafleet/);
    assert.match(missing(fleet, ["broker: it is not connected; the gateway's log says why"])[0].how, /Start the broker/);
    fleet.apply("gateway/gw/availability", { state: "online" });
    assert.deepEqual(missing(fleet, []).map(step => /Plug|Scan/.exec(step.how)[0]), ["Plug", "Scan"]);
    fleet.apply("gateway/gw/adapter/aa", { state: "up" });
    fleet.apply(`board/${board}/info`, { name: "x" });
    assert.deepEqual(missing(fleet, []), []);
    assert.match(missing(fleet, ["storage: free space: on /var"])[0].how, /^free space: on \/var$/);
  },
  "alarms stand gravest first, acknowledged ones last"({ Fleet }) {
    const fleet = new Fleet();
    for (const gateway of ["a", "b", "c"]) fleet.apply(`gateway/${gateway}/availability`, { state: "online" });
    const alarm = (id, severity, since, more) => ({ id, code: "x", severity, since_ms: since, text: hostile[0], ...more });
    fleet.apply("gateway/a/alarms", { alarms: [alarm("1", "warning", 5), alarm("2", "critical", 1, { acknowledged: true }), alarm("3", "critical", 3), 5, null] });
    fleet.apply("gateway/c/alarms", { alarms: "none" });
    fleet.apply("gateway/b/alarms", { alarms: [alarm("4", "critical", 4), alarm("5", "odd", 9)] });
    assert.deepEqual(fleet.alarms().map(one => one.gw + one.id), ["b4", "a3", "a1", "b5", "a2"]);
  },
  "a command's stages lead to one end, whatever comes twice or late"({ Requests, newID, sentence }) {
    assert.match(newID(now, new Uint8Array(16).fill(255)), /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    assert.notEqual(newID(now, new Uint8Array(16)), newID(now + 1, new Uint8Array(16)));
    const requests = new Requests(), topic = `board/${board}/reply/led`;
    const request = requests.begin("id1", `board/${board}`, "led", {}, 0);
    assert.deepEqual([requests.unanswered(9999).length, requests.unanswered(10_000).length], [0, 1]);
    requests.reply(topic, { id: "id1", stage: "accepted" }, 1);
    requests.reply(topic, { id: "id1", stage: "progress", pct: 40, eta_ms: now + 30_000 }, 2);
    assert.equal(sentence(request, now), "In progress 40 %, 30 s left.");
    assert.deepEqual(requests.unanswered(60_000), []);
    requests.reply(topic, { id: "id1", stage: "done", ok: true, took_ms: 1500, evidence: "readback", data: { playing: true } }, 3);
    requests.reply(topic, { id: "id1", stage: "progress", pct: 50 }, 4);
    requests.reply(topic, { id: "id1", stage: "done", duplicate: true }, 5);
    assert.deepEqual([request.isFinal, request.ok, request.stage, request.stages.join()], [true, true, "done", "accepted,progress,done"]);
    assert.equal(sentence(request, now), "Done in 1.5 s; evidence: readback.");
    for (const reply of [null, 5, {}, { id: 5, stage: "done" }, { id: "x" }]) assert.equal(requests.reply(topic, reply, 6), undefined);
    assert.equal(requests.reply("board/x/state", { id: "id1", stage: "done" }, 6), undefined);
    requests.begin("id2", `board/${board}`, "led", {}, 0);
    assert.deepEqual([requests.repeat("id2", 1), requests.repeat("id2", 2), requests.repeat("id2", 3)], [true, true, false]);
    assert.match(sentence(requests.all.get("id2"), now), /^Failed \(unreachable\): nobody answered/);
    for (let at = 0; at < 1000; at += 1) requests.reply(topic, { id: `other${at}`, stage: "accepted" }, 7);
    assert.ok(requests.all.size <= Requests.most);
  },
  "a job is the sum of its gateways' parts, and members' answers are its own"({ Requests, jobCounts, notDone }) {
    const requests = new Requests(), request = requests.begin("job", "group/pumps", "led", {}, 0), topic = "group/pumps/reply/led";
    const counts = (total, done, failed = 0) => ({ total, done, failed, unknown: 0, pending: total - done - failed });
    requests.reply(topic, { id: "job", gw: "a", stage: "progress", data: counts(4, 1) }, 1);
    requests.reply(topic, { id: "job", gw: "b", stage: "done", data: counts(2, 2) }, 2);
    assert.deepEqual([request.isFinal, request.stage, request.pct], [false, "progress", 50]);
    requests.reply(`board/${board}/reply/led`, { id: `job.${board}`, stage: "failed", code: "unreachable", message: hostile[0] }, 3);
    requests.reply(topic, { id: "job", gw: "a", stage: "failed", code: "unreachable", message: "3 of 4 done", data: { ...counts(4, 3, 1), not_done: [{ board, stage: "failed" }, { board: "000000000001", stage: "unknown" }] } }, 4);
    requests.reply(topic, { id: "job", gw: "a", stage: "progress", data: counts(4, 1) }, 5);
    assert.deepEqual([request.isFinal, request.ok, jobCounts(request).done, notDone(request).map(one => one.board)], [true, false, 5, [board, "000000000001"]]);
    assert.deepEqual(requests.jobs().map(one => one.id), ["job"]);
  },
  "samples are kept in their order and bounded; what does not follow breaks the line"({ Series }) {
    const series = new Series(10_000);
    for (let at = 0; at < 5000; at += 1) series.push({ ts_ms: at * 100, seq: at * 5, ax_g: at, board, gw: "x", quality: "uncertain" });
    assert.deepEqual([series.push({ ts_ms: 5, seq: 9 }), series.push({ ts_ms: "x" }), series.push(null), [...series.values.keys()]], [false, false, false, ["ax_g"]]);
    assert.ok(series.times.length <= 125 && series.times.length === series.values.get("ax_g").length);
    assert.deepEqual([series.pace, series.times[series.nearest(499_861)]], [100, 499_900]);
    series.push({ ts_ms: 500_000, seq: 1, ax_g: 1 });
    assert.deepEqual(series.gaps, [{ from: 499_900, to: 500_000, isDeclared: false }]);
    for (let field = 0; field < 100; field += 1) series.push({ ts_ms: 500_100 + field, seq: 10 + field, [`f${field}`]: 1, __proto__: { evil: 1 } });
    assert.ok(series.values.size <= 16);
  },
  "a declared gap is a gap on the picture, peaks stay, and nothing is drawn across silence"({ Series, strokes, frame, scale, extent }) {
    const series = new Series(100_000), margins = { left: 0, right: 0, top: 0, bottom: 0 };
    for (let at = 0; at < 100; at += 1) if (at < 30 || at > 60) series.push({ ts_ms: at * 100, seq: at, x: at === 80 ? 9 : 0 });
    series.push({ ts_ms: 20_000, seq: 200, x: 1 });
    series.gap(7000, 7100);
    const view = frame(1000, 100, margins, 0, 10_000, 0, 10);
    const lines = strokes(series, "x", view, 0, 10_000);
    assert.deepEqual(lines.map(line => [line[0][0], line.at(-1)[0]]), [[0, 290], [610, 700], [710, 990], [2000, 2000]]);
    assert.deepEqual(lines[2].find(point => point[1] < 50).map(Math.round), [800, 10]);
    const dense = new Series(1e9);
    for (let at = 0; at < 10_000; at += 1) dense.push({ ts_ms: at, seq: at, x: at === 5003 ? 100 : Math.sin(at) });
    const narrow = strokes(dense, "x", frame(100, 100, margins, 0, 10_000, 0, 100), 0, 10_000);
    assert.ok(narrow.flat().length <= 410 && narrow.flat().some(point => point[1] === 0));
    assert.deepEqual(extent(dense, ["x"], 6000, 6000)?.every(Number.isFinite), true);
    assert.equal(extent(dense, ["nothing"], 0, 1), null);
    for (const [low, high] of [[0, 0], [5, 5], [-1e9, 1e9], [1e-12, 2e-12], [-3, -3]]) {
      const values = scale(low, high);
      assert.ok(values.low < low || low === high && values.low <= low, `${low}`);
      assert.ok(values.high > high - 1e-9 && values.ticks.length <= 20 && values.ticks.every(tick => tick >= values.low && tick <= values.high));
    }
  },
  "buckets become bands; one that is not there is a gap"({ bands, bucketExtent, frame }) {
    const plot = { fields: ["x", "y"], from_ms: 0, to_ms: 500, width_ms: 100, buckets: [[0, 9, -1, 1, 5, 6], [100, 9, 0, 2, 5, 6], [300, 9, 1, 1, 5, 7]] };
    const view = frame(500, 100, { left: 0, right: 0, top: 0, bottom: 0 }, 0, 500, -10, 10);
    assert.deepEqual(bands(plot, "x", view).map(band => band.map(({ x, top, bottom }) => [x, top, bottom].map(Math.round))), [[[50, 45, 55], [150, 40, 50]], [[350, 45, 45]]]);
    assert.deepEqual([bucketExtent(plot, ["x"]), bucketExtent(plot, ["y"]), bands(plot, "__proto__", view), bucketExtent({ ...plot, buckets: [] }, ["x"])], [[-1, 2], [5, 7], [], null]);
    assert.deepEqual(bands({ ...plot, buckets: [null, [5], ["a", 1, 2, 3]] }, "x", view), []);
  },
  "rates come from the numbers of samples, and stop with them"({ Rates }) {
    const rates = new Rates();
    for (let at = 0; at <= 20; at += 1) rates.take(board, "acceleration", { seq: at * 5, ts_ms: now + at * 100 }, at * 100);
    rates.take(board, "other", { seq: "x" }, 0);
    assert.deepEqual([rates.of(board, 2000), rates.of(board, 60_000), rates.of("nobody", 0)], [50, 0, undefined]);
    rates.keepOnly(new Set());
    assert.equal(rates.of(board, 2000), undefined);
  },
  "quaternions and Euler angles show the same box; a reset makes it lie flat"({ orientation, angles, relative, turned, picture, normalized, multiply, fromEuler }) {
    const near = (one, other, margin = 1e-9) => one.forEach((part, at) => assert.ok(Math.abs(part - other[at]) < margin, `${one} and ${other}`));
    const r = Math.PI / 180, axis = (angle, at) => { const q = [Math.cos(angle * r / 2), 0, 0, 0]; q[at] = Math.sin(angle * r / 2); return q; };
    for (const [yaw, pitch, roll] of [[0, 0, 0], [30, 20, 10], [-170, -60, 150], [90, 45, -90], [179, 5, 175]]) {
      const q = multiply(multiply(axis(yaw, 3), axis(pitch, 2)), axis(roll, 1));
      const euler = orientation({ heading_deg: ((-yaw % 360) + 360) % 360, pitch_deg: roll, roll_deg: pitch, yaw_deg: 0 });
      const same = euler.reduce((sum, part, at) => sum + part * q[at], 0);
      assert.ok(Math.abs(Math.abs(same) - 1) < 1e-12, `${[yaw, pitch, roll]}`);
      near(turned(q, [0, 0, 1]), turned(euler, [0, 0, 1]));
      const told = angles(q);
      assert.ok(Math.abs(told.pitch - roll) < 1e-6 && Math.abs(told.roll - pitch) < 1e-6);
      near(relative(q, q), [1, 0, 0, 0]);
    }
    near(turned(axis(90, 3), [1, 0, 0]), [0, 1, 0]);
    const level = picture([1, 0, 0, 0], 400, 400);
    assert.deepEqual(level.faces.map(face => face.name), ["top", "south"].sort((a, b) => level.faces.findIndex(f => f.name === a) - level.faces.findIndex(f => f.name === b)));
    assert.ok(level.arrow[1].y < level.arrow[0].y && Math.abs(level.arrow[0].x - 200) < 1e-9);
    assert.equal(picture(axis(180, 1), 400, 400).arrow, null);
    for (const bad of [{}, null, { qw: 0, qx: 0, qy: 0, qz: 0 }, { qw: "1", qx: 0, qy: 0, qz: 0 }, { heading_deg: NaN }]) assert.equal(orientation(bad), null);
    assert.deepEqual([normalized([2, 0, 0, 0]), fromEuler(0, 0, undefined)], [[1, 0, 0, 0], null]);
  },
  "forms follow what verbs declare, and what is typed becomes arguments or a sentence"({ variants, argument, collect, colour, offered, comparison }) {
    const schemas = ["board", "gateway"].flatMap(kind => fs.readdirSync(path.join(folder, "../../../deploy/schemas", kind))
      .map(name => ({ verb: name.slice(0, -5), schema: JSON.parse(fs.readFileSync(path.join(folder, "../../../deploy/schemas", kind, name), "utf8")) })));
    for (const verb of schemas) for (const shape of variants(verb).options) for (const field of shape.fields) assert.ok(["choice", "flag", "integer", "number", "text", "several", "list", "json"].includes(field.kind), `${verb.verb} ${field.name}`);
    const read = variants(schemas.find(verb => verb.verb === "read"));
    assert.deepEqual([read.choice, read.options.find(option => option.name === "gpio").fields[0].name], ["what", "pin"]);
    const whole = { name: "n", kind: "integer", minimum: 1, maximum: 30, required: true };
    assert.deepEqual([argument(whole, " 7 "), argument({ ...whole, required: false }, "")], [{ value: 7 }, {}]);
    for (const typed of ["", "7.5", "0", "31", "x", "Infinity", "1e400"]) assert.match(argument(whole, typed).error, /^n/, typed);
    assert.deepEqual(argument({ name: "c", kind: "choice", options: [25, 50] }, "50"), { value: 50 });
    assert.match(argument({ name: "c", kind: "choice", options: [25, 50] }, "60").error, /25, 50/);
    assert.deepEqual([argument({ kind: "json" }, "{\"a\":1}"), argument({ kind: "list", of: "integer" }, "1, 2"), argument({ kind: "flag" }, "false")], [{ value: { a: 1 } }, { value: [1, 2] }, { value: false }]);
    assert.match(argument({ name: "j", kind: "json" }, "{").error, /^j: this is not JSON/);
    for (const text of hostile) for (const kind of ["text", "json", "list", "integer", "flag"]) assert.doesNotThrow(() => argument({ name: "x", kind, of: "number" }, text));
    assert.deepEqual(collect([whole, { name: "t", kind: "text" }], field => field.name === "n" ? "5" : hostile[0]), { args: { n: 5, t: hostile[0] } });
    assert.deepEqual([colour("#0a80ff"), colour("red")], [{ r: 10, g: 128, b: 255 }, undefined]);
    assert.deepEqual(offered({ offers: { rate_hz: [25, 50], low: { min: 0, max: 1, step: 0.1 } }, readable: true }).map(field => [field.name, field.kind]), [["rate_hz", "choice"], ["low", "number"], ["every", "text"]]);
    const rows = comparison({ stream: { a: { rate_hz: 50 }, b: {} } }, { stream: { a: { rate_hz: 25 } } });
    assert.deepEqual(rows.map(row => [row.path, row.desired, row.reported, row.isSame]), [["stream · a · rate_hz", "50", "25", false], ["stream · b", "{}", undefined, false]]);
  },
  "F299 what is done to a simulated board is one line for it alone, of what it has a sensor for"({ stimuli, line, variants, collect }) {
    const schema = (properties, required) => ({ $defs: { args: { properties, required } } }), text = { type: "string", pattern: "^([0-9.]+(ms|s|m|h|d|w))+$" };
    const verbs = new Map([
      { verb: "led", for: "board" }, { verb: "press", for: "simulator", schema: schema({}) },
      { verb: "walk", for: "simulator", schema: schema({ steps: { type: "integer", minimum: 1, maximum: 9, default: 5 }, interval: { ...text, default: "500ms" } }) },
      { verb: "light", for: "simulator", stream: "illuminance", schema: schema({ light_lx: { type: "number", minimum: 0, maximum: 9, default: "usual" } }) },
      { verb: "pin", for: "simulator", schema: schema({ number: { type: "integer" }, level: { type: "string", pattern: "^[A-Za-z0-9._-]{1,4}$" } }, ["number", "level"]) },
    ].map(verb => [verb.verb, verb]));
    const names = board => stimuli(verbs, board).map(verb => verb.verb);
    assert.deepEqual([names({}), names({ info: { streams: { illuminance: {} } } }), names({ info: { streams: hostile } })], [["press", "walk", "pin"], ["press", "walk", "light", "pin"], ["press", "walk", "pin"]]);
    const typed = (verb, ...words) => {
      const { fields } = variants(verbs.get(verb)).options[0], { args, errors } = collect(fields, field => words[fields.indexOf(field)]);
      return errors ? errors.map(one => one.name) : line(verb, board, fields, args);
    };
    assert.deepEqual([typed("press"), typed("walk"), typed("walk", "7"), typed("walk", "", "1s")], ["press", "walk", "walk", "walk"].map((verb, at) => `${verb} E5:A1:C2:D3:F4:B6${["", " 5 500ms", " 7 500ms", " 5 1s"][at]}`));
    assert.deepEqual([typed("light"), typed("light", "0.5"), typed("pin", "0", "high")], ["light E5:A1:C2:D3:F4:B6 usual", "light E5:A1:C2:D3:F4:B6 0.5", "pin E5:A1:C2:D3:F4:B6 0 high"]);
    for (const words of ["1s for 1h", "1s\nservice gone", "all", ...hostile.filter(Boolean)]) assert.deepEqual(typed("walk", "7", words), ["interval"], words);
    for (const words of ["hi 1", "1\nx", ...hostile]) assert.deepEqual(typed("pin", "0", words), ["level"], words);
  },
  "the model takes whatever comes, counts each event once, and says what changed"({ Model }) {
    const model = new Model(), live = `board/${board}/live/acceleration`;
    model.watch(board);
    assert.equal(model.takeChanges().all, true);
    const event = { event_id: "e1", ts_ms: now, kind: "data-gap", event_type: "stream", stream: "acceleration", from_ms: now + 100, to_ms: now + 200 };
    model.take([
      { kind: "live", topic: live, payload: { ts_ms: now, seq: 1, ax_g: 1 } }, { kind: "event", topic: `board/${board}/event/data-gap`, payload: event },
      { kind: "event", topic: `board/${board}/event/data-gap`, payload: event }, { kind: "document", topic: `board/${board}/state`, payload: { battery_pct: 50, battery_ms: now } },
      { kind: "reply", topic: `board/${board}/reply/led`, payload: { id: "r", stage: "accepted" } }, ...hostile.map(topic => ({ kind: "live", topic, payload: {} })),
      ...hostile.map(name => ({ kind: "live", topic: `board/${board}/live/${name}`, payload: { ts_ms: now, seq: 1, __proto__: null } })),
    ], 0);
    const changes = model.takeChanges();
    assert.deepEqual([changes.all, [...changes.boards], [...changes.requests], changes.events, model.events.length], [false, [board], ["r"], true, 1]);
    assert.deepEqual(model.series.get("acceleration").gaps, [{ from: now + 100, to: now + 200, isDeclared: true }]);
    assert.deepEqual(model.batteries.get(board), [[now, 50]]);
    model.interrupted();
    model.take([{ kind: "live", topic: live, payload: { ts_ms: now + 300, seq: 2, ax_g: 1 } }], 1);
    assert.deepEqual(model.series.get("acceleration").gaps.at(-1), { from: now, to: now + 300, isDeclared: false });
    for (const stage of ["failed", "accepted", "done"]) model.take([{ kind: "reply", topic: `board/${board}/reply/led`, payload: { id: stage === "failed" ? "refused" : "taken", stage } }], 1);
    assert.deepEqual([model.events.length, model.events.at(-1).event_id, model.events.at(-1).kind, model.events.at(-1).event_type], [2, "taken", "command", "done"]);
    for (let at = 0; at < 2000; at += 1) model.take([{ kind: "event", topic: `board/${board}/event/x`, payload: { event_id: `x${at}` } }], 2);
    assert.equal(model.events.length, Model.mostEvents);
    model.watch(undefined);
    assert.equal(model.series.size, 0);
  },
};

async function main() {
  // The files say nothing of what they are; a copy beside a manifest is read as modules by every Node.js.
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "page-"));
  let failed = 0;
  try {
    fs.writeFileSync(path.join(copy, "package.json"), "{\"type\":\"module\"}");
    for (const name of scripts) fs.copyFileSync(path.join(folder, name), path.join(copy, name));
    const modules = {};
    for (const name of ["text", "fleet", "stream", "geometry", "model", "stimuli"]) Object.assign(modules, await import(url.pathToFileURL(path.join(copy, `${name}.js`)).href));
    for (const [name, test] of Object.entries(tests)) {
      try {
        await test(modules);
        console.log(`ok   ${name}`);
      } catch (fault) {
        failed += 1;
        console.log(`FAIL ${name}\n${fault.stack}`);
      }
    }
  } finally {
    fs.rmSync(copy, { recursive: true });
  }
  console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
if (process.argv.includes("--help")) console.log("usage: node Tests/Outsiders/page_modules.js\n\nJudges the modules of Sources/Web/Page without a document.");
else main();
