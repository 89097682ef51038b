/**
 * `a[data-copy]`: a link that copies its address instead of navigating, and then shows the
 * attribute's text for a while, or until its address changes. Without access to a clipboard, as on
 * plain http from another host, it is an ordinary link, as without scripts.
 */

import { hasModifier, tab } from "../window.js";

/** How long the confirmation is shown, in milliseconds. */
const WHILE = 2000;

/** Restores the text of the newest link. */
let restore = () => {};

// In the capture phase, so that other listeners see that the click has been handled.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("a[data-copy]");
    if (!link || !navigator.clipboard || event.button !== 0 || hasModifier(event)) return;
    event.preventDefault();
    navigator.clipboard.writeText(link.href).then(
      () => say(link),
      () => location.assign(link.href),
    );
  },
  true,
);

function say(link) {
  restore();
  const { textContent, href } = link;
  link.ariaLive = "polite";
  link.textContent = link.dataset.copy;
  const end = () => {
    clearTimeout(timer);
    tab.removeEventListener("patched", check);
    link.ariaLive = "off"; // only the confirmation is announced
    link.textContent = textContent;
    restore = () => {};
  };
  const check = () => link.href !== href && end();
  const timer = setTimeout(end, WHILE);
  tab.addEventListener("patched", check);
  restore = end;
}
