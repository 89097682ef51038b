/**
 * Shows how long it took from a click in one frame of the home page until each frame showed the
 * result. Each frame is a window; the change goes from one to the server, and from there to both.
 */
const frames = [...document.querySelectorAll(".frames iframe")];
const output = document.querySelector("#latency");

let clicked = null;

for (const frame of frames) {
  frame.addEventListener("load", () => watch(frame));
  if (frame.contentDocument?.readyState === "complete") watch(frame);
}

function watch(frame) {
  const { contentDocument: content } = frame;
  const main = content?.querySelector("main");
  if (!main) return; // it has not loaded, or shows a browser error
  content.addEventListener("submit", () => {
    clicked = { frame, at: performance.now(), times: new Map() };
  }, true);
  new MutationObserver(() => {
    if (clicked === null || clicked.times.has(frame)) return;
    clicked.times.set(frame, Math.max(1, Math.round(performance.now() - clicked.at)));
    if (clicked.times.size < frames.length) return;
    const other = frames.find((frame) => frame !== clicked.frame);
    const [own, others] = [clicked.frame, other].map((frame) => clicked.times.get(frame));
    clicked = null;
    output.textContent = `The window you pressed showed it after ${own} ms, the other one after ${others} ms.`;
  }).observe(main, { subtree: true, childList: true, characterData: true });
}
