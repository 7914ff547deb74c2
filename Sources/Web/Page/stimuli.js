// What somebody does with a simulated board. Of the demo alone: elsewhere nothing is declared for a simulator, and this
// is never loaded.
import { button, h, mark, section, write } from "./dom.js";
import { control, readControls, submitted } from "./forms.js";
import { address, argumentLabel, elements, variants } from "./text.js";

/** Those that this board has a sensor for. */
export function stimuli(verbs, board) {
  return [...verbs.values()].filter((verb) => verb.for === "simulator" && (!verb.stream || board.info?.streams?.[verb.stream]));
}

/** A line of the simulator's scripts; what is left empty is as usual. */
export function line(verb, id, fields, args) {
  return [verb, address(id), ...fields.map(({ name, standard }) => args[name] ?? standard)].join(" ");
}

export function show(place, context, board) {
  const all = stimuli(context.verbs, board);
  const shown = all.map(({ verb }) => verb).join(" ");
  if (place.getAttribute("data-stimuli") === shown) return;
  mark(place, "data-stimuli", shown);
  const [said, simple, more] = [h("p", { class: "stage", role: "status" }), [], []];
  for (const { verb, summary: title, ...declared } of all) {
    const name = argumentLabel(verb.replace("-", "_"));
    const { fields } = variants(declared).options[0];
    const feel = async (args) => {
      let fault;
      try {
        const response = await context.link.command("simulator/do", { lines: line(verb, board.id, fields, args) });
        fault = elements((await response.json()).answers).find((answer) => !answer.ok)?.error;
      } catch ({ message }) {
        fault = message;
      }
      write(said, fault ? `${name} failed: ${fault}` : `${name}: done.`);
    };
    if (fields.length === 0) simple.push(button(name, () => feel({}), { title }));
    else if (fields[0].kind === "choice") {
      simple.push(h("fieldset", { title }, h("legend", {}, name), fields[0].options.map((option) => button(option, () => feel({ [fields[0].name]: option })))));
    } else {
      const controls = fields.map((field) => control(field));
      more.push(submitted(() => {
        const args = readControls(controls);
        if (args !== undefined) feel(args);
      }, { title }, controls.map(({ node }) => node), h("button", { type: "submit" }, name)));
    }
  }
  place.replaceChildren(section("stimuli", "Simulated board", h("div", { class: "row" }, simple), said, h("div", { class: "fields" }, more)));
}
