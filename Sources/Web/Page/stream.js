// An event stream as it comes over HTTP, what is kept of it until it is shown, and which tab reads it. Pure.

/** Takes text in any pieces and gives the events that are complete (HTML standard 9.2). */
export class EventStreamParser {
  #rest = "";
  #event = "";
  #data = [];
  #size = 0;
  #isAtStart = true;
  /** A longer event is left out. */
  static longest = 4_000_000;

  feed(piece) {
    const text = this.#isAtStart ? piece.replace(/^\ufeff/, "") : piece;
    if (piece !== "") this.#isAtStart = false;
    // A CR at the end may be half of a line's end.
    const parts = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = parts.pop();
    if (this.#rest.length > EventStreamParser.longest) {
      this.#rest = "data:";
      this.#size = Infinity;
    }
    const events = [];
    for (const line of parts) this.#take(line, events);
    return events;
  }

  #take(line, events) {
    if (line === "") return this.#finish(events);
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "event") this.#event = value;
    if (field === "data") {
      this.#size += value.length;
      if (this.#size <= EventStreamParser.longest) this.#data.push(value);
    }
  }

  #finish(events) {
    const [kind, data, size] = [this.#event || "message", this.#data, this.#size];
    [this.#event, this.#data, this.#size] = ["", [], 0];
    if (size <= EventStreamParser.longest && data.length > 0) events.push({ kind, data: data.join("\n") });
  }
}

/** What one event says: `{kind, topic, payload}`, or null of what is none of ours. */
export function message(event) {
  if (!["document", "event", "reply", "live"].includes(event.kind)) return null;
  try {
    const body = JSON.parse(event.data);
    if (typeof body?.topic !== "string" || body.topic.length > 300) return null;
    const payload = body.payload ?? null;
    if (payload === null ? event.kind !== "document" : typeof payload !== "object") return null;
    return { kind: event.kind, topic: body.topic, payload };
  } catch {
    return null;
  }
}

/** What came since the last look, bounded: of a document the newest, of live samples the newest few, and the rest. */
export class Inbox {
  static mostSamples = 25;
  static mostOthers = 2000;
  #documents = new Map();
  #live = new Map();
  #others = [];

  get isEmpty() {
    return this.#documents.size === 0 && this.#live.size === 0 && this.#others.length === 0;
  }

  put(entry) {
    if (entry.kind === "document") {
      this.#documents.delete(entry.topic);
      this.#documents.set(entry.topic, entry);
    } else if (entry.kind === "live") {
      const known = this.#live.get(entry.topic);
      if (known === undefined) this.#live.set(entry.topic, [entry]);
      else {
        known.push(entry);
        if (known.length > Inbox.mostSamples) known.shift();
      }
    } else {
      this.#others.push(entry);
      if (this.#others.length > Inbox.mostOthers) this.#others.shift();
    }
  }

  drain() {
    const all = [...this.#documents.values(), ...this.#others, ...[...this.#live.values()].flat()];
    this.#documents.clear();
    this.#live.clear();
    this.#others = [];
    return all;
  }
}

/** Milliseconds before the next attempt: a second, doubled up to thirty, never in step. */
export function backoff(attempt, random) {
  const whole = Math.min(30_000, 1000 * 2 ** Math.min(attempt, 10));
  return Math.round(whole / 2 + (random * whole) / 2);
}

// Which of several tabs reads for all: the owner posts what the methods give, and reads while `isLeader`.

const times = { answer: 120, beat: 1000, silence: 3500, succession: 80 };

export class Leadership {
  constructor(id, random) {
    this.id = id;
    this.random = random;
    this.role = "away";
    this.deadline = Infinity;
    this.nextBeat = 0;
  }

  get isLeader() {
    return this.role === "leader";
  }

  /** The tab is looked at: asks who leads. */
  appear(now) {
    if (this.role !== "away") return [];
    this.role = "candidate";
    this.deadline = now + times.answer + this.random() * times.succession;
    return [{ kind: "hello", from: this.id }];
  }

  leave() {
    const was = this.role;
    [this.role, this.deadline] = ["away", Infinity];
    if (was === "away") return [];
    return [{ kind: was === "leader" ? "resign" : "bye", from: this.id }];
  }

  hear(message, now) {
    if (this.role === "away" || message?.from === this.id) return [];
    switch (message?.kind) {
      case "lead":
        // Two that lead: the one whose id is smaller goes on.
        if (this.isLeader && this.id < message.from) return [{ kind: "lead", from: this.id }];
        this.role = "follower";
        this.deadline = now + times.silence + this.random() * times.beat;
        return [];
      case "resign":
        if (!this.isLeader) this.deadline = now + this.random() * times.succession;
        return [];
      case "hello":
        return this.isLeader ? [{ kind: "lead", from: this.id }] : [];
      default:
        return [];
    }
  }

  tick(now) {
    if (this.role !== "away" && !this.isLeader && now >= this.deadline) {
      this.role = "leader";
      this.nextBeat = now;
    }
    if (!this.isLeader || now < this.nextBeat) return [];
    this.nextBeat = now + times.beat;
    return [{ kind: "lead", from: this.id }];
  }
}

/** Boards whose live samples are wanted, by tab: a tab that has not said so for a while has gone. */
export class Wishes {
  static lifetime = 30_000;
  /** More are not watched at a time; tabs that want few come first. */
  static most = 64;
  #tabs = new Map();

  set(tab, boards, now) {
    this.#tabs.set(tab, { boards: boards.filter((id) => /^[0-9a-f]{12}$/.test(id)), until: now + Wishes.lifetime });
  }

  remove(tab) {
    this.#tabs.delete(tab);
  }

  all(now) {
    for (const [tab, wish] of this.#tabs) if (wish.until < now) this.#tabs.delete(tab);
    const lists = [...this.#tabs.values()].map((wish) => wish.boards).sort((one, other) => one.length - other.length);
    return [...new Set(lists.flat())].slice(0, Wishes.most).sort();
  }
}
