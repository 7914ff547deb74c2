// How the page reaches the gateway: one event stream for all tabs that are looked at, requests, and the token.
import { backoff, EventStreamParser, Inbox, Leadership, message, Wishes } from "./stream.js";

const tokenKey = "metafleet-token";
const silenceLimit = 40_000;
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

export class Failure extends Error {
  constructor(message, status, retry) {
    super(message);
    [this.status, this.retry] = [status, retry];
  }
}

export class Link {
  /** `on` has `batch(entries)`, `snapshot(documents)`, `status(status)`, `readiness(causes)`, `unauthorized()`. */
  constructor(on) {
    this.on = on;
    /** How far the gateway's clock is ahead of this computer's; milliseconds. */
    this.clockOffset = 0;
    this.gateway = undefined;
    this.status = { isLive: false, since: Date.now(), reason: "connecting" };
    this.inbox = new Inbox();
    this.wishes = new Wishes();
    this.boards = [];
    this.token = this.tokenOfAddress() ?? sessionStorage.getItem(tokenKey) ?? "";
    /** Settles with the first documents: until then nothing else is asked, as each wrong token counts. */
    this.ready = new Promise((resolve) => (this.isReady = resolve));
    this.id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  }

  start() {
    this.#join();
    setInterval(() => this.#tick(), 250);
    setInterval(() => this.#hand(), 50);
    setInterval(() => this.#ask(), 10_000);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : this.#appear()));
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", () => this.#appear());
    addEventListener("online", () => this.#hurry?.());
    this.#appear();
  }

  /** The token of the address goes where no history and no log keeps it. */
  tokenOfAddress() {
    const given = /^#token=([^&]+)/.exec(location.hash);
    if (given === null) return undefined;
    history.replaceState(null, "", `${location.pathname}${location.search}#/`);
    let token = given[1];
    try {
      token = decodeURIComponent(token);
    } catch {
      // It counts as it stands.
    }
    sessionStorage.setItem(tokenKey, token);
    return token;
  }

  setToken(token) {
    this.#leave();
    this.token = token;
    sessionStorage.setItem(tokenKey, token);
    this.#join();
    this.#appear();
  }

  want(boards) {
    const sorted = [...boards].sort();
    if (sorted.join() === this.boards.join()) return;
    this.boards = sorted;
    this.#wish();
  }

  // Tabs among themselves

  #join() {
    this.channel?.close();
    this.leadership = new Leadership(this.id, Math.random);
    // Only tabs with the same token share what they read.
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`metafleet ${this.token}`) : undefined;
    if (this.channel !== undefined) this.channel.onmessage = ({ data }) => this.#hear(data);
  }

  #say(messages) {
    for (const entry of messages) this.channel?.postMessage(entry.kind === "lead" ? { ...entry, status: this.status } : entry);
  }

  #appear() {
    if (document.hidden || this.leadership.role !== "away") return;
    this.#say(this.leadership.appear(performance.now()));
    this.#setStatus(false, "connecting");
    this.#tickAtDeadline();
    this.#wish();
  }

  #leave() {
    this.#close();
    this.#say(this.leadership.leave());
    this.#setStatus(false, "this tab is hidden");
  }

  #hear(entry) {
    const now = performance.now();
    const was = this.leadership.isLeader;
    this.#say(this.leadership.hear(entry, now));
    if (was && !this.leadership.isLeader) this.#close();
    if (entry.kind === "resign") this.#tickAtDeadline();
    if (this.leadership.role === "away") return;
    if (entry.kind === "want" || entry.kind === "hello") {
      if (entry.boards) this.wishes.set(entry.from, entry.boards, now);
      if (this.leadership.isLeader && entry.kind === "want" && entry.isNew && this.documents) {
        this.channel.postMessage({ kind: "snapshot", from: this.id, to: entry.from, documents: this.documents() });
      }
    }
    if (entry.kind === "bye") this.wishes.remove(entry.from);
    if (this.leadership.isLeader) return;
    if (entry.kind === "batch") this.on.batch(entry.entries);
    if (entry.kind === "snapshot" && (entry.to === undefined || entry.to === this.id)) {
      this.isReady();
      this.on.snapshot(entry.documents);
    }
    if (entry.kind === "readiness") this.on.readiness(entry.causes);
    if (entry.kind === "lead") {
      if (this.follows !== entry.from) {
        this.follows = entry.from;
        this.#wish(true);
      }
      this.#setStatus(entry.status.isLive, entry.status.reason, entry.status.since);
      if (entry.status.needsToken) this.on.unauthorized(this.token !== "");
    }
  }

  /** Not in step with other tabs, so that one is the first. */
  #tickAtDeadline() {
    const wait = this.leadership.deadline - performance.now();
    if (wait < 1000) setTimeout(() => this.#tick(), wait + 1);
  }

  #wish(isNew = false) {
    const now = performance.now();
    this.wishes.set(this.id, this.boards, now);
    this.lastWish = now;
    if (!this.leadership.isLeader) {
      this.channel?.postMessage({ kind: "want", from: this.id, boards: this.boards, isNew });
    }
  }

  #tick() {
    const now = performance.now();
    const was = this.leadership.isLeader;
    this.#say(this.leadership.tick(now));
    if (this.leadership.role === "away") return;
    if (!was && this.leadership.isLeader) {
      this.follows = undefined;
      this.#run();
    }
    if (now - this.lastWish > Wishes.lifetime / 3) this.#wish();
    if (!this.leadership.isLeader || this.current === undefined) return;
    if (now - this.heard > silenceLimit) this.current.abort();
    const wanted = this.wishes.all(now).join();
    if (wanted !== this.asked && this.status.isLive && !this.isChanging && now - this.changed > 1000) this.#change();
  }

  // The event stream, of the tab that leads

  #close() {
    this.run = undefined;
    this.current?.abort();
    this.current = undefined;
  }

  /** Until another tab leads. */
  async #run() {
    const run = (this.run = {});
    for (let attempt = 0; this.run === run; attempt += 1) {
      try {
        await this.#connect(run, () => (attempt = 0));
      } catch (fault) {
        if (this.run !== run) return;
        this.current?.abort();
        if (fault.status === 401) {
          this.#setStatus(false, "it needs the token");
          this.status.needsToken = true;
          return;
        }
        const wait = fault.retry ?? backoff(attempt, Math.random());
        const reason = fault instanceof Failure ? fault.message : "the gateway does not answer";
        this.#setStatus(false, `${reason}; next attempt in ${Math.max(1, Math.round(wait / 1000))} s`);
        await Promise.race([pause(wait), new Promise((resolve) => (this.#hurry = resolve))]);
      }
    }
  }

  #hurry;

  async #connect(run, opened) {
    const control = (this.current = new AbortController());
    let begin;
    const open = new Promise((resolve) => (begin = resolve));
    this.recent = new Map();
    const reading = this.#read(control, begin);
    reading.catch(() => {});
    await Promise.race([open, reading, pause(1500)]);
    await this.#documents(run);
    await Promise.race([open, reading]);
    if (this.run !== run) return;
    opened();
    this.#setStatus(true, "");
    this.#ask();
    // Documents may be a second old: what changed right before the stream began is in those that are asked for now.
    await Promise.race([reading, pause(1200)]);
    await this.#documents(run);
    if (this.run === run) this.recent = undefined;
    await reading;
    // While it read, another stream may have taken its place.
    while (this.run === run && this.replaced !== undefined) {
      const next = this.replaced;
      this.replaced = undefined;
      await next;
    }
  }

  /** Other boards are wanted: a second stream is opened, and the first closed when that is there. */
  async #change() {
    const [old, control] = [this.current, new AbortController()];
    [this.isChanging, this.changed] = [true, performance.now()];
    const reading = this.#read(control, () => {
      this.current = control;
      this.replaced = reading;
      this.isChanging = false;
      old.abort("replaced");
    });
    try {
      await reading;
    } catch {
      // Where it was never open, the old stream goes on, and it is tried again.
      this.isChanging = false;
    }
  }

  async #read(control, opened) {
    this.heard = performance.now();
    this.changed ??= this.heard;
    const boards = this.wishes.all(this.heard);
    const wanted = boards.join();
    const response = await this.fetch(`/api/stream${wanted === "" ? "" : `?live=${wanted}`}`, { signal: control.signal });
    this.asked = wanted;
    opened();
    const [reader, decoder, parser] = [response.body.getReader(), new TextDecoder(), new EventStreamParser()];
    for (;;) {
      let piece;
      try {
        piece = await reader.read();
      } catch (fault) {
        if (control.signal.reason === "replaced") return;
        throw fault;
      }
      if (piece.done) throw new Failure("the gateway closed the connection");
      this.heard = performance.now();
      for (const event of parser.feed(decoder.decode(piece.value, { stream: true }))) {
        const entry = message(event);
        if (entry === null) continue;
        this.inbox.put(entry);
        if (entry.kind === "document") this.recent?.set(entry.topic, entry.payload);
      }
    }
  }

  async #documents(run) {
    const response = await this.fetch("/api/documents");
    const sent = Date.parse(response.headers.get("Date") ?? "");
    const offset = sent - Date.now();
    this.clockOffset = Math.abs(offset) > 3000 ? offset : 0;
    this.gateway = response.headers.get("X-MetaFleet-Gateway") ?? undefined;
    const documents = await response.json();
    if (this.run !== run) return;
    // What the stream said meanwhile is newer.
    for (const [topic, payload] of this.recent) {
      if (payload === null) delete documents[topic];
      else documents[topic] = payload;
    }
    this.isReady();
    this.on.snapshot(documents);
    this.channel?.postMessage({ kind: "snapshot", from: this.id, documents });
  }

  #hand() {
    if (this.inbox.isEmpty) return;
    const entries = this.inbox.drain();
    this.on.batch(entries);
    this.channel?.postMessage({ kind: "batch", from: this.id, entries });
  }

  async #ask() {
    if (!this.leadership.isLeader) return;
    try {
      const response = await fetch("/readyz", { cache: "no-store", credentials: "omit" });
      const text = await response.text();
      const causes = response.status === 503 ? text.split("\n").filter(Boolean) : [];
      this.on.readiness(causes);
      this.channel?.postMessage({ kind: "readiness", from: this.id, causes });
    } catch {
      // That it does not answer is said elsewhere.
    }
  }

  #setStatus(isLive, reason, since) {
    const before = this.status;
    if (before.isLive === isLive && before.reason === reason && (since ?? before.since) === before.since) return;
    this.status = { isLive, reason, since: since ?? (before.isLive === isLive ? before.since : Date.now()) };
    if (this.leadership.isLeader) this.#say([{ kind: "lead", from: this.id }]);
    this.on.status(this.status);
  }

  /** With the token, and without anything that a browser would add by itself; fails unless that is answered well. */
  async fetch(path, options = {}) {
    const headers = { ...options.headers };
    const { token } = this;
    if (token !== "") headers.Authorization = `Bearer ${token}`;
    let response;
    try {
      response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
    } catch {
      throw new Failure("the gateway does not answer");
    }
    if (response.status === 401) {
      // A wrong one is not sent again.
      if (token === this.token) {
        this.token = "";
        sessionStorage.removeItem(tokenKey);
      }
      this.on.unauthorized(token !== "");
    }
    if (!response.ok) throw await failure(response);
    return response;
  }
  async get(path) {
    await this.ready;
    return (await this.fetch(path)).json();
  }

  command(topic, payload) {
    return this.fetch("/api/command", {
      method: "POST", headers: { "Content-Type": "application/json", "X-MetaFleet": "1" },
      body: JSON.stringify({ topic, payload }),
    });
  }
}

async function failure(response) {
  let text;
  try {
    text = (await response.json()).error;
  } catch {
    text = undefined;
  }
  const retry = Number(response.headers.get("Retry-After")) * 1000 || undefined;
  return new Failure(typeof text === "string" ? text.slice(0, 400) : `the gateway answered ${response.status}`, response.status, retry);
}
