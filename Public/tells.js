/**
 * Fields of forms that post, of which the server is told before: `data-tells="parameter"`. What is typed in
 * one is a parameter of the window's URL once its user leaves the field, so that the page can say something
 * about it, for example that a name is taken. It adds no entry to the history.
 *
 * Nothing is told of a form that is being posted, however long that takes: that tells everything, and what it
 * leads to is for the URL that it was posted at; nor while a pointer is down, as what the page then says could
 * move what is pressed.
 */
import { isDirty } from "./fields.js";
import { here, parameters, withParameters } from "./query.js";

const FIELDS = "[data-tells]";

/** @param {import("./links.js").Links} links */
export function tellFields(links) {
  let left = null; // the field whose user has just left it
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
