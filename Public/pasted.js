/**
 * Browsers cut what is pasted into a field with a `maxlength`, and do not say so. This module says it
 * beside the field, until its text changes.
 */

/** The fields whose text was cut. */
const cut = new WeakSet();

document.addEventListener("paste", ({ target, clipboardData }) => {
  const { form, maxLength, value, selectionStart, selectionEnd } = target;
  if (!form?.matches("form[data-form]") || !(maxLength > 0)) return;
  const text = clipboardData.getData("text").replaceAll("\r\n", "\n").trimEnd();
  if (value.length - (selectionEnd - selectionStart) + text.length <= maxLength) return;
  cut.add(target);
  const message = `Only ${maxLength.toLocaleString()} characters fit here. The end of what you pasted is missing.`;
  refuse(form, { message, fields: { [target.name]: message } });
});

document.addEventListener("input", ({ target, inputType }) => {
  if (inputType !== "insertFromPaste" && cut.delete(target)) refuse(target.form, null);
});

function refuse(form, detail) {
  form.dispatchEvent(new CustomEvent("refused", { bubbles: true, detail }));
}
