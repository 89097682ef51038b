/**
 * Buttons that are disabled in the browser although the server has them enabled, because their form
 * is incomplete or being posted. A button is enabled again when its last reason is gone.
 *
 * A disabled element loses the focus, and its user would have to find the place again. So whoever
 * disables the element that has the focus, here or on the server, makes it `aria-disabled` instead:
 * it keeps the focus, and clicks on it do nothing.
 */

/** @type {WeakMap<HTMLElement, Set<any>>} */
const reasons = new WeakMap();

/** Disables a button for a reason, unless the server has disabled it. */
export function hold(button, reason) {
  if (!reasons.has(button)) {
    if (isDisabled(button)) return;
    reasons.set(button, new Set());
    disable(button, button);
  }
  reasons.get(button).add(reason);
}

/** Removes a reason. */
export function release(button, reason) {
  const standing = reasons.get(button);
  if (!standing?.delete(reason) || standing.size > 0) return;
  reasons.delete(button);
  for (const name of ["disabled", "aria-disabled"]) button.removeAttribute(name);
}

/** Whether it ignores clicks. */
export function isDisabled(element) {
  return element.disabled || element.ariaDisabled === "true";
}

/** Whether a button is disabled only in the browser, so that no patch may enable it. */
export function isHeld(button) {
  return reasons.has(button);
}

/** If the server has disabled an element, it is not enabled here. */
export function yieldToServer(element, fresh) {
  if (!isDisabled(fresh)) return;
  reasons.delete(element);
  if (fresh.disabled) disable(fresh, element);
}

/** Lets a disabled element have the focus. */
export function allowFocus(element) {
  if (!element.disabled) return;
  element.disabled = false;
  element.setAttribute("aria-disabled", "true");
}

/** Disables an element, or the new version of an element that is on the page. */
function disable(element, present) {
  element.disabled = true;
  if (present === document.activeElement) allowFocus(element);
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
