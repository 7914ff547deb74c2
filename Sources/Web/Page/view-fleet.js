// The fleet: its boards, gateways and adapters, and what is in range of them.
import { bullets, button, h, Keyed, mark, row, section, table, write } from "./dom.js";
import { boardRows, gatewayRows, missing, passes, sorted, totals } from "./fleet.js";
import { resultPanel } from "./forms.js";
import { address, age, boardName, bytes, count, elements, rounded, when, withUnit } from "./text.js";

const pageSize = 50;
/** Boards whose live samples are asked for at most. */
const mostLive = 64;
/** Rows that are written at most in one update; the others have their turn in the next. */
const mostRowsAtOnce = 60;

const columns = [
  { label: "Board", key: "name" }, { label: "State", key: "trouble" }, { label: "Why" },
  { label: "Battery", key: "battery", isNumber: true }, { label: "Signal", key: "signal", isNumber: true },
  { label: "Rate", key: "rate", isNumber: true }, { label: "Lost in 24 h", key: "lost", isNumber: true },
  { label: "Next contact", key: "next" }, { label: "Groups" },
];

export function fleetView(context, parameters) {
  const { model } = context;
  const look = { text: parameters.get("find") ?? "", group: parameters.get("group") ?? "", trouble: parameters.has("trouble"), key: "trouble", reversed: false, page: 0 };
  const [welcome, totalsLine, notice] = [h("div"), h("p", { class: "totals", id: "totals" }), h("p", { class: "hint" })];
  const boards = boardTable(context, look, () => refresh(true));
  const gateways = gatewayTables(context);
  const scanning = scanPanel(context);
  const filter = filters(look, () => {
    look.page = 0;
    refresh(true);
  });
  const [before, after, pageLine] = [
    button("Previous boards", () => turn(-1)), button("Next boards", () => turn(1)), h("span"),
  ];
  const pager = h("p", { class: "row", hidden: true }, before, pageLine, after);
  const steps = new Keyed(welcome, ({ what, how }) => ({ node: h("div", { class: "notice" }, h("strong", {}, what), h("p", {}, how)) }));
  const node = h("div", {}, h("h1", { tabindex: -1 }, "Fleet"), welcome, totalsLine, filter.node,
    boards.node, notice, pager, h("h2", {}, "Gateways and adapters"), gateways.node, scanning.node);
  let [shown, cut, orderedAt, writtenAt] = [[], [], 0, 0];
  const waiting = new Set();
  let asked = new Set();
  const turn = (by) => {
    look.page += by;
    refresh(true);
  };

  function refresh(isWhole, now = context.now()) {
    if (!isWhole && now - writtenAt < 200) return;
    writtenAt = now;
    const rates = (id) => model.rates.of(id, performance.now());
    const all = boardRows(model.fleet, now, rates, boardName);
    const found = all.filter((entry) => passes(entry, look));
    // Rows keep their places for a second, so that a busy fleet does not dance.
    if (isWhole || now - orderedAt > 1000) {
      [shown, orderedAt] = [sorted(found, look.key, look.reversed), now];
      look.page = Math.max(0, Math.min(look.page, Math.ceil(shown.length / pageSize) - 1));
      cut = shown.slice(look.page * pageSize, (look.page + 1) * pageSize);
      boards.arrange(cut, now);
      for (const entry of cut) waiting.add(entry.id);
    }
    const known = new Map(all.map((entry) => [entry.id, entry]));
    let left = mostRowsAtOnce;
    for (const id of waiting) {
      if (left === 0) break;
      left -= 1;
      waiting.delete(id);
      if (known.has(id)) boards.fill(known.get(id), now);
    }
    // The rate is that of the rows on this page, as only theirs is known.
    const rate = totals(cut.map(({ id }) => known.get(id)).filter(Boolean)).rate;
    write(totalsLine, totalText({ ...totals(found), rate }, found.length > pageSize, found.length !== all.length ? all.length : undefined));
    write(notice, found.length > 0 || all.length === 0 ? "" : `None of ${count(all.length, "board")} is like that.`);
    mark(pager, "hidden", shown.length <= pageSize);
    write(pageLine, `${look.page * pageSize + 1} to ${look.page * pageSize + cut.length} of ${shown.length}`);
    [before.disabled, after.disabled] = [look.page === 0, (look.page + 1) * pageSize >= shown.length];
    gateways.fill(gatewayRows(model.fleet, all), now);
    scanning.fill();
    filter.groups(model.fleet.groups());
    steps.show(context.hasDocuments() ? missing(model.fleet, model.causes) : [], ({ what }) => what);
  }

  return {
    title: "Fleet", node,
    // Samples are asked for of the boards on this page, for their rates; of those that were on it until there are many.
    live: () => {
      for (const { id } of cut) asked.add(id);
      if (asked.size > mostLive) asked = new Set(cut.map(({ id }) => id));
      return [...asked];
    },
    update: (changes, now) => {
      for (const id of changes.boards) waiting.add(id);
      if (changes.all || changes.gateways.size > 0) for (const entry of cut) waiting.add(entry.id);
      if (changes.all || waiting.size > 0 || changes.gateways.size > 0) refresh(changes.all, now);
      if (changes.all || changes.requests.size > 0) scanning.fill();
    },
    tick: (now) => {
      for (const entry of cut) waiting.add(entry.id);
      refresh(false, now);
    },
    isBusy: () => waiting.size > 0,
  };
}

function totalText(sums, hasPages, all) {
  const words = [`${sums.online} of ${count(sums.boards, "board")} online`];
  if (sums.troubled > 0) words.push(`${sums.troubled} with trouble`);
  if (sums.maintenance > 0) words.push(`${sums.maintenance} in maintenance`);
  if (sums.rate !== undefined) words.push(`${rounded(sums.rate)} samples/s${hasPages ? " of those on this page" : ""}`);
  if (sums.lost > 0) words.push(`${count(sums.lost, "sample")} lost in 24 h`);
  if (sums.waiting > 0) words.push(`${count(sums.waiting, "command")} waiting`);
  return words.join(", ") + (all !== undefined ? ` (of ${count(all, "board")}, those that are shown)` : "");
}

function filters(look, changed) {
  const text = h("input", { type: "search", id: "find", autocomplete: "off", spellcheck: "false", oninput: () => set("text", text.value) });
  text.value = look.text;
  const group = h("select", { id: "group", onchange: () => set("group", group.value) });
  const trouble = h("input", { type: "checkbox", id: "trouble", onchange: () => set("trouble", trouble.checked) });
  trouble.checked = look.trouble;
  const set = (key, value) => {
    look[key] = value;
    changed();
  };
  const groupOptions = new Keyed(group, (name) => ({ node: h("option", { value: name }, name === "" ? "all boards" : name) }));
  return {
    node: h("form", { class: "row", role: "search", onsubmit: (event) => event.preventDefault() },
      h("label", { for: "find" }, "Find"), text, h("label", { for: "group" }, "Group"), group,
      h("label", { class: "check" }, trouble, "only with trouble")),
    groups: (names) => {
      groupOptions.show(["", ...names], (name) => name);
      if (group.value !== look.group) group.value = names.includes(look.group) ? look.group : "";
    },
  };
}

function boardTable(context, look, changed) {
  const heads = columns.map((column) => ({
    ...column, node: column.key ? button(column.label, () => sort(column.key), { class: "sort" }) : undefined, text: column.label,
  }));
  const { node, rows, heads: cells } = table("Boards", heads);
  const sort = (key) => {
    look.reversed = look.key === key && !look.reversed;
    look.key = key;
    showOrder();
    changed();
  };
  const showOrder = () => columns.forEach(({ key }, place) =>
    mark(cells[place], "aria-sort", key === look.key ? (look.reversed ? "descending" : "ascending") : undefined));
  showOrder();
  const list = new Keyed(rows, (entry) => boardRow(context, heads, entry.id));
  return {
    node: node,
    arrange: (all) => list.show(all, (entry) => entry.id),
    fill: (entry, now) => list.get(entry.id)?.fill(entry, now),
  };
}

function boardRow(context, heads, id) {
  const made = row(heads, { "data-board": id });
  const [nameCell, stateCell, whyCell, battery, signal, rate, lost, next, groups] = made.cells;
  const [link, identity] = [h("a", { href: `#/board/${id}` }), h("span", { class: "hint" }, address(id))];
  nameCell.append(link, identity);
  const [word, detail] = [h("span", { class: "badge" }), h("span", { class: "hint" })];
  stateCell.append(word, detail);
  const [sentences, panel] = [bullets("why"), resultPanel(context)];
  const explain = button("Explain", () => panel.send(`board/${id}`, "explain"), { class: "small", hidden: true });
  whyCell.append(sentences.node, explain, panel.node);
  const fill = (entry, now) => {
    const { board } = entry;
    write(link, entry.name);
    mark(explain, "aria-label", `Explain ${entry.name}`);
    const since = board.availability?.since_ms;
    write(word, entry.isInMaintenance ? "maintenance" : entry.word, entry.isInMaintenance ? "maintenance" : entry.isOnline ? (entry.isTroubled ? "warning" : "good") : entry.word === "unknown" ? "warning" : "bad");
    write(detail, [entry.link ? entry.link : "", !entry.isAway && Number.isFinite(since) ? `for ${age(now - since)}` : ""].filter(Boolean).join(", "));
    const maintenance = entry.isInMaintenance
      ? [`in maintenance, ends ${when(board.state.maintenance_until_ms, now)}${board.state.maintenance_reason ? `: ${board.state.maintenance_reason}` : ""}`] : [];
    sentences.set([...maintenance, ...entry.why]);
    mark(explain, "hidden", !entry.isTroubled);
    write(battery, withUnit(entry.battery, "%"), entry.battery <= 5 ? "bad" : entry.battery <= 20 ? "warning" : undefined);
    write(signal, withUnit(entry.signal, "dBm"));
    write(rate, entry.rate === undefined ? "–" : `${rounded(entry.rate)}/s`);
    write(lost, Number.isFinite(entry.lost) ? String(entry.lost) : "–", entry.lost > 0 ? "warning" : undefined);
    write(next, when(entry.next, now));
    write(groups, entry.groups.join(" "));
    mark(made.node, "data-state", entry.isTroubled && !entry.isInMaintenance ? "trouble" : undefined);
  };
  return { node: made.node, fill };
}

function gatewayTables(context) {
  const heads = ["Gateway", "State", "Boards online", "Slots in use", "Waiting for the broker", "Dropped", "Disk free", "What is wrong"];
  const gateways = table("Gateways", heads);
  const gatewayList = new Keyed(gateways.rows, ({ id }) => {
    const made = row(heads, { "data-gateway": id });
    const [link, word, since] = [h("a", { href: `#/gateway/${encodeURIComponent(id)}` }, id), h("span", { class: "badge" }), h("span", { class: "hint" })];
    made.cells[0].append(link);
    made.cells[1].append(word, since);
    const troubles = bullets("why");
    made.cells[7].append(troubles.node);
    return { ...made, word, since, troubles };
  });
  const adapterHeads = ["Adapter", "Gateway", "State", "Slots", "Used by", "Waiting", "Scan", "Last error"];
  const adapters = table("Bluetooth adapters", adapterHeads);
  const adapterList = new Keyed(adapters.rows, () => {
    const made = row(adapterHeads);
    const word = h("span", { class: "badge" });
    made.cells[2].append(word);
    const [holders, queue] = [bullets("why inline"), bullets("why")];
    made.cells[4].append(holders.node);
    made.cells[5].append(queue.node);
    return { ...made, word, holders, queue };
  });
  const fill = (all, now) => {
    gatewayList.show(all, ({ id }) => id, (entry, item) => {
      const { gateway, isOnline } = item;
      const health = isOnline ? gateway.health : undefined;
      write(entry.word, isOnline ? "online" : "offline", isOnline ? "good" : "bad");
      const since = gateway.availability?.since_ms;
      write(entry.since, Number.isFinite(since) ? `for ${age(now - since)}` : "");
      write(entry.cells[2], isOnline ? `${item.online} of ${item.boards}` : "–");
      write(entry.cells[3], isOnline && item.adapters > 0 ? `${item.used} of ${item.slots}` : "–");
      const oldest = health?.outbox_oldest_s > 0 ? `, oldest ${age(health.outbox_oldest_s * 1000)}` : "";
      write(entry.cells[4], health ? `${count(health.outbox_msgs, "message")}${oldest}` : "–");
      write(entry.cells[5], health ? String(health.samples_dropped) : "–");
      write(entry.cells[6], bytes(health?.storage_free_bytes));
      entry.troubles.set(item.troubles);
    });
    const list = all.filter((item) => item.isOnline)
      .flatMap(({ id, gateway }) => [...gateway.adapters].map(([mac, adapter]) => ({ id, mac, adapter })));
    adapterList.show(list, ({ id, mac }) => `${id}/${mac}`, (entry, { id, mac, adapter }) => {
      write(entry.cells[0], `${adapter.name ?? ""} ${address(mac)}`);
      write(entry.cells[1], id);
      write(entry.word, adapter.state ?? "–", adapter.state === "up" ? "good" : "bad");
      write(entry.cells[3], `${adapter.slots_used ?? "–"} of ${adapter.slots_total ?? "–"}`);
      const names = (ids) => elements(ids).map((board) => context.name(board));
      entry.holders.set([...names(adapter.connected), ...(adapter.connecting ? [`${context.name(adapter.connecting)} (connecting)`] : [])]);
      const queue = elements(adapter.queue);
      const more = (adapter.waiting ?? 0) - queue.length;
      entry.queue.set([
        ...queue.map((wait) => `${context.name(wait.board)}: ${wait.purpose}, for ${age(now - wait.since_ms)}`),
        ...(more > 0 ? [`${more} more wait for any adapter`] : []),
      ]);
      write(entry.cells[6], `${adapter.scanning ? "on" : "off"}${adapter.scan_reason ? `: ${adapter.scan_reason}` : ""}`);
      write(entry.cells[7], adapter.last_error ? `${when(adapter.last_error_ms, now)}: ${adapter.last_error}` : "");
    });
  };
  return { node: h("div", {}, gateways.node, adapters.node), fill };
}
function scanPanel(context) {
  const panel = resultPanel(context);
  const choice = h("select", { id: "scan-gateway" });
  const options = new Keyed(choice, (id) => ({ node: h("option", { value: id }, id) }));
  const start = button("Scan for 10 seconds", () => {
    scan = context.send(`gateway/${choice.value}`, "scan", { for_s: 10 });
    panel.follow(scan);
    fill();
  });
  const heads = ["Name", "Address", "Signal", "Model", "Actions"];
  const found = table("In range", heads);
  const list = new Keyed(found.rows, (item) => {
    const made = row(heads);
    const result = resultPanel(context);
    const admit = button("Admit", () => result.send(`gateway/${item.gw}`, "admit", { board: item.board }), { "aria-label": `Admit ${item.name} ${address(item.board)}` });
    made.cells[4].append(admit, h("span", { class: "hint" }), result.node);
    return { ...made, admit, note: made.cells[4].children[1] };
  });
  let scan;
  const gatewayLabel = h("label", { for: "scan-gateway" }, "Gateway");
  const node = section("scan", "In range",
    h("p", { class: "hint" }, "Boards that advertise and are not admitted are left alone until somebody admits them."),
    h("p", { class: "row" }, gatewayLabel, choice, start), panel.node, found.node);
  const fill = () => {
    const gateways = context.model.fleet.online().map((gateway) => gateway.id).sort();
    options.show(gateways, (id) => id);
    start.disabled = gateways.length === 0;
    const all = scan?.ok && Array.isArray(scan.data?.boards) ? scan.data.boards.filter((item) => typeof item?.board === "string") : [];
    mark(node.lastChild, "hidden", all.length === 0);
    list.show(all.map((item) => ({ ...item, gw: scan.target.split("/")[1] })), (item) => item.board, (entry, item) => {
      write(entry.cells[0], item.name);
      write(entry.cells[1], address(item.board));
      write(entry.cells[2], withUnit(item.rssi_dbm, "dBm"));
      write(entry.cells[3], item.model ?? (item.bootloader ? "in its bootloader" : "–"));
      const isAdmitted = item.admitted || context.model.fleet.boards.has(item.board);
      const owner = item.owner && item.owner !== item.gw ? ` by ${item.owner}` : "";
      mark(entry.admit, "hidden", isAdmitted);
      write(entry.note, isAdmitted ? `admitted${owner}` : item.blocked ? "blocked; Admit lifts it" : "");
    });
  };
  return { node, fill };
}
