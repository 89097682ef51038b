/**
 * After a refusal or a failure, a page contains what the user typed. To the browser, these are the
 * default values of the fields. This module turns them into input again, which no patch may change.
 * (`docs/PROTOCOL.md`, Late)
 */
import { setInitial } from "./fields.js";

/** Call it once, before the first patch. */
export function takeDrafts() {
  take("data-default-value", (field, value) => setInitial(field, value));
  take("data-default-checked", (field, value) => setInitial(field, value === "true"));
  take("data-draft", (select) => {
    const options = [...select.options].filter((option) => option.dataset.defaultSelected === "");
    for (const option of options) option.removeAttribute("data-default-selected");
    setInitial(select, options.map((option) => option.value));
  });
}

function take(attribute, makeInitial) {
  for (const field of document.querySelectorAll(`[${attribute}]`)) {
    makeInitial(field, field.getAttribute(attribute));
    field.removeAttribute(attribute);
  }
}
