/**
 * Forms for local state (`form[data-local]`): their input goes into the URL.
 *
 * A search is one history entry: its first keystroke pushes one, the others replace it, and Enter
 * or leaving the field ends the search. So Back returns to the page before the search. Only
 * the entry that the search has pushed is ever replaced, because any other navigation ends the
 * search too.
 *
 * A date can be typed. The field then has a different date after each digit of the year, and that
 * is one entry. A date can also be chosen in a calendar, and each choice is an entry.
 */
import { isDirty } from "./fields.js";
import { here, isOfPage, withForm } from "./query.js";

/**
 * How often typing takes effect at most, in milliseconds. Only a key that follows another one faster
 * than this waits. If the server is slower, the hub asks it only for the newest text.
 */
const GAP = 60;
/** How long typing in a date must pause before it takes effect, in milliseconds. */
const REST = 150;

export class LocalForms {
  #links;
  #timer;
  #applied = -Infinity; // when typing took effect last
  /** The form that the user is typing in, and the history entry that its search has pushed. */
  #search = { form: null, entry: null };
  #isTyping = false; // whether a key that edits a date is pressed

  /** @param {import("./links.js").Links} links */
  constructor(links) {
    this.#links = links;
    document.addEventListener("input", (event) => this.#type(event));
    document.addEventListener("compositionend", (event) => this.#type(event));
    document.addEventListener("change", (event) => this.#choose(event));
    document.addEventListener("focusout", (event) => isTypedInParts(event.target) && this.#leave(event));
    document.addEventListener("submit", (event) => this.#submit(event));
    document.addEventListener("keydown", (event) => (this.#isTyping = isEdit(event)));
    document.addEventListener("keyup", () => (this.#isTyping = false));
    addEventListener("popstate", () => clearTimeout(this.#timer));
  }

  #type({ target, isComposing = false }) {
    const form = localFormOf(target);
    if (!form || isComposing || isChoice(target)) return;
    clearTimeout(this.#timer);
    if (target.validity.badInput) return; // an incomplete date
    const apply = () => {
      this.#applied = performance.now();
      this.#apply(form, { waits: true });
    };
    // A date that is being typed rarely makes sense before it is complete.
    const wait = isTypedInParts(target) ? REST : this.#applied + GAP - performance.now();
    if (wait > 0) this.#timer = setTimeout(apply, wait);
    else apply();
  }

  /** Handles a choice, or the end of typing. A date field also changes while it is typed in. */
  #choose({ target }) {
    const form = localFormOf(target);
    if (!form || (isTypedInParts(target) && this.#isTyping) || target.validity.badInput) return;
    if (isTypedInParts(target)) this.#forget(); // earlier typing has its own entry
    this.#end(form);
  }

  #leave({ target }) {
    const form = localFormOf(target);
    if (!form || target.validity.badInput) return;
    // The form may change other parameters too, which must stay if nothing was typed.
    if (isDirty(target)) return this.#end(form);
    clearTimeout(this.#timer);
    this.#forget();
  }

  #submit(event) {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !form.matches("form[data-local]")) return;
    if (!isSamePage(submitter?.getAttribute("formaction") ?? form.getAttribute("action"))) return;
    event.preventDefault();
    this.#end(form, submitter);
    // The keyboard of a phone would stay over what was found.
    const field = document.querySelector(":is(input, textarea):focus");
    if (matchMedia("(pointer: coarse)").matches) field?.blur();
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

/** The form for local state that a field belongs to, if any. */
function localFormOf(field) {
  return field.form?.matches?.("form[data-local]") ? field.form : null;
}

function isChoice(field) {
  return field.localName === "select" || field.type === "checkbox" || field.type === "radio";
}

function isTypedInParts(field) {
  return ["date", "time"].includes(field.type);
}

/** Whether a key edits a date. Other keys open the calendar or move the focus. */
function isEdit({ key, altKey, ctrlKey, metaKey }) {
  if (altKey || ctrlKey || metaKey) return false;
  const isCharacter = key.length === 1 && key !== " ";
  return isCharacter || ["ArrowUp", "ArrowDown", "Backspace", "Delete"].includes(key);
}

function isSamePage(action) {
  return isOfPage(new URL(action || location.href, location.href));
}
