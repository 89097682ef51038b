/**
 * The posts of this tab that have not been answered yet, in its session storage. If a page is left
 * while the server is away, the tab's next page sends them. That is safe for an hour, because the
 * server remembers submissions, and so they take effect once.
 *
 * The page around a frame sends what the frame has kept.
 */
import { isFramed, load, save } from "./session.js";

const ITEM = "posts";
/** The most that is kept, in UTF-16 code units (two bytes each). What does not fit is not kept. */
const LIMIT = 100_000;
/** How long a post is sent again, in milliseconds. The server may have forgotten older submissions. */
const LIFETIME = 3_600_000;

/** Whether a post is so old that it might take effect twice. */
export function isTooOld({ since }) {
  return Date.now() - since > LIFETIME;
}

/** @returns {boolean} whether the post is kept */
export function keep({ url, body, since }) {
  return save(ITEM, [...load(ITEM), { url, body: body.toString(), since }], LIMIT);
}

/**
 * Call it when a post has been answered. The input of an accepted one is no longer unsaved
 * (`unsaved.js`), even if this page does not show its form.
 */
export function forget({ body }, isAccepted) {
  const token = body.get("_token");
  save(ITEM, load(ITEM, (post) => new URLSearchParams(post.body).get("_token") !== token));
  if (isAccepted) save("unsaved", load("unsaved", (input) => input[2] !== token));
}

/** The posts that earlier pages of this tab have left unanswered, oldest first. */
export function unanswered() {
  if (isFramed) return [];
  return load(ITEM).map((post) => ({ ...post, body: new URLSearchParams(post.body) }));
}
