/**
 * Scrolls the selected row of `[data-list][data-reveal]` into view when it was selected elsewhere:
 * on a map, by a URL, or by going back.
 *
 * If the page scrolls instead of the list, the row's `scroll-margin` in the style sheet sets the
 * place on the screen that the page scrolls it to.
 */
import { everything } from "./changes.js";

const CURRENT = "[data-list][data-reveal] > [aria-current]";

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
    else if (!isWithin(row, list)) reveal(row, list);
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
 * Scrolls only the list; the page stays where it is. The scroll is instant, because WebKit stops a
 * smooth scroll when the list is patched.
 */
function reveal(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  const top = inner.top - outer.top - (outer.height - inner.height) / 2;
  list.scrollBy({ top, behavior: "instant" });
}
