/**
 * The field in which an input method is composing text. Any change to it would end the composition
 * and lose what was typed, so whoever wants to change it waits.
 */
let composed = null;
let waiting = null;

export function isComposing(element) {
  return element === composed;
}

/** Runs a change when the composition has ended, unless a later one has taken its place. */
export function whenComposed(change) {
  waiting = change;
}

document.addEventListener("compositionstart", ({ target }) => {
  composed = target;
  waiting = null;
});

document.addEventListener("compositionend", () => {
  const change = waiting;
  composed = null;
  waiting = null;
  change?.();
});
