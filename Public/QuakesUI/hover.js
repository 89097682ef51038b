/**
 * Connects the rows of the list and the markers of the map: an earthquake that is hovered or focused
 * in one of them is highlighted in the other. The server is not involved.
 *
 * A marker with the focus of the keyboard has its name on the map, because its row may be out of view.
 *
 * On the map, the highlight is a separate ring, because the marker may lie under others, or be part
 * of a group.
 *
 * The Delete key is for the selected earthquake. While another one has the focus, its user means that
 * one, so the key does nothing.
 */

import { tab } from "../window.js";

const phone = matchMedia("(max-width: 40rem)");
const drawer = () => phone.matches && import("./drawer.js");
phone.addEventListener("change", drawer);
drawer();

const ROW = "[data-list=quakes] > li";
const MARKER = "[data-list=markers] > a";
const GAP = 5; // pixels, between a marker and its ring
const FONT_SIZE = 12; // pixels, of the map; an em in its units

/** The hovered and the focused element: each a row or a marker, or null. */
let [pointed, focused] = [null, null];
let joined = null;

/** A marker moves to the other side of the world when that is nearer. */
const turns = new MutationObserver(() => ring(joined));

for (const name of ["pointerover", "focusin", "focusout"]) {
  document.addEventListener(name, ({ target, relatedTarget }) => {
    const element = name === "focusout" ? relatedTarget : target;
    const found = element?.closest?.(`${ROW}, ${MARKER}`) ?? null;
    if (name === "pointerover") pointed = found;
    else focused = found?.querySelector(":focus-visible") || found?.matches(":focus-visible") ? found : null;
    join();
  });
}

document.documentElement.addEventListener("pointerleave", () => {
  pointed = null;
  join();
});

tab.addEventListener("patched", join);

document.addEventListener("keydown", (event) => {
  const isOther = event.target.closest?.("[data-list]:not([data-list=days]) > :not([aria-current])");
  if (event.key === "Delete" && isOther) event.preventDefault();
}, true);

function join() {
  const map = document.querySelector(".map");
  if (map) map.dataset.name = map.querySelector("a:focus-visible title")?.textContent ?? "";
  const origin = [pointed, focused].find((element) => element?.isConnected);
  const key = origin && CSS.escape(origin.dataset.key);
  const row = origin?.matches(MARKER) ? document.querySelector(`${ROW}[data-key="${key}"]`) : null;
  document.querySelector("[data-joined]")?.removeAttribute("data-joined");
  row?.setAttribute("data-joined", "");
  const marker = origin ? document.querySelector(`${MARKER}[data-key="${key}"]`) : null;
  if (marker === joined && marker === null) return;
  turns.disconnect();
  joined = marker;
  if (marker) turns.observe(marker, { attributeFilter: ["transform"] });
  ring(marker);
}

function ring(marker) {
  const halo = document.querySelector(".map .halo");
  if (!halo) return;
  const disk = marker?.querySelector(".disk");
  const size = Number(disk?.getAttribute("stroke-width"));
  halo.setAttribute("r", disk ? `${(size / 2 + GAP) / FONT_SIZE}em` : "0");
  if (!disk) return;
  const [x, y] = disk.getAttribute("d").match(/-?[\d.]+/g); // the path begins at the position
  halo.setAttribute("cx", x);
  halo.setAttribute("cy", y);
  halo.setAttribute("transform", marker.getAttribute("transform") ?? "");
}
