/**
 * The overlay: attributes of rows that depend on this window's local state, while the rows' HTML
 * is shared by all windows.
 *
 * It is lifted before patches, which thus see rows as the server sent them, and laid again after
 * them; rows that are new get theirs too.
 */

import { rowsOf } from "./lookup.js";

/** @type {Object<string, Object<string, Object<string, string>>>} list, key, attribute, value */
let standing = {};
/** What each attribute was before: [row, attribute, value or null]. */
let covered = [];
/** The lists that the overlay is for, by name. */
const lists = new Map();

/** Takes what the server has written into the rows of a page for what it is, before the first patch. */
function adopt() {
  for (const row of document.querySelectorAll("[data-overlay]")) {
    const attributes = row.getAttribute("data-overlay").split(" ");
    covered.push(...attributes.map((attribute) => [row, attribute, null]));
    row.removeAttribute("data-overlay");
  }
}

/** Takes the overlay off its rows, and answers it. */
export function lift() {
  for (const [row, attribute, value] of covered) {
    if (value === null) row.removeAttribute(attribute);
    else row.setAttribute(attribute, value);
  }
  covered = [];
  return standing;
}

/**
 * Lays an overlay: a new one, or again the one that was lifted.
 * @param {Object<string, Object<string, Object<string, string>>>} overlay
 * @param {import("./changes.js").Changes} changes what was patched since, and takes note of the rows
 */
export function lay(overlay, changes) {
  lift();
  if (overlay !== standing) lists.clear();
  standing = overlay;
  for (const [name, rows] of Object.entries(overlay)) {
    for (const list of listsNamed(name, changes)) {
      for (const [key, attributes] of Object.entries(rows)) {
        const row = rowsOf(list).get(key);
        if (!row) continue;
        cover(row, attributes);
        changes.addRow(row);
      }
    }
  }
}

/** Known ones that are still there, and those that a patch has brought. */
function listsNamed(name, changes) {
  const selector = `[data-list="${CSS.escape(name)}"]`;
  const all = lists.get(name) ?? document.querySelectorAll(selector);
  const present = new Set([...all, ...changes.matching(selector)].filter((list) => list.isConnected));
  lists.set(name, present);
  return present;
}

function cover(row, attributes) {
  for (const [attribute, value] of Object.entries(attributes)) {
    covered.push([row, attribute, row.getAttribute(attribute)]);
    row.setAttribute(attribute, value);
  }
}

adopt();
