/**
 * Scrolls the selected row of `[data-list][data-reveal]` into view once it is selected elsewhere: on a
 * map, by a URL, by going back.
 */
import { everything } from "./changes.js";

const CURRENT = "[data-list][data-reveal] > [aria-current]";

/** The row that has been shown as selected, by list: of lists that are there. */
const revealed = new Map();

/** Looks for rows that are newly selected; call it after each patch. */
export function revealSelection(changes = everything) {
  for (const row of changes.matching(CURRENT)) {
    const list = row.parentElement;
    const isKnown = revealed.get(list)?.getAttribute("data-key") === row.getAttribute("data-key");
    revealed.set(list, row);
    if (!isKnown && !isWithin(row, list)) reveal(row, list);
  }
  for (const [list, row] of revealed) {
    const isCurrent = row.parentElement === list && row.hasAttribute("aria-current");
    if (!list.isConnected || !isCurrent) revealed.delete(list);
  }
}

function isWithin(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}

/**
 * Scrolls the list alone: the page stays where its user is. At once, for WebKit leaves a smooth scroll where it
 * is when the list is patched meanwhile.
 */
function reveal(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  const top = inner.top - outer.top - (outer.height - inner.height) / 2;
  list.scrollBy({ top, behavior: "instant" });
}
