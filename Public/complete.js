/**
 * Disables `button[data-complete]` while its form lacks something: a required field is empty, or does
 * not match its pattern. Whatever else is wrong, and without JavaScript that too, the browser or the
 * server says on submitting.
 */
import { hold, release } from "./buttons.js";

const BUTTONS = "button[data-complete]";
const REASON = "incomplete";

/** Looks at all forms, or at one. */
export function disableIncomplete(forms = document) {
  for (const button of forms.querySelectorAll(BUTTONS)) {
    const isComplete = [...(button.form?.elements ?? [])].every((field) => {
      const { valueMissing = false, patternMismatch = false } = field.validity ?? {};
      return !valueMissing && !patternMismatch;
    });
    if (isComplete) release(button, REASON);
    else hold(button, REASON);
  }
}

for (const name of ["input", "change", "reset"]) {
  document.addEventListener(name, ({ target }) => {
    const form = target.form ?? target.closest?.("form");
    // A reset takes effect after its event.
    if (form) queueMicrotask(() => disableIncomplete(form));
  });
}
