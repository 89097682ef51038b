/**
 * Toasts: what the server tells this window about posts of its own, for a while, with forms that undo
 * them. Without JavaScript the next page has the newest.
 *
 * A newer one replaces the newest, `#toast`, unless that can be undone: then it stays above, until it has
 * been there for its while, or more than some have come. A toast stays while the pointer or the focus is
 * on it. The session storage of the tab keeps those that are shown, so that a reload takes none away.
 */
import { FOCUSABLE } from "./focus.js";

/** How many older ones stay. */
const LIMIT = 2;
/** How long it is shown, in milliseconds. */
const DURATION = 10_000;
const ITEM = "toasts";
/** The status of an undo for which it is too late. */
const GONE = 410;
const ROW = "[data-list] > [data-key]";

/** What each toast that is shown says, and until when. At most LIMIT + 1. */
const shown = new Map();

/** @param {import("./tab.js").Tab} tab */
export function showToasts(tab) {
  let newest = document.getElementById("toast");
  if (!newest) return;
  const pristine = newest.cloneNode(true);

  function show(content) {
    // A new form, because the old one may be in progress or show an error.
    const fresh = pristine.cloneNode(true);
    const form = fresh.querySelector("form");
    fresh.hidden = false;
    form.hidden = content.submission === undefined;
    form.elements._submission.value = content.submission ?? "";
    if (canBeUndone(newest)) newest.after(fresh);
    else {
      shown.delete(newest);
      newest.replaceWith(fresh);
    }
    newest.removeAttribute("id");
    newest = fresh;
    for (const old of [...fresh.parentElement.children].slice(0, -1 - LIMIT)) remove(old);
    attend(fresh, content, tab);
    fresh.querySelector("[role=status]").textContent = content.message; // only changes are announced
  }

  if (newest.hidden) read().forEach(show);
  else attend(newest, contentOf(newest), tab);
  tab.addEventListener("toast", ({ detail }) => show({ ...detail, until: Date.now() + DURATION }));
}

function canBeUndone(toast) {
  return !toast.hidden && !toast.querySelector("form").hidden;
}

/** Of a toast that came with the page. */
function contentOf(toast) {
  const message = toast.querySelector("[role=status]").textContent;
  const submission = toast.querySelector("form").elements._submission.value || undefined;
  return { message, submission, until: Date.now() + DURATION };
}

/** Lets a toast go after a while, when it is dismissed, and once it has been undone. */
function attend(toast, content, tab) {
  let timer;
  /** Whether the focus was in it as *Undo* was pressed; a button that is disabled has none. */
  let hadFocus = false;

  const isUsed = () => toast.matches(":hover, :focus-within");

  function hide() {
    clearTimeout(timer);
    if (toast.id === "") return remove(toast);
    leave(toast);
    forget(toast);
    toast.hidden = true;
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isUsed()) return hide();
      content.until = Date.now() + DURATION;
      keep();
      wait();
    }, content.until - Date.now());
  }

  const dismiss = toast.querySelector("[type=button]");
  dismiss.hidden = false;
  dismiss.addEventListener("click", hide);
  toast.addEventListener("submit", () => {
    hadFocus = toast.contains(document.activeElement);
    if (hadFocus) goToWhatComesBack(toast, tab);
  });
  toast.addEventListener("accepted", () => {
    if (hadFocus && isLost()) goToContent();
    hide();
  });
  toast.addEventListener("declined", ({ detail }) => {
    if (detail.status !== GONE) return;
    toast.querySelector("form button").remove();
    delete content.submission;
    keep();
    if (hadFocus && isLost()) dismiss.focus();
  });
  shown.set(toast, content);
  keep();
  wait();
}

function remove(toast) {
  leave(toast);
  forget(toast);
  toast.remove();
}

// MARK: The focus

/** The focus is not lost with what has it. */
function leave(toast) {
  if (toast.contains(document.activeElement)) goToContent();
}

function isLost() {
  return [null, document.body].includes(document.activeElement);
}

function goToContent() {
  document.getElementById("content")?.focus();
}

/** Whoever has undone a deletion goes on with what comes back, unless they go elsewhere before it does. */
function goToWhatComesBack(toast, tab) {
  const before = new Set([...document.querySelectorAll(ROW)].map(nameOf));
  const end = new AbortController();
  tab.addEventListener("patched", ({ detail: changes }) => {
    const { activeElement } = document;
    const isWaiting = isLost() || activeElement.id === "content" || toast.contains(activeElement);
    if (!isWaiting) return end.abort();
    const heirs = [...changes.matching(ROW)].filter((row) => !before.has(nameOf(row)));
    const heir = heirs.map((row) => row.querySelector(FOCUSABLE)).find((link) => link?.checkVisibility());
    if (!heir) return;
    end.abort();
    heir.focus();
  }, { signal: end.signal });
}

function nameOf(row) {
  return `${row.parentElement.dataset.list} ${row.dataset.key}`;
}

// MARK: Kept for a reload

function forget(toast) {
  shown.delete(toast);
  keep();
}

function keep() {
  try {
    if (shown.size === 0) sessionStorage.removeItem(ITEM);
    else sessionStorage.setItem(ITEM, JSON.stringify([...shown.values()]));
  } catch {
    // A browser may keep nothing; then a reload takes them away.
  }
}

/** What was shown before a reload and would still be, oldest first. */
function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(ITEM)) ?? [];
    return kept.filter(({ until }) => until > Date.now() && until <= Date.now() + DURATION);
  } catch {
    return []; // no storage, or something else's
  }
}
