// Nodes made from names, attributes and text; nothing is ever read as HTML. Only what differs is touched. Whatever is
// shown goes through here, and what a screen does not show, or what turns it around, is escaped.
import { printable } from "./text.js";

/** How many nodes were made, moved or written so far; a judge reads it. */
export const touched = { nodes: 0 };

/** An element. Attributes that are functions are listeners (`onclick`); `false` and `undefined` leave one out. */
export function h(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : key === "value" ? String(value) : printable(value));
  }
  const all = children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
  node.append(...all.map((child) => (child instanceof Node ? child : printable(child))));
  touched.nodes += 1;
  return node;
}

export function write(node, value) {
  const [first, text] = [node.firstChild, printable(value, 1000)];
  if (first !== null && first === node.lastChild && first.nodeType === 3) {
    if (first.data === text) return;
    first.data = text;
  } else if (first !== null || text !== "") {
    node.textContent = text;
  } else {
    return;
  }
  touched.nodes += 1;
}

/** Writes an attribute, if it is another one; `undefined` takes it away. */
export function mark(node, name, value) {
  const wanted = value === undefined || value === false || value === null ? null : value === true ? "" : printable(value);
  if (node.getAttribute(name) === wanted) return;
  if (wanted === null) node.removeAttribute(name);
  else node.setAttribute(name, wanted);
  touched.nodes += 1;
}

/** Has the parent hold exactly these nodes in this order; those that are in place stay where they are. */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) {
    if (wanted.has(child)) continue;
    child.remove();
    touched.nodes += 1;
  }
  const focused = document.activeElement;
  let next = parent.firstChild;
  for (const node of nodes) {
    // What stands in the way of one that is in place goes on to its own place later.
    if (next !== null && next !== node && next.nextSibling === node) next = node;
    if (node === next) {
      next = next.nextSibling;
      continue;
    }
    parent.insertBefore(node, next);
    touched.nodes += 1;
  }
  if (document.activeElement !== focused && parent.contains(focused)) focused.focus({ preventScroll: true });
}

/** Nodes by key: made once, kept while their key is there. */
export class Keyed {
  #known = new Map();

  constructor(parent, make) {
    [this.parent, this.make] = [parent, make];
  }

  /** Shows these items; `key` names each, `update` fills its node. */
  show(items, key, update) {
    const fresh = new Map();
    for (const item of items) {
      const name = key(item);
      const entry = this.#known.get(name) ?? this.make(item);
      update?.(entry, item);
      fresh.set(name, entry);
    }
    this.#known = fresh;
    arrange(this.parent, [...fresh.values()].map((entry) => entry.node));
  }

  get(name) {
    return this.#known.get(name);
  }
}

/** A table with these heads; `rows` is its body. Roles are said, as small screens lay it out as cards; one that is too
 *  wide is moved by keys. */
export function table(caption, heads) {
  const row = h("tr", { role: "row" }, heads.map((head) =>
    h("th", { role: "columnheader", scope: "col", class: head.isNumber ? "number" : undefined }, head.node ?? head.text ?? head)));
  const rows = h("tbody", { role: "rowgroup" });
  const content = h("table", { role: "table" }, h("caption", {}, caption), h("thead", { role: "rowgroup" }, row), rows);
  return { node: h("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 }, content), rows, heads: [...row.children] };
}

/** A row whose cells know their heads; `{node, cells}`. */
export function row(heads, attributes = {}) {
  const cells = heads.map((head) => h("td", {
    role: "cell", "data-head": head.label ?? head.text ?? (typeof head === "string" ? head : ""), class: head.isNumber ? "number" : undefined,
  }));
  return { node: h("tr", { role: "row", ...attributes }, cells), cells };
}

export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

/** Terms with their values; `set` writes them, leaving out those without a value. */
export function facts() {
  const node = h("dl", { class: "facts" });
  const pairs = new Keyed(node, (item) => {
    const [term, value] = [h("dt", {}, item[0]), h("dd")];
    return { node: h("div", {}, term, value), value };
  });
  return { node, set: (all) => pairs.show(all.filter(([, text]) => text), ([term]) => term, (entry, [, text]) => write(entry.value, text)) };
}

export function bullets(className) {
  const node = h("ul", { class: className });
  const items = new Keyed(node, () => ({ node: h("li") }));
  return {
    node,
    set: (all) => items.show(all.map((text, place) => [place, text]), ([place]) => place, (entry, [, text]) => write(entry.node, text)),
  };
}
