/**
 * Lists with one tab stop: `[data-list][data-roving]`. Tab reaches one row and leaves the list from
 * it; arrows, Home and End go from row to row. Tab goes from a row to the other elements in it.
 *
 * The tab stop is the selected row, otherwise the row that had the focus last, otherwise the first.
 * If `data-roving` is a selector, the list lies in a frame that matches it, such as a map, and the
 * keyboard reaches only the rows that are visible in the frame.
 */
import { everything } from "./changes.js";
import { isField } from "./fields.js";
import { FOCUSABLE } from "./focus.js";

const LIST = "[data-list][data-roving]";
const STEPS = { ArrowDown: 1, ArrowUp: -1 };
/** Rows in a frame may lie anywhere. */
const STEPS_IN_FRAMES = { ...STEPS, ArrowRight: 1, ArrowLeft: -1 };

/** The tab stop of each list. */
const stops = new WeakMap();

/** Updates which of the changed rows are tab stops. Call it after each patch. */
export function rove(changes = everything) {
  const lists = new Set();
  for (const row of changes.matching(`${LIST} > *`)) {
    setReachable(row, stops.get(row.parentElement) === row);
    lists.add(row.parentElement);
  }
  // Rows can be removed without a change to another row.
  for (const list of [...changes.matching(LIST), ...changes.around(LIST)]) lists.add(list);
  lists.forEach((list) => settle(list));
}

/**
 * Chooses a new tab stop if the old one was removed, or another row was selected.
 * @param {Element} list
 * @param {Element | null} frame in which the tab stop must be visible
 */
function settle(list, frame = null) {
  const present = stops.get(list);
  const isThere = present?.parentElement === list && isInSight(present, frame);
  if (isThere && list.contains(document.activeElement)) return;
  const selected = list.querySelector(":scope > [aria-current]");
  if (selected && isInSight(selected, frame)) return stopAt(list, selected);
  if (!isThere) stopAt(list, [...list.children].find((row) => isInSight(row, frame)));
}

/** @param {Element | undefined} row undefined: Tab skips the list */
function stopAt(list, row) {
  const present = stops.get(list);
  if (present === row) return;
  if (present) setReachable(present, false);
  if (row) setReachable(row, true);
  stops.set(list, row);
}

function setReachable(row, isReachable) {
  for (const element of focusableIn(row)) {
    if (isReachable) element.removeAttribute("tabindex");
    else element.setAttribute("tabindex", "-1");
  }
}

function focusableIn(row) {
  return [row, ...row.querySelectorAll(FOCUSABLE)].filter((element) => element.matches(FOCUSABLE));
}

function frameOf(list) {
  const selector = list.getAttribute("data-roving");
  return selector === "" ? null : list.closest(selector);
}

/** Whether a row is visible, with its middle in its frame. */
function isInSight(row, frame) {
  if (row.hasAttribute("hidden")) return false;
  if (!frame) return true;
  const [inner, outer] = [row.getBoundingClientRect(), frame.getBoundingClientRect()];
  const [x, y] = [(inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2];
  return x > outer.left && x < outer.right && y > outer.top && y < outer.bottom;
}

document.addEventListener("focusin", ({ target }) => {
  const row = target.closest?.(`${LIST} > *`);
  if (row) stopAt(row.parentElement, row);
});

// In the capture phase, so that other listeners, such as the one that moves a frame by arrows, see
// that the key has been handled.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // Which rows are visible in a frame can change without a patch.
    if (event.key === "Tab") {
      for (const list of document.querySelectorAll(LIST)) settle(list, frameOf(list));
      return;
    }
    if (isField(event.target)) return;
    const row = event.target.closest?.(`${LIST} > *`);
    const next = row && rowFrom(row, event.key);
    if (!next) return;
    event.preventDefault();
    const place = focusableIn(row).indexOf(event.target);
    (focusableIn(next)[place] ?? focusableIn(next)[0])?.focus();
  },
  true,
);

/** The row that a key leads to; the row itself if there is none. */
function rowFrom(row, key) {
  const list = row.parentElement;
  const frame = frameOf(list);
  const step = (frame ? STEPS_IN_FRAMES : STEPS)[key];
  if (!step && key !== "Home" && key !== "End") return null;
  const isForward = step === 1 || key === "Home";
  const next = isForward ? "nextElementSibling" : "previousElementSibling";
  const ends = key === "Home" ? list.firstElementChild : list.lastElementChild;
  let candidate = step ? row[next] : ends;
  while (candidate && !isInSight(candidate, frame)) candidate = candidate[next];
  return candidate ?? row;
}
