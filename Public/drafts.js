/**
 * A page may come with what its user typed, after a refusal or a failure. To the browser those are the
 * defaults of its fields; here they become input again, which no patch may change.
 * (`docs/PROTOCOL.md`, Late)
 */
import { setInitial } from "./fields.js";

/** Call it once, before the first patch. */
export function takeDrafts() {
  for (const field of document.querySelectorAll("[data-default-value]")) {
    setInitial(field, field.getAttribute("data-default-value"));
    field.removeAttribute("data-default-value");
  }
  for (const option of document.querySelectorAll("option[data-default-selected]")) {
    setInitial(option.closest("select"), [option.value]);
    option.removeAttribute("data-default-selected");
  }
}
