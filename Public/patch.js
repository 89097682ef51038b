/**
 * Applies the patches of one event to the document. (`docs/PROTOCOL.md`, Events)
 *
 * It is synchronous; it throws when a patch does not fit what the document holds, and then the
 * document is partly patched and its tags are not to be trusted.
 */
import { keepingFocus } from "./focus.js";
import { applyRows } from "./list.js";
import { morphRegion, parse } from "./morph.js";

/** @param {object[]} patches parents before the regions nested in them */
export function applyPatches(patches) {
  keepingFocus(() => patches.forEach(applyPatch));
}

function applyPatch({ region: name, tag, html, frame, lists = {} }) {
  const region = document.querySelector(`[data-region="${CSS.escape(name)}"]`);
  if (!region) throw new Error(`There is no region ${name}.`);
  if (html !== undefined) morphRegion(region, parse(html, region), { withRows: true });
  else if (frame !== undefined) morphRegion(region, parse(frame, region), { withRows: false });
  for (const [list, operations] of Object.entries(lists)) {
    applyRows(listIn(region, list), operations);
  }
  region.setAttribute("data-tag", tag);
}

function listIn(region, name) {
  const lists = region.querySelectorAll(`[data-list="${CSS.escape(name)}"]`);
  const list = [...lists].find((list) => list.closest("[data-region]") === region);
  if (!list) throw new Error(`There is no list ${name} in the region ${region.dataset.region}.`);
  return list;
}
