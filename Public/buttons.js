/**
 * Buttons that are disabled in the browser although the server has them enabled, because their form
 * is incomplete or being posted. A button is enabled again when its last reason is gone.
 *
 * An element with `disabled` loses the focus, and its user would have to find the place again. So
 * these buttons are `aria-disabled`, and so is an element that the server disables while it has the
 * focus. Clicks on them do nothing.
 */

/** @type {WeakMap<HTMLElement, Set<any>>} */
const reasons = new WeakMap();

/** Disables a button for a reason, unless the server has disabled it. */
export function hold(button, reason) {
  const standing = reasons.get(button) ?? new Set();
  if (standing.size === 0 && isDisabled(button)) return;
  reasons.set(button, standing.add(reason));
  button.setAttribute("aria-disabled", "true");
}

/** Removes a reason. */
export function release(button, reason) {
  const standing = reasons.get(button);
  if (!standing?.delete(reason) || standing.size > 0) return;
  reasons.delete(button);
  button.removeAttribute("aria-disabled");
}

/** Whether it ignores clicks. */
export function isDisabled(element) {
  return element.disabled || element.ariaDisabled === "true";
}

/** Whether a button is disabled only in the browser, so that no patch may enable it. */
export function isHeld(button) {
  return reasons.has(button);
}

/** If the server has disabled an element, it is not enabled here. `fresh` is how the server has it. */
export function yieldToServer(element, fresh) {
  if (!isDisabled(fresh)) return;
  reasons.delete(element);
  if (element === document.activeElement) allowFocus(fresh);
}

/** Lets an element have the focus although it is disabled. */
export function allowFocus(element) {
  if (!element.disabled) return;
  element.disabled = false;
  element.setAttribute("aria-disabled", "true");
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
