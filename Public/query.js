/**
 * A window's local state is the query of its URL and, if the page has them, the parameters of its
 * path. This module reads and changes it. The page lists the parameters in `<html
 * data-path="/items/:item?">`.
 */
import { isDirty } from "./fields.js";

const SEGMENTS = (document.documentElement.dataset.path ?? "").split("/").slice(1);
const NAMES = SEGMENTS.filter((segment) => segment.startsWith(":")).map(nameOf);

const BUTTONS = ["submit", "button", "reset", "image"];

/** The tab's location as in the protocol: path and query. */
export function here() {
  return location.pathname + location.search;
}

/** Whether a URL belongs to this page, with any local state. */
export function isOfPage({ origin, pathname }) {
  if (origin !== location.origin) return false;
  return NAMES.length === 0 ? pathname === location.pathname : matched(pathname) !== null;
}

/** All parameters of a URL of this page. */
export function parameters(url = location) {
  const query = new URLSearchParams(url.search);
  const items = (matched(url.pathname) ?? []).filter(([name]) => !query.has(name));
  return new URLSearchParams([...items, ...query]);
}

/** This page's URL with other parameters. */
export function withParameters(query) {
  const { path, names } = pathOf(query);
  const text = new URLSearchParams([...query].filter(([name]) => !names.includes(name))).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The parameters of a path, as pairs; null if it belongs to another page. */
function matched(pathname) {
  if (NAMES.length === 0) return [];
  const texts = pathname.split("/").slice(1);
  const isMatch =
    texts.length <= SEGMENTS.length &&
    SEGMENTS.every((segment, index) => {
      if (!segment.startsWith(":")) return texts[index] === segment;
      return texts[index] === undefined ? segment.endsWith("?") : texts[index] !== "";
    });
  if (!isMatch) return null;
  return SEGMENTS.flatMap((segment, index) => {
    const text = texts[index];
    return segment.startsWith(":") && text !== undefined ? [[nameOf(segment), decoded(text)]] : [];
  });
}

/**
 * The path for some parameters, and the names of those that it contains: all before the first that
 * cannot be in a path.
 */
function pathOf(query) {
  if (NAMES.length === 0) return { path: location.pathname, names: [] };
  const end = NAMES.findIndex((name) => {
    const values = query.getAll(name);
    return values.length !== 1 || ["", ".", ".."].includes(values[0]);
  });
  const names = end < 0 ? NAMES : NAMES.slice(0, end);
  const texts = SEGMENTS.flatMap((segment) => {
    if (!segment.startsWith(":")) return [segment];
    const name = nameOf(segment);
    return names.includes(name) ? [encodeURIComponent(query.get(name))] : [];
  });
  return { path: `/${texts.join("/")}`, names };
}

function nameOf(segment) {
  return segment.replace(/^:|\?$/g, "");
}

/** A broken escape is left as it is, as on the server. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns a function that makes URLs with changes to the current query, for any number of links.
 * The unchanged parameters are encoded only once for all links that change the same names.
 *
 * The function takes changes as in `data-set`: `name=value` sets, `name=` removes, others stay.
 * They are encoded like `URLSearchParams`.
 */
export function changer() {
  const { pathname } = location;
  const present = parameters();
  const stays = new Map(); // by the names that are changed
  return (changes) => {
    // Without what the path requires, there is no such page, so a link keeps it.
    const items = changes.split("&").filter((item) => !SEGMENTS.includes(`:${item.slice(0, -1)}`));
    const names = items.map((item) => item.slice(0, item.indexOf("="))).join("&");
    if (!stays.has(names)) {
      const query = new URLSearchParams(present);
      for (const name of new URLSearchParams(names).keys()) query.delete(name);
      stays.set(names, query.toString());
    }
    const set = items.filter((item) => !item.endsWith("="));
    const query = [stays.get(names), ...set].filter((text) => text !== "").join("&");
    if (NAMES.length > 0) return withParameters(new URLSearchParams(query));
    return query === "" ? pathname : `${pathname}?${query}`;
  };
}

/** The late parameters that elements have declared. Bounded by the parameters of the page. */
const late = new Set();

/** Learns the late parameters of the elements that are there. */
export function learnLate() {
  for (const element of document.querySelectorAll("[data-late-parameter]")) {
    late.add(element.getAttribute("data-late-parameter")); // it may be in SVG
  }
}

/**
 * A URL from the server, plus the late parameters, which the server does not know. The parameter of
 * a removed element stays, because the element may return.
 */
export function withLate(url) {
  learnLate();
  const target = new URL(url, location.href);
  const present = parameters();
  for (const name of late) {
    const value = present.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return target.pathname + target.search;
}

/**
 * The current URL with a form's fields in its query. A field that still shows the URL's value
 * changes nothing. A field with its default value is removed from the query, so that each local
 * state has one URL. A button counts only if it submits.
 */
export function withForm(form, submitter = null) {
  const query = parameters();
  const data = new FormData(form, submitter);
  const fields = [...form.elements].filter(({ name, type }) => name && !BUTTONS.includes(type));
  if (submitter?.name) fields.push(submitter);
  for (const name of new Set(fields.map((field) => field.name))) {
    const named = fields.filter((field) => field.name === name);
    if (named.every((field) => field.hasAttribute("data-parameter") && !isDirty(field))) continue;
    const initial = named[0].getAttribute("data-default") ?? "";
    query.delete(name);
    for (const value of data.getAll(name)) if (value !== initial) query.append(name, value);
  }
  return withParameters(query);
}
