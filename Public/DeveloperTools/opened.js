/**
 * What a link has opened gets the focus: the keyboard would have to pass all rows that follow the link,
 * and on a phone it may be far from it. Closing it leads back to the link.
 */
import { tab } from "../window.js";

/** How much of it has to be visible, in pixels. */
const LEAST = 100;

const opened = () => document.querySelector(".developer [data-opened]");

let known = opened()?.dataset.opened;
/** What the link that has opened it sets, because a patch may have replaced the link. */
let origin;

tab.addEventListener("patched", () => {
  const element = opened();
  if (element?.dataset.opened === known) return;
  known = element?.dataset.opened;
  if (element) {
    origin = document.activeElement?.dataset.set;
    element.focus({ preventScroll: true });
    // The page moves only if nothing would be seen of it.
    const { top } = element.getBoundingClientRect();
    if (top < 0 || top > innerHeight - LEAST) element.scrollIntoView();
  } else if ([document.body, document.getElementById("content")].includes(document.activeElement)) {
    const links = [...document.querySelectorAll(".developer .entries a")];
    links.find((link) => link.dataset.set === origin)?.focus({ preventScroll: true });
  }
});
