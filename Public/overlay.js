/**
 * The overlay: attributes of rows that depend on this window's local state, while the rows' HTML
 * is shared by all windows.
 *
 * It is lifted before patches, which thus see rows as the server sent them, and laid again after
 * them; rows that are new get theirs too.
 */

/** @type {Object<string, Object<string, Object<string, string>>>} list, key, attribute, value */
let standing = {};
/** What each attribute was before: [row, attribute, value or null]. */
let covered = [];

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

/** Replaces the overlay. */
export function lay(overlay = {}) {
  lift();
  standing = overlay;
  for (const [list, rows] of Object.entries(overlay)) {
    for (const [key, attributes] of Object.entries(rows)) {
      const selector = `[data-list="${CSS.escape(list)}"] > [data-key="${CSS.escape(key)}"]`;
      for (const row of document.querySelectorAll(selector)) cover(row, attributes);
    }
  }
}

function cover(row, attributes) {
  for (const [attribute, value] of Object.entries(attributes)) {
    covered.push([row, attribute, row.getAttribute(attribute)]);
    row.setAttribute(attribute, value);
  }
}

adopt();
