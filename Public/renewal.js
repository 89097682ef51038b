/**
 * Reloads a page that is outdated: it has styles and scripts of another release, or its scripts cannot
 * apply a patch.
 *
 * The reload waits while it would lose what is entered. While servers of two releases answer in turn,
 * the next page may be outdated too. So each reload within an hour doubles the wait before the next.
 */
import { isComposing } from "./composition.js";
import { isDirty } from "./fields.js";
import { isFramed, load, save } from "./session.js";

/** The first wait, in milliseconds. */
const WAIT = 5000;
const HOUR = 3_600_000;
const ITEM = "reloads";
const REASON =
  "This page is out of date and reloads soon. If you have entered a file or a password, it waits until that is sent.";

let timer;

/**
 * Call it with each `outdated` event of the tab. Its detail is whether the scripts cannot apply a patch.
 */
export function renew(event) {
  const { target: tab, detail: isStuck } = event;
  if (isStuck) tab.refuse({ reason: REASON });
  const earlier = load(ITEM, (time) => Date.now() - time < HOUR);
  const reload = () => {
    if (!isOutdated(tab) || isEntering()) return false;
    if (!isFramed) save(ITEM, [...earlier, Date.now()]);
    location.reload();
    return true;
  };
  timer ??= setTimeout(async () => {
    if (await tab.reload(reload)) return;
    timer = undefined;
    if (isOutdated(tab)) renew(event);
  }, WAIT * 2 ** earlier.length);
}

/** Without a connection, a reload would lose the page. When it is back, the tab is told again. */
function isOutdated(tab) {
  return tab.isOutdated && tab.connected;
}

/** Whether something is entered that neither the tab nor the browser would keep. */
function isEntering() {
  if (isComposing(document.activeElement)) return true;
  const fields = [...document.querySelectorAll("[type=file], [type=password]")];
  return fields.some((field) => (field.type === "file" ? field.value !== "" : isDirty(field)));
}
