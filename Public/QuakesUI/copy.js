/**
 * `a[data-copy]`: a link that copies its address instead of leading there, and then says the attribute's
 * text for a while. Where there is no clipboard to write to, as on plain http from another host, it is the
 * link that it is without scripts.
 */

/** How long it says that it has, in milliseconds. */
const WHILE = 2000;

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
  const { textContent } = link;
  if (textContent === link.dataset.copy) return;
  link.textContent = link.dataset.copy;
  setTimeout(() => (link.textContent = textContent), WHILE);
}
