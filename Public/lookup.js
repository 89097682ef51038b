/**
 * Finds regions, lists and rows by name, and remembers where they are, because searching the
 * document for each patch would be slow. A remembered place is checked before it is used.
 */

/** By name. Bounded by the regions in the document at the last search. */
let regions = new Map();
/** @type {WeakMap<Element, Map<string, Element>>} by region and name */
const lists = new WeakMap();
/** @type {WeakMap<Element, Map<string, Element>>} by list and key */
const rows = new WeakMap();

/** The region with a name, if there is one. */
export function regionNamed(name) {
  const isThere = (region) => region?.isConnected && region.dataset.region === name;
  if (!isThere(regions.get(name))) {
    const all = [...document.querySelectorAll("[data-region]")].reverse(); // the first one counts
    regions = new Map(all.map((region) => [region.dataset.region, region]));
  }
  return regions.get(name);
}

/** All regions in the document. */
export function allRegions() {
  regionNamed("root"); // Before the first search, none is known.
  return [...regions.values()].filter((region) => region.isConnected);
}

/** The list with a name in a region itself, not in a nested one, if there is one. */
export function listIn(region, name) {
  const isThere = (list) => {
    return region.contains(list) && list.closest("[data-region]") === region;
  };
  const known = lists.get(region) ?? new Map();
  const list = known.get(name);
  if (list && isThere(list) && list.getAttribute("data-list") === name) return list;
  const all = region.querySelectorAll(`[data-list="${CSS.escape(name)}"]`);
  const found = [...all].find(isThere);
  known.delete(name);
  if (found) lists.set(region, known.set(name, found));
  return found;
}

/**
 * The rows of a list by key. Code that changes the rows must update this map or call `forgetRows`.
 */
export function rowsOf(list) {
  if (!rows.has(list)) {
    rows.set(list, new Map([...list.children].map((row) => [row.getAttribute("data-key"), row])));
  }
  return rows.get(list);
}

/** The row with a key, in any list; undefined if there is none or more than one. */
export function rowNamed(key) {
  const all = document.querySelectorAll(`[data-list] > [data-key="${CSS.escape(key)}"]`);
  return all.length === 1 ? all[0] : undefined;
}

/** Call it when the rows of a list have changed in an unknown way. */
export function forgetRows(list) {
  rows.delete(list);
}
