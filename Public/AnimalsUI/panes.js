/**
 * A narrow window shows one pane at a time. A pane that is opened begins at its top. A user who comes
 * back to a pane finds it as it was left: scrolled to the same place, with the focus on the same row.
 * The link back goes back in the history, if that is where it leads.
 */
import { hasModifier, tab } from "../window.js";

const PANES = ["categories", "animals", "detail"];

let open = shown();
/**
 * How far the page is scrolled. Going back, a browser may scroll it before the pane is there. A click
 * can come before the event of the scrolling before it.
 */
let top = scrollY;
/** The newest element with the focus, which loses it when its pane is hidden. */
let focused = null;
/** How each pane was left: {top, focused}. */
const left = new Map();

addEventListener("scroll", measure, { passive: true });
addEventListener("click", (event) => {
  measure();
  const link = event.target.closest?.(".animals .back");
  if (!link || event.button !== 0 || hasModifier(event)) return;
  if (link.getAttribute("href") !== history.state?.from) return;
  event.preventDefault();
  history.back();
}, { capture: true });
document.addEventListener("focusin", ({ target }) => (focused = target));

tab.addEventListener("patched", () => {
  const before = open;
  open = shown();
  if (open === before) return;
  const pane = document.querySelector(`section[data-pane="${before}"]`);
  if (!pane || isSeen(pane)) return;
  left.set(before, { top, focused: pane.contains(focused) ? focused : null });
  const isBack = PANES.indexOf(open) < PANES.indexOf(before);
  const earlier = isBack ? left.get(open) : undefined;
  scrollTo({ top: earlier?.top ?? 0, behavior: "instant" });
  const { activeElement, body } = document;
  if (activeElement !== body && activeElement.id !== "content" && isSeen(activeElement)) return;
  const heir = isSeen(earlier?.focused) ? earlier.focused : document.getElementById("content");
  heir.focus({ preventScroll: true });
});

function measure() {
  if (tab.isShown) top = scrollY;
}

function shown() {
  return document.querySelector(".split.animals")?.dataset.pane;
}

function isSeen(element) {
  return element?.getClientRects().length > 0;
}
