/**
 * The errors that the server reported for a form: a message in its `[data-error]`, and one next to
 * each field concerned, which is linked to the field for assistive technology. What the fields say is
 * not shown again in `[data-error]`, which only announces it.
 */
import { isVisible } from "./keys.js";

let count = 0;

export class FormErrors {
  #form;
  all = null; // what was set
  #marks = new Map(); // field name: the element with its message

  constructor(form) {
    this.#form = form;
  }

  /** @param {{message?: string, fields?: Object<string, string>} | null} errors null for none */
  set(errors) {
    this.#clear();
    this.all = errors;
    this.render();
  }

  /** Moves the errors to another form. */
  moveTo(form) {
    this.#form = form;
    this.#marks.clear();
    this.render();
  }

  /** Shows the errors. Also needed after a patch, which removes what the server did not send. */
  render() {
    if (!this.all) return;
    const summary = this.#form.querySelector("[data-error]") ?? this.#makeSummary();
    const message = this.all.message ?? "";
    if (summary.textContent !== message) summary.textContent = message;
    summary.toggleAttribute("data-warning", !!this.all.isWarning);
    let rest = message;
    for (const [name, message] of Object.entries(this.all.fields ?? {})) {
      const field = this.#fieldNamed(name);
      if (!field) continue;
      this.#mark(field, name, message);
      rest = rest.replace(message, "");
    }
    summary.classList.toggle("hidden", rest.trim() === "");
  }

  /** Whether the user can see the message. */
  get isSeen() {
    const summary = this.#form.querySelector("[data-error]");
    return !!summary && isVisible(summary);
  }

  /** Moves the focus to the first invalid field. */
  focus() {
    const [name] = Object.keys(this.all?.fields ?? {});
    if (name !== undefined) this.#fieldNamed(name)?.focus();
  }

  #fieldNamed(name) {
    return [...this.#form.elements].find((element) => element.name === name);
  }

  #mark(field, name, message) {
    const mark = this.#marks.get(name) ?? makeMark();
    this.#marks.set(name, mark);
    if (mark.textContent !== message) mark.textContent = message;
    // After a label around the field, because inside it the message would become part of its name.
    const place = field.closest("label") ?? field;
    if (place.nextSibling !== mark) place.after(mark);
    field.setAttribute("aria-invalid", "true");
    const ids = describers(field);
    if (!ids.includes(mark.id)) field.setAttribute("aria-describedby", [...ids, mark.id].join(" "));
  }

  #clear() {
    const summary = this.#form.querySelector("[data-error]");
    if (summary) summary.textContent = "";
    for (const [name, mark] of this.#marks) {
      mark.remove();
      const field = this.#fieldNamed(name);
      if (!field) continue;
      field.removeAttribute("aria-invalid");
      const ids = describers(field).filter((id) => id !== mark.id);
      if (ids.length > 0) field.setAttribute("aria-describedby", ids.join(" "));
      else field.removeAttribute("aria-describedby");
    }
    this.#marks.clear();
  }

  #makeSummary() {
    const summary = document.createElement("p");
    summary.setAttribute("data-error", "");
    summary.setAttribute("role", "alert");
    this.#form.append(summary);
    return summary;
  }
}

function makeMark() {
  const mark = document.createElement("span");
  count += 1;
  mark.id = `field-error-${count}`;
  mark.setAttribute("data-field-error", "");
  return mark;
}

function describers(field) {
  return (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== "");
}
