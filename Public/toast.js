/**
 * Toasts: what the server tells this window about posts of its own, for a while, with forms that undo
 * them. Without JavaScript the next page has the newest.
 *
 * A newer one replaces the newest, `#toast`, unless that can be undone: then it stays above, until it has
 * been there for its while, or more than some have come. A toast stays while the pointer or the focus is
 * on it.
 */

/** How many older ones stay. */
const LIMIT = 2;
/** How long it is shown, in milliseconds. */
const DURATION = 10_000;

/** @param {import("./tab.js").Tab} tab */
export function showToasts(tab) {
  let newest = document.getElementById("toast");
  if (!newest) return;
  const pristine = newest.cloneNode(true);

  function show({ message, submission }) {
    // A new form, because the old one may be in progress or show an error.
    const fresh = pristine.cloneNode(true);
    const form = fresh.querySelector("form");
    fresh.hidden = false;
    form.hidden = submission === undefined;
    form.elements._submission.value = submission ?? "";
    if (canBeUndone(newest)) newest.after(fresh);
    else newest.replaceWith(fresh);
    newest.removeAttribute("id");
    newest = fresh;
    for (const old of [...fresh.parentElement.children].slice(0, -1 - LIMIT)) remove(old);
    attend(fresh);
    fresh.querySelector("[role=status]").textContent = message; // only changes are announced
  }

  if (!newest.hidden) attend(newest);
  tab.addEventListener("toast", ({ detail }) => show(detail));
}

function canBeUndone(toast) {
  return !toast.hidden && !toast.querySelector("form").hidden;
}

/** Lets a toast go after a while, when it is dismissed, and once it has been undone. */
function attend(toast) {
  let timer;

  const isUsed = () => toast.matches(":hover, :focus-within");

  function hide() {
    clearTimeout(timer);
    if (toast.id === "") return remove(toast);
    leave(toast);
    toast.hidden = true;
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => (isUsed() ? wait() : hide()), DURATION);
  }

  const dismiss = toast.querySelector("[type=button]");
  dismiss.hidden = false;
  dismiss.addEventListener("click", hide);
  toast.addEventListener("accepted", hide);
  wait();
}

function remove(toast) {
  leave(toast);
  toast.remove();
}

/** The focus is not lost with what has it. */
function leave(toast) {
  if (toast.contains(document.activeElement)) document.getElementById("content")?.focus();
}
