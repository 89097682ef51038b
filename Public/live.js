/**
 * Shows that the page is live. The pill in the header says whether it is, and how many windows show
 * this page. Rows that were changed elsewhere light up for a moment. A screen reader can read the
 * pill, but is not interrupted by it.
 */

/** How long a row lights up, and how long the pill reports it, in milliseconds. */
const GLOW = 1500;
const NEWS = 3000;
/**
 * How long the effect of a post may change what this window shows, in milliseconds: after the post,
 * and after the end of the effect, when its change may still be on its way.
 */
const EFFECT = 5000;
const ENDED = 1000;
/** If more rows than this change at once, none lights up. */
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
  let ended; // the token of the post whose effect has ended last; that may overtake its answer
  const pending = new Set(); // the tokens of posts of this window whose effects have not ended

  function render() {
    if (!pill) return;
    const isAway = !tab.connected || tab.isRefused;
    pill.hidden = tab.connected === null;
    pill.toggleAttribute("data-away", isAway);
    state.textContent = isAway ? "Offline" : timer ? "Changed just now" : "Live";
    count.hidden = isAway;
  }

  for (const name of ["status", "refused", "shown"]) tab.addEventListener(name, render);
  tab.addEventListener("presence", ({ detail: windows }) => {
    if (!pill) return;
    count.textContent = windows > 1 ? `${windows} windows` : "";
    pill.title = "Everybody who opens this page sees each change at once.";
  });
  document.addEventListener("accepted", ({ detail }) => {
    if (performance.now() > ownUntil) pending.clear();
    const token = detail.post.body.get("_token");
    const isPending = detail.isPending && token !== ended;
    if (isPending) pending.add(token);
    ownUntil = Math.max(ownUntil, performance.now() + (isPending ? EFFECT : ENDED));
  });
  for (const name of ["ended", "toast"]) {
    tab.addEventListener(name, ({ detail: { token } }) => {
      ended = token;
      pending.delete(token);
      if (pending.size === 0) ownUntil = performance.now() + ENDED;
    });
  }
  tab.addEventListener("pushed", ({ detail: changes }) => {
    // Changes that this window caused are not news to its user.
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
    // It ends with the row's own background, because text in a selected row needs that to be legible.
    row.animate?.([{ backgroundColor: color, offset: 0 }], GLOW);
  }
}
