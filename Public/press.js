/**
 * While a link or a button is pressed, patches wait. A click goes only to what is under the pointer
 * both when it is pressed and when it is released. So a patch that moved or replaced a row in between
 * would lose the click, or a finger would tap another row.
 */
export const PRESSABLE = "a, button, summary, label";
/** How long patches wait after each event, in milliseconds. A tap is a click some time after its end. */
const WAITS = { pointerdown: 2000, pointerup: 100, pointercancel: 0, click: 0 };

/** @param {import("./tab.js").Tab} tab */
export function followPresses(tab) {
  let timer = null;
  const end = () => {
    clearTimeout(timer);
    timer = null;
    tab.resume();
  };
  // The next task, after everything that the click does: a timer may be late.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => data === timer && end();
  for (const [name, wait] of Object.entries(WAITS)) {
    const follow = ({ target }) => {
      if (timer === null) {
        if (name !== "pointerdown" || !target.closest?.(PRESSABLE)) return;
        tab.pause();
      }
      clearTimeout(timer);
      timer = setTimeout(end, wait);
      if (wait === 0) port2.postMessage(timer);
    };
    addEventListener(name, follow, { capture: true, passive: true });
  }
}
