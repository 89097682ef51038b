/**
 * Shows a change as a view transition of the type that the server has named. A style sheet says what it
 * looks like: it gives what moves a `view-transition-name`, and finds the type by
 * `:active-view-transition-type(TYPE)`. All else changes at once.
 */
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether a change is to be shown as one. */
export function isAnimated(type) {
  if (type === undefined || reduced.matches || document.hidden) return false;
  return "startViewTransition" in document && "types" in (window.ViewTransition?.prototype ?? {});
}

/** Calls `update` once the browser has taken down what shows now, which is in its next frame. */
export function transition(type, update) {
  const { ready, finished } = document.startViewTransition({ update, types: [type] });
  // One that is skipped has been applied all the same.
  for (const promise of [ready, finished]) promise.catch(() => {});
}
