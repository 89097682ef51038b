/**
 * The rows of a list that changes while somebody uses it.
 *
 * Rows move when another window adds or deletes one. A press on × that follows at once, where the
 * pointer was resting, was meant for the row that was there before, so it does nothing. Nor does
 * the second click of a double click. Whoever deletes several rows from the same place expects it.
 *
 * When an animal was added by the keyboard, the keyboard goes on from its row.
 */
import { tab } from "../window.js";

const LIST = "[data-list=animals]";
/** How long it takes to see that another row is there now, in milliseconds. */
const GLANCE = 500;
/** How far a hand moves the pointer of a mouse that it lets rest, in pixels. */
const STILL = 8;

/** The newest event of a pointer. */
let pointer = {};
/** When rows moved last that nobody here has moved, and where the pointer was then. */
let moved = { at: -Infinity };
/** The row whose × was pressed last. */
let deleted = null;

for (const name of ["pointermove", "pointerdown"]) {
  addEventListener(name, (event) => (pointer = event), { capture: true, passive: true });
}

new MutationObserver((records) => {
  const isNews = ({ target, removedNodes: [row] }) => target.matches(LIST) && row !== deleted;
  if (!records.some(isNews)) return;
  moved = { at: performance.now(), x: pointer.clientX, y: pointer.clientY };
}).observe(document.body, { childList: true, subtree: true });

document.addEventListener("click", (event) => {
  const row = event.target.closest?.(".rows .delete")?.closest("li");
  if (!row) return;
  if (event.detail > 1 || isHasty(event)) event.preventDefault();
  else deleted = row;
}, true);

/** A key is for the row with the focus; in Firefox it has no pointer. A finger rests nowhere. */
function isHasty({ detail, pointerType, clientX, clientY }) {
  if (detail === 0 || pointerType === "" || performance.now() - moved.at > GLANCE) return false;
  return pointer.pointerType === "touch" || Math.hypot(clientX - moved.x, clientY - moved.y) < STILL;
}

let last = seen();

tab.addEventListener("patched", () => {
  const before = last;
  last = seen();
  const { sheet, row } = last;
  if (!before.sheet || sheet || !row || row === before.row) return;
  const { activeElement } = document;
  const isLeft = activeElement.matches(`body, #content, ${LIST} *`);
  if (isLeft) row.querySelector("a").focus({ preventScroll: true });
});

function seen() {
  return {
    sheet: document.querySelector("dialog.sheet"),
    row: document.querySelector(`${LIST} > [aria-current]`),
  };
}
