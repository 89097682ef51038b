/**
 * Keeps focus and caret during a change of the document. `arrange` never detaches the focused
 * element, but its container may be replaced or moved as a whole, and a row may move to another
 * list.
 */
import { rowNamed } from "./lookup.js";

export const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";

/** Runs a change, and returns the focus to its element or to the element that replaced it. */
export function keepingFocus(change) {
  const element = document.activeElement;
  const caret = caretOf(element);
  const place = placeInRow(element);
  change();
  if (!element || element === document.activeElement || element === document.body) return;
  const heir = element.isConnected ? element : heirOf(element) ?? heirInRow(place);
  if (!heir) return;
  heir.focus({ preventScroll: true });
  if (caret && caretOf(heir)) heir.setSelectionRange(...caret);
}

/** Runs a change to a field's text. Caret and selection are kept as far as the text reaches. */
export function keepingCaret(field, change) {
  const caret = field === document.activeElement ? caretOf(field) : null;
  change();
  if (caret && String(caretOf(field)) !== String(caret)) field.setSelectionRange(...caret);
}

/** Puts the caret of a field that has just got the focus behind its text, where its user goes on. */
export function goOn(field) {
  if (!caretOf(field) || field.selectionEnd > 0) return;
  field.setSelectionRange(field.value.length, field.value.length);
}

function caretOf(element) {
  if (typeof element?.selectionStart !== "number") return null;
  return [element.selectionStart, element.selectionEnd, element.selectionDirection];
}

function heirOf(element) {
  const id = element.getAttribute("id");
  return id ? document.getElementById(id) : null;
}

/** The row of an element, the rows beside it, and the element's position in it; undefined if it is not in a row. */
function placeInRow(element) {
  const row = element?.closest("[data-list] > [data-key]");
  if (!row) return undefined;
  const key = row.getAttribute("data-key");
  const beside = [row.nextElementSibling, row.previousElementSibling];
  return { row, key, beside, index: [row, ...row.querySelectorAll(FOCUSABLE)].indexOf(element) };
}

/**
 * The element in the same position after its row has moved to another list. If the row has gone, it is the row
 * that has come to its place; not a button in it, because what is pressed again would be done to another row.
 */
function heirInRow(place) {
  if (!place || place.index < 0 || place.row.isConnected) return null;
  const row = rowNamed(place.key);
  if (row) return [row, ...row.querySelectorAll(FOCUSABLE)][place.index];
  return place.beside.find((row) => row?.isConnected)?.querySelector(FOCUSABLE);
}
