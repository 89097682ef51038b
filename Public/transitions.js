/**
 * Shows a change as a view transition of the type that the server has named. A style sheet defines
 * it: elements that move get a `view-transition-name`, and `:active-view-transition-type(TYPE)`
 * selects the type. Everything else changes immediately.
 */
import { followPresses } from "./press.js";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A window that was used within this time, in milliseconds, changes immediately: browsers can lose a
 * click that happens while they capture the page. So does a window whose pointer is on a control.
 */
const QUIET = 10_000;
/** After this time, in milliseconds, a transition is skipped. */
const LIMIT = 1000;
let used = -Infinity;
/** The newest transition. */
let newest = null;
for (const type of ["pointermove", "pointerdown", "keydown", "wheel"]) {
  addEventListener(type, use, { capture: true, passive: true });
}

/** Browsers also dispatch `pointermove` when a page appears below a resting pointer. */
function use({ type, movementX, movementY }) {
  if (type === "pointermove" && movementX === 0 && movementY === 0) return;
  used = performance.now();
  newest?.skipTransition(); // a click that follows would miss its element
}

/**
 * From now on, a tab shows changes with transitions, and none while something is pressed.
 * @param {import("./tab.js").Tab} tab
 */
export function start(tab) {
  tab.transitions = { isAnimated, transition };
  followPresses(tab);
}

/** Whether a change is shown as a view transition. */
function isAnimated(type) {
  if (type === undefined || reduced.matches || document.hidden) return false;
  if (performance.now() - used < QUIET) return false;
  if (document.querySelector("a:hover, button:hover")) return false;
  return "startViewTransition" in document && "types" in (window.ViewTransition?.prototype ?? {});
}

/** Calls `update` once the browser has captured the current content, in its next frame. */
function transition(type, update) {
  const view = (newest = document.startViewTransition({ update, types: [type] }));
  // If the transition is skipped, the update has still been applied.
  for (const promise of [view.ready, view.finished]) promise.catch(() => {});
  // It may never begin: browsers draw no frames of a window that is covered.
  setTimeout(() => view.skipTransition(), LIMIT);
}
