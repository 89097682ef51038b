/**
 * The rows of a list that changes while somebody uses it.
 *
 * When another window adds or deletes a row, those below it move. A press on × that follows at
 * once, where the pointer was resting, was meant for the row that was there before, so it does
 * nothing. But whoever deletes a row here expects the next one in its place. Other changes that are
 * made here, such as a move, count as well: a mouse is at another button then, so only a finger has
 * to wait.
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
/** For rows that are new or have moved: when, and where the pointer was then. */
const arrivals = new WeakMap();
/** The rows whose × was pressed here. */
const deleted = new WeakSet();

for (const name of ["pointermove", "pointerdown"]) {
  addEventListener(name, (event) => (pointer = event), { capture: true, passive: true });
}

document.addEventListener("click", (event) => {
  const row = event.target.closest?.(".rows .delete")?.closest("li");
  if (!row || event.defaultPrevented) return;
  if (isHasty(event, arrivals.get(row))) event.preventDefault();
  else deleted.add(row);
}, true);

/** A key is for the row with the focus; in Firefox it has no pointer. A finger rests nowhere. */
function isHasty({ detail, pointerType, clientX, clientY }, arrival) {
  if (detail === 0 || pointerType === "" || !arrival) return false;
  if (performance.now() - arrival.time > GLANCE) return false;
  const distance = Math.hypot(clientX - arrival.x, clientY - arrival.y);
  return pointer.pointerType === "touch" || distance < STILL;
}

let last = seen();

tab.addEventListener("patched", () => {
  const before = last;
  last = seen();
  receive(before.rows, last.rows);
  const { sheet, row } = last;
  if (!before.sheet || sheet || !row || row === before.row) return;
  const { activeElement } = document;
  const isLeft = activeElement.matches(`body, #content, ${LIST} *`);
  if (isLeft) row.querySelector("a").focus({ preventScroll: true });
});

/** Remembers the rows that are where another row, or none, was expected. */
function receive(before, rows) {
  const expected = before.filter((row) => row.isConnected || !deleted.has(row));
  const arrival = { time: performance.now(), x: pointer.clientX, y: pointer.clientY };
  rows.forEach((row, index) => row === expected[index] || arrivals.set(row, arrival));
}

function seen() {
  const list = document.querySelector(LIST);
  return {
    sheet: document.querySelector("dialog.sheet"),
    row: list?.querySelector(":scope > [aria-current]"),
    rows: [...(list?.children ?? [])],
  };
}
