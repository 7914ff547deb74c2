// What the retained documents say about boards, gateways and their adapters (MQTT contract 1). Pure.
import { age, elements } from "./text.js";

const leaves = { board: ["info", "availability", "state", "config", "led", "firmware"], gateway: ["info", "availability", "health", "alarms"] };
const connectedLinks = new Set(["interviewing", "idle", "streaming", "downloading"]);
const severities = ["critical", "warning", "info"];

/** `board/<id>/state` and the like, taken apart; null of what is none of ours. */
export function parseTopic(topic) {
  const levels = String(topic).split("/");
  if (levels.length < 3 || levels.length > 4 || levels.some((level) => level === "")) return null;
  const [kind, id, leaf, name] = levels;
  if (!["board", "gateway", "group"].includes(kind)) return null;
  if (kind === "board" && !/^[0-9a-f]{12}$/.test(id)) return null;
  return { kind, id, leaf, name };
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const texts = (value) => elements(value).filter((entry) => typeof entry === "string");

export class Fleet {
  boards = new Map();
  gateways = new Map();
  #documents = new Map();

  /** Takes a document in, null removes it. Gives what changed: `{kind, id}`, or null. */
  apply(topic, payload) {
    const { kind, id, leaf, name } = parseTopic(topic) ?? {};
    const part = kind === "gateway" && name !== undefined ? { adapter: "adapters", rollout: "rollouts" }[leaf] : undefined;
    if (!part && (name !== undefined || !leaves[kind]?.includes(leaf))) return null;
    const all = kind === "board" ? this.boards : this.gateways;
    const entry = all.get(id) ?? (kind === "board" ? { id } : { id, adapters: new Map(), rollouts: new Map() });
    if (isObject(payload)) {
      this.#documents.set(topic, payload);
      if (part) entry[part].set(name, payload);
      else entry[leaf] = payload;
      all.set(id, entry);
    } else {
      this.#documents.delete(topic);
      if (part) entry[part].delete(name);
      else delete entry[leaf];
      if (Object.keys(entry).length === (kind === "board" ? 1 : 3) && !entry.adapters?.size && !entry.rollouts?.size) all.delete(id);
    }
    return { kind, id };
  }

  replace(documents) {
    for (const all of [this.boards, this.gateways, this.#documents]) all.clear();
    for (const [topic, payload] of Object.entries(documents ?? {})) this.apply(topic, payload);
  }

  documents() {
    return Object.fromEntries(this.#documents);
  }

  gatewayID(board) {
    return board.state?.gw ?? board.info?.gw ?? board.availability?.gw;
  }

  gateway(board) {
    return this.gateways.get(this.gatewayID(board));
  }

  /** Nobody manages it now: all else is what was last known. */
  isGatewayOffline(board) {
    return this.gateway(board)?.availability?.state !== "online";
  }

  groups() {
    return [...new Set([...this.boards.values()].flatMap((board) => texts(board.info?.groups)))].sort();
  }

  members(group) {
    return [...this.boards.values()].filter((board) => group === "all" || texts(board.info?.groups).includes(group));
  }

  online() {
    return [...this.gateways.values()].filter((gateway) => gateway.availability?.state === "online");
  }

  /** Every alarm of every gateway that is online, the gravest first, then the newest; each with `gw`. */
  alarms() {
    const all = this.online().flatMap((gateway) => elements(gateway.alarms?.alarms).filter(isObject).map((alarm) => ({ ...alarm, gw: gateway.id })));
    const rank = (alarm) => {
      const place = severities.indexOf(alarm.severity);
      return (alarm.acknowledged ? 100 : 0) + (place < 0 ? severities.length : place);
    };
    return all.sort((one, other) => rank(one) - rank(other) || (other.since_ms ?? 0) - (one.since_ms ?? 0)
      || (String(one.id) < String(other.id) ? -1 : 1));
  }
}

export function condition(fleet, board, now) {
  const isAway = fleet.isGatewayOffline(board);
  const { availability, state } = board;
  const isOnline = !isAway && availability?.state === "online";
  const isInMaintenance = Number(state?.maintenance_until_ms) > now;
  const codes = [];
  const why = [];
  const add = (code, sentence) => {
    if (typeof code === "string" && !codes.includes(code)) codes.push(code);
    const text = typeof sentence === "string" && sentence !== "" ? sentence : code;
    if (typeof text === "string" && !why.includes(text)) why.push(text);
  };
  if (isAway) {
    const id = fleet.gatewayID(board);
    add("gateway-offline", id ? `gateway ${id} is offline; what stands here was last known` : "no gateway speaks for it");
  } else {
    add(state?.reason_code, state?.reason);
    if (state?.link === "waiting-for-slot" && !isPlaceFree(fleet.gateway(board))) {
      add("no-slots", "all connection slots are taken; it waits for one");
    }
    add(state?.stream_reason_code, state?.stream_reason);
    add(state?.identity_reason_code, state?.identity_reason);
    if (availability !== undefined && !isOnline && why.length === 0 && state?.link !== "updating") {
      add(availability.reason ?? availability.state, undefined);
    }
  }
  return {
    isOnline, isAway, isInMaintenance, codes, why,
    isTroubled: why.length > 0 || (!isAway && availability === undefined),
    isConnected: !isAway && connectedLinks.has(state?.link),
    word: isAway ? "gateway offline" : typeof availability?.state === "string" ? availability.state : "not known yet",
    link: isAway ? undefined
      : state?.link === "waiting-for-slot" && isPlaceFree(fleet.gateway(board)) ? "waiting-to-connect" : state?.link,
  };
}

const stages = {
  fetching: "The firmware is fetched, and the log downloaded.", "entering-bootloader": "It restarts in its bootloader.",
  sending: "The firmware is sent: leave the board where it is.", verifying: "It starts what it was sent.",
};

/** A board's firmware, and its way to another one; where its gateway is away nobody knows of the latter. */
export function update(board, now, isAway) {
  const { firmware = {}, state, info, availability } = board;
  const { stage, latest_version: latest, last_error: trouble = "" } = firmware;
  const [installed, isRunning] = [firmware.installed_version ?? state?.fw ?? info?.fw, firmware.in_progress === true && !isAway];
  const percent = isRunning && Number.isFinite(firmware.update_percentage) ? firmware.update_percentage : undefined;
  const left = firmware.eta_ms > now ? `, ${age(firmware.eta_ms - now)} left` : "";
  const isStranded = !isRunning && !isAway && (stage === "rescuing" || availability?.reason === "bootloader");
  return {
    installed, latest, percent, isRunning, isStranded, isEarly: isRunning && ["fetching", "entering-bootloader"].includes(stage),
    isWanted: !isRunning && !isAway && (isStranded || (latest !== undefined && latest !== installed)),
    sentence: isRunning ? `${stages[stage] ?? stage} ${percent === undefined ? "" : `${Math.round(percent)} %${left}.`}`
      : !isStranded ? `${stage === "failed" ? "The last update failed: " : ""}${trouble}`
        : "It is in its bootloader, without an application, and measures nothing. " + (stage === "failed" ? trouble : stage !== "rescuing" ? "No update was ordered here: reset sends it back, if it can."
          : `The gateway sends the firmware again by itself: charge the board, and bring it near. ${trouble}`),
  };
}

function isPlaceFree(gateway) {
  return [...(gateway?.adapters.values() ?? [])]
    .some((adapter) => adapter.state === "up" && (adapter.slots_used ?? 0) < (adapter.slots_total ?? 0));
}

export function boardRows(fleet, now, rates, name) {
  return [...fleet.boards.values()].map((board) => {
    const how = condition(fleet, board, now);
    return {
      id: board.id, board, name: name(board.info, board.id), ...how,
      rate: how.isConnected ? rates(board.id) : undefined,
      battery: board.state?.battery_pct, signal: board.state?.rssi_dbm, lost: board.state?.samples_lost_24h,
      next: how.isAway ? undefined : board.state?.next_contact_ms,
      waiting: board.state?.commands_waiting ?? 0, groups: texts(board.info?.groups), gateway: fleet.gatewayID(board),
    };
  });
}
export function passes(row, { text = "", group = "", trouble = false }) {
  if (trouble && !row.isTroubled) return false;
  if (group !== "" && !row.groups.includes(group)) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const all = [
    row.name, row.id, row.gateway, row.word, row.link, ...row.codes, ...row.why, ...row.groups,
    row.board.info?.model, row.board.info?.site, row.board.info?.profile,
    ...Object.values(row.board.info?.labels ?? {}),
  ].filter((entry) => typeof entry === "string").join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}
export function gravity(row) {
  if (!row.isTroubled) return row.isInMaintenance ? 4 : 5;
  if (row.isInMaintenance) return 3;
  if (row.isAway) return 1;
  return row.isOnline ? 2 : 0;
}

const orders = { trouble: gravity, name: () => 0 };
const collator = new Intl.Collator("en", { numeric: true });

/** In this order; those that say nothing about it last, equals by name. */
export function sorted(rows, key = "trouble", isReversed = false) {
  const value = orders[key] ?? ((row) => row[key]);
  const sign = ["rate", "lost"].includes(key) === isReversed ? 1 : -1;
  const byName = (one, other) => collator.compare(one.name, other.name) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a !== b) {
      if (!Number.isFinite(a)) return 1;
      if (!Number.isFinite(b)) return -1;
      return (a - b) * sign;
    }
    return byName(one, other) * (key === "name" && isReversed ? -1 : 1);
  });
}

const sum = (all, key) => all.reduce((total, entry) => total + (Number(entry[key]) || 0), 0);

/** The totals of rows: counted from them alone, so that they never say otherwise. */
export function totals(rows) {
  const those = (test) => rows.filter(test).length;
  return {
    boards: rows.length, online: those((row) => row.isOnline), troubled: those((row) => row.isTroubled && !row.isInMaintenance),
    maintenance: those((row) => row.isInMaintenance),
    rate: rows.some((row) => Number.isFinite(row.rate)) ? sum(rows, "rate") : undefined, waiting: sum(rows, "waiting"), lost: sum(rows, "lost"),
  };
}
export function gatewayRows(fleet, rows) {
  return [...fleet.gateways.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map((gateway) => {
    const isOnline = gateway.availability?.state === "online";
    const adapters = [...gateway.adapters.values()];
    const usable = adapters.filter((adapter) => adapter.state === "up");
    const own = rows.filter((row) => row.gateway === gateway.id);
    return {
      id: gateway.id, gateway, isOnline, boards: own.length, online: own.filter((row) => row.isOnline).length,
      used: sum(usable, "slots_used"), slots: sum(usable, "slots_total"), adapters: adapters.length,
      troubles: isOnline ? gatewayTroubles(gateway, usable.length > 0) : ["it is offline: start it, or see why it ended"],
    };
  });
}

function gatewayTroubles(gateway, hasRadio) {
  const { health, info } = gateway;
  const all = [];
  if (gateway.adapters.size > 0 ? !hasRadio : health?.bluetooth_ok === 0) all.push("no Bluetooth adapter can be used");
  if (health?.storage_ok === 0) all.push(`its disk is ${health.storage ?? "not writable"}`);
  if (health?.samples_dropped > 0) all.push(`${health.samples_dropped} samples were dropped for want of room`);
  if (info?.config_error) all.push(`its file does not count: ${info.config_error}`);
  if (info?.drained_since_ms) all.push("it is drained: it connects no board until drain resume");
  if (texts(info?.withheld).length > 0) {
    all.push(`${info.withheld.length} boards are no longer in the file; confirm with reload that they go`);
  }
  if (texts(info?.refused_topics).length > 0) all.push(`the broker refused ${info.refused_topics[0]}`);
  if (health?.clock_synced === 0) all.push("no time service keeps its clock");
  if (info?.last_crash?.message) all.push(`its last run ended unexpectedly: ${info.last_crash.message}`);
  return all;
}

/** What is missing before anything can be seen, and how to get it: `{what, how}`, in the order to do it. */
export function missing(fleet, causes) {
  const all = [];
  for (const cause of causes) {
    const [part, ...rest] = cause.split(": ");
    const sentence = rest.join(": ");
    if (part === "broker") {
      all.push({
        what: "The gateway is not connected to its MQTT broker. What it measures waits on its disk; this page goes on.",
        how: "Start the broker, or correct mqtt.host, its user and its certificate in the gateway's file; "
          + "metafleet doctor names the cause.",
      });
    } else if (sentence !== "") {
      all.push({ what: `The gateway is not ready (${part}).`, how: sentence });
    }
  }
  const online = fleet.online();
  if (fleet.gateways.size === 0) {
    all.push({
      what: "No gateway has published anything about itself yet.",
      how: "If this stays so for a minute: write /etc/metafleet/metafleet.yaml (metafleet config example shows "
        + "every key), then start the service: systemctl start metafleet. metafleet demo shows boards without hardware.",
    });
    return all;
  }
  if (online.length === 0) all.push({ what: "No gateway is online.", how: "Start one: systemctl start metafleet." });
  for (const { id, adapters } of online) {
    if (adapters.size === 0) {
      all.push({
        what: `Gateway ${id} has no Bluetooth adapter.`,
        how: "Plug one in, and see that BlueZ runs: systemctl start bluetooth.",
      });
    }
  }
  if (fleet.boards.size === 0) {
    all.push({
      what: "No board is admitted yet.",
      how: "Scan below with a board in range, and press Admit; or list boards in the gateway's file and reload it.",
    });
  }
  return all;
}
