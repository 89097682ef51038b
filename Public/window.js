/**
 * The entry module of a tab. It makes a page live; the page also works without it. It connects the
 * modules and has no logic of its own. Components' modules import everything from this module,
 * because the server bundles all modules into it.
 *
 * The page states the server's URLs: `<html data-stream data-windows data-worker>`. With
 * `data-silence-seconds`, it can set the time after which a silent stream counts as dead (40 s by
 * default; it must exceed the server's heartbeat).
 *
 * `<html data-live>` is present while the page shows the newest content for its URL, and all that it
 * needs is loaded. What it does not need yet is loaded after that.
 */
import { everything } from "./changes.js";
import { complain } from "./assets.js";
import { showConnection } from "./connection.js";
import { showDialogs } from "./dialogs.js";
import { takeDrafts } from "./drafts.js";
import { tellEnvironment } from "./environment.js";
import { initial, isDirty, show } from "./fields.js";
import { Features } from "./features.js";
import { Forms } from "./forms.js";
import { loadKeys } from "./keys.js";
import { fill } from "./late.js";
import { hasModifier, Links } from "./links.js";
import { showLife } from "./live.js";
import { load, save } from "./session.js";
import { Tab } from "./tab.js";

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
export { everything, hasModifier, initial, isDirty, load, save, show };
const forms = new Forms(tab, links);
const features = new Features({ tab, links }, complain);

// Fills in the parts that patches do not contain. The order matters: error messages go next to
// fields that are already filled in.
tab.addEventListener("patched", ({ detail: changes }) => {
  fill({ changes });
  features.follow(changes);
  forms.refresh();
  showDialogs(changes);
});

let toasts = null;

/** Rare, so their module is loaded after all others, or with the first one. */
const loadToasts = () => import("./toast.js");

function showToast(content) {
  toasts ??= loadToasts().then(({ showToasts }) => showToasts(tab));
  return toasts.then((show) => show(content)).catch(() => {
    toasts = null;
    return complain();
  });
}

tab.addEventListener("toast", ({ detail }) => showToast(detail));
document.addEventListener("accepted", ({ detail }) => showToast(detail)); // its toast may come later

const loadTransitions = () => import("./transitions.js").then(({ start }) => start(tab));

const loadRenewal = () => import("./renewal.js");

tab.addEventListener("outdated", (event) => loadRenewal().then(({ renew }) => renew(event), complain));

let day = null;

/** Tries again whenever the page is live again, until it is there. */
function loadDay() {
  day ??= import("./day.js").then(({ keepDay }) => keepDay(tab)).catch(() => (day = null));
}

function hasToast() {
  return document.querySelector("#toast:not([hidden])") || load("toasts").length > 0;
}

let isComplete = false;
let hasRest = false;

function follow() {
  const isLive = tab.isCurrent && isComplete;
  page.toggleAttribute("data-live", isLive);
  if (!isLive) return;
  loadDay();
  if (hasRest) return;
  hasRest = true;
  features.loadRest();
  for (const start of [loadToasts, loadKeys, loadTransitions, loadRenewal]) start().catch(() => {});
}

for (const name of ["moving", "shown", "status"]) tab.addEventListener(name, follow);

tellEnvironment();
takeDrafts();
fill();
showDialogs();
showConnection(tab);
showLife(tab, forms);
forms.resend();
tab.connect();

Promise.all([features.follow(everything), hasToast() ? showToast() : null]).then(() => {
  isComplete = true;
  follow();
});
