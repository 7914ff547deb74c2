"""Names, roles, focus, contrast and width of all that is on the page: what people need who do not see it, use no pointer, or have a
small screen."""
import os

from bench import until
from page_bench import EVIL, REFUSED
from page_browser import property_of

ROLES = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "ColorWell", "spinbutton", "slider", "option", "menuitem",
         "MenuListPopup", "listbox", "DisclosureTriangle", "DisclosureTriangleGrouped", "region", "img", "image", "progressbar", "heading"}

# Everything that can have the focus, in the order of the document, of what is shown.
TABBABLE = """
const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  .filter((node) => node.tabIndex >= 0 && !node.disabled && node.checkVisibility({visibilityProperty: true}));
"""

WANTED = TABBABLE + "return all.length"

# A page that is live may get another chart or row while it is gone through; then it is gone through once more.
WALKS = 4

# Records where the focus goes, and what is wrong with it when it is there.
WATCH = TABBABLE + """
window.seen = [];
window.wanted = all;
window.watching?.abort();
window.watching = new AbortController();
addEventListener('focusin', ({target: node}) => {
  const style = getComputedStyle(node), box = node.getBoundingClientRect();
  const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + Math.min(box.height, 30) / 2];
  const top = document.elementFromPoint(Math.max(1, Math.min(innerWidth - 2, x)), Math.max(1, y));
  const wrong = [];
  if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) wrong.push('no ring');
  if (box.bottom <= 0 || box.top >= innerHeight || box.width === 0) wrong.push(`outside, at ${Math.round(box.top)}`);
  else if (top && !node.contains(top) && !top.contains(node)) wrong.push(`under ${top.tagName} ${top.className}`);
  window.seen.push([all.indexOf(node), wrong.join(), node.outerHTML.slice(0, 160)]);
}, {signal: window.watching.signal});
document.activeElement.blur();
return all.length;
"""

CONTRAST = """
const parse = (text) => { const parts = (text.match(/[\\d.]+/g) ?? []).map(Number); return {rgb: parts.slice(0, 3), alpha: parts[3] ?? 1}; };
const over = (top, alpha, below) => top.map((part, at) => part * alpha + below[at] * (1 - alpha));
const canvas = parse(getComputedStyle(document.documentElement).backgroundColor).rgb;
function behind(node) {
  const layers = [];
  for (let at = node; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((below, {rgb, alpha}) => over(rgb, alpha, below), canvas);
}
const light = (rgb) => rgb.map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
const ratio = (one, other) => { const [a, b] = [light(one), light(other)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
const [wrong, walker] = [[], document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)];
let looked = 0;
function look(node, words, style = getComputedStyle(node)) {
  if (!node.checkVisibility({opacityProperty: true, visibilityProperty: true}) || node.closest(':disabled')) return;
  const back = behind(node), {rgb, alpha} = parse(style.color);
  const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && parseInt(style.fontWeight) >= 700;
  const found = ratio(over(rgb, alpha, back), back);
  looked += 1;
  if (found < (isLarge ? 3 : 4.5)) wrong.push([words.trim().slice(0, 40), node.tagName, node.className, Math.round(found * 100) / 100]);
}
while (walker.nextNode()) {
  const text = walker.currentNode;
  if (text.data.trim() !== '' && !['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(text.parentElement.tagName)) look(text.parentElement, text.data);
}
for (const node of document.querySelectorAll('input, select, textarea')) {
  look(node, node.value || node.name || 'field');
  if (node.placeholder) look(node, node.placeholder, getComputedStyle(node, '::placeholder'));
}
for (const node of document.querySelectorAll('td[data-head]')) if (getComputedStyle(node, '::before').content !== 'none') look(node, node.dataset.head, getComputedStyle(node, '::before'));
return [looked, wrong.slice(0, 12)];
"""

WIDTH = """
const limit = document.documentElement.clientWidth, wrong = [];
for (const node of document.querySelectorAll('body *')) {
  const box = node.getBoundingClientRect();
  if (box.width === 0 || box.right <= limit + 1 || !node.checkVisibility() || node.closest('.scroll') && node !== node.closest('.scroll')) continue;
  wrong.push([node.tagName, node.className, Math.round(box.right)]);
}
return [document.documentElement.scrollWidth, limit, wrong.slice(0, 8)];
"""


def pages(b):
    return [("the fleet", "#/", "Fleet"), ("a board", f"#/board/{b.ids[0]}", EVIL[1]), ("a board with trouble", f"#/board/{b.ids[REFUSED - 1]}", f"Board {REFUSED}"),
            ("sessions", "#/sessions", "Sessions"), ("jobs", "#/jobs", "Groups and jobs"), ("alarms", "#/alarms", "Alarms"),
            ("a gateway", f"#/gateway/{b.gateway}", f"Gateway {b.gateway}")]


def open_all(w):
    """Whatever can be folded out is; what comes and goes with time is given time."""
    until(5, lambda: not w.run("const all = [...document.querySelectorAll('main details:not([open])')]; for (const one of all) one.open = true; return all.length"), 0.05)


def names(b, r, w):
    """Every control has a role and a name, by the tree that screen readers get."""
    for what, fragment, title in pages(b):
        w.go(fragment, title)
        until(10, lambda: w.run("return document.querySelectorAll('main .beside form, main details form').length > 0") or what not in ("a board", "a gateway"))
        open_all(w)
        for _ in range(WALKS):
            before = w.run(WANTED)
            nodes = [node for node in w.accessible() if property_of(node, "focusable")]
            if w.run(WANTED) == before:
                break
        controls = [(node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in nodes if node["role"]["value"] != "RootWebArea"]
        wanted = before
        r.check(f"{what}: each of its controls is in the accessibility tree", len([c for c in controls if c[0] not in ("option", "MenuListPopup", "heading")]) >= wanted > 4, wanted, {role: [c[0] for c in controls].count(role) for role, _ in controls})
        r.equal(f"{what}: each has a name", [c for c in controls if not c[1]], [])
        r.equal(f"{what}: and a role that is known", [c for c in controls if c[0] not in ROLES], [])
        same = {c for c in controls if c[0] == "button" and controls.count(c) > 1}
        r.equal(f"{what}: no two buttons have one name", sorted(same), [])
        headings = [node["name"]["value"] for node in w.accessible() if node["role"]["value"] == "heading" and property_of(node, "level") == 1]
        r.equal(f"{what}: one heading says where this is", headings, [title])
        r.equal(f"{what}: labels, headings and ids belong together", w.run("""const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
            return [...ids.filter((id, at) => ids.indexOf(id) !== at),
              ...[...document.querySelectorAll('[aria-labelledby], [aria-describedby], label[for]')].flatMap((node) =>
                [node.getAttribute('aria-labelledby'), node.getAttribute('aria-describedby'), node.htmlFor]).filter(Boolean)
                .flatMap((text) => text.split(' ')).filter((id) => !document.getElementById(id))]"""), [])


def walk(w, back):
    """How many controls there are, which of them had the focus one after the other, and whether there are others by now."""
    count = w.run(WATCH)
    w.run("window.scrollTo(0, arguments[0] ? document.documentElement.scrollHeight : 0); getSelection().removeAllRanges()", back)
    # From the end of the document or from its start: a place to begin that is not a control.
    w.run("const at = document.createElement('span'); at.tabIndex = -1; document.body[arguments[0] ? 'append' : 'prepend'](at); at.focus(); window.seen = []", back)
    w.tab(count, back)
    until(5, lambda: w.run("return window.seen.length") >= count)
    seen = w.run("for (const at of document.querySelectorAll('body > span')) at.remove(); return window.seen")
    return count, seen, w.run(TABBABLE + "return all.length !== window.wanted.length || all.some((node, at) => node !== window.wanted[at])")


def focus(b, r, w):
    """By Tab through all of it in the order of the document, and back; what has the focus is seen and has a ring."""
    for what, fragment, title in pages(b):
        w.go(fragment, title)
        until(10, lambda: w.run("return document.querySelectorAll('main .beside form, main details form').length > 0") or what not in ("a board", "a gateway"))
        open_all(w)
        for back in (False, True):
            for _ in range(WALKS):
                count, seen, isChanged = walk(w, back)
                if not isChanged:
                    break
            order = list(range(count - 1, -1, -1) if back else range(count))
            way = "backwards" if back else "forwards"
            r.check(f"{what}, {way}: Tab reaches every control in its order", [s[0] for s in seen][:count] == order, order, next(((i, s) for i, (s, o) in enumerate(zip(seen, order)) if s[0] != o), (len(seen), count)))
            r.equal(f"{what}, {way}: what has the focus is seen, with a ring", [s[1:] for s in seen if s[1]][:5], [])


def appearance(b, r, w):
    """Contrast in light and dark, and no scrolling to the side, narrow and wide."""
    for what, fragment, title in pages(b):
        w.go(fragment, title)
        for scheme in ("light", "dark"):
            w.colours(scheme)
            for width in (360, 1920):
                w.size(width)
                open_all(w)
                until(2, lambda: w.run("return innerWidth") == width)
                looked, wrong = w.run(CONTRAST)
                r.check(f"{what}, {scheme}, {width} px: {looked} texts can be read", looked > 5 and not wrong, "contrast 4.5, large 3", wrong)
                if scheme == "light":
                    whole, limit, wide = w.run(WIDTH)
                    r.check(f"{what}, {width} px: nothing lies beside the screen", whole <= limit and not wide, limit, (whole, wide))
        w.colours("light")
        w.size(1280)


def pictures(b, folder):
    """For people to look at."""
    os.makedirs(folder, exist_ok=True)
    w = b.browser
    for what, fragment, title in pages(b):
        w.go(fragment, title)
        for name, width, scheme in (("wide", 1280, "light"), ("narrow", 360, "light"), ("dark", 1280, "dark")):
            w.colours(scheme)
            w.size(width)
            w.picture(os.path.join(folder, f"{what.replace(' ', '-')}-{name}.png"))
    w.colours("light")
    w.size(1280)


SHORT = [names, focus, appearance]
