/**
 * Focus and caret across a change of the document. `arrange` never detaches what has the focus, but
 * its container may be replaced, or move as a whole.
 */

/** Runs a change, and gives the focus back to its element, or to the one that took its place. */
export function keepingFocus(change) {
  const element = document.activeElement;
  const caret = caretOf(element);
  change();
  if (!element || element === document.activeElement || element === document.body) return;
  const heir = element.isConnected ? element : heirOf(element);
  if (!heir) return;
  heir.focus({ preventScroll: true });
  if (caret && caretOf(heir)) heir.setSelectionRange(...caret);
}

/** Runs a change to a field's text; its caret and selection stay as far as the text reaches. */
export function keepingCaret(field, change) {
  const caret = field === document.activeElement ? caretOf(field) : null;
  change();
  if (caret && String(caretOf(field)) !== String(caret)) field.setSelectionRange(...caret);
}

function caretOf(element) {
  if (typeof element?.selectionStart !== "number") return null;
  return [element.selectionStart, element.selectionEnd, element.selectionDirection];
}

function heirOf(element) {
  const id = element.getAttribute("id");
  return id ? document.getElementById(id) : null;
}
