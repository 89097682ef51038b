/** What forms need in which users write something. */
import { disableIncomplete } from "./complete.js";
import "./pasted.js";
import { resetForms } from "./reset.js";
import { tellFields } from "./tells.js";
import { restoreUnsaved } from "./unsaved.js";
import { upload } from "./uploads.js";

export { disableIncomplete, upload };

/** @param {{tab: import("./tab.js").Tab, links: import("./links.js").Links}} page */
export function start({ tab, links }) {
  resetForms(tab);
  tellFields(links);
}

/** Call it after each patch. */
export function follow(changes) {
  restoreUnsaved(changes);
  disableIncomplete(changes);
}
