/**
 * Keeps `<time datetime data-relative>` up to date: its text is the relative time, and its title is
 * the absolute time that the server wrote, in the window's time zone if that is in UTC.
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
/** In numbers: after 24 hours it may have been yesterday or the day before. */
const format = new Intl.RelativeTimeFormat(language);
const now = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(0, "second");
const absolute = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" });

/** The text that this module wrote, to distinguish it from text that a patch has written since. */
const written = new WeakMap();

/** Starts. After patches, call `refreshTimes` with the changes. */
export function keepTimes() {
  refreshTimes();
  setInterval(() => document.hidden || refreshTimes(), INTERVAL);
  document.addEventListener("visibilitychange", () => document.hidden || refreshTimes());
}

/** Updates the times that have changed, or all of them if no changes are given. */
export function refreshTimes(changes = everything) {
  for (const element of changes.matching("time[datetime][data-relative]")) {
    const then = Date.parse(element.dateTime);
    if (Number.isNaN(then)) continue;
    if (element.textContent !== written.get(element)) {
      const { textContent } = element;
      element.title = /\b(UTC|GMT)$/.test(textContent) ? absolute.format(then) : textContent;
    }
    const text = relative((then - Date.now()) / 1000);
    if (element.textContent !== text) element.textContent = text;
    written.set(element, text);
  }
}

function relative(seconds) {
  const found = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return found ? format.format(Math.trunc(seconds / found[1]), found[0]) : now;
}
