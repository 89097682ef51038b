/**
 * Custom order, in lists whose rows have `.move` buttons. The buttons work without this module. It
 * announces the new position of a row, keeps the focused row in view, and lets a pointer drag rows
 * by their `.grip`. A drop posts the same as a button would.
 */
import { tab } from "../window.js";

const narrow = matchMedia("(max-width: 44rem)");
const panes = () => narrow.matches && import("./panes.js");
narrow.addEventListener("change", panes);
panes();

// Once the page is live, because nobody needs it before. If it cannot be loaded, it is tried again.
const rows = () => {
  Promise.all([import("./rows.js"), import("./categories.js")]).catch(() => {});
};
if (tab.isShown) rows();
tab.addEventListener("shown", rows);

const LIST = "[data-list=animals]";
/** How close to an edge a pointer scrolls, in pixels, and how fast, in pixels per millisecond. */
const EDGE = 32;
const SPEED = 0.7;
/** The most that it scrolls in one frame, in pixels. */
const STEP = 36;

const said = document.createElement("p");
said.className = "hidden";
said.setAttribute("role", "status");
document.body.append(said);

/** The row that was moved here, and its old position, until it has a new one. */
let moved = null;
/** The row that a pointer is dragging, if any, with that pointer and its vertical position. */
let drag = null;

// MARK: Double clicks

/** The second click on × would delete the next row. */
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.(".rows .delete")) event.preventDefault();
}, true);

// MARK: Announcements

document.addEventListener("submit", ({ submitter }) => {
  const [action, id] = submitter?.value.split("~") ?? [];
  if (action !== "move") return;
  const key = unescapeID(id);
  moved = { key, place: placeOf(rowOf(key)) };
}, true);

document.addEventListener("declined", () => (moved = null));

tab.addEventListener("patched", () => {
  if (drag?.row.isConnected === false) endDrag();
  else if (drag?.y !== undefined) aim(); // the row that it would land before may be gone
  if (!moved) return;
  const row = rowOf(moved.key);
  const place = placeOf(row);
  if (row && place === moved.place) return; // not yet
  moved = null;
  if (!row) return;
  if (row.contains(document.activeElement)) row.scrollIntoView({ block: "nearest" });
  said.textContent = `Position ${place} of ${row.closest("[data-total]").dataset.total}`; // a toast says what moved
});

function rowOf(key) {
  return document.querySelector(`${LIST} > [data-key="${CSS.escape(key)}"]`);
}

/** The position in the whole list, from 1. The page may show only a part of the list. */
function placeOf(row) {
  if (!row) return null;
  const start = Number(row.closest("[data-start]").dataset.start);
  return start + [...row.parentElement.children].indexOf(row) + 1;
}

// MARK: Dragging

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  // On a Mac, Control makes it a secondary click, which opens a menu and has no end.
  if (!grip || event.button !== 0 || event.ctrlKey || drag) return;
  event.preventDefault(); // avoids selecting text
  grip.setPointerCapture(event.pointerId);
  const row = grip.closest(`${LIST} > *`);
  row.dataset.dragged = "";
  drag = { row, list: row.parentElement, pointer: event.pointerId, before: undefined };
});

document.addEventListener("pointermove", ({ pointerId, buttons, clientY }) => {
  if (drag?.pointer !== pointerId) return;
  if (buttons === 0) return endDrag(); // it was released where this page did not hear it
  drag.y = clientY;
  aim();
  drag.frame ??= requestAnimationFrame(scroll);
});

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

document.addEventListener("pointerup", ({ pointerId }) => {
  if (drag?.pointer !== pointerId) return;
  const { row, list, before } = drag;
  endDrag();
  // It need not move if it is already there.
  if (before === undefined || before === row.nextElementSibling) return;
  const others = [...list.children].filter((other) => other !== row);
  const after = before ? others[others.indexOf(before) - 1] : others.at(-1);
  // The list may continue beyond the shown part.
  const neighbors = [
    after ? after.dataset.key : neighborOf(before, "up"),
    before ? before.dataset.key : neighborOf(after, "down"),
  ];
  post("move", row, ...neighbors);
});

document.addEventListener("pointercancel", ({ pointerId }) => {
  if (drag?.pointer === pointerId) endDrag();
});
document.addEventListener("keydown", (event) => {
  if (!drag || event.key !== "Escape") return;
  event.preventDefault();
  endDrag();
}, true);

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

/** The key of the neighbor that the row's own button would move it past; empty at the list's end. */
function neighborOf(row, direction) {
  const [, , after, before] = row.querySelector(`.move.${direction}`)?.value.split("~") ?? [];
  return unescapeID((direction === "up" ? before : after) ?? "");
}

/** Posts an action of a row, as a button in it would (`RowAction`). */
export function post(action, row, ...ids) {
  const button = document.createElement("button");
  button.type = "submit";
  button.name = "row";
  button.value = [action, row.dataset.key, ...ids].map(escapeID).join("~");
  button.hidden = true;
  const form = row.closest("form");
  form.append(button);
  form.requestSubmit(button);
  button.remove();
}

/** Encodes it as in a field: the parts are separated by tildes. */
function escapeID(id) {
  return id.replaceAll("%", "%25").replaceAll("~", "%7E");
}

function unescapeID(text) {
  return text.replaceAll("%7E", "~").replaceAll("%25", "%");
}
