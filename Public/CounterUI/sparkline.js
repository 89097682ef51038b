/**
 * Draws the values that this tab has seen in the last minute. The server sends nothing for it,
 * because its state has no times, and a chart that moves over time is not a change of state. A
 * reload keeps the chart.
 */

import { load, save, tab } from "../window.js";

const SPAN = 60_000; // milliseconds
/** The most changes that are kept. More could not be told apart in the chart. */
const LIMIT = 600;
const KEY = "counter-sparkline";
const [WIDTH, HEIGHT, EDGE] = [240, 47, 6];

/** The changes, oldest first, with their times in milliseconds since 1970. */
let changes = kept();
let timer = null;

tab.addEventListener("patched", draw);
document.addEventListener("visibilitychange", draw);
addEventListener("pagehide", () => save(KEY, changes));
draw();

function see(now) {
  changes = changes.filter(({ at }) => at <= now); // the clock may have been set back
  const text = document.querySelector(".counter .number")?.textContent ?? "-";
  const number = Number(text.replace("\u2212", "-"));
  if (!Number.isFinite(number) || changes.at(-1)?.number === number) return;
  changes.push({ at: now, number });
  if (changes.length > LIMIT) changes.shift();
}

/** Draws the chart, and again each second while there is something to see. */
function draw() {
  clearTimeout(timer);
  const now = Date.now();
  see(now);
  const start = now - SPAN;
  // The last of the older changes gives the value at the start of the minute.
  while (changes.length > 1 && changes[1].at <= start) changes.shift();
  const picture = document.querySelector(".sparkline");
  if (!picture) return;
  picture.toggleAttribute("data-flat", changes.length < 2);
  if (changes.length < 2 || document.hidden) return;
  const line = points(start);
  picture.querySelector("polyline").setAttribute("points", line.map((point) => point.join()).join(" "));
  const [x, y] = line.at(-1);
  const end = picture.querySelector("circle");
  end.setAttribute("cx", x);
  end.setAttribute("cy", y);
  timer = setTimeout(draw, 1000);
}

/** The line has steps, because the number keeps its value until it changes. */
function points(start) {
  const numbers = changes.map(({ number }) => number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (at) => (Math.max(at - start, 0) / SPAN) * (WIDTH - EDGE);
  const y = (number) => HEIGHT - EDGE - ((number - least) / (most - least)) * (HEIGHT - 2 * EDGE);
  const steps = changes.flatMap(({ at, number }, index) => {
    const before = changes[index - 1];
    return before ? [[x(at), y(before.number)], [x(at), y(number)]] : [[x(at), y(number)]];
  });
  return [...steps, [WIDTH - EDGE, y(numbers.at(-1))]].map((point) => point.map((value) => value.toFixed(1)));
}

function kept() {
  return load(KEY, ({ at, number }) => Number.isFinite(at) && Number.isFinite(number));
}
