/**
 * Makes `dialog[data-modal]` modal: the rest of the page is inert, the focus stays inside, and
 * Escape dismisses it. A dialog is shown by local state, so dismissing it follows its link
 * `a[data-dismiss]`.
 *
 * When it is gone, the focus returns to the element that had it before.
 */

import { everything } from "./changes.js";
import { goBack, goOn, isFocusLost } from "./focus.js";

/** The element that had the focus before each open dialog. Bounded by the dialogs that are open. */
const openers = new Map();

/**
 * Finds dialogs that were added or removed. Call it after each patch.
 * @param {object} changes
 */
export function showDialogs(changes = everything) {
  for (const [dialog, opener] of openers) {
    if (dialog.isConnected) continue;
    openers.delete(dialog);
    if (isFocusLost()) goBack(opener);
  }
  for (const dialog of changes.matching("dialog[data-modal]")) {
    if (dialog.matches(":modal")) continue;
    openers.set(dialog, document.activeElement);
    dialog.close(); // it was rendered open, so that it shows without JavaScript
    dialog.showModal();
    goOn(document.activeElement);
  }
}

// The event does not bubble, so it is captured.
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
