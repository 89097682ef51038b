/**
 * Fills in per-window values, which the shared HTML does not contain: the hrefs of links to another
 * local state, and the values of fields that show local state. (`docs/PROTOCOL.md`, Late)
 *
 * After a patch, only the changed parts are filled in. A new URL affects the whole document.
 */
import { everything, nothing } from "./changes.js";
import { isComposing } from "./composition.js";
import { isDirty, setInitial, show } from "./fields.js";
import { changer, here, parameters } from "./query.js";

/** The source from which each link's href was made. */
const made = new WeakMap();

/** The URL for which the document was last filled in; null before the first time. */
let filled = null;

/**
 * Fills in the changed parts, or the whole document if its URL has changed.
 * @param {object} [options]
 * @param {boolean} [options.force] whether fields take the URL's value even if the user has changed
 *   them, because the user has just asked for it by going back or forward
 * @param {import("./changes.js").Changes} [options.changes] what a patch has changed
 */
export function fill({ force = false, changes = nothing } = {}) {
  const place = here();
  const scope = force || place !== filled ? everything : changes;
  filled = place;
  // A form's hidden inputs for other parameters. Not needed: local.js takes them from the URL.
  for (const input of scope.matching("input[data-late]")) input.remove();
  const change = changer();
  for (const link of scope.matching("a[data-set]")) {
    const source = `${place} ${link.getAttribute("data-set")}`;
    if (made.get(link) === source) continue;
    link.setAttribute("href", change(link.getAttribute("data-set")));
    made.set(link, source);
  }
  for (const field of scope.matching("[data-parameter]")) fillField(field, { force });
}

function fillField(field, { force = false } = {}) {
  const keeps = !force && isDirty(field);
  const waits = !force && !keeps && field === document.activeElement;
  if (waits || isComposing(field)) return;
  const wanted = stateOf(field);
  setInitial(field, wanted);
  if (!keeps) show(field, wanted);
}

function stateOf(field) {
  const query = parameters();
  const name = field.getAttribute("data-parameter");
  const values = query.has(name) ? query.getAll(name) : [field.getAttribute("data-default") ?? ""];
  if (field.type === "checkbox" || field.type === "radio") return values.includes(field.value);
  return field.localName === "select" ? values : values[0];
}

// A field that was skipped because the user was in it is filled in when they leave it.
for (const name of ["focusout", "compositionend"]) {
  document.addEventListener(name, ({ target }) => {
    if (target.matches("[data-parameter]")) queueMicrotask(() => fillField(target));
  });
}
