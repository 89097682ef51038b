/**
 * Makes `dialog[data-modal]` modal: the rest of the page is inert, the focus stays inside, and
 * Escape dismisses it. Whether it is there is local state, so to dismiss it is to follow the link
 * that it has for that: `a[data-dismiss]`.
 *
 * Once it has gone, the focus goes back to what opened it.
 */

import { everything } from "./changes.js";
import { goOn } from "./focus.js";

/** What had the focus before each dialog that is open. */
const openers = new Map();

/**
 * Looks for dialogs that have come and gone; call it after each patch.
 * @param {object} changes
 * @param {() => void} onLeave called when one has gone
 */
export function showDialogs(changes = everything, onLeave = () => {}) {
  for (const [dialog, opener] of openers) {
    if (dialog.isConnected) continue;
    openers.delete(dialog);
    if (document.activeElement === document.body) giveBack(opener);
    onLeave();
  }
  for (const dialog of changes.matching("dialog[data-modal]")) {
    if (dialog.matches(":modal")) continue;
    openers.set(dialog, document.activeElement);
    dialog.close(); // it came open, so that it shows without JavaScript
    dialog.showModal();
    goOn(document.activeElement);
  }
}

/** Focuses the opener, or, if a patch has replaced it, where it was. */
function giveBack(opener) {
  const target = opener?.isConnected && opener !== document.body ? opener : null;
  (target ?? document.querySelector("main"))?.focus({ preventScroll: true });
}

// It does not bubble.
document.addEventListener(
  "cancel",
  (event) => {
    const link = event.target.querySelector?.("a[data-dismiss]");
    if (!link) return;
    event.preventDefault();
    link.click();
  },
  true,
);
