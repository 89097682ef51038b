/**
 * On a phone, says whether the map or the list is current: the list as soon as its sheet covers most
 * of the screen. The list opens at the selected earthquake. Charts are below the whole list; closing
 * them leads back to the link that opens them, above it.
 */
import { hasModifier, tab } from "../window.js";

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".drawer a[href='#list']");
  const row = document.querySelector("[data-list=quakes] > [aria-current]");
  if (!link || !row || event.button !== 0 || hasModifier(event)) return;
  event.preventDefault();
  raise(row);
  // Rows that have become visible may be higher than the browser has assumed.
  requestAnimationFrame(() => requestAnimationFrame(() => raise(row)));
  row.querySelector("a").focus({ preventScroll: true });
});

/** Scrolls a row to the middle of the screen, and at least as far as the list's top. */
function raise(row) {
  const [list, middle] = [row.closest("#list"), innerHeight / 2];
  const [top, place] = [list, row].map((element) => element.getBoundingClientRect().top);
  const margin = parseFloat(getComputedStyle(list).scrollMarginBlockStart);
  scrollBy({ top: Math.max(top - margin, place - middle), behavior: "instant" });
}

let charts = document.getElementById("charts");
tab.addEventListener("patched", () => {
  const were = charts;
  charts = document.getElementById("charts");
  if (!were || charts || getComputedStyle(document.querySelector(".drawer")).display === "none") return;
  const link = document.querySelector(".found > a");
  link.scrollIntoView({ block: "nearest", behavior: "instant" });
  link.focus({ preventScroll: true });
});

addEventListener("scroll", mark, { passive: true });
addEventListener("resize", mark);
tab.addEventListener("patched", mark);
mark();

function mark() {
  const drawer = document.querySelector(".drawer");
  // Measuring lays out the page, which is for nothing where the list is no sheet.
  if (!drawer || drawer.checkVisibility?.() === false) return;
  const isUp = drawer.getBoundingClientRect().top < innerHeight * 0.45;
  for (const link of drawer.querySelectorAll("a")) {
    const isCurrent = (link.hash === "#list") === isUp;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
