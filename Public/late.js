/**
 * Fills in what differs per window, which HTML shared by many windows does not hold: the hrefs of
 * links to another local state, and the values of fields that show it. (`docs/PROTOCOL.md`, Late)
 *
 * It runs after each patch and each navigation, so it does nothing for what is filled already.
 */
import { isComposing } from "./composition.js";
import { isDirty, setInitial, show, shown } from "./fields.js";
import { changer } from "./query.js";

/** What each link's href was made from. */
const made = new WeakMap();

/**
 * Fills in the whole document.
 * @param {object} [options]
 * @param {boolean} [options.force] whether fields take the URL's value even from their user, who
 *   has just asked for it by going back or forward
 */
export function fill({ force = false } = {}) {
  // Hidden inputs that carry the other parameters of a form; local.js has those from the URL.
  for (const input of document.querySelectorAll("input[data-late]")) input.remove();
  const change = changer();
  const { search } = location;
  for (const link of document.querySelectorAll("a[data-set]")) {
    const source = `${search} ${link.getAttribute("data-set")}`;
    if (made.get(link) === source) continue;
    link.setAttribute("href", change(link.getAttribute("data-set")));
    made.set(link, source);
  }
  const query = new URLSearchParams(location.search);
  for (const field of document.querySelectorAll("[data-parameter]")) fillField(field, query, force);
}

function fillField(field, query, force) {
  if (isComposing(field)) return;
  const before = shown(field);
  const keeps = !force && (field === document.activeElement || isDirty(field));
  const wanted = stateOf(field, query);
  setInitial(field, wanted);
  show(field, keeps ? before : wanted);
}

function stateOf(field, query) {
  const name = field.getAttribute("data-parameter");
  const values = query.has(name) ? query.getAll(name) : [field.getAttribute("data-default") ?? ""];
  if (field.type === "checkbox" || field.type === "radio") return values.includes(field.value);
  return field.localName === "select" ? values : values[0];
}

// A field that was passed over because its user was in it has its turn when they are done.
for (const name of ["focusout", "compositionend"]) {
  document.addEventListener(name, ({ target }) => {
    if (target.matches("[data-parameter]")) queueMicrotask(fill);
  });
}
