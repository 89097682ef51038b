/**
 * What somebody else has changed of an open form (`[data-conflict="id of the field"]`) is of interest only
 * where its user has changed the same: a field that nobody has touched shows the change already. Whoever
 * takes the other's change sees it in the field. Until its user has chosen, the form is not complete. Without
 * JavaScript the server asks as the form is saved.
 */
import { disableIncomplete, initial, isDirty, show, tab } from "../window.js";

const NOTES = "[data-conflict]";
const CHANGE = ".sheet .change";

function settle() {
  const notes = [...document.querySelectorAll(NOTES)];
  for (const note of notes) {
    const field = fieldOf(note);
    note.hidden = !field || !isDirty(field);
    for (const choice of note.querySelectorAll("input")) choice.required = !note.hidden;
  }
  if (notes.length === 0) return;
  // What is said beside each field need not be seen above them too, only heard.
  document.querySelector(CHANGE)?.classList.toggle("hidden", notes.every((note) => !note.hidden));
  disableIncomplete();
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
