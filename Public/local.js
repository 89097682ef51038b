/**
 * Forms for local state (`form[data-local]`): what is typed or chosen in them goes into the URL.
 *
 * A search is one history entry: its first keystroke pushes one, the others replace it, Enter or
 * leaving the field ends it. So Back leads to what was there before the search. A date is typed too:
 * its field has another for each digit of the year.
 */
import { here, withForm } from "./query.js";

/** Typing rests this long before it takes effect, in milliseconds. */
const REST = 150;

export class LocalForms {
  #links;
  #timer;
  #search = null; // the form that is being typed in and has pushed its entry

  /** @param {import("./links.js").Links} links */
  constructor(links) {
    this.#links = links;
    document.addEventListener("input", (event) => this.#type(event));
    document.addEventListener("compositionend", (event) => this.#type(event));
    document.addEventListener("change", (event) => this.#choose(event));
    document.addEventListener("focusout", (event) => isDate(event.target) && this.#leave(event));
    document.addEventListener("submit", (event) => this.#submit(event));
    addEventListener("popstate", () => {
      clearTimeout(this.#timer);
      this.#search = null;
    });
  }

  #type({ target, isComposing = false }) {
    const form = localFormOf(target);
    if (!form || isComposing || isChoice(target)) return;
    clearTimeout(this.#timer);
    if (target.validity.badInput) return; // half a date
    this.#timer = setTimeout(() => this.#apply(form, { waits: true }), REST);
  }

  /** A choice is made, or the field is left after typing; a date changes while it is typed. */
  #choose({ target }) {
    const form = localFormOf(target);
    if (form && !isDate(target)) this.#end(form);
  }

  #leave({ target }) {
    const form = localFormOf(target);
    if (form && !target.validity.badInput) this.#end(form);
  }

  #submit(event) {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !form.matches("form[data-local]")) return;
    if (!isSamePage(submitter?.getAttribute("formaction") ?? form.getAttribute("action"))) return;
    event.preventDefault();
    this.#end(form, submitter);
  }

  #end(form, submitter) {
    clearTimeout(this.#timer);
    this.#apply(form, { submitter });
    this.#search = null;
  }

  #apply(form, { submitter = null, waits = false }) {
    const url = withForm(form, submitter);
    if (url === here()) {
      if (!waits) this.#links.insist();
      return;
    }
    this.#links.visit(url, { replaces: this.#search === form, waits });
    if (waits) this.#search = form;
  }
}

/** The form for local state that a field belongs to. */
function localFormOf(field) {
  return field.form?.matches?.("form[data-local]") ? field.form : null;
}

function isChoice(field) {
  return field.localName === "select" || field.type === "checkbox" || field.type === "radio";
}

function isDate(field) {
  return field.type === "date";
}

function isSamePage(action) {
  const url = new URL(action || location.href, location.href);
  return url.origin === location.origin && url.pathname === location.pathname;
}
