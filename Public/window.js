/**
 * The entry module of a tab: makes a page, which works without it, live. It wires the modules
 * together and holds nothing itself. Modules that components bring import `tab` and `links` from it.
 *
 * The page says where the server is: `<html data-stream data-windows data-worker>`; and may say in
 * `data-silence-seconds` what counts as dead (40, which must exceed the server's heartbeat).
 *
 * `<html data-live>` is there while the page shows what the server last said of its URL.
 */
import { disableIncomplete } from "./complete.js";
import { showConnection } from "./connection.js";
import { showDialogs } from "./dialogs.js";
import { takeDrafts } from "./drafts.js";
import { keepDay, tellEnvironment } from "./environment.js";
import { Forms } from "./forms.js";
import { fill } from "./late.js";
import { Links } from "./links.js";
import { LocalForms } from "./local.js";
import "./menus.js";
import { revealSelection } from "./reveal.js";
import { rove } from "./roving.js";
import { Tab } from "./tab.js";
import { keepTimes, refreshTimes } from "./times.js";
import { keepTops } from "./tops.js";
import { restoreUnsaved } from "./unsaved.js";

const SILENCE = 40;

const page = document.documentElement;
const absolute = (url) => new URL(url, location.href).href; // the worker's base is another

export const tab = new Tab({
  stream: absolute(page.dataset.stream),
  windows: absolute(page.dataset.windows),
  worker: absolute(page.dataset.worker),
  silence: 1000 * (Number(page.dataset.silenceSeconds) || SILENCE),
});
export const links = new Links(tab);
const forms = new Forms(tab, links);
new LocalForms(links);

// What patches do not hold. In this order: the messages of forms go beside fields that are filled.
tab.addEventListener("patched", ({ detail: changes }) => {
  fill({ changes });
  restoreUnsaved(changes);
  disableIncomplete(changes);
  forms.refresh();
  refreshTimes(changes);
  showDialogs(changes, () => links.leaveSheet());
  keepTops(changes);
  revealSelection(changes);
  rove(changes);
});

const follow = () => page.toggleAttribute("data-live", tab.isCurrent);
for (const name of ["moving", "shown", "status"]) tab.addEventListener(name, follow);

tellEnvironment();
takeDrafts();
fill();
restoreUnsaved();
disableIncomplete();
keepTimes();
showDialogs();
keepTops();
revealSelection();
rove();
showConnection(tab);
keepDay(tab);
tab.connect();
