/**
 * The field in which an input method is composing text. Any change to it would end the composition
 * and lose what was typed, so changes must wait.
 */
let composed = null;
let waiting = null;

export function isComposing(element) {
  return element === composed;
}

/** Runs a change when the composition has ended, unless a later change has replaced it. */
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
