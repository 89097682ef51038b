/**
 * Fields whose input the server learns before their form is posted: `data-tells="parameter"`. When
 * the user leaves such a field, its input becomes a parameter of the window's URL, so that the page
 * can comment on it, for example that a name is taken. It adds no entry to the history.
 *
 * Nothing is told while the form is being posted, however long that takes, because the post contains
 * all input and its result belongs to the URL that it was posted at. Nothing is told while a pointer
 * is down either, because a comment that appears could move the element that is being pressed.
 */
import { isDirty } from "./fields.js";
import { here, parameters, withParameters } from "./query.js";

const FIELDS = "[data-tells]";

/** @param {import("./links.js").Links} links */
export function tellFields(links) {
  let left = null; // the field that the user has just left
  let isPressed = false;

  const tellSoon = () => setTimeout(() => !isPressed && tell());

  function tell() {
    const field = left;
    left = null;
    if (!field?.isConnected || field.form?.ariaBusy === "true") return;
    const name = field.getAttribute("data-tells");
    const query = parameters();
    query.delete(name);
    if (isDirty(field) && field.value.trim() !== "") query.set(name, field.value);
    const url = withParameters(query);
    if (url !== here()) links.visit(url, { replaces: true, waits: true });
  }

  document.addEventListener("focusout", ({ target }) => {
    if (!target.matches?.(FIELDS)) return;
    left = target;
    tellSoon();
  });
  document.addEventListener("submit", () => (left = null), true);
  document.addEventListener("pointerdown", () => (isPressed = true), true);
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      isPressed = false;
      tellSoon(); // after the click
    }, true);
  }
}
