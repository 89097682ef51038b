/**
 * Disables `button[data-complete]` while its form lacks something: a required field is empty, or does
 * not match its pattern. Whatever else is wrong, and without JavaScript that too, the browser or the
 * server says on submitting.
 */
import { hold, release } from "./buttons.js";
import { everything } from "./changes.js";

const BUTTONS = "button[data-complete]";
const REASON = "incomplete";

/** Looks at the forms that have changed; without changes at all of them. */
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
