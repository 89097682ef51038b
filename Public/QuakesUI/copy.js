/**
 * `a[data-copy]`: a link that copies its address instead of leading there, and then says the attribute's
 * text for a while, or until it leads elsewhere. Where there is no clipboard to write to, as on plain http from
 * another host, it is the link that it is without scripts.
 */

import { tab } from "../window.js";

/** How long it says that it has, in milliseconds. */
const WHILE = 2000;

/** What takes back what the newest link says. */
let restore = () => {};

// In the first phase: whoever follows links sees that this one is taken.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("a[data-copy]");
    if (!link || !navigator.clipboard || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
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
  link.textContent = link.dataset.copy;
  const end = () => {
    clearTimeout(timer);
    tab.removeEventListener("patched", check);
    link.textContent = textContent;
    restore = () => {};
  };
  const check = () => link.href !== href && end();
  const timer = setTimeout(end, WHILE);
  tab.addEventListener("patched", check);
  restore = end;
}
