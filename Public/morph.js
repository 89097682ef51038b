/**
 * Changes a region's elements to match new HTML, and keeps each element that has a counterpart. So
 * focus, caret, scroll positions, playback and listeners survive.
 *
 * Counterparts are siblings of the same kind with the same key (the name of a region, list, row,
 * form or field, or an id), then those whose first keyed descendant is the same, then the rest in
 * order. A list is found anywhere in the region, and a nested region anywhere in the page, because the
 * new HTML does not contain their children.
 *
 * A patch does not change (`docs/PROTOCOL.md`): the children of nested regions, and of lists unless
 * their rows were sent too; what late.js, overlay.js, forms.js and unsaved.js fill in; attributes
 * listed in an element's `data-keeps`; `open` of dialog and details; the states of dirty fields;
 * video and audio; the field in which an input method is composing.
 */
import { arrange } from "./arrange.js";
import { isHeld, yieldToServer } from "./buttons.js";
import { ownElements } from "./changes.js";
import { isComposing, whenComposed } from "./composition.js";
import { isField, keepingInput } from "./fields.js";
import { forgetRows } from "./lookup.js";

const SVG = "http://www.w3.org/2000/svg";
const KEYS = ["data-region", "data-list", "id", "data-key", "data-form", "name"];
const KEYED = KEYS.map((key) => `[${key}]`).join();
const KEPT_OPTIONS = "select[data-parameter] option, select[data-keeps~=selected] option";
const HELD = "[data-region], [data-list]";

/** Parses HTML as the children of an element. Table rows and SVG need their context. */
export function parse(html, parent) {
  const template = document.createElement("template");
  const isSVG = parent.namespaceURI === SVG && parent.localName !== "foreignObject";
  template.innerHTML = isSVG ? `<svg>${html}</svg>` : html;
  return isSVG ? template.content.firstElementChild : template.content;
}

/**
 * Changes a region's content to match `fresh`.
 * @param {Element} region
 * @param {ParentNode} fresh
 * @param {{withRows: boolean, regions: Element[]}} options whether `fresh` contains the rows of its
 * lists, and the regions of the page before the event, which may have been nested in another region
 */
export function morphRegion(region, fresh, { withRows, regions }) {
  const all = ownElements(region, { withRows }).filter((element) => element.matches(HELD));
  const held = new Map([...regions, ...all].map((element) => [keyOf(element), element]));
  morphChildren(region, fresh, { withRows, held });
}

/** Changes a row to match `fresh`. Returns the row, or `fresh` itself if the element differs. */
export function morphRow(row, fresh) {
  if (row.localName === fresh.localName) {
    morphElement(row, fresh, { withRows: true, held: new Map() });
    return row;
  }
  row.replaceWith(fresh);
  return fresh;
}

function morphChildren(element, fresh, context) {
  if (element.hasAttribute("data-list")) forgetRows(element);
  const pool = new Map();
  for (const child of element.childNodes) {
    for (const name of namesOf(child)) {
      if (name === null) continue;
      if (pool.has(name)) pool.get(name).push(child);
      else pool.set(name, [child]);
    }
  }
  const nodes = [...fresh.childNodes];
  const taken = new Set();
  const counterparts = new Map();
  // All nodes are matched by their certain names before any is matched by its weak name.
  for (const round of [0, 1]) {
    for (const node of nodes) {
      if (counterparts.has(node)) continue;
      const candidates = pool.get(namesOf(node)[round]);
      while (candidates && taken.has(candidates[0])) candidates.shift();
      if (!candidates?.length) continue;
      counterparts.set(node, candidates[0]);
      taken.add(candidates.shift());
    }
  }
  const wanted = nodes.map((node) => {
    const old = counterparts.get(node);
    return old ? morphNode(old, node, context) : adopt(node, context);
  });
  arrange(element, wanted);
}

/** The names by which a node finds its counterpart: a certain name or null, and a weak name. */
function namesOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return [node.nodeName];
  const key = keyOf(node);
  if (key) return [key];
  const inner = node.querySelector(KEYED);
  return [inner && `${kindOf(node)} with ${keyOf(inner)}`, `${kindOf(node)} in order`];
}

function keyOf(element) {
  const key = KEYS.find((name) => element.hasAttribute(name));
  if (!key) return null;
  const value = key === "name" && isChoice(element) ? ` ${element.getAttribute("value")}` : "";
  return `${kindOf(element)} ${key} ${element.getAttribute(key)}${value}`;
}

/** Whether an element is one of several with the same name, distinguished by their values. */
function isChoice(element) {
  return ["checkbox", "radio", "submit"].includes(element.type);
}

function kindOf(element) {
  return element.localName === "input" ? `input ${element.type}` : element.localName;
}

function morphNode(old, fresh, context) {
  if (old.nodeType === Node.ELEMENT_NODE) morphElement(old, fresh, context);
  else if (old.data !== fresh.data) old.data = fresh.data;
  return old;
}

function morphElement(old, fresh, context) {
  if (old.matches("video, audio")) return;
  if (isComposing(old)) whenComposed(() => morphElement(old, fresh, context));
  else if (isField(old)) keepingInput(old, () => morphField(old, fresh, context));
  else {
    morphAttributes(old, fresh);
    context.held.delete(keyOf(old));
    if (!isOpaque(old, context)) morphChildren(old, fresh, context);
  }
}

/** Whether a patch must not change an element's children. */
function isOpaque(element, { withRows }) {
  if (element.matches("[data-region], [data-error], [data-restored]")) return true;
  return element.hasAttribute("data-list") && !withRows;
}

function morphField(old, fresh, context) {
  morphAttributes(old, fresh);
  if (old.hasAttribute("data-parameter") && old.localName !== "select") return;
  if (old.localName === "textarea") old.defaultValue = fresh.defaultValue;
  if (old.localName === "select") morphChildren(old, fresh, context);
}

function morphAttributes(old, fresh) {
  yieldToServer(old, fresh);
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isKept(name, fresh, old)) old.removeAttribute(name);
  }
  for (const { name, value, namespaceURI } of fresh.attributes) {
    if (old.getAttribute(name) === value || isKept(name, fresh, old)) continue;
    if (namespaceURI) old.setAttributeNS(namespaceURI, name, value);
    else old.setAttribute(name, value);
  }
}

/** Whether a patch must not change an attribute. */
function isKept(name, fresh, old) {
  if (name === "aria-disabled") return isHeld(old);
  if (name === "open") return fresh.matches("dialog, details");
  if (fresh.dataset.keeps?.split(" ").includes(name)) return true;
  if (name === "data-tag") return fresh.hasAttribute("data-region");
  if (name === "href") return fresh.hasAttribute("data-set");
  if (name === "checked") return fresh.hasAttribute("data-parameter");
  if (name === "value") return fresh.hasAttribute("data-parameter") && !isChoice(fresh);
  if (name === "selected") return fresh.matches(KEPT_OPTIONS);
  return false;
}

/** A new node. Nested regions and lists in it that already exist are moved into it. */
function adopt(node, context) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node;
  const whole = new DocumentFragment();
  whole.append(node);
  for (const placeholder of whole.querySelectorAll(HELD)) {
    const old = context.held.get(keyOf(placeholder));
    if (old && whole.contains(placeholder)) {
      placeholder.replaceWith(old);
      morphElement(old, placeholder, context);
    }
  }
  return whole.firstChild;
}
