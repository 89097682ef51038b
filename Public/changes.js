/**
 * What an event has changed in the document: what comes after a patch looks there alone, so that its
 * work follows the patch and not the length of the page.
 */

/** Rows and regions that a patch has changed or brought. */
export class Changes {
  #rows = new Set();
  #regions = new Map(); // region: its own elements, once somebody has asked

  /** A row, with all that is in it. */
  addRow(row) {
    this.#rows.add(row);
  }

  /** A region, but for nested regions and, unless they came with it, the rows of its lists. */
  addRegion(region, { withRows }) {
    this.#regions.set(region, { withRows, elements: null });
  }

  /** The elements that match, and are still there. */
  *matching(selector) {
    for (const row of this.#rows) {
      if (!row.isConnected) continue;
      if (row.matches(selector)) yield row;
      yield* row.querySelectorAll(selector);
    }
    for (const [region, changed] of this.#regions) {
      changed.elements ??= ownElements(region, changed);
      for (const element of changed.elements) {
        if (element.isConnected && element.matches(selector)) yield element;
      }
    }
  }

  /** The elements that match around what has changed. */
  *around(selector) {
    for (const root of [...this.#rows, ...this.#regions.keys()]) {
      const element = root.parentElement?.closest(selector);
      if (element) yield element;
    }
  }
}

/** For a page that was just loaded. */
export const everything = {
  matching: (selector) => document.querySelectorAll(selector),
  around: () => [],
};

/** Nothing but what depends on the URL, say. */
export const nothing = new Changes();

/** The elements in a region, but for what is in nested regions and, without `withRows`, in lists. */
export function ownElements(region, { withRows }) {
  const elements = [];
  const collect = (parent) => {
    for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
      elements.push(child);
      const isClosed = child.hasAttribute(withRows ? "data-region" : "data-list");
      if (!isClosed && !child.hasAttribute("data-region")) collect(child);
    }
  };
  collect(region);
  return elements;
}
