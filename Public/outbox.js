/**
 * The posts of this tab that have not been answered yet, in its session storage. If a page is left
 * while the server is away, the tab's next page sends them. That is safe at any time, because a
 * submission takes effect once.
 *
 * The page around a frame sends what the frame has kept.
 */
import { isFramed, load, save } from "./session.js";

const ITEM = "posts";
/** The most that is kept, in UTF-16 code units (two bytes each). What does not fit is not kept. */
const LIMIT = 100_000;
/** How long a post is kept, in milliseconds. The server may have forgotten older submissions. */
const LIFETIME = 3_600_000;

/** @returns {boolean} whether the post is kept */
export function keep({ url, body }) {
  return save(ITEM, [...kept(), { url, body: body.toString(), since: Date.now() }], LIMIT);
}

/** Call it when a post has been answered. */
export function forget({ body }) {
  const posts = kept();
  const rest = posts.filter((post) => new URLSearchParams(post.body).get("_token") !== body.get("_token"));
  if (rest.length < posts.length) save(ITEM, rest);
}

/** The posts that earlier pages of this tab have left unanswered, oldest first. */
export function unanswered() {
  if (isFramed) return [];
  return kept().map(({ url, body }) => ({ url, body: new URLSearchParams(body) }));
}

function kept() {
  return load(ITEM, ({ since }) => since > Date.now() - LIFETIME);
}
