/**
 * The parts of the document that an event has changed. Work that follows a patch looks only there,
 * so its cost depends on the patch, not on the length of the page.
 */

/** Rows and regions that a patch has changed or inserted. */
export class Changes {
  #rows = new Set();
  #regions = new Map(); // region: its own elements, computed on demand

  /** Adds a row with everything in it. */
  addRow(row) {
    this.#rows.add(row);
  }

  /**
   * Adds a region, without nested regions and, unless `withRows`, without the rows of its lists.
   */
  addRegion(region, { withRows }) {
    this.#regions.set(region, { withRows, elements: null });
  }

  /** The rows that still exist. */
  get rows() {
    return [...this.#rows].filter((row) => row.isConnected);
  }

  /** The matching elements that still exist. */
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

  /** The closest matching ancestors of the changes. */
  *around(selector) {
    for (const root of [...this.#rows, ...this.#regions.keys()]) {
      const element = root.parentElement?.closest(selector);
      if (element) yield element;
    }
  }
}

/** For a page that has just been loaded. */
export const everything = {
  matching: (selector) => document.querySelectorAll(selector),
  around: () => [],
};

/** No changes, for example if only the URL has changed. */
export const nothing = new Changes();

/** The elements of a region, without those in nested regions and, unless `withRows`, in lists. */
export function ownElements(region, { withRows }) {
  const elements = [];
  const closed = withRows ? "[data-region]" : "[data-region], [data-list]";
  const collect = (parent) => {
    for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
      elements.push(child);
      if (!child.matches(closed)) collect(child);
    }
  };
  collect(region);
  return elements;
}
