/**
 * The states of form fields, their defaults, and whether the user has changed them.
 *
 * A field is dirty while its state differs from its default. Only the user and the field's form may
 * change the state of a dirty field. A state is a string, a boolean (checkbox, radio) or the values
 * of the selected options (select).
 */
import { keepingCaret } from "./focus.js";

const isCheckable = (field) => field.type === "checkbox" || field.type === "radio";
const isSelect = (field) => field.localName === "select";
/** Scripts cannot set the value of a file field, and it has no default. */
const isFile = (field) => field.type === "file";

/** Whether an element is a field that has a state. */
export function isField(element) {
  return ["input", "textarea", "select"].includes(element.localName);
}

/** The state that a field shows. */
export function shown(field) {
  if (isFile(field)) return "";
  if (isCheckable(field)) return field.checked;
  if (isSelect(field)) return [...field.selectedOptions].map((option) => option.value);
  return field.value;
}

/** A field's default: the state that it would have after a reset. */
export function initial(field) {
  if (isFile(field)) return "";
  if (isCheckable(field)) return field.defaultChecked;
  if (isSelect(field)) return initialOptions(field).map((option) => option.value);
  return field.defaultValue.replace(/\r\n?/g, "\n"); // normalized like a value
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

/** Whether the user has changed a field. Radio buttons change as a group. */
export function isDirty(field) {
  if (field.type !== "radio") return !isSame(shown(field), initial(field));
  return radioGroup(field).some((radio) => radio.checked !== radio.defaultChecked);
}

function radioGroup(radio) {
  if (!radio.name) return [radio];
  const all = (radio.form ?? radio.getRootNode()).querySelectorAll("input[type=radio]");
  return [...all].filter((other) => other.name === radio.name && other.form === radio.form);
}

/** Makes a field show a state. Caret and selection stay where they were, as far as possible. */
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

/** Changes a field's default without changing its state. */
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
 * Runs any change to a field's default. Afterwards a clean field shows its new default, and a dirty
 * one still shows its input.
 */
export function keepingInput(field, change) {
  const restore = isDirty(field) ? remember(field) : () => show(field, initial(field));
  keepingCaret(field, () => {
    change();
    restore();
  });
}

/**
 * Returns a function that restores the present state of a field. For a radio button, it restores the
 * group.
 */
function remember(field) {
  const fields = field.type === "radio" ? radioGroup(field) : [field];
  const states = fields.map(shown);
  return () => fields.forEach((field, index) => show(field, states[index]));
}
