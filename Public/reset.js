/**
 * Empties `form[data-reset]` once the effect of its post has succeeded. (`forms.js` empties it at once
 * if there is no effect.) Text that the user has typed since stays.
 */

/** How many posts are kept whose effects have not ended, and ends whose posts have not been answered yet. */
const LIMIT = 20;

/** @param {import("./tab.js").Tab} tab */
export function resetForms(tab) {
  const pending = new Map(); // token: the post
  const ended = new Set(); // tokens: an end may overtake the answer to its post

  document.addEventListener("accepted", ({ target, detail: { post, isPending } }) => {
    if (!isPending || !target.matches?.("[data-reset]")) return;
    const token = post.body.get("_token");
    if (ended.delete(token)) post.settle({ resets: true });
    else pending.set(token, post); // forgotten later if its effect fails
    if (pending.size > LIMIT) pending.delete(pending.keys().next().value);
  });
  tab.addEventListener("ended", ({ detail: { token } }) => {
    const post = pending.get(token);
    if (pending.delete(token)) return post.settle({ resets: true });
    ended.add(token);
    if (ended.size > LIMIT) ended.delete(ended.values().next().value);
  });
}
