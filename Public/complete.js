/**
 * Disables `button[data-complete]` while its form is incomplete: a required field is empty, or a
 * field does not match its pattern. All other errors are reported on submit, by the browser or the
 * server.
 */
import { hold, release } from "./buttons.js";
import { everything } from "./changes.js";

const BUTTONS = "button[data-complete]";
const REASON = "incomplete";

/** Checks the forms that have changed, or all of them if no changes are given. */
export function disableIncomplete(changes = everything) {
  const changed = [...changes.matching(`form, [form], ${BUTTONS}`)];
  const forms = changed.map((element) => element.form ?? element);
  for (const form of new Set([...forms, ...changes.around("form")])) {
    if (form instanceof HTMLFormElement) disableIn(form);
  }
}

function disableIn(form) {
  const elements = [...form.elements];
  const buttons = elements.filter((element) => element.matches(BUTTONS));
  if (buttons.length === 0) return;
  const isComplete = elements.every(({ validity }) => {
    return !validity?.valueMissing && !validity?.patternMismatch;
  });
  for (const button of buttons) {
    if (isComplete) release(button, REASON);
    else hold(button, REASON);
  }
}

for (const name of ["input", "change", "reset"]) {
  document.addEventListener(name, ({ target }) => {
    const form = target.form ?? target.closest?.("form");
    // A reset takes effect after its event.
    if (form) queueMicrotask(() => disableIn(form));
  });
}
