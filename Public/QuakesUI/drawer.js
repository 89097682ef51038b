/**
 * On a phone, says whether the map or the list is current: the list as soon as its sheet covers most
 * of the screen.
 */
import { tab } from "../window.js";

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
