/**
 * The toast: what the server tells this window about a post of its own, for a while, with a form that
 * undoes it. Without JavaScript the next page has it.
 *
 * There is one, and a newer one replaces it. It stays while the pointer or the focus is on it.
 */

/** How long it is shown, in milliseconds. */
const DURATION = 10_000;

/** @param {import("./tab.js").Tab} tab */
export function showToasts(tab) {
  let toast = document.getElementById("toast");
  if (!toast) return;
  const pristine = toast.cloneNode(true);
  let timer;

  const isUsed = () => toast.matches(":hover, :focus-within");

  function hide() {
    clearTimeout(timer);
    if (toast.contains(document.activeElement)) document.getElementById("content")?.focus();
    toast.hidden = true;
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => (isUsed() ? wait() : hide()), DURATION);
  }

  function show({ message, submission }) {
    // A new form, because the old one may be in progress or show an error.
    const fresh = pristine.cloneNode(true);
    const form = fresh.querySelector("form");
    fresh.hidden = false;
    form.hidden = submission === undefined;
    form.elements._submission.value = submission ?? "";
    toast.replaceWith(fresh);
    toast = fresh;
    attend();
    toast.querySelector("[role=status]").textContent = message; // only changes are announced
  }

  function attend() {
    const dismiss = toast.querySelector("[type=button]");
    dismiss.hidden = false;
    dismiss.addEventListener("click", hide);
    // What has been undone may be told already, in another element.
    toast.addEventListener("accepted", ({ currentTarget }) => currentTarget === toast && hide());
    wait();
  }

  if (!toast.hidden) attend();
  tab.addEventListener("toast", ({ detail }) => show(detail));
}
