/**
 * Forms for local state (`form[data-local]`): what is typed or chosen in them goes into the URL.
 *
 * A search is one history entry: its first keystroke pushes one, the others replace it, Enter or
 * leaving the field ends it. So Back leads to what was there before the search. Only the entry that
 * the search has pushed is ever replaced: any other navigation ends the search too.
 *
 * A date can be typed, and its field then has another date for each digit of the year: that is one
 * entry. A date can also be chosen, in a calendar: each choice is an entry.
 */
import { here, isOfPage, withForm } from "./query.js";

/** Typing rests this long before it takes effect, in milliseconds. */
const REST = 150;

export class LocalForms {
  #links;
  #timer;
  /** The form that is being typed in, and the history entry that it has pushed. */
  #search = { form: null, entry: null };
  #isTyping = false; // a key that edits a date is down

  /** @param {import("./links.js").Links} links */
  constructor(links) {
    this.#links = links;
    document.addEventListener("input", (event) => this.#type(event));
    document.addEventListener("compositionend", (event) => this.#type(event));
    document.addEventListener("change", (event) => this.#choose(event));
    document.addEventListener("focusout", (event) => isDate(event.target) && this.#leave(event));
    document.addEventListener("submit", (event) => this.#submit(event));
    document.addEventListener("keydown", (event) => (this.#isTyping = isEdit(event)));
    document.addEventListener("keyup", () => (this.#isTyping = false));
    addEventListener("popstate", () => clearTimeout(this.#timer));
  }

  #type({ target, isComposing = false }) {
    const form = localFormOf(target);
    if (!form || isComposing || isChoice(target)) return;
    clearTimeout(this.#timer);
    if (target.validity.badInput) return; // half a date
    this.#timer = setTimeout(() => this.#apply(form, { waits: true }), REST);
  }

  /** A choice is made, or the field is left after typing; a date changes while it is typed too. */
  #choose({ target }) {
    const form = localFormOf(target);
    if (!form || (isDate(target) && this.#isTyping) || target.validity.badInput) return;
    if (isDate(target)) this.#forget(); // what was typed before is an entry of its own
    this.#end(form);
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
    this.#forget();
  }

  #forget() {
    this.#search = { form: null, entry: null };
  }

  #apply(form, { submitter = null, waits = false }) {
    const url = withForm(form, submitter);
    if (url === here()) {
      if (!waits) this.#links.insist();
      return;
    }
    const { form: searched, entry } = this.#search;
    const replaces = searched === form && entry === this.#links.entry;
    this.#links.visit(url, { replaces, waits });
    if (waits) this.#search = { form, entry: this.#links.entry };
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

/** Whether a key changes a date part by part; others open the calendar, or lead elsewhere. */
function isEdit({ key, altKey, ctrlKey, metaKey }) {
  if (altKey || ctrlKey || metaKey) return false;
  const isCharacter = key.length === 1 && key !== " ";
  return isCharacter || ["ArrowUp", "ArrowDown", "Backspace", "Delete"].includes(key);
}

function isSamePage(action) {
  return isOfPage(new URL(action || location.href, location.href));
}
