/**
 * Keeps `<time datetime data-relative>` true as time passes: its text says how long ago, its title when
 * that was in the time zone of the window.
 */
import { everything } from "./changes.js";

const INTERVAL = 30_000;
const UNITS = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const language = document.documentElement.lang || undefined;
const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const absolute = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" });

/** Starts; afterwards `refreshTimes` is for what patches bring. */
export function keepTimes() {
  refreshTimes();
  setInterval(() => document.hidden || refreshTimes(), INTERVAL);
  document.addEventListener("visibilitychange", () => document.hidden || refreshTimes());
}

/** Those that have changed; without changes all. */
export function refreshTimes(changes = everything) {
  const now = Date.now();
  for (const element of changes.matching("time[datetime][data-relative]")) {
    const then = Date.parse(element.dateTime);
    if (Number.isNaN(then)) continue;
    const title = absolute.format(then);
    if (element.title !== title) element.title = title;
    const text = relative((then - now) / 1000);
    if (element.textContent !== text) element.textContent = text;
  }
}

function relative(seconds) {
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", Infinity];
  return format.format(Math.trunc(seconds / size) || 0, unit);
}
