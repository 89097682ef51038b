/**
 * Row operations of a list, which is an element whose children are rows with keys.
 */
import { arrange } from "./arrange.js";
import { applyEdits } from "./edits.js";
import { rowsOf } from "./lookup.js";
import { morphRow, parse } from "./morph.js";

/**
 * Applies operations in order. Throws if one does not fit.
 * @param {Element} list
 * @param {Array[]} operations see `docs/PROTOCOL.md`, Events
 * @param {import("./changes.js").Changes} changes receives the rows that are changed or new
 * Complexity: O(operations), except for the first time, which is O(rows), an `order`, which is
 * O(rows log rows), and a `move` of the row that has the focus.
 */
export function applyRows(list, operations, changes) {
  const rows = rowsOf(list);

  const existing = (key) => {
    const row = rows.get(String(key));
    if (!row) throw new Error(`The list ${list.dataset.list} has no row ${key}.`);
    return row;
  };

  const apply = {
    set(key, html) {
      const row = morphRow(existing(key), parseRow(html, list));
      rows.set(String(key), row);
      changes.addRow(row);
    },
    edit(key, edits) {
      const row = existing(key);
      applyEdits(row, edits);
      changes.addRow(row);
    },
    put(key, html, before) {
      if (rows.has(String(key))) throw new Error(`The list has a row ${key} already.`);
      const row = parseRow(html, list);
      list.insertBefore(row, before === null ? null : existing(before));
      rows.set(String(key), row);
      changes.addRow(row);
    },
    cut(key) {
      existing(key).remove();
      rows.delete(String(key));
    },
    move(key, before) {
      const row = existing(key);
      const next = before === null ? null : existing(before);
      if (row.contains(document.activeElement)) {
        // A focused row stays attached; the others move around it.
        const others = [...list.children].filter((other) => other !== row);
        others.splice(next === null ? others.length : others.indexOf(next), 0, row);
        arrange(list, others);
      } else {
        list.insertBefore(row, next);
      }
    },
    order(keys) {
      if (keys.length !== rows.size) throw new Error("The order is not that of all rows.");
      arrange(list, keys.map(existing));
    },
  };

  for (const [operation, ...rest] of operations) {
    if (!Object.hasOwn(apply, operation)) throw new Error(`What is the operation ${operation}?`);
    apply[operation](...rest);
  }
}

function parseRow(html, list) {
  const row = parse(html, list).firstElementChild;
  if (!row) throw new Error("A row must be an element.");
  return row;
}
