/**
 * Takes a list back to its top once it is another list: `[data-list][data-top="search sort"]` names the
 * parameters of which one is another then. Patches keep the list's element, and with it where it was
 * scrolled to.
 */
import { everything } from "./changes.js";
import { parameters } from "./query.js";

/** What the parameters of each list were: of lists that are there. */
const shown = new Map();

/** Looks at the parameters; call it after each patch, and before a selected row is scrolled to. */
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
