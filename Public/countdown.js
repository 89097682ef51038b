/**
 * Keeps `<time datetime data-countdown>` up to date: its text is the time that is left by the clock of
 * the browser, such as 4:05 or 1:00:00, and its title is what the server wrote.
 */
import { everything } from "./changes.js";

/** The text that this module wrote, to distinguish it from text that a patch has written since. */
const written = new WeakMap();
let timer;

/** Shows the time now, and then each second for as long as there is such an element. */
export function start() {
  document.addEventListener("visibilitychange", () => document.hidden || follow());
}

/** Call it after each patch. */
export function follow(changes = everything) {
  let isShown = false;
  for (const element of changes.matching("time[datetime][data-countdown]")) {
    show(element);
    isShown = true;
  }
  if (isShown) timer ??= setInterval(tick, 1000);
}

function tick() {
  if (document.hidden) return;
  const elements = document.querySelectorAll("time[datetime][data-countdown]");
  elements.forEach(show);
  if (elements.length === 0) timer = clearInterval(timer);
}

function show(element) {
  const left = Date.parse(element.dateTime) - Date.now();
  if (Number.isNaN(left)) return;
  if (element.textContent !== written.get(element)) element.title = element.textContent;
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  const text = [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
  if (element.textContent !== text) element.textContent = text;
  written.set(element, text);
}
