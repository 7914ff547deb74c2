// Everything this page knows, what of it has changed since it was last shown, and what became of commands (MQTT
// contract 3.1 and 4.2). Pure: the time is given.
import { Fleet, parseTopic } from "./fleet.js";
import { Rates, Series } from "./geometry.js";
import { age, elements } from "./text.js";

const finals = new Set(["done", "failed", "unknown"]);
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A fresh id: a ULID of this time and these sixteen random bytes. */
export function newID(now, random) {
  const time = Array.from({ length: 10 }, (_, place) => Math.floor(now / 32 ** (9 - place)));
  return [...time, ...random].map((value) => alphabet[value % 32]).join("");
}
export class Requests {
  static most = 300;
  static firstAnswer = 10_000;
  static mostSendings = 3;
  all = new Map();

  begin(id, target, verb, args, now) {
    return Object.assign(this.#open(id, target, verb), { args, isOwn: true, sent: now, sendings: 1 });
  }

  refuse(id, message, code) {
    const request = this.all.get(id);
    if (request === undefined || request.isFinal) return undefined;
    Object.assign(request, { stage: "failed", isFinal: true, ok: false, message, code });
    return request;
  }

  #open(id, target, verb) {
    const request = { id, target, verb, isOwn: false, sendings: 0, stage: "sending", stages: [], parts: new Map(), members: new Map() };
    this.all.set(id, request);
    for (const [id, other] of this.all) {
      if (this.all.size <= Requests.most) break;
      if (other !== request && (other.isFinal || !other.isOwn)) this.all.delete(id);
    }
    return request;
  }

  reply(topic, reply) {
    const [kind, owner, leaf, verb] = String(topic).split("/");
    if (leaf !== "reply" || verb === undefined || typeof reply?.id !== "string" || typeof reply.stage !== "string") return undefined;
    const job = kind === "board" && reply.id.endsWith(`.${owner}`) ? reply.id.slice(0, -owner.length - 1) : undefined;
    if (job !== undefined && this.all.has(job)) {
      const request = this.all.get(job);
      request.members.set(owner, { stage: reply.stage, code: reply.code, message: reply.message, data: reply.data });
      return request;
    }
    const request = this.all.get(reply.id) ?? this.#open(reply.id, `${kind}/${owner}`, verb);
    if (kind === "group") this.#part(request, reply);
    else this.#stage(request, reply);
    return request;
  }

  /** The last word counts: what comes behind a final reply is a repeat. */
  #stage(request, reply) {
    if (request.isFinal && request.ok !== undefined && !finals.has(reply.stage)) return;
    if (request.stages.at(-1) !== reply.stage) request.stages.push(reply.stage);
    request.stage = reply.stage;
    for (const key of ["code", "message", "data", "evidence", "retry_after_ms", "took_ms"]) {
      if (reply[key] !== undefined) request[key] = reply[key];
    }
    request.pct = reply.pct;
    request.eta = reply.eta_ms;
    if (finals.has(reply.stage)) [request.isFinal, request.ok] = [true, reply.stage === "done"];
  }

  /** Each gateway that owns members says its part of a job; together they are the whole. */
  #part(request, reply) {
    const gateway = reply.gw ?? "";
    const known = request.parts.get(gateway);
    if (known?.isFinal && !finals.has(reply.stage)) return;
    request.parts.set(gateway, { ...reply, isFinal: finals.has(reply.stage) });
    if (request.stages.at(-1) !== reply.stage) request.stages.push(reply.stage);
    const parts = [...request.parts.values()];
    const open = parts.find((part) => !part.isFinal);
    const bad = parts.find((part) => part.stage === "failed") ?? parts.find((part) => part.stage === "unknown");
    const last = open ?? bad ?? parts.at(-1);
    Object.assign(request, { stage: last.stage, code: last.code, message: last.message, eta: last.eta_ms });
    request.isFinal = open === undefined;
    request.ok = request.isFinal ? bad === undefined : undefined;
    request.pct = percent(jobCounts(request));
  }

  /** Own requests that nobody has accepted in time: the same bytes go out once more (MQTT contract 3.1). */
  unanswered(now) {
    return [...this.all.values()].filter((request) => request.isOwn && !request.isFinal && request.stages.length === 0
      && now - request.sent >= Requests.firstAnswer);
  }

  repeat(id, now) {
    const request = this.all.get(id);
    if (request.sendings >= Requests.mostSendings) {
      this.refuse(id, "nobody answered; see whether the gateway is online, and try again", "unreachable");
      return false;
    }
    request.sendings += 1;
    request.sent = now;
    return true;
  }

  jobs() {
    return [...this.all.values()].filter((request) => request.target.startsWith("group/")).reverse();
  }
}

export function jobCounts(request) {
  const sum = { total: 0, done: 0, failed: 0, unknown: 0, pending: 0, skipped: 0 };
  for (const { data } of request.parts.values()) {
    for (const key of Object.keys(sum)) if (Number.isFinite(data?.[key])) sum[key] += data[key];
  }
  return sum;
}

function percent({ total, done, failed, unknown, skipped }) {
  return total > 0 ? Math.min(100, ((done + failed + unknown + skipped) / total) * 100) : undefined;
}
export function notDone(request) {
  const all = new Map();
  for (const [board, member] of request.members) {
    if (finals.has(member.stage) && member.stage !== "done") all.set(board, { board, ...member });
  }
  for (const { data } of request.parts.values()) {
    for (const member of elements(data?.not_done)) {
      if (typeof member?.board === "string" && !all.has(member.board)) all.set(member.board, member);
    }
  }
  return [...all.values()];
}

export function sentence(request, now) {
  const left = Number.isFinite(request.eta) && request.eta > now ? age(request.eta - now) : undefined;
  switch (request.stage) {
    case "sending": return request.sendings > 1 ? `Sent ${request.sendings} times, not answered yet.` : "Sent.";
    case "accepted": return "Accepted.";
    case "queued": return `Waits for the board's next contact${left ? `, in ${left}` : ""}.`;
    case "sent": return "Sent to the board.";
    case "progress": {
      const share = Number.isFinite(request.pct) ? ` ${Math.round(request.pct)} %` : "";
      return `In progress${share}${left ? `, ${left} left` : ""}.`;
    }
    case "done": {
      const took = Number.isFinite(request.took_ms) ? ` in ${(request.took_ms / 1000).toFixed(1)} s` : "";
      return `Done${took}${request.evidence ? `; evidence: ${request.evidence}` : ""}.`;
    }
    case "unknown": return `Nobody knows whether it was done: ${request.message ?? "the connection was lost meanwhile"}`;
    default: {
      const again = Number.isFinite(request.retry_after_ms) ? ` Try again in ${age(request.retry_after_ms)}.` : "";
      return `Failed${request.code ? ` (${request.code})` : ""}: ${request.message ?? "no reason was given"}${again}`;
    }
  }
}

export class Model {
  static mostEvents = 500;
  fleet = new Fleet();
  requests = new Requests();
  rates = new Rates();
  events = [];
  #eventIDs = new Set();
  series = new Map();
  watched = undefined;
  /** Battery readings that went by, by board: `[ms, percent]`. */
  batteries = new Map();
  causes = [];
  status = { isLive: false, since: undefined, reason: "connecting" };
  #broken = new Set();
  changes = Model.#noChanges();

  static #noChanges() {
    return { all: true, boards: new Set(), gateways: new Set(), requests: new Set(), events: false };
  }

  takeChanges() {
    const changes = this.changes;
    this.changes = { ...Model.#noChanges(), all: false };
    return changes;
  }

  replace(documents) {
    this.fleet.replace(documents);
    for (const board of this.fleet.boards.values()) this.#noteBattery(board);
    this.changes.all = true;
  }
  watch(board) {
    if (this.watched === board) return;
    this.watched = board;
    this.series = new Map();
  }

  /** The stream was interrupted: whatever comes next does not follow what was last. */
  interrupted() {
    for (const stream of this.series.keys()) this.#broken.add(stream);
  }

  take(entries, now) {
    for (const { kind, topic, payload } of entries) {
      if (kind === "document") this.#document(topic, payload);
      else if (kind === "live") this.#sample(topic, payload, now);
      else if (kind === "reply") this.#reply(topic, payload);
      else if (kind === "event") this.#event(topic, payload);
    }
  }

  #document(topic, payload) {
    const change = this.fleet.apply(topic, payload);
    if (change === null) return;
    if (change.kind === "board") {
      this.changes.boards.add(change.id);
      const board = this.fleet.boards.get(change.id);
      if (board !== undefined) this.#noteBattery(board);
    } else {
      this.changes.gateways.add(change.id);
    }
  }

  #noteBattery(board) {
    const { battery_pct: percent, battery_ms: time } = board.state ?? {};
    if (!Number.isFinite(percent) || !Number.isFinite(time)) return;
    const known = this.batteries.get(board.id) ?? [];
    if (known.length > 0 && known.at(-1)[0] >= time) return;
    known.push([time, percent]);
    if (known.length > 300) known.shift();
    this.batteries.set(board.id, known);
  }

  #reply(topic, payload) {
    const request = this.requests.reply(topic, payload);
    if (request === undefined) return;
    this.changes.requests.add(request.id);
    // What was refused on arrival is no event.
    if (finals.has(payload.stage) && request.stages.length > 1) this.#note(topic.split("/")[1], { ...payload, kind: "command", event_type: payload.stage });
  }

  /** Each once; ends of commands go by their own ids. Gives whether it is new. */
  #note(owner, event) {
    const id = event?.event_id ?? event?.id;
    if (typeof id !== "string" || this.#eventIDs.has(id)) return false;
    this.#eventIDs.add(id);
    this.events.push({ ...event, event_id: id, owner });
    if (this.events.length > Model.mostEvents) this.#eventIDs.delete(this.events.shift().event_id);
    return (this.changes.events = true);
  }

  #event(topic, payload) {
    const parts = parseTopic(topic);
    if (parts?.leaf !== "event" || typeof payload.event_id !== "string" || !this.#note(parts.id, payload)) return;
    if (parts.id === this.watched && payload.kind === "data-gap") {
      this.series.get(payload.stream)?.gap(payload.from_ms, payload.to_ms);
    }
  }

  #sample(topic, payload, now) {
    const parts = parseTopic(topic);
    if (parts === null || parts.kind !== "board" || parts.leaf !== "live" || parts.name === undefined) return;
    this.rates.take(parts.id, parts.name, payload, now);
    if (parts.id !== this.watched) return;
    let series = this.series.get(parts.name);
    if (series === undefined) {
      if (this.series.size >= 40) return;
      this.series.set(parts.name, (series = new Series()));
    }
    if (series.push(payload, this.#broken.delete(parts.name))) {
      series.latest = payload;
      series.arrived = now;
    }
  }
}
