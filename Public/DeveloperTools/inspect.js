/**
 * In a page of the past, shows the region that the pointer or the keyboard is at, and leads to what is said of
 * it: `region` in the URL.
 *
 * The page in the frame has no scripts, and its policy allows none. This module belongs to the page around it.
 */
import { links, tab } from "../window.js";

const POINTED = "data-pointed";
const REGION = "[data-region]";

/** What is said of which region. */
const inspected = () => document.querySelector("#region")?.dataset.inspected;
const frame = () => document.querySelector(".developer .frame iframe");
const watched = new WeakSet();

let known = inspected();

watchFrame();
tab.addEventListener("patched", () => {
  watchFrame();
  if (inspected() === known) return;
  known = inspected();
  // Where it was the frame has been replaced, or there was a link far below.
  document.querySelector("#region")?.focus();
});

/** The frame comes when a page is chosen, and may be replaced. */
function watchFrame() {
  const element = frame();
  if (!element || watched.has(element)) return;
  watched.add(element);
  element.addEventListener("load", () => watch(element.contentDocument));
  if (element.contentDocument?.readyState === "complete") watch(element.contentDocument);
}

/** @param {Document | null} past the page of the past */
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

/** Nothing else happens: links and forms of the past lead nowhere. */
function inspect(event) {
  event.preventDefault();
  const name = regionOf(event.target)?.dataset.region;
  if (name === undefined) return;
  const url = new URL(location.href);
  url.searchParams.set("region", name);
  url.hash = "";
  links.visit(url);
}
