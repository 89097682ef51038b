/** What the page of Animals needs from its start. The rest is loaded when it is needed. */
import { tab } from "../window.js";

const narrow = matchMedia("(max-width: 44rem)");
const panes = () => narrow.matches && import("./panes.js");
narrow.addEventListener("change", panes);
panes();

// Once the page is live, because nobody needs it before. If it cannot be loaded, it is tried again.
const rows = () => {
  Promise.all([import("./rows.js"), import("./categories.js")]).catch(() => {});
};
if (tab.isShown) rows();
tab.addEventListener("shown", rows);

/** The second click on × would delete the next row. */
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.(".rows .delete")) event.preventDefault();
}, true);
