/**
 * Lists that a tab keeps for its next pages, in its session storage. The browser may not allow storage;
 * nothing is kept then.
 *
 * Frames have the same storage as the page around them.
 */
export const isFramed = window.parent !== window;

/**
 * @param {string} item
 * @param {(value: any) => boolean} isUsable
 * @returns {any[]} the usable values, in their order
 */
export function load(item, isUsable = () => true) {
  try {
    return (JSON.parse(sessionStorage.getItem(item)) ?? []).filter(isUsable);
  } catch {
    return []; // no storage, or other content in it
  }
}

/**
 * @param {string} item
 * @param {any[]} values replace the older ones
 * @param {number} limit the most that is kept, in UTF-16 code units (two bytes each)
 * @returns {boolean} whether they are kept
 */
export function save(item, values, limit = Infinity) {
  const text = JSON.stringify(values);
  if (text.length > limit) return false;
  try {
    if (values.length > 0) sessionStorage.setItem(item, text);
    else sessionStorage.removeItem(item);
    return true;
  } catch {
    return false;
  }
}
