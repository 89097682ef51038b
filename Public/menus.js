/**
 * Makes `details.menu` work like a menu: it closes after a choice, on Escape, and when the user
 * clicks or focuses something else. Arrows, Home and End go from item to item; an arrow on a closed
 * menu opens it.
 */
import { hasModifier } from "./links.js";

const OPEN = "details.menu[open]";
const ITEM = ":is(a[href], button:not(:disabled))";
/** The next item for each key, given the index of the focused item (-1: the summary) and the count. */
const STEPS = {
  ArrowDown: (place, count) => (place + 1) % count,
  ArrowUp: (place, count) => (Math.max(place, 0) + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function close(menu, { focuses = false } = {}) {
  menu.open = false;
  if (focuses) menu.querySelector("summary")?.focus();
}

document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll(OPEN)) {
    const isChoice = target.closest?.(ITEM);
    if (!menu.contains(target)) close(menu);
    // The chosen element is then hidden. A dialog that it opens returns the focus to the summary.
    else if (isChoice) close(menu, { focuses: menu.contains(document.activeElement) });
  }
});

document.addEventListener("focusin", ({ target }) => {
  for (const menu of document.querySelectorAll(OPEN)) if (!menu.contains(target)) close(menu);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll(OPEN)) {
    close(menu, { focuses: menu.contains(document.activeElement) });
    event.preventDefault();
  }
});

document.addEventListener("keydown", (event) => {
  const step = Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : null;
  const menu = event.target.closest?.("details.menu");
  if (!step || !menu || hasModifier(event)) return;
  if (!menu.open && !event.key.startsWith("Arrow")) return;
  event.preventDefault();
  menu.open = true;
  const items = [...menu.querySelectorAll(ITEM)];
  items[step(items.indexOf(event.target), items.length)]?.focus();
});
