/**
 * Disables `button[data-complete]` while its form lacks something: a required field is empty, or does
 * not match its pattern. Whatever else is wrong, and without JavaScript that too, the browser or the
 * server says on submitting.
 */
const BUTTONS = "button[data-complete]";

/** Buttons that are disabled here, and not by the server. */
const disabled = new WeakSet();

/** Makes buttons look as the server sent them, for a patch to see what it changes. */
export function enableIncomplete() {
  for (const button of document.querySelectorAll(BUTTONS)) {
    if (disabled.delete(button)) button.disabled = false;
  }
}

/** Looks at all forms, or at one. */
export function disableIncomplete(forms = document) {
  for (const button of forms.querySelectorAll(BUTTONS)) {
    const isComplete = [...(button.form?.elements ?? [])].every((field) => {
      const { valueMissing = false, patternMismatch = false } = field.validity ?? {};
      return !valueMissing && !patternMismatch;
    });
    if (isComplete && disabled.delete(button)) button.disabled = false;
    if (isComplete || button.disabled) continue;
    button.disabled = true;
    disabled.add(button);
  }
}

for (const name of ["input", "change", "reset"]) {
  document.addEventListener(name, ({ target }) => {
    const form = target.form ?? target.closest?.("form");
    // A reset takes effect after its event.
    if (form) queueMicrotask(() => disableIncomplete(form));
  });
}
