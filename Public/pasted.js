/**
 * Browsers cut what is pasted into a field with a `maxlength`, and do not say so. This module says it
 * beside the field, until its text changes.
 */
import { setError } from "./field-error.js";

/** The fields whose text was cut. */
const cut = new WeakSet();

document.addEventListener("paste", ({ target, clipboardData }) => {
  const { form, maxLength, value, selectionStart, selectionEnd } = target;
  if (!form?.matches("form[data-form]") || !(maxLength > 0)) return;
  const text = clipboardData.getData("text").replaceAll("\r\n", "\n").trimEnd();
  if (value.length - (selectionEnd - selectionStart) + text.length <= maxLength) return clear(target);
  cut.add(target);
  const limit = maxLength.toLocaleString(document.documentElement.lang);
  setError(target, `Only ${limit} characters fit here. The end of what you pasted is missing.`);
});

document.addEventListener("input", ({ target, inputType }) => {
  if (inputType !== "insertFromPaste") clear(target);
});

// The server's errors have replaced the message.
document.addEventListener("declined", ({ target }) => {
  for (const field of target.elements ?? []) cut.delete(field);
});

function clear(field) {
  if (cut.delete(field)) setError(field, null);
}
