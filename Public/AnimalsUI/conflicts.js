/**
 * What somebody else has changed of an open form (`[data-conflict="id of the field"]`) is of interest only
 * where its user has changed the same: a field that nobody has touched shows the change already. Whoever
 * takes the other's change sees it in the field. Without JavaScript the server decides as the form is saved.
 */
import { initial, isDirty, show, tab } from "../window.js";

const NOTES = "[data-conflict]";

function settle() {
  for (const note of document.querySelectorAll(NOTES)) {
    const field = fieldOf(note);
    note.hidden = !field || !isDirty(field);
  }
}

function fieldOf(note) {
  return document.getElementById(note.dataset.conflict);
}

tab.addEventListener("patched", settle);
document.addEventListener("input", settle);
document.addEventListener("change", ({ target }) => {
  const note = target.closest?.(NOTES);
  if (note && target.value === "theirs") {
    const field = fieldOf(note);
    show(field, initial(field));
    target.checked = false; // there is nothing left to choose
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  settle();
});
settle();
