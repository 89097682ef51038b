import { tellEnvironment } from "./environment.js";

/**
 * When a window asks, in minutes after midnight. For the server it may still be yesterday at first,
 * because the browser's clock may be ahead.
 */
const TIMES = [0, 1, 5, 15, 24 * 60];

/**
 * Requests the window's content again once a new day has begun, or the time zone has changed, so that
 * a window that is left open changes to the new day.
 * @param {import("./tab.js").Tab} tab
 */
export function keepDay(tab) {
  let due;
  let timer;
  let zone = tellEnvironment();

  function check() {
    const now = new Date();
    const before = zone;
    zone = tellEnvironment();
    if (now >= due || zone !== before) tab.move();
    const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
    due = TIMES.map((minute) => new Date(year, month, day, 0, minute, 1)).find((at) => at > now);
    clearTimeout(timer);
    timer = setTimeout(check, due - now);
  }

  check();
  // Timers do not run while the computer sleeps.
  document.addEventListener("visibilitychange", check);
}
