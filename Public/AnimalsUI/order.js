/**
 * An order of one's own, in lists whose rows have the buttons `.move`. The buttons work without this. It
 * says where a row has come to, keeps a row in view that has the focus, and lets a pointer drag rows by
 * their `.grip`: what is dropped posts what a button would post.
 */
import { tab } from "../window.js";

const LIST = "[data-list=animals]";
/** How near to the edge of a list a pointer scrolls it, and how far, in pixels. */
const EDGE = 32;
const STEP = 12;

const said = document.createElement("p");
said.className = "hidden";
said.setAttribute("role", "status");
document.body.append(said);

/** The row that was moved here, and the place that it had, until it has another. */
let moved = null;
/** What a pointer drags, if it does. */
let drag = null;

// MARK: What is said

document.addEventListener("submit", ({ submitter }) => {
  if (!["up", "down"].includes(submitter?.name)) return;
  const key = unescapeID(submitter.value.split("~")[0]);
  moved = { key, place: placeOf(rowOf(key)) };
}, true);

tab.addEventListener("patched", () => {
  if (drag && !drag.row.isConnected) endDrag();
  if (!moved) return;
  const row = rowOf(moved.key);
  const place = placeOf(row);
  if (row && place === moved.place) return; // not yet
  moved = null;
  if (!row) return;
  if (row.contains(document.activeElement)) row.scrollIntoView({ block: "nearest" });
  const name = row.querySelector("a").firstChild.textContent.trim();
  said.textContent = `${name} moved to ${place} of ${row.closest("[data-total]").dataset.total}`;
});

function rowOf(key) {
  return document.querySelector(`${LIST} > [data-key="${CSS.escape(key)}"]`);
}

/** From 1, in the whole list, of which the page may show a part. */
function placeOf(row) {
  if (!row) return null;
  const start = Number(row.closest("[data-start]").dataset.start);
  return start + [...row.parentElement.children].indexOf(row) + 1;
}

// MARK: Dragging

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip || event.button !== 0 || drag) return;
  event.preventDefault(); // no selection of text
  grip.setPointerCapture(event.pointerId);
  const row = grip.closest(`${LIST} > *`);
  row.dataset.dragged = "";
  drag = { row, list: row.parentElement, before: undefined };
});

document.addEventListener("pointermove", ({ clientY }) => {
  if (!drag) return;
  const { list, row } = drag;
  const box = list.getBoundingClientRect();
  if (clientY < box.top + EDGE) list.scrollBy(0, -STEP);
  if (clientY > box.bottom - EDGE) list.scrollBy(0, STEP);
  const others = [...list.children].filter((other) => other !== row);
  const before = others.find((other) => {
    const { top, height } = other.getBoundingClientRect();
    return clientY < top + height / 2;
  }) ?? null;
  mark(before, others.at(-1));
});

document.addEventListener("pointerup", () => {
  if (!drag) return;
  const { row, list, before } = drag;
  endDrag();
  // Where it is already, it need not go.
  if (before === undefined || before === row.nextElementSibling) return;
  const others = [...list.children].filter((other) => other !== row);
  const after = before ? others[others.indexOf(before) - 1] : others.at(-1);
  // At the end of a part, the list may go on.
  const neighbors = [
    after ? after.dataset.key : neighborOf(before, "up"),
    before ? before.dataset.key : neighborOf(after, "down"),
  ];
  post(row, neighbors);
});

document.addEventListener("pointercancel", endDrag);
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
  delete drag.row.dataset.dragged;
  drag = null;
}

/** The key of what stands beside a row, which its own button passes by; nothing at the end of the list. */
function neighborOf(row, direction) {
  const [, after, before] = row.querySelector(`button[name=${direction}]`)?.value.split("~") ?? [];
  return unescapeID((direction === "up" ? before : after) ?? "");
}

function post(row, neighbors) {
  const button = document.createElement("button");
  button.type = "submit";
  button.name = "down";
  button.value = [row.dataset.key, ...neighbors].map(escapeID).join("~");
  button.hidden = true;
  const form = row.closest("form");
  form.append(button);
  form.requestSubmit(button);
  button.remove();
}

/** As in a field: parts stand between tildes. */
function escapeID(id) {
  return id.replaceAll("%", "%25").replaceAll("~", "%7E");
}

function unescapeID(text) {
  return text.replaceAll("%7E", "~").replaceAll("%25", "%");
}
