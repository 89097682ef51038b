/**
 * Scrolls a list to its top when its content is replaced. `[data-list][data-top="search sort"]`
 * names the parameters that decide its content. Patches keep the list's element, and with it the
 * scroll position.
 */
import { everything } from "./changes.js";
import { parameters } from "./query.js";

/** The last parameters of each list. Bounded by the lists in the document. */
const shown = new Map();

/** Checks the parameters. Call it after each patch, before a selected row is scrolled into view. */
export function keepTops(changes = everything) {
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
    list.scrollTop = 0;
  }
}

function parametersOf(list) {
  const query = parameters();
  return JSON.stringify(list.getAttribute("data-top").split(" ").map((name) => query.getAll(name)));
}
