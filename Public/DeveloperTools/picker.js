/**
 * Lets developers choose a region of a live page with the pointer or the keyboard, and opens the developer
 * page that explains the region. Only developers' pages load this module.
 *
 * While the developer chooses, links, forms and fields do nothing. The page stays live.
 */
const REGION = "[data-region]";
const TAB = "developer";
/** Keys that move the focus or scroll. They work as usual. */
const PASSES = ["Tab", "PageUp", "PageDown", "Home", "End"];
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

const link = document.querySelector("a.picker");
const button = makeButton();
const layer = makeLayer();
const [box, hint] = layer.children;
let region = null;
let choosing = null; // an AbortController while the developer chooses

link.replaceWith(button);
document.body.append(layer);
addEventListener("keydown", toggleByKey, true);

/** Makes a button from the link that works without JavaScript. */
function makeButton() {
  const button = document.createElement("button");
  for (const { name, value } of link.attributes) {
    if (name !== "href") button.setAttribute(name, value);
  }
  button.type = "button";
  button.ariaPressed = "false";
  button.append(...link.cloneNode(true).childNodes);
  button.addEventListener("click", toggle);
  return button;
}

/** Makes the layer that highlights the region. It is above everything, including dialogs. */
function makeLayer() {
  const layer = document.createElement("div");
  layer.className = "picking";
  layer.popover = "manual";
  const box = document.createElement("div");
  const hint = document.createElement("p");
  hint.setAttribute("role", "status");
  layer.append(box, hint);
  return layer;
}

/** The shortcut works in fields and dialogs too, because they can be chosen as well. */
function toggleByKey(event) {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyI" || event.repeat) return;
  swallow(event);
  toggle();
}

function toggle() {
  if (choosing) end();
  else begin();
}

function begin() {
  choosing = new AbortController();
  const options = { capture: true, signal: choosing.signal };
  const presses = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "auxclick", "dblclick"];
  for (const name of presses) addEventListener(name, press, options);
  for (const name of ["submit", "beforeinput", "dragstart", "change"]) {
    addEventListener(name, swallow, options);
  }
  addEventListener("keydown", type, options);
  addEventListener("pointerover", ({ target }) => point(regionOf(target)), options);
  addEventListener("focusin", ({ target }) => point(regionOf(target)), options);
  document.documentElement.addEventListener("pointerleave", () => point(null), options);
  button.ariaPressed = "true";
  document.documentElement.toggleAttribute("data-picking", true);
  layer.showPopover();
  point(regionOf(document.activeElement));
  draw();
}

function end() {
  choosing.abort();
  choosing = null;
  button.ariaPressed = "false";
  document.documentElement.removeAttribute("data-picking");
  layer.hidePopover();
}

/** Swallows all events of a press. Only the click chooses the region. */
function press(event) {
  if (button.contains(event.target)) return;
  swallow(event);
  if (event.type === "click") open(regionOf(event.target));
}

function type(event) {
  // Keys of the browser work as usual, but not shortcuts of the page.
  if (event.ctrlKey || event.metaKey || event.altKey) return event.stopImmediatePropagation();
  if (PASSES.includes(event.key)) return;
  if (button.contains(event.target) && ["Enter", " "].includes(event.key)) return;
  swallow(event);
  if (event.key === "Escape") end();
  else if (event.key === "Enter") open(region);
  else if (STEPS[event.key]) step(STEPS[event.key]);
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function regionOf(element) {
  return element?.closest?.(REGION) ?? null;
}

/** Moves to the next or the previous visible region, in document order. */
function step(distance) {
  const scope = document.querySelector("dialog:modal") ?? document;
  const regions = [...scope.querySelectorAll(REGION)].filter((region) => rectOf(region));
  if (regions.length === 0) return;
  const index = regions.indexOf(region);
  const next = index < 0 && distance < 0 ? 0 : index;
  point(regions[(next + distance + regions.length) % regions.length]);
  (region.firstElementChild ?? region).scrollIntoView({ block: "nearest" });
}

function point(next) {
  region = next;
  const name = region?.dataset.region;
  hint.textContent = name
    ? `Region “${name}”: click or press Enter for details` : "Choose a region, or press Esc to cancel";
}

function open(region) {
  if (!region) return;
  end();
  const url = new URL(link.href);
  url.searchParams.set("url", location.pathname + location.search);
  url.searchParams.set("region", region.dataset.region);
  url.hash = "region";
  window.open(url, TAB)?.focus();
}

// MARK: Drawing

/** Keeps the highlight on the region while the page scrolls and changes. */
function draw() {
  if (!choosing) return;
  // A patch may have replaced it.
  if (region && !region.isConnected) point(null);
  const rect = region && rectOf(region);
  box.hidden = !rect;
  if (rect) {
    box.style.translate = `${rect.left}px ${rect.top}px`;
    box.style.inlineSize = `${rect.right - rect.left}px`;
    box.style.blockSize = `${rect.bottom - rect.top}px`;
  }
  requestAnimationFrame(draw);
}

/** The visible part of a region, which has no box of its own; null if none of it is visible. */
function rectOf(region) {
  const range = document.createRange();
  range.selectNodeContents(region);
  const whole = region instanceof SVGElement ? region : range;
  let { left, top, right, bottom } = whole.getBoundingClientRect();
  const clips = [{ left: 0, top: 0, right: innerWidth, bottom: innerHeight }];
  for (let element = region.parentElement; element; element = element.parentElement) {
    if (getComputedStyle(element).overflow !== "visible") clips.push(element.getBoundingClientRect());
  }
  for (const clip of clips) {
    left = Math.max(left, clip.left);
    top = Math.max(top, clip.top);
    right = Math.min(right, clip.right);
    bottom = Math.min(bottom, clip.bottom);
  }
  return left < right && top < bottom ? { left, top, right, bottom } : null;
}
