/**
 * Unsaved input in a form survives a reload, Escape and Back: it is kept in the session storage of
 * the tab, and restored when the form is next shown.
 *
 * - It applies to forms within `[data-unsaved]`, which names the hidden fields that identify the
 *   form's subject (`data-unsaved="id"`), in addition to the form's page and name.
 * - `[data-restored]` in the form says that input was restored, and offers to discard it. Cancelling
 *   discards it too, and saved input is forgotten.
 * - Passwords, hidden fields, and files are never kept.
 */
import { disableIncomplete } from "./complete.js";
import { everything } from "./changes.js";
import { initial, isDirty, isField, isSame, show, shown } from "./fields.js";
import { goToEnd } from "./focus.js";
import { hasModifier } from "./links.js";
import { load, save } from "./session.js";

const FORMS = "[data-unsaved] form[data-form]";
const NEVER = "[type=password], [type=hidden], [type=file], [data-parameter]";
const ITEM = "unsaved";
/** The most input that is kept, in UTF-16 code units (two bytes each). The oldest is dropped first. */
const LIMIT = 32_000;
/** Instead of the token of a post that the tab does not keep (`outbox.js`). */
const UNKEPT = "unkept";

/** The subject under which each form was kept. A form may change its subject while it is open. */
const kept = new WeakMap();
/** Forms with restored input. */
const restored = new WeakSet();

/** Fills in new forms. Call it after each patch. */
export function restoreUnsaved(changes = everything) {
  const forms = new Set(changes.matching(FORMS));
  for (const form of changes.around(FORMS)) forms.add(form);
  for (const form of forms) {
    if (!kept.has(form)) restore(form);
    tell(form);
  }
}

function restore(form) {
  const key = keyOf(form);
  kept.set(form, key);
  // On the form itself, because it may be gone by then. Also while its effect is pending: if that
  // fails, the server still has the input.
  form.addEventListener("accepted", () => {
    restored.delete(form);
    // What was typed since the submit has not been posted.
    store(stored().filter(([key, , token]) => key !== kept.get(form) || !token));
    tell(form);
  });
  const [, values] = stored().find(([other]) => other === key) ?? [];
  if (!values) return;
  let isChanged = false;
  // Firefox fills in what was typed by itself after a reload.
  const isOurs = (field) => !isDirty(field) || isSame(shown(field), values[nameOf(field)]);
  // Found first, because radio buttons change as a group.
  for (const field of fieldsOf(form).filter(isOurs)) {
    const state = values[nameOf(field)];
    if (state === undefined || isSame(state, initial(field))) continue;
    show(field, state);
    if (field === document.activeElement) goToEnd(field);
    isChanged = true;
  }
  if (isChanged) restored.add(form);
  disableIncomplete({ matching: () => [form], around: () => [] });
}

function keep(form) {
  const dirty = fieldsOf(form).filter(isDirty).map((field) => [nameOf(field), shown(field)]);
  const key = keyOf(form);
  for (const known of [kept.get(form), key]) forget(known);
  kept.set(form, key);
  if (dirty.length > 0) store([...stored(), [key, Object.fromEntries(dirty)]]);
  else restored.delete(form);
  tell(form);
}

function discard(form) {
  forget(kept.get(form));
  restored.delete(form);
  const dirty = fieldsOf(form).filter(isDirty);
  for (const field of dirty) show(field, initial(field));
  disableIncomplete({ matching: () => [form], around: () => [] });
  tell(form);
  dirty[0]?.focus();
}

/** Shows in the form that its input was restored. */
function tell(form) {
  const place = form.querySelector("[data-restored]");
  if (!place || place.childElementCount > 0 === restored.has(form)) return;
  if (!restored.has(form)) return place.replaceChildren();
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = "Discard";
  button.addEventListener("click", () => discard(form));
  place.replaceChildren("Draft restored", " · ", button);
}

// MARK: Storage

/**
 * For each form its subject, the states of its fields by their names, and the token of the post that
 * contains them, if they have been posted (UNKEPT if the tab does not keep the post); the newest last.
 */
function stored() {
  return load(ITEM, Array.isArray);
}

function store(entries) {
  while (JSON.stringify(entries).length > LIMIT) entries = entries.slice(1);
  save(ITEM, entries);
}

function forget(key) {
  const entries = stored();
  const rest = entries.filter(([other]) => other !== key);
  if (rest.length < entries.length) store(rest);
}

function keyOf(form) {
  const names = form.closest("[data-unsaved]").getAttribute("data-unsaved").split(" ");
  const values = names.map((name) => form.elements.namedItem(name)?.value ?? "");
  // Not the path itself, which may contain the selection.
  const page = document.documentElement.dataset.path ?? location.pathname;
  return [page, form.dataset.form, ...values].join("\n");
}

function fieldsOf(form) {
  return [...form.elements].filter((field) => isField(field) && field.name && !field.matches(NEVER));
}

/** Radio buttons of a group share one name, and so do checkboxes. */
function nameOf(field) {
  const isCheckable = field.type === "checkbox" || field.type === "radio";
  return isCheckable ? `${field.name}=${field.value}` : field.name;
}

// MARK: Events

for (const name of ["input", "change"]) {
  document.addEventListener(name, ({ target }) => {
    const form = target.form?.matches?.(FORMS) ? target.form : null;
    if (form && !target.matches(NEVER)) keep(form);
  });
}

// After `Forms`, which has kept the post by then.
document.addEventListener("submit", ({ target: form }) => {
  if (!kept.has(form)) return;
  const body = new URLSearchParams(load("posts").at(-1)?.body);
  const key = kept.get(form);
  const token = body.get("_form") === form.dataset.form ? body.get("_token") : UNKEPT;
  store(stored().map((input) => (input[0] === key ? [key, input[1], token] : input)));
});

// Escape follows the same link, but may not be intended.
document.addEventListener("click", (event) => {
  if (!event.isTrusted || hasModifier(event)) return;
  const link = event.target.closest?.("[data-unsaved] a[data-dismiss]");
  for (const form of link?.closest("[data-unsaved]").querySelectorAll("form[data-form]") ?? []) {
    forget(kept.get(form));
  }
});
