/**
 * Sets the error of one field, or clears it (null), without a post. The form's errors of other fields
 * stay. `forms.js` shows them all.
 */
export function setError(field, error) {
  const detail = (errors) => {
    const { [field.name]: old = "", ...fields } = errors.all?.fields ?? {};
    const rest = (errors.all?.message ?? "").replace(old, "").trim();
    if (error) fields[field.name] = error;
    const message = `${rest} ${error ?? ""}`.trim();
    errors.set(message ? { ...(rest && errors.all), message, fields } : null);
  };
  field.form.dispatchEvent(new CustomEvent("refused", { bubbles: true, detail }));
}
