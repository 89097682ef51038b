/**
 * Scrolls a list to its top when its content is replaced, or to where it was when its user goes back
 * to it. `[data-list][data-top="search sort"]` names the parameters that decide its content. Patches
 * keep the list's element, and with it the scroll position.
 */
import { parameters } from "./query.js";

/** The last parameters of each list. Bounded by the lists in the document. */
const shown = new Map();
/** Where lists were scrolled to, by their parameters. One number for each list that the tab has shown. */
const places = new Map();

addEventListener("scroll", ({ target }) => places.set(shown.get(target), target.scrollTop), true);

/**
 * Checks the parameters. Call it after each patch, before a selected row is scrolled into view.
 * @param {object} changes
 * @param {boolean} isBack whether the user has gone back or forward
 */
export function keepTops(changes, isBack) {
  for (const list of changes.matching("[data-list][data-top]")) {
    if (!shown.has(list)) shown.set(list, parametersOf(list));
  }
  for (const [list, before] of shown) {
    if (!list.isConnected) {
      shown.delete(list);
      continue;
    }
    const now = parametersOf(list);
    if (now === before) continue;
    shown.set(list, now);
    list.scrollTop = isBack ? places.get(now) : 0; // undefined counts as 0
  }
}

function parametersOf(list) {
  const query = parameters();
  return JSON.stringify(list.getAttribute("data-top").split(" ").map((name) => query.getAll(name)));
}
