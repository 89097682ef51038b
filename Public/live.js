/**
 * Shows that the page is live: the pill in the header says whether it is and how many windows show this
 * page, and rows light up for a moment that have changed elsewhere. A screen reader can read the pill,
 * but is not interrupted by it.
 */

/** How long a row lights up, and how long the pill says so, in milliseconds. */
const GLOW = 1500;
const NEWS = 3000;
/** So long after a post its effect may still change what this window shows, in milliseconds; and so long if
 * it has ended already, but its change may still be on its way. */
const EFFECT = 5000;
const ENDED = 1000;
/** If more rows than these change at once, none lights up. */
const LIMIT = 50;

/**
 * @param {import("./tab.js").Tab} tab
 * @param {import("./forms.js").Forms} forms
 */
export function showLife(tab, forms) {
  const pill = document.getElementById("live");
  const [state, count] = pill?.children ?? [];
  let timer;
  let ownUntil = 0;

  function render() {
    if (!pill) return;
    pill.hidden = tab.connected === null;
    pill.toggleAttribute("data-away", tab.connected === false);
    if (tab.connected) state.textContent = timer ? "Changed just now" : "Live";
    else state.textContent = "Offline";
    count.hidden = !tab.connected;
  }

  tab.addEventListener("status", render);
  tab.addEventListener("presence", ({ detail: windows }) => {
    if (!pill) return;
    const isMany = windows > 1;
    count.textContent = isMany ? `${windows.toLocaleString()} windows` : "";
    pill.title = isMany
      ? "Everybody who has this page open sees each change at once."
      : "Whoever else opens this page sees each change at once.";
  });
  document.addEventListener("accepted", ({ detail }) => {
    ownUntil = Math.max(ownUntil, performance.now() + (detail.isPending ? EFFECT : ENDED));
  });
  tab.addEventListener("pushed", ({ detail: changes }) => {
    // What this window has posted is no news to it, nor what has come of it.
    if (forms.isUnderWay || performance.now() < ownUntil) return;
    glow(changes.rows);
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      render();
    }, NEWS);
    render();
  });
}

/** Animates and leaves no trace in the document. */
function glow(rows) {
  if (rows.length > LIMIT || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const row of rows) {
    const color = getComputedStyle(row).getPropertyValue("--glow").trim();
    if (color === "") continue;
    // To the ground that it has: that of a selected row is none that text could do without.
    row.animate?.([{ backgroundColor: color, offset: 0 }], GLOW);
  }
}
