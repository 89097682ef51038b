/**
 * Scrolls the selected row of `[data-list][data-reveal]` into view once it is selected elsewhere: on a
 * map, by a URL, by going back.
 */
const CURRENT = "[data-list][data-reveal] > [aria-current]";

/** The rows that have been shown as selected, by their list. */
const revealed = new WeakMap();

/** Looks for rows that are newly selected; call it after each patch. */
export function revealSelection() {
  for (const row of document.querySelectorAll(CURRENT)) {
    const list = row.parentElement;
    const key = row.getAttribute("data-key");
    if (revealed.get(list) === key) continue;
    revealed.set(list, key);
    if (!isWithin(row, list)) reveal(row, list);
  }
  for (const list of document.querySelectorAll("[data-list][data-reveal]")) {
    if (!list.querySelector(":scope > [aria-current]")) revealed.delete(list);
  }
}

function isWithin(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}

/** Scrolls the list alone: the page stays where its user is. */
function reveal(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  const top = inner.top - outer.top - (outer.height - inner.height) / 2;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  list.scrollBy({ top, behavior: isStill ? "instant" : "smooth" });
}
