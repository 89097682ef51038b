/**
 * Says how long it took from a click in one frame of the home page until the other showed what came of
 * it. Both frames are windows of their own; the change goes from one to the server, and from there to both.
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
  if (!main) return; // it has not loaded, or shows an error of the browser
  content.addEventListener("submit", () => (clicked = { frame, at: performance.now() }), true);
  new MutationObserver(() => {
    if (clicked === null || clicked.frame === frame) return;
    const milliseconds = Math.max(1, Math.round(performance.now() - clicked.at));
    clicked = null;
    output.textContent = `The other one showed it after ${milliseconds} ms.`;
  }).observe(main, { subtree: true, childList: true, characterData: true });
}
