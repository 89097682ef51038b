/**
 * The entry module of a tab. It makes a page live; the page also works without it. It connects the
 * modules and has no logic of its own. Components' modules import everything from this module,
 * because the server bundles all modules into it.
 *
 * The page states the server's URLs: `<html data-stream data-windows data-worker>`. With
 * `data-silence-seconds`, it can set the time after which a silent stream counts as dead (40 s by
 * default; it must exceed the server's heartbeat).
 *
 * `<html data-live>` is present while the page shows the newest content for its URL.
 */
import { disableIncomplete } from "./complete.js";
import { everything } from "./changes.js";
import { showConnection } from "./connection.js";
import { showDialogs } from "./dialogs.js";
import { takeDrafts } from "./drafts.js";
import { keepDay, tellEnvironment } from "./environment.js";
import { initial, isDirty, show } from "./fields.js";
import { Forms } from "./forms.js";
import "./keys.js";
import { fill } from "./late.js";
import { Links } from "./links.js";
import { showLife } from "./live.js";
import { LocalForms } from "./local.js";
import "./menus.js";
import { revealSelection } from "./reveal.js";
import { rove } from "./roving.js";
import { Tab } from "./tab.js";
import { tellFields } from "./tells.js";
import { keepTimes, refreshTimes } from "./times.js";
import { showToasts } from "./toast.js";
import { keepTops } from "./tops.js";
import { restoreUnsaved } from "./unsaved.js";

const SILENCE = 40;

const page = document.documentElement;
const absolute = (url) => new URL(url, location.href).href; // the worker has another base

export const tab = new Tab({
  stream: absolute(page.dataset.stream),
  windows: absolute(page.dataset.windows),
  worker: absolute(page.dataset.worker),
  silence: 1000 * (Number(page.dataset.silenceSeconds) || SILENCE),
});
export const links = new Links(tab);
export { disableIncomplete, everything, initial, isDirty, show };
const forms = new Forms(tab, links);
new LocalForms(links);
tellFields(links);

// Fills in the parts that patches do not contain. The order matters: error messages go next to
// fields that are already filled in.
tab.addEventListener("patched", ({ detail: changes }) => {
  fill({ changes });
  restoreUnsaved(changes);
  disableIncomplete(changes);
  forms.refresh();
  refreshTimes(changes);
  showDialogs(changes);
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
showLife(tab, forms);
showToasts(tab);
forms.resend();
keepDay(tab);
tab.connect();
