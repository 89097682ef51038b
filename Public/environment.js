/**
 * Tells the server about the window's environment. Its time zone is sent in a cookie, so that
 * "today" is the window's today. When a new day begins there, the window asks the server again.
 */
const YEAR = 365 * 24 * 60 * 60; // seconds

/** Call it before the window joins. */
export function tellEnvironment() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone) return;
  const value = encodeURIComponent(timeZone);
  document.cookie = `zone=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}

/**
 * Requests the window's content again once a new day has begun, so that a window that is left open
 * changes to the new day.
 * @param {import("./tab.js").Tab} tab
 */
export function keepDay(tab) {
  let day = new Date().toDateString();
  let timer;

  function check() {
    const now = new Date();
    if (now.toDateString() !== day) tab.move();
    day = now.toDateString();
    const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 0, 0, 1);
    clearTimeout(timer);
    timer = setTimeout(check, next - now);
  }

  check();
  // Timers do not run while the computer sleeps.
  document.addEventListener("visibilitychange", check);
}
