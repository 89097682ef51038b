/**
 * Highlights the region of a past page under the pointer or the keyboard focus. A click shows its
 * details: it sets `region` in the URL.
 *
 * The page in the frame has no scripts, and its policy allows none. This module runs in the page
 * around it.
 */
import { links, tab } from "../window.js";

const POINTED = "data-pointed";
const REGION = "[data-region]";

const frame = () => document.querySelector(".developer .frame iframe");
const watched = new WeakSet();

watchFrame();
tab.addEventListener("patched", watchFrame);

/** The frame appears when a page is chosen, and may be replaced. */
function watchFrame() {
  const element = frame();
  if (!element || watched.has(element)) return;
  watched.add(element);
  element.addEventListener("load", () => watch(element.contentDocument));
  if (element.contentDocument?.readyState === "complete") watch(element.contentDocument);
}

/** @param {Document | null} past the past page */
function watch(past) {
  if (!past?.querySelector(REGION) || watched.has(past)) return;
  watched.add(past);
  for (const name of ["pointerover", "focusin"]) {
    past.addEventListener(name, ({ target }) => point(past, regionOf(target)));
  }
  past.documentElement.addEventListener("pointerleave", () => point(past, null));
  past.addEventListener("click", inspect, true);
  past.querySelector("[data-marked] > *")?.scrollIntoView({ block: "nearest" });
}

function regionOf(element) {
  return element.closest?.(REGION) ?? null;
}

function point(past, region) {
  for (const other of past.querySelectorAll(`[${POINTED}]`)) other.removeAttribute(POINTED);
  region?.setAttribute(POINTED, "");
}

/** Prevents everything else, because links and forms of a past page do nothing. */
function inspect(event) {
  event.preventDefault();
  const name = regionOf(event.target)?.dataset.region;
  if (name === undefined) return;
  const url = new URL(location.href);
  url.searchParams.set("region", name);
  url.hash = "";
  links.visit(url);
}
