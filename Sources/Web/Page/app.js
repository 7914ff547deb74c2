// The page: which view is shown, what changes on it and when, and the commands that go out.
import { mark, palette, write } from "./dom.js";
import { Link } from "./link.js";
import { Model, newID } from "./model.js";
import { boardName, clock, elements, printable } from "./text.js";
import { boardView } from "./view-board.js";
import { fleetView } from "./view-fleet.js";
import { alarmsView, gatewayView, jobsView, sessionsView } from "./view-lists.js";

const element = (id) => document.getElementById(id);
const model = new Model();
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
let [view, isDrawn, hasDocuments, colours] = [undefined, false, false, undefined];
/** Panels that show a request, by its id. */
const followers = new Map();

const link = new Link({
  batch: (entries) => {
    model.take(entries, performance.now());
    schedule();
  },
  snapshot: (documents) => {
    hasDocuments = true;
    model.replace(documents);
    if (context.verbs.size === 0) loadVerbs();
    hideToken();
    schedule();
  },
  status: (status) => {
    if (!status.isLive) model.interrupted();
    model.status = status;
    showStatus();
    schedule();
  },
  readiness: (causes) => {
    if (causes.join() === model.causes.join()) return;
    model.causes = causes;
    model.changes.all = true;
    schedule();
  },
  unauthorized: (hadToken) => askToken(hadToken),
});
link.documents = () => model.fleet.documents();

const context = {
  model, link, verbs: new Map(), mode: "now",
  now: () => Date.now() + link.clockOffset,
  name: (id) => boardName(model.fleet.boards.get(id)?.info, typeof id === "string" ? id : ""),
  hasDocuments: () => hasDocuments,
  hasReducedMotion: () => reducedMotion.matches,
  colours: () => (colours ??= palette()),
  /** The gateway that serves this page: what it says itself, else the only one there is. */
  ownGateway: () => link.gateway ?? (model.fleet.gateways.size === 1 ? model.fleet.gateways.keys().next().value : undefined),
  gatewayOf: (board) => model.fleet.gatewayID(model.fleet.boards.get(board) ?? {}) ?? context.ownGateway() ?? "",
  send,
  follow: (request, show) => {
    for (const all of followers.values()) all.delete(show);
    const all = followers.get(request.id) ?? new Set();
    followers.set(request.id, all.add(show));
    show(request, context.now());
  },
};

function send(target, verb, args, { job } = {}) {
  const id = newID(context.now(), crypto.getRandomValues(new Uint8Array(16)));
  const request = model.requests.begin(id, target, verb, args, performance.now());
  request.payload = { id, args };
  if (target.startsWith("board/") && context.mode === "queue") request.payload.mode = "queue";
  if (job !== undefined && Object.keys(job).length > 0) request.payload.job = job;
  transmit(request);
  return request;
}

async function transmit(request) {
  try {
    await link.command(`${request.target}/cmd/${request.verb}`, request.payload);
  } catch (fault) {
    // What was sent before may have been taken: only the first sending decides.
    if (request.sendings === 1) {
      const codes = { 401: "denied", 403: "denied", 404: "unreachable", 429: "busy" };
      model.requests.refuse(request.id, fault.message, fault.status ? codes[fault.status] ?? "invalid" : "unreachable");
      model.changes.requests.add(request.id);
      schedule();
    }
  }
}

function showRequests(ids) {
  const now = context.now();
  for (const id of ids) {
    const request = model.requests.all.get(id);
    if (request === undefined) continue;
    for (const show of followers.get(id) ?? []) show(request, now);
  }
}

async function loadVerbs() {
  try {
    const all = await link.get("/api/verbs");
    for (const verb of elements(all)) if (typeof verb?.verb === "string" && verb.http !== false) context.verbs.set(verb.verb, verb);
    model.changes.all = true;
    schedule();
  } catch {
    // Asked for again with the next documents.
  }
}

const routes = [
  [/^\/?$/, (match, parameters) => fleetView(context, parameters)],
  [/^\/board\/([0-9a-f]{12})$/, (match) => boardView(context, match[1])],
  [/^\/gateway\/([^/]+)$/, (match) => gatewayView(context, decode(match[1]))],
  [/^\/sessions$/, (match, parameters) => sessionsView(context, parameters)],
  [/^\/jobs$/, (match, parameters) => jobsView(context, parameters)],
  [/^\/alarms$/, () => alarmsView(context)],
];

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function navigate(isFirst = false) {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const [match, make] = routes.map(([pattern, make]) => [pattern.exec(path), make]).find(([found]) => found !== null) ?? [[""], routes[0][1]];
  view?.close?.();
  followers.clear();
  view = make(match, new URLSearchParams(query));
  element("main").replaceChildren(view.node);
  for (const anchor of document.querySelectorAll("nav a")) {
    const isHere = anchor.getAttribute("href") === `#${path === "" ? "/" : path}`;
    mark(anchor, "aria-current", isHere ? "page" : undefined);
  }
  model.changes.all = true;
  schedule();
  if (!isFirst) {
    scrollTo(0, 0);
    view.node.querySelector("h1")?.focus({ preventScroll: true });
  }
}

function schedule() {
  if (isDrawn) return;
  isDrawn = true;
  requestAnimationFrame(draw);
}

function draw(time) {
  isDrawn = false;
  const changes = model.takeChanges();
  if (changes.requests.size > 0) showRequests(changes.requests);
  view.update(changes, context.now());
  view.frame?.(time);
  link.want(view.live());
  if (changes.all || changes.gateways.size > 0) showAlarms();
  document.title = printable(`${view.name?.() ?? view.title} – MetaFleet`);
  if (view.isBusy?.() || view.frame) schedule();
}

function tick() {
  if (document.hidden) return;
  const now = context.now();
  view.tick?.(now);
  showStatus();
  // Time that is left goes on between replies.
  const open = [...followers.keys()].filter((id) => model.requests.all.get(id)?.isFinal !== true);
  showRequests(open);
  for (const request of model.requests.unanswered(performance.now())) {
    if (model.status.isLive && model.requests.repeat(request.id, performance.now())) transmit(request);
    model.changes.requests.add(request.id);
  }
  model.rates.keepOnly(new Set(view.live()));
  schedule();
}

function showStatus() {
  const { isLive, since, reason } = model.status;
  const place = element("status");
  mark(place, "data-state", isLive ? "good" : "bad");
  write(place, isLive ? "live" : hasDocuments
    ? `NOT LIVE since ${clock(since, Date.now())}: ${reason}` : `not connected: ${reason}`);
}

function showAlarms() {
  const open = model.fleet.alarms().filter((alarm) => !alarm.acknowledged).length;
  write(element("alarm-count"), open > 0 ? ` (${open})` : "");
}

function askToken(hadToken) {
  const panel = element("token-panel");
  write(element("token-fault"), hadToken ? "This token is not the gateway's." : "");
  if (!panel.hidden) return;
  mark(panel, "hidden", undefined);
  element("token").focus();
}

function hideToken() {
  write(element("token-fault"), "");
  mark(element("token-panel"), "hidden", true);
}

element("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const token = element("token").value.trim();
  if (token === "") {
    write(element("token-fault"), "Type the token that the gateway's host has.");
    return;
  }
  element("token").value = "";
  hideToken();
  link.setToken(token);
});
element("token-later").addEventListener("click", hideToken);
element("skip").addEventListener("click", (event) => {
  event.preventDefault();
  view.node.querySelector("h1")?.focus();
});
addEventListener("hashchange", () => {
  // A link with another token, opened in a page that is there already.
  const given = link.tokenOfAddress();
  if (given !== undefined) link.setToken(given);
  navigate();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  colours = undefined;
  view.redraw?.();
  schedule();
});
addEventListener("resize", () => {
  view.redraw?.();
  schedule();
});
navigate(true);
link.start();
setInterval(tick, 1000);
