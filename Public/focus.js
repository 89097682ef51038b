/**
 * Keeps focus and caret during a change of the document. `arrange` never detaches the focused
 * element, but its container may be replaced or moved as a whole, and a row may move to another
 * list.
 */
import { allowFocus, isDisabled, isHeld } from "./buttons.js";
import { rowNamed } from "./lookup.js";

export const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";

/** The element that has lost the focus last. */
let earlier = null;
document.addEventListener("focusout", ({ target }) => document.hasFocus() && (earlier = target));

/** Runs a change, and returns the focus to its element or to the element that replaced it. */
export function keepingFocus(change) {
  const element = document.activeElement;
  const caret = caretOf(element);
  const place = placeInRow(element);
  const origin = originOf(element);
  const region = element?.closest("[data-region]");
  change();
  if (!element || element === document.activeElement || element === document.body) return;
  const heir = element.isConnected
    ? element
    : document.getElementById(element.id) ?? heirInRow(place) ?? otherStateOf(element, region);
  if (!heir) return goBack(origin);
  allowFocus(heir);
  // `late.js` fills it in.
  if (heir.matches("a:not([href])")) heir.href = "";
  heir.focus({ preventScroll: true });
  if (caret && caretOf(heir)) heir.setSelectionRange(...caret);
}

/** Puts the focus on the content, so that it is not lost with its element. */
export function goToContent() {
  document.getElementById("content")?.focus({ preventScroll: true });
}

/**
 * The element from which the keyboard has reached this one. It is not a button, because pressing again
 * would then act on something else.
 */
export function originOf(element) {
  return element?.matches(":focus-visible") && earlier?.localName !== "button" ? earlier : null;
}

/** Focuses an element or, if it is gone, the content. */
export function goBack(origin) {
  origin?.focus({ preventScroll: true });
  if (isFocusLost()) goToContent();
}

/** Whether no element has the focus, apart from the content and one where it was before. */
export function isFocusLost(before) {
  const { activeElement } = document;
  return [null, document.body, before].includes(activeElement) || activeElement.id === "content";
}

/** Runs a change to a field's text. Caret and selection are kept as far as the text reaches. */
export function keepingCaret(field, change) {
  const caret = field === document.activeElement ? caretOf(field) : null;
  change();
  if (caret && String(caretOf(field)) !== String(caret)) field.setSelectionRange(...caret);
}

/** Puts the caret of a field that has just received the focus after its text, where typing continues. */
export function goOn(field) {
  if (field?.selectionEnd === 0) goToEnd(field);
}

/** Puts the caret of a field, if it has one, after its text. */
export function goToEnd(field) {
  if (caretOf(field)) field.setSelectionRange(field.value.length, field.value.length);
}

function caretOf(element) {
  if (typeof element?.selectionStart !== "number") return null;
  return [element.selectionStart, element.selectionEnd, element.selectionDirection];
}

/**
 * The same control in its other state, if the server has another element for that: for example, a
 * disabled button in place of a link.
 */
function otherStateOf(element, region) {
  const text = element.firstChild?.data; // a name that follows may have changed
  if (!region || !text?.trim()) return null;
  return [...region.querySelectorAll("a, button, summary")].find((other) => {
    return other.firstChild?.data === text && isOff(other) !== isOff(element);
  });
}

function isOff(element) {
  return isDisabled(element) && !isHeld(element);
}

/** An element's row, the rows beside it, and the element's position in it; undefined outside rows. */
function placeInRow(element) {
  const row = element?.closest("[data-list] > [data-key]");
  if (!row) return undefined;
  const key = row.getAttribute("data-key");
  const beside = [row.nextElementSibling, row.previousElementSibling];
  return { row, key, beside, index: [row, ...row.querySelectorAll(FOCUSABLE)].indexOf(element) };
}

/**
 * The element in the same position after its row has moved to another list. If the row was removed,
 * it is the row that has taken its place. It is not a button in that row, because pressing again
 * would then act on another row. If only the element was removed, it is its row.
 */
function heirInRow(place) {
  if (!place || place.index < 0) return null;
  if (place.row.isConnected) return place.row.querySelector(FOCUSABLE);
  const row = rowNamed(place.key);
  if (row) return [row, ...row.querySelectorAll(FOCUSABLE)][place.index];
  return place.beside.find((row) => row?.isConnected)?.querySelector(FOCUSABLE);
}
