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
 * The present URL with changes to its query.
 * @param {string} changes as in `data-set`: `name=value` sets, `name=` removes, others stay
 */
export function withChanges(changes) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of new URLSearchParams(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return withQuery(query);
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
