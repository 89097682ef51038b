/**
 * A window's local state is its URL's query; this reads and changes it.
 */
import { isDirty } from "./fields.js";

const BUTTONS = ["submit", "button", "reset", "image"];

/** Where this tab is, as the protocol names it: path and query. */
export function here() {
  return location.pathname + location.search;
}

/** The present path with another query. */
export function withQuery(query) {
  const text = query.toString();
  return text === "" ? location.pathname : `${location.pathname}?${text}`;
}

/**
 * Answers what makes the present URL one with changes to its query, for any number of links: the
 * parameters that stay are written once for all that change the same.
 *
 * What it answers takes changes as in `data-set`: `name=value` sets, `name=` removes, others stay.
 * They are encoded as `URLSearchParams` does it.
 */
export function changer() {
  const { pathname, search } = location;
  const stays = new Map(); // by the names that are changed
  return (changes) => {
    const items = changes.split("&");
    const names = items.map((item) => item.slice(0, item.indexOf("="))).join("&");
    if (!stays.has(names)) {
      const query = new URLSearchParams(search);
      for (const name of new URLSearchParams(names).keys()) query.delete(name);
      stays.set(names, query.toString());
    }
    const rest = stays.get(names);
    const query = [...(rest ? [rest] : []), ...items.filter((item) => !item.endsWith("="))];
    return query.length > 0 ? `${pathname}?${query.join("&")}` : pathname;
  };
}

/** A URL that the server has given, with the parameters that it knows nothing of. */
export function withLate(url) {
  const target = new URL(url, location.href);
  const present = new URLSearchParams(location.search);
  for (const element of document.querySelectorAll("[data-late-parameter]")) {
    const name = element.getAttribute("data-late-parameter"); // it may be in SVG
    const value = present.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return target.pathname + target.search;
}

/**
 * The present URL with a form's fields in its query. A field that still shows what the URL says
 * changes nothing; one that has its default leaves the query, so that one local state has one URL;
 * a button counts only when it submits.
 */
export function withForm(form, submitter = null) {
  const query = new URLSearchParams(location.search);
  const data = new FormData(form, submitter);
  const fields = [...form.elements].filter(({ name, type }) => name && !BUTTONS.includes(type));
  if (submitter?.name) fields.push(submitter);
  for (const [name, named] of Map.groupBy(fields, (field) => field.name)) {
    if (named.every((field) => field.hasAttribute("data-parameter") && !isDirty(field))) continue;
    const initial = named[0].getAttribute("data-default") ?? "";
    query.delete(name);
    for (const value of data.getAll(name)) if (value !== initial) query.append(name, value);
  }
  return withQuery(query);
}
