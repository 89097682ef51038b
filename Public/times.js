/**
 * Keeps `<time datetime data-relative>` true as time passes: its text says how long ago, its title
 * the absolute time, which is what the server wrote.
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

const format = new Intl.RelativeTimeFormat(document.documentElement.lang || undefined, {
  numeric: "auto",
});
/** What this module wrote, to tell it from what a patch has written since. */
const written = new WeakMap();

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
    const absolute = element.textContent === written.get(element) ? null : element.textContent;
    if (absolute !== null || !element.title) element.title = absolute ?? element.dateTime;
    const text = relative((then - now) / 1000);
    if (element.textContent !== text) element.textContent = text;
    written.set(element, text);
  }
}

function relative(seconds) {
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", Infinity];
  return format.format(Math.trunc(seconds / size) || 0, unit);
}
