/**
 * Conflicts in an open form (`[data-conflict="id of the field"]`). Another user's change is shown
 * only if this user has changed the same field; a field that this user has not touched already shows
 * it. A user who accepts the other change sees it in the field. The form is incomplete until the
 * user has chosen. Without JavaScript, the server asks when the form is saved.
 */
import { initial, isDirty, show, tab } from "../window.js";

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
  // The notes beside the fields need not be visible above them too, but they must be announced.
  document.querySelector(CHANGE)?.classList.toggle("hidden", notes.every((note) => !note.hidden));
  import("../editing.js").then(({ disableIncomplete }) => disableIncomplete(), () => {});
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
    target.checked = false; // nothing is left to choose
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  settle();
});
settle();
