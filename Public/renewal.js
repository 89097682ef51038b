/**
 * Reloads a page that is outdated: it has styles and scripts of another release, or its scripts cannot
 * apply a patch.
 *
 * The reload waits while it would lose what is entered. While servers of two releases answer in turn,
 * the next page may be outdated too. So each reload within an hour doubles the wait before the next.
 */
import { isFramed, load, save } from "./session.js";

/** The first wait, in milliseconds. */
const WAIT = 5000;
const HOUR = 3_600_000;
const ITEM = "reloads";
const REASON =
  "This page is out of date and reloads soon. If you have entered a file or a password, it waits until that is sent.";

let timer;
let isComposing = false;
document.addEventListener("compositionstart", () => (isComposing = true));
document.addEventListener("compositionend", () => (isComposing = false));

/**
 * Call it whenever the tab turns out to be outdated.
 * @param {import("./tab.js").Tab} tab
 */
export function renew(tab) {
  if (!tab.isShown) tab.refuse({ reason: REASON }); // it applies no patches
  const earlier = load(ITEM, (time) => Date.now() - time < HOUR);
  timer ??= setTimeout(() => {
    if (tab.isOutdated && !isEntering()) {
      if (!isFramed) save(ITEM, [...earlier, Date.now()]);
      return tab.reload();
    }
    timer = undefined;
    if (tab.isOutdated) renew(tab);
  }, WAIT * 2 ** earlier.length);
}

/** Whether something is entered that neither the tab nor the browser would keep. */
function isEntering() {
  const fields = document.querySelectorAll("[type=file], [type=password]");
  return isComposing || [...fields].some(({ value }) => value !== "");
}
