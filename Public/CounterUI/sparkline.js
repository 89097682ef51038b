/**
 * Draws what this tab has seen of the number in the last minute. The server sends nothing for it: a value has no
 * time there, and a picture that moves by itself is no change of state. A reload keeps it.
 */

import { tab } from "../window.js";

const SPAN = 60_000; // milliseconds
/** The most changes that are kept: more could not be told apart. */
const LIMIT = 600;
const KEY = "counter-sparkline";
const [WIDTH, HEIGHT, EDGE] = [240, 47, 6];

/** When the number became what: times in milliseconds since 1970, oldest first. */
let changes = kept();
let timer = null;

tab.addEventListener("patched", () => {
  see();
  draw();
});
document.addEventListener("visibilitychange", draw);
addEventListener("pagehide", keep);
see();
draw();

function see() {
  const text = document.querySelector(".counter .number")?.textContent ?? "-";
  const number = Number(text.replace("\u2212", "-"));
  if (!Number.isFinite(number) || changes.at(-1)?.number === number) return;
  changes.push({ at: Date.now(), number });
  if (changes.length > LIMIT) changes.shift();
}

/** Draws it, and again each second while there is something to see. */
function draw() {
  clearTimeout(timer);
  const start = Date.now() - SPAN;
  // The last of the older ones is what the number was when the minute began.
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

/** Steps: a number is what it is until it is another. */
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
  try {
    const value = JSON.parse(sessionStorage.getItem(KEY)) ?? [];
    return value.filter(({ at, number }) => Number.isFinite(at) && Number.isFinite(number)).slice(-LIMIT);
  } catch {
    return []; // there is no storage, or something else is in it
  }
}

function keep() {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(changes));
  } catch {
    // Without storage a reload begins anew.
  }
}
