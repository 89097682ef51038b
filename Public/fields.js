/**
 * What form fields show, what they default to, and whether their user has changed them.
 *
 * A field is dirty while what it shows differs from its default; nothing but its user and its form
 * may change what a dirty field shows. A state is a string, a boolean (checkbox, radio) or the
 * values of the selected options (select).
 */
import { keepingCaret } from "./focus.js";

const isCheckable = (field) => field.type === "checkbox" || field.type === "radio";
const isSelect = (field) => field.localName === "select";
/** A file field's value is not ours to set, and it has no default. */
const isFile = (field) => field.type === "file";

/** Whether an element is a field that has a state. */
export function isField(element) {
  return ["input", "textarea", "select"].includes(element.localName);
}

/** What a field shows. */
export function shown(field) {
  if (isFile(field)) return "";
  if (isCheckable(field)) return field.checked;
  if (isSelect(field)) return [...field.selectedOptions].map((option) => option.value);
  return field.value;
}

/** What a field defaults to: what it would show after a reset. */
export function initial(field) {
  if (isFile(field)) return "";
  if (isCheckable(field)) return field.defaultChecked;
  if (isSelect(field)) return initialOptions(field).map((option) => option.value);
  return field.defaultValue.replace(/\r\n?/g, "\n"); // as `value` has it
}

function initialOptions(select) {
  const options = [...select.options];
  const marked = options.filter((option) => option.defaultSelected);
  if (select.multiple) return marked;
  if (marked.length > 0) return marked.slice(-1);
  return select.size > 1 ? [] : options.filter((option) => !option.disabled).slice(0, 1);
}

/** Whether two states are the same. */
export function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the user has changed a field. Radio buttons are changed together. */
export function isDirty(field) {
  if (field.type !== "radio") return !isSame(shown(field), initial(field));
  return radioGroup(field).some((radio) => radio.checked !== radio.defaultChecked);
}

function radioGroup(radio) {
  if (!radio.name) return [radio];
  const all = (radio.form ?? radio.getRootNode()).querySelectorAll("input[type=radio]");
  return [...all].filter((other) => other.name === radio.name && other.form === radio.form);
}

/** Makes a field show a state; caret and selection stay where they were, as far as they can. */
export function show(field, state) {
  if (isFile(field) || isSame(shown(field), state)) return;
  if (isCheckable(field)) field.checked = state;
  else if (isSelect(field)) select(field, state);
  else keepingCaret(field, () => (field.value = state));
}

function select(field, values) {
  const options = [...field.options];
  const isThere = options.some((option) => values.includes(option.value));
  const wanted = isThere || field.multiple ? values : initial(field);
  for (const option of options) {
    const isWanted = wanted.includes(option.value);
    if (option.selected !== isWanted) option.selected = isWanted;
  }
}

/** Changes a field's default, and nothing of what it shows. */
export function setInitial(field, state) {
  const restore = remember(field);
  keepingCaret(field, () => {
    if (isCheckable(field)) field.defaultChecked = state;
    else if (isSelect(field)) {
      for (const option of field.options) option.defaultSelected = state.includes(option.value);
    } else if (!isFile(field) && field.defaultValue !== state) field.defaultValue = state;
    restore();
  });
}

/**
 * Runs a change to a field's default, made in whatever way. A clean field then shows its new
 * default, a dirty one what it showed.
 */
export function keepingInput(field, change) {
  const restore = isDirty(field) ? remember(field) : () => show(field, initial(field));
  keepingCaret(field, () => {
    change();
    restore();
  });
}

/** Answers what makes a field show again what it shows now; a radio button turns off the others. */
function remember(field) {
  const fields = field.type === "radio" ? radioGroup(field) : [field];
  const states = fields.map(shown);
  return () => fields.forEach((field, index) => show(field, states[index]));
}
