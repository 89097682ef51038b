/**
 * Lists with one tab stop: `[data-list][data-roving]`. Tab comes to one row and leaves the list from it;
 * arrows, Home and End go from row to row. What else there is in a row is reached from it by Tab.
 *
 * That row is the selected one, else the one that had the focus last, else the first. If `data-roving` is a
 * selector, the list lies in a frame that matches it, such as a map, and the keyboard goes to what is in
 * sight there alone.
 */
import { everything } from "./changes.js";
import { isField } from "./fields.js";
import { FOCUSABLE } from "./focus.js";

const LIST = "[data-list][data-roving]";
const STEPS = { ArrowDown: 1, ArrowUp: -1 };
/** In a frame rows lie anywhere. */
const STEPS_IN_FRAMES = { ...STEPS, ArrowRight: 1, ArrowLeft: -1 };

/** The row of each list that Tab comes to. */
const stops = new WeakMap();

/** Gives the rows that have changed their place in the order of Tab; call it after each patch. */
export function rove(changes = everything) {
  const lists = new Set();
  for (const row of changes.matching(`${LIST} > *`)) {
    setReachable(row, stops.get(row.parentElement) === row);
    lists.add(row.parentElement);
  }
  // Rows can be cut without any that changes.
  for (const list of [...changes.matching(LIST), ...changes.around(LIST)]) lists.add(list);
  lists.forEach((list) => settle(list));
}

/**
 * Chooses the stop anew if it has gone, or another row has been selected.
 * @param {Element} list
 * @param {Element | null} frame in which the stop has to be in sight
 */
function settle(list, frame = null) {
  const present = stops.get(list);
  const isThere = present?.parentElement === list && isInSight(present, frame);
  if (isThere && list.contains(document.activeElement)) return;
  const selected = list.querySelector(":scope > [aria-current]");
  if (selected && isInSight(selected, frame)) return stopAt(list, selected);
  if (!isThere) stopAt(list, [...list.children].find((row) => isInSight(row, frame)));
}

/** @param {Element | undefined} row undefined: Tab passes by the list */
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

/** Whether a row shows, with its middle in its frame. */
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

// In the first phase: whoever else listens, as what moves a frame by arrows, sees that it is taken.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // What is in sight of a frame changes without a patch.
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

/** The row that a key leads to; where there is none, the row itself. */
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
