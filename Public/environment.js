/**
 * Tells the server about the window's environment: sends its time zone in a cookie, so that "today" is
 * the window's today, and asks again when another day has begun there.
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
 * Asks the server again what the window shows once another day has begun, so that a window that is left
 * open goes on to the new day.
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
  // A timer does not count while the computer sleeps.
  document.addEventListener("visibilitychange", check);
}
