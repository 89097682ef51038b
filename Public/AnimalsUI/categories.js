/**
 * A row of the list of animals can be dragged to a category, which puts the animal into it, or to
 * the favorites. Without this module, the editor and the star do the same.
 *
 * For CSS: a row that would receive the animal has `data-receives`.
 */
/** The row that is being dragged, if any. */
let dragged = null;

document.addEventListener("dragstart", ({ target, dataTransfer, clientX, clientY }) => {
  dragged = target.closest?.("[data-list=animals] > li") ?? null;
  if (!dragged) return;
  const { left, top } = dragged.getBoundingClientRect();
  dataTransfer.effectAllowed = "all"; // as a link it can be dropped elsewhere, too
  dataTransfer.setDragImage(dragged, clientX - left, clientY - top);
});

document.addEventListener("dragover", (event) => {
  const { receiver } = dropOf(event);
  mark(receiver);
  if (!receiver) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "move";
});

document.addEventListener("drop", (event) => {
  const { receiver, put } = dropOf(event);
  mark(null);
  if (!receiver) return;
  event.preventDefault();
  put();
});

document.addEventListener("dragend", () => {
  mark(null);
  dragged = null;
});

/** What a drop would do: the row that receives the animal, and how. Neither if it does nothing. */
function dropOf({ target }) {
  const receiver = target.closest?.("[data-list=categories] > li");
  const star = dragged?.isConnected && dragged.querySelector("[data-key=star]");
  if (!receiver || !star || star.ariaDisabled === "true") return {};
  const link = receiver.querySelector("a");
  const listed = new URLSearchParams(link.dataset.set); // what the link lists
  if (listed.get("favorites")) {
    return star.ariaPressed === "true" ? {} : { receiver, put: () => star.click() };
  }
  const kind = dragged.querySelector("small")?.textContent;
  const isIn = receiver.ariaCurrent || kind === link.textContent;
  const category = listed.get("category");
  return category && !isIn ? { receiver, put: () => post(dragged, category) } : {};
}

function mark(receiver) {
  for (const row of document.querySelectorAll("[data-receives]")) {
    if (row !== receiver) row.removeAttribute("data-receives");
  }
  receiver?.setAttribute("data-receives", "");
}

/** Posts what a button that puts the row into a category would (`RowAction`). */
function post(row, category) {
  const button = document.createElement("button");
  button.name = "row";
  button.value = ["put", row.dataset.key, category].map(encode).join("~");
  button.hidden = true;
  row.append(button);
  button.form.requestSubmit(button);
  button.remove();
}

/** Encodes it as in a field: the parts are separated by tildes. */
function encode(id) {
  return id.replaceAll("%", "%25").replaceAll("~", "%7E");
}
