/**
 * Applies the patches of one event to the document. (`docs/PROTOCOL.md`, Events)
 *
 * It is synchronous. It throws if a patch does not fit the document. The document is then partly
 * patched, and its tags must not be trusted.
 */
import { Changes } from "./changes.js";
import { applyEdits } from "./edits.js";
import { keepingFocus } from "./focus.js";
import { applyRows } from "./list.js";
import { allRegions, listIn, regionNamed } from "./lookup.js";
import { morphRegion, parse } from "./morph.js";

/**
 * @param {any[][]} patches parents before the regions nested in them
 * @returns {Changes} the changes that they have made
 */
export function applyPatches(patches) {
  const changes = new Changes();
  const regions = allRegions();
  keepingFocus(() => patches.forEach((patch) => applyPatch(patch, regions, changes)));
  return changes;
}

function applyPatch([name, tag, content, lists], regions, changes) {
  const region = regionNamed(name);
  if (!region) throw new Error(`There is no region ${name}.`);
  const withRows = lists === undefined && typeof content === "string";
  if (typeof content === "string") morphRegion(region, parse(content, region), { withRows, regions });
  else if (content) applyEdits(region, content);
  if (content !== null) changes.addRegion(region, { withRows });
  for (const [key, operations] of Object.entries(lists ?? {})) {
    const list = listIn(region, key);
    if (!list) throw new Error(`There is no list ${key} in ${name}.`);
    applyRows(list, operations, changes);
  }
  region.setAttribute("data-tag", tag);
}
