/**
 * Rows that users move, in an order of their own. The buttons with `data-move` move a row, and work
 * without this module. It announces the new position of a row, keeps the focused row in view, and
 * lets a pointer drag rows by `data-grip`. A drop posts what a button of its row would, with other
 * neighbors: the value of each of them ends with the rows after and before which it puts the row
 * (`RowMove`).
 *
 * A list that shows only a part says which: `data-start` and `data-total` of an element around it are
 * the index of its first row and the number of all rows, and `data-move="up"` and `"down"` are the
 * directions of the buttons, which know the rows beyond the part.
 *
 * For CSS: the row that is dragged has `data-dragged`, and the row beside which it would be dropped
 * has `data-drop`, which is `before` or `after`.
 */

const ROW = "[data-list] > *";
/** How close to an edge a pointer scrolls, in pixels, and how fast, in pixels per millisecond. */
const EDGE = 32;
const SPEED = 0.7;
/** The most that it scrolls in one frame, in pixels. */
const STEP = 36;

const said = document.createElement("p");
said.className = "hidden";
said.setAttribute("role", "status");

/** The row that was moved here, its list and its old position, until it has a new one. */
let moved = null;
/** The row that a pointer is dragging, if any, with that pointer and its vertical position. */
let drag = null;

export function start() {
  document.body.append(said);
  const capture = true;
  document.addEventListener("submit", remember, { capture });
  document.addEventListener("declined", () => (moved = null));
  document.addEventListener("pointerdown", grip);
  document.addEventListener("pointermove", pull);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", ({ pointerId }) => {
    if (drag?.pointer === pointerId) endDrag();
  });
  document.addEventListener("keydown", (event) => {
    if (!drag || event.key !== "Escape") return;
    event.preventDefault();
    endDrag();
  }, { capture });
}

/** Call it after each patch. */
export function follow() {
  if (drag?.row.isConnected === false) endDrag();
  else if (drag?.y !== undefined) aim(); // the row that it would land before may be gone
  if (moved) announce();
}

// MARK: Announcements

function remember({ submitter }) {
  if (!submitter?.matches("[data-move]")) return;
  const row = submitter.closest(ROW);
  moved = { list: row.parentElement.dataset.list, key: row.dataset.key, place: placeOf(row).place };
}

function announce() {
  const [list, key] = [moved.list, moved.key].map(CSS.escape);
  const row = document.querySelector(`[data-list="${list}"] > [data-key="${key}"]`);
  const { place, total } = placeOf(row);
  if (row && place === moved.place) return; // not yet
  moved = null;
  if (!row) return;
  if (row.contains(document.activeElement)) row.scrollIntoView({ block: "nearest" });
  said.textContent = `Position ${place} of ${total}`; // a toast says what moved
}

/** The position in the whole list, from 1, of which the page may show only a part. */
function placeOf(row) {
  if (!row) return {};
  const rows = [...row.parentElement.children];
  const { start, total } = row.closest("[data-total]")?.dataset ?? { start: 0, total: rows.length };
  return { place: Number(start) + rows.indexOf(row) + 1, total };
}

// MARK: Dragging

function grip(event) {
  const grip = event.target.closest?.("[data-grip]");
  // On a Mac, Control makes it a secondary click, which opens a menu and has no end.
  if (!grip || event.button !== 0 || event.ctrlKey || drag) return;
  event.preventDefault(); // avoids selecting text
  grip.setPointerCapture(event.pointerId);
  const row = grip.closest(ROW);
  row.dataset.dragged = "";
  drag = { row, list: row.parentElement, pointer: event.pointerId, before: undefined };
}

function pull({ pointerId, buttons, clientY }) {
  if (drag?.pointer !== pointerId) return;
  if (buttons === 0) return endDrag(); // it was released where this page did not hear it
  drag.y = clientY;
  aim();
  drag.frame ??= requestAnimationFrame(scroll);
}

/** Finds where the row would land. */
function aim() {
  const { list, row, y } = drag;
  const others = [...list.children].filter((other) => other !== row);
  const before = others.find((other) => {
    const { top, height } = other.getBoundingClientRect();
    return y < top + height / 2;
  }) ?? null;
  mark(before, others.at(-1));
}

/** Scrolls as long as the pointer is at an edge, even if it rests there: the list, or the page. */
function scroll(time) {
  const { list, y } = drag;
  const isLong = list.scrollHeight > list.clientHeight;
  const scroller = isLong ? list : document.scrollingElement;
  const { top, bottom } = isLong ? list.getBoundingClientRect() : { top: 0, bottom: innerHeight };
  const way = Math.min(SPEED * (time - (drag.time ?? time)), STEP);
  const direction = y < top + EDGE ? -1 : y > bottom - EDGE ? 1 : 0;
  if (direction !== 0) {
    scroller.scrollBy({ top: direction * way, behavior: "instant" });
    aim();
  }
  drag.time = time;
  drag.frame = requestAnimationFrame(scroll);
}

function drop({ pointerId }) {
  if (drag?.pointer !== pointerId) return;
  const { row, list, before } = drag;
  endDrag();
  // It need not move if it is already there.
  if (before === undefined || before === row.nextElementSibling) return;
  const others = [...list.children].filter((other) => other !== row);
  const after = before ? others[others.indexOf(before) - 1] : others.at(-1);
  // The list may continue beyond the shown part.
  post(row, [
    after ? encode(after.dataset.key) : neighborOf(before, "up"),
    before ? encode(before.dataset.key) : neighborOf(after, "down"),
  ]);
}

function mark(before, last) {
  unmark();
  drag.before = before;
  if (before) before.dataset.drop = "before";
  else if (last) last.dataset.drop = "after";
}

function unmark() {
  for (const row of document.querySelectorAll("[data-drop]")) delete row.dataset.drop;
}

function endDrag() {
  if (!drag) return;
  unmark();
  cancelAnimationFrame(drag.frame);
  delete drag.row.dataset.dragged;
  drag = null;
}

/** The neighbor that the row's own button would move it past; empty at the list's end. */
function neighborOf(row, direction) {
  const button = row.querySelector(`[data-move=${direction}][value]`);
  const [after, before] = button?.value.split("~").slice(-2) ?? [];
  return (direction === "up" ? before : after) ?? "";
}

/** Presses a button like one of the row, but with these neighbors, encoded as in its value. */
function post(row, neighbors) {
  const { form, name, value } = row.querySelector("[data-move][value]");
  const button = document.createElement("button");
  button.name = name;
  button.value = [...value.split("~").slice(0, -2), ...neighbors].join("~");
  button.dataset.move = "";
  button.hidden = true;
  row.append(button);
  form.requestSubmit(button);
  button.remove();
}

/** Encodes a key as in a value, in which tildes are between the parts. */
function encode(key) {
  return key.replaceAll("%", "%25").replaceAll("~", "%7E");
}
