/**
 * The posts of this tab that have not been answered yet, in its session storage. If a page is left
 * while the server is away, the tab's next page sends them. That is safe at any time, because a
 * submission takes effect once.
 *
 * Frames have the same storage as the page around them, which sends what is in it.
 */
const ITEM = "posts";
/** The most that is kept, in UTF-16 code units (two bytes each). What does not fit is not kept. */
const LIMIT = 100_000;
/** How long a post is kept, in milliseconds. The server may have forgotten older submissions. */
const LIFETIME = 3_600_000;

const isFramed = window.parent !== window;

/** @returns {boolean} whether the post is kept */
export function keep({ url, body }) {
  return write([...read(), { url, body: body.toString(), since: Date.now() }]);
}

/** Call it when a post has been answered. */
export function forget({ body }) {
  const posts = read();
  const rest = posts.filter((post) => new URLSearchParams(post.body).get("_token") !== body.get("_token"));
  if (rest.length < posts.length) write(rest);
}

/** The posts that earlier pages of this tab have left unanswered, oldest first. */
export function unanswered() {
  if (isFramed) return [];
  return read().map(({ url, body }) => ({ url, body: new URLSearchParams(body) }));
}

function read() {
  try {
    const posts = JSON.parse(sessionStorage.getItem(ITEM)) ?? [];
    return posts.filter(({ since }) => since > Date.now() - LIFETIME);
  } catch {
    return []; // no storage, or other content in it
  }
}

function write(posts) {
  const text = JSON.stringify(posts);
  if (text.length > LIMIT) return false;
  try {
    if (posts.length > 0) sessionStorage.setItem(ITEM, text);
    else sessionStorage.removeItem(ITEM);
    return true;
  } catch {
    return false; // the browser may not allow storage
  }
}
