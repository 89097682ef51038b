/**
 * Scrolls the selected row of `[data-list][data-reveal]` into view when it was selected elsewhere:
 * on a map, by a URL, or by going back.
 *
 * If the page scrolls instead of the list, the row's `scroll-margin` in the style sheet sets the
 * place on the screen that the page scrolls it to.
 */
import { everything } from "./changes.js";

const CURRENT = "[data-list][data-reveal] > [aria-current]";

/** How long a list may take to lay out the rows that a scroll has shown, in milliseconds. */
const SETTLING = 1000;

/** The row that was last shown as selected, by list. Bounded by the lists in the document. */
const revealed = new Map();

/** Finds newly selected rows. Call it after each patch. */
export function revealSelection(changes = everything) {
  for (const row of changes.matching(CURRENT)) {
    const list = row.parentElement;
    const isKnown = revealed.get(list)?.getAttribute("data-key") === row.getAttribute("data-key");
    revealed.set(list, row);
    if (isKnown) continue;
    if (hasPlace(row)) row.scrollIntoView({ behavior: "instant" });
    else if (!isWithin(row, list)) keepRevealed(row, list);
  }
  for (const [list, row] of revealed) {
    const isCurrent = row.parentElement === list && row.hasAttribute("aria-current");
    if (!list.isConnected || !isCurrent) revealed.delete(list);
  }
}

function hasPlace(row) {
  return parseFloat(getComputedStyle(row).scrollMarginBlockStart) > 0;
}

function isWithin(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}

/**
 * Rows that become visible may turn out higher than the browser has assumed, and so move the row away
 * again. That takes a few frames.
 */
function keepRevealed(row, list) {
  reveal(row, list);
  const end = new AbortController();
  setTimeout(() => end.abort(), SETTLING);
  for (const name of ["wheel", "pointerdown", "keydown"]) {
    addEventListener(name, () => end.abort(), { capture: true, passive: true, signal: end.signal });
  }
  list.addEventListener("contentvisibilityautostatechange", () => {
    if (revealed.get(list) !== row) end.abort();
    else if (!isWithin(row, list)) reveal(row, list);
  }, { capture: true, signal: end.signal });
}

/**
 * Scrolls only the list; the page stays where it is. The scroll is instant, because WebKit stops a
 * smooth scroll when the list is patched.
 */
function reveal(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  const top = inner.top - outer.top - (outer.height - inner.height) / 2;
  list.scrollBy({ top, behavior: "instant" });
}
