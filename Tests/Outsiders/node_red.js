// Runs a flow file as far as its core nodes are plain: a stand-in for Node-RED, written from its documentation.
// Input, a line each: {"topic", "payload"} as from the broker, {"inject": "tab/name"}, {"ran": true}.
// Output, a line each: {"kind": "publish" | "debug" | "error" | "file" | "http" | "ran", …}. What it does not know ends it.
"use strict";
const fs = require("fs"), readline = require("readline");
const tell = entry => process.stdout.write(JSON.stringify(entry) + "\n");
const flows = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const tabs = Object.fromEntries(flows.filter(n => n.type === "tab").map(n => [n.id, n.label]));
const subflows = Object.fromEntries(flows.filter(n => n.type === "subflow").map(n => [n.id, n]));
const ran = new Map();

const environment = text => String(text).replace(/\$\{(\w+)\}/g, (_, name) => process.env[name] ?? "");
const property = (msg, path) => path.split(".").reduce((value, key) => value == null ? undefined : value[key], msg);
const store = () => {
    const values = new Map();
    return { get: key => values.get(key), set: (key, value) => { values.set(key, value); } };
};
const globalStore = store(), flowStores = new Map();
const flowStore = place => flowStores.get(place) || flowStores.set(place, store()).get(place);

// Every node as it stands, by id; those of a subflow once for each of its instances, whose tab catches their errors.
const live = new Map();
function deploy(node, place, tab, rename) {
    const id = rename(node.id);
    live.set(id, { ...node, id, place, tab, wires: (node.wires || []).map(port => port.map(rename)), context: store() });
}
for (const node of flows) {
    if (["tab", "subflow", "mqtt-broker", "comment"].includes(node.type) || subflows[node.z]) continue;
    deploy(node, node.z, node.z, id => id);
    if (!node.type.startsWith("subflow:")) continue;
    const template = subflows[node.type.slice("subflow:".length)], rename = id => `${node.id}/${id}`;
    for (const inner of flows.filter(n => n.z === template.id && n.type !== "comment")) deploy(inner, rename(template.id), node.z, rename);
    // What comes into the instance goes to its nodes, and what its nodes give goes out where the instance's wires lead.
    const instance = live.get(node.id), outward = instance.wires;
    instance.into = template.in.flatMap(i => i.wires.map(w => rename(w.id)));
    template.out.forEach((out, port) => out.wires.forEach(w => {
        const inner = live.get(rename(w.id));
        while (inner.wires.length <= w.port) inner.wires.push([]);
        inner.wires[w.port].push(...(outward[port] || []));
    }));
}

const named = node => `${tabs[node.z] || subflows[node.z].name}/${node.name}`;
function fail(node, message, msg) {
    tell({ kind: "error", node: named(node), message: String(message) });
    for (const other of live.values()) if (other.type === "catch" && other.place === node.tab) send(other, [{ ...msg, error: { message: String(message) } }]);
}
function send(node, outputs) {
    const ports = Array.isArray(outputs) ? outputs : [outputs];
    ports.forEach((output, port) => {
        for (const msg of (Array.isArray(output) ? output : [output]).filter(m => m != null)) {
            // Whoever gets a message may change it.
            for (const target of node.wires[port] || []) receive(live.get(target), structuredClone(msg));
        }
    });
}

function compiled(node) {
    const names = ["node", "context", "flow", "global", "env"];
    const face = {
        status() {}, log() {}, warn() {}, error: (message, msg) => fail(node, message, msg), send: outputs => send(node, outputs), name: node.name,
    };
    const values = [face, node.context, flowStore(node.place), globalStore, { get: name => process.env[name] }];
    new Function(...names, node.initialize || "")(...values);
    const body = new Function(...names, "msg", node.func);
    return msg => body(...values, msg);
}

const rules = {
    eq: (a, b) => a == b, neq: (a, b) => a != b, lt: (a, b) => a < b, lte: (a, b) => a <= b, gt: (a, b) => a > b, gte: (a, b) => a >= b,
    true: a => a === true, false: a => a === false, null: a => a == null, nnull: a => a != null,
};
const typed = (value, type, msg) => {
    if (type === "json") return JSON.parse(value);
    if (type === "num") return Number(value);
    if (type === "bool") return value === "true";
    if (type === "msg") return property(msg, value);
    if (type === "date") return Date.now();
    if (type === "str" || type === undefined) return value;
    throw new Error(`no values of type ${type}`);
};
const kinds = {
    function(node, msg) {
        ran.set(named(node), (ran.get(named(node)) || 0) + 1);
        const result = node.run(msg);
        if (result !== undefined && result !== null && typeof result !== "object") throw new Error("a function node returned no message");
        send(node, result);
    },
    switch(node, msg) {
        const value = property(msg, node.property), outputs = node.rules.map(() => null);
        let isFound = false;
        for (const [index, rule] of node.rules.entries()) {
            if (rule.t !== "else" && !rules[rule.t]) throw new Error(`no rule ${rule.t}`);
            const isMatch = rule.t === "else" ? !isFound : rules[rule.t](value, rule.v === undefined ? undefined : typed(rule.v, rule.vt, msg));
            if (!isMatch) continue;
            isFound = true;
            outputs[index] = msg;
            if (node.checkall === "false") break;
        }
        send(node, outputs);
    },
    change(node, msg) {
        for (const rule of node.rules) {
            if (rule.t !== "set" || rule.pt !== "msg" || rule.p.includes(".")) throw new Error("only properties of messages are set here");
            msg[rule.p] = typed(rule.to, rule.tot, msg);
        }
        send(node, [msg]);
    },
    debug(node, msg) { tell({ kind: "debug", node: named(node), value: node.complete === "true" ? msg : property(msg, node.complete) ?? null }); },
    "mqtt out"(node, msg) {
        const payload = typeof msg.payload === "object" ? JSON.stringify(msg.payload) : String(msg.payload);
        tell({ kind: "publish", topic: node.topic || msg.topic, payload, qos: Number(node.qos || msg.qos || 0), retain: node.retain === "true" || msg.retain === true });
    },
    file(node, msg) { tell({ kind: "file", name: node.filenameType === "msg" ? property(msg, node.filename) : environment(node.filename), text: String(msg.payload) }); },
    "http request"(node, msg) {
        tell({ kind: "http", method: node.method, url: environment(node.url), headers: msg.headers || {}, body: msg.payload });
        send(node, [{ ...msg, statusCode: Number(process.env.STATUS_CODE || 200), payload: "" }]);
    },
    catch() {},
};
function receive(node, msg) {
    if (node.into) return node.into.forEach(target => receive(live.get(target), structuredClone(msg)));
    if (!kinds[node.type]) throw new Error(`no node of type ${node.type} can be run here`);
    try {
        kinds[node.type](node, msg);
    } catch (error) {
        fail(node, error.message, msg);
    }
}
const isHeard = (filter, topic) => {
    const levels = filter.split("/"), parts = topic.split("/");
    return levels.length === parts.length && levels.every((level, i) => level === "+" || level === parts[i]);
};

for (const node of live.values()) {
    if (node.type === "function") node.run = compiled(node);
    else if (!kinds[node.type] && !["mqtt in", "inject"].includes(node.type) && !node.into) throw new Error(`no node of type ${node.type} can be run here`);
}
readline.createInterface({ input: process.stdin }).on("line", line => {
    const order = JSON.parse(line);
    if (order.ran) return tell({ kind: "ran", functions: Object.fromEntries([...live.values()].filter(n => n.type === "function").map(n => [named(n), ran.get(named(n)) || 0])) });
    for (const node of live.values()) {
        if (order.inject !== undefined ? node.type === "inject" && named(node) === order.inject : node.type === "mqtt in" && isHeard(node.topic, order.topic)) {
            let payload = order.payload;
            if (node.type === "inject") payload = typed(node.payload, node.payloadType);
            else try { payload = JSON.parse(payload); } catch (error) { fail(node, "the payload is no JSON", {}); continue; }
            send(node, [{ topic: order.topic || "", payload }]);
        }
    }
}).on("close", () => process.exit(0));
