/**
 * Shows a change as a view transition of the type that the server has named. A style sheet defines
 * it: elements that move get a `view-transition-name`, and `:active-view-transition-type(TYPE)`
 * selects the type. Everything else changes immediately.
 */
import { followPresses, PRESSABLE } from "./press.js";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A window that was used within this time, in milliseconds, changes immediately, because browsers show
 * nothing new while they capture the page. So does a window whose pointer is on a control.
 */
const QUIET = 10_000;
/** After this time, in milliseconds, a transition is skipped. */
const LIMIT = 1000;
let used = -Infinity;
/** The newest transition. */
let newest = null;
/** The newest press, if it has hit the document. */
let missed = null;
for (const type of ["pointermove", "pointerdown", "keydown", "wheel"]) {
  addEventListener(type, use, { capture: true, passive: true });
}
addEventListener("click", passOn, { capture: true });

/** Browsers also dispatch `pointermove` when a page appears below a resting pointer. */
function use(event) {
  const { type, target, movementX, movementY } = event;
  if (type === "pointermove" && movementX === 0 && movementY === 0) return;
  used = performance.now();
  if (type === "pointerdown") missed = target === document.documentElement ? event : null;
  newest?.skipTransition(); // a click that follows would miss its element
}

/**
 * While a browser captures the page, what is pressed is the document, not the element at that point. A press may be
 * the first that is heard of a pointer: the click is then passed on to that element.
 */
async function passOn(click) {
  const press = missed;
  missed = null;
  if (click.target !== press?.target || !newest) return;
  await newest.finished;
  const [element, other] = [press, click].map(({ clientX, clientY }) => {
    return document.elementFromPoint(clientX, clientY)?.closest(PRESSABLE);
  });
  if (element === other) element?.dispatchEvent(new PointerEvent("click", click));
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
