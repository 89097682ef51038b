/**
 * Tells the server about the window's environment. Its time zone is sent in a cookie, so that
 * "today" is the window's today.
 */
const YEAR = 365 * 24 * 60 * 60; // seconds

/**
 * Call it before the window joins, and when the time zone may have changed.
 * @returns {string | undefined} the time zone
 */
export function tellEnvironment() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (timeZone) {
    document.cookie = `zone=${encodeURIComponent(timeZone)}; path=/; max-age=${YEAR}; samesite=lax`;
  }
  return timeZone;
}
