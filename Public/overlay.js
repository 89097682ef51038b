/**
 * The overlay: row attributes that depend on this window's local state, while all windows share the
 * rows' HTML.
 *
 * It is removed before patches, so that they see rows as the server sent them, and applied again
 * afterwards, also to new rows.
 */

import { rowsOf } from "./lookup.js";

/** @type {Object<string, Object<string, Object<string, string>>>} list, key, attribute, value */
let standing = {};
/** The value that each attribute had before: [row, attribute, value or null]. */
let covered = [];
/** The lists that the overlay applies to, by name. Bounded by the lists that it names. */
const lists = new Map();

/**
 * Before the first patch, recognizes the attributes that the server has written into the page's
 * rows.
 */
function adopt() {
  for (const row of document.querySelectorAll("[data-overlay]")) {
    const attributes = row.getAttribute("data-overlay").split(" ");
    covered.push(...attributes.map((attribute) => [row, attribute, null]));
    row.removeAttribute("data-overlay");
  }
}

/** Removes the overlay from its rows, and returns it. */
export function lift() {
  for (const [row, attribute, value] of covered) {
    if (value === null) row.removeAttribute(attribute);
    else row.setAttribute(attribute, value);
  }
  covered = [];
  return standing;
}

/**
 * Applies an overlay: a new one, or the one that was removed.
 * @param {Object<string, Object<string, Object<string, string>>>} overlay
 * @param {import("./changes.js").Changes} changes the patches since then; receives the rows of a new one
 */
export function lay(overlay, changes) {
  lift();
  const isNew = overlay !== standing;
  if (isNew) lists.clear();
  standing = overlay;
  for (const [name, rows] of Object.entries(overlay)) {
    for (const list of listsNamed(name, changes)) {
      for (const [key, attributes] of Object.entries(rows)) {
        const row = rowsOf(list).get(key);
        if (!row) continue;
        cover(row, attributes);
        if (isNew) changes.addRow(row);
      }
    }
  }
}

/** The known lists that still exist, and those that a patch has inserted. */
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
