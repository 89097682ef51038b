// What Playwright and Debian's Firefox do not agree about. Playwright's driver loads this first.

"use strict";

const { createRequire } = require("node:module");
const path = require("node:path");

const driver = createRequire(path.resolve(process.argv[1]));
const WebSocket = driver("./lib/utilsBundle.js").ws;
const { send } = WebSocket.prototype;

// This Firefox does not know the command that says what a context prefers. Where that is what Firefox
// does anyway, it is answered here. Whatever else is asked for fails as before.
const PREFERENCE = "emulation.setMediaFeaturesOverride";
const DEFAULTS = ["light", null, undefined];

// Only one window has the focus. Playwright is told that each has, as Chromium tells it.
const FOCUS = {
  id: Number.MAX_SAFE_INTEGER - 7, // nobody waits for the answer
  method: "script.addPreloadScript",
  params: {
    functionDeclaration: "() => { document.hasFocus = () => true; }",
    sandbox: "__playwright_utility_world__",
  },
};

WebSocket.prototype.send = function (data, ...rest) {
  const { id, method, params } = typeof data === "string" ? JSON.parse(data) : {};
  if (method === PREFERENCE && DEFAULTS.includes(params.features["prefers-color-scheme"])) {
    const answer = JSON.stringify({ type: "success", id, result: {} });
    setImmediate(() => this.emit("message", Buffer.from(answer), false));
    return;
  }
  send.call(this, data, ...rest);
  if (method === "session.subscribe") {
    send.call(this, JSON.stringify(FOCUS));
  }
};
