/** What pages with lists need: searches, menus, times, and rows that are selected. */
import { LocalForms } from "./local.js";
import "./menus.js";
import { revealSelection } from "./reveal.js";
import { rove } from "./roving.js";
import { keepTimes, refreshTimes } from "./times.js";
import { keepTops } from "./tops.js";

let isBack = false;

/** @param {{tab: import("./tab.js").Tab, links: import("./links.js").Links}} page */
export function start({ tab, links }) {
  new LocalForms(links);
  tab.addEventListener("moving", () => (isBack = links.isReturning));
  keepTimes();
}

/** Call it after each patch. Lists go to their tops before a selected row is scrolled into view. */
export function follow(changes) {
  refreshTimes(changes);
  keepTops(changes, isBack);
  revealSelection(changes);
  rove(changes);
}
