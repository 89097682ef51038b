/**
 * Buttons that are disabled in the browser although the server has them enabled, because their form
 * is incomplete or being posted. A button is enabled again when its last reason is gone.
 */

/** @type {WeakMap<HTMLElement, Set<any>>} */
const reasons = new WeakMap();

/** Disables a button for a reason, unless the server has disabled it. */
export function hold(button, reason) {
  if (!reasons.has(button)) {
    if (button.disabled) return;
    reasons.set(button, new Set());
    button.disabled = true;
  }
  reasons.get(button).add(reason);
}

/** Removes a reason. */
export function release(button, reason) {
  const standing = reasons.get(button);
  if (!standing?.delete(reason) || standing.size > 0) return;
  reasons.delete(button);
  button.disabled = false;
}

/** Whether a button is disabled only in the browser, so that no patch may enable it. */
export function isHeld(button) {
  return reasons.has(button);
}

/** Call it when the server has disabled a button, so that it is not enabled here. */
export function yieldToServer(button) {
  reasons.delete(button);
}
