// What Playwright and Debian's Firefox do not agree about. Playwright's driver loads this first.

"use strict";

const { createRequire } = require("node:module");
const path = require("node:path");

const driver = createRequire(path.resolve(process.argv[1]));
const WebSocket = driver("./lib/utilsBundle.js").ws;
const { emit, send } = WebSocket.prototype;

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

// Playwright cannot tell a Firefox that pages run no scripts. One that lets its driver see its own windows
// is told so there, before it has pages; Playwright's own scripts run all the same.
const WINDOWS = {
  id: FOCUS.id - 1,
  method: "browsingContext.getTree",
  params: { "moz:scope": "chrome" },
};
const NO_SCRIPTS = (context) => ({
  id: FOCUS.id - 2,
  method: "script.evaluate",
  params: {
    target: { context },
    awaitPromise: false,
    expression: `Services.obs.addObserver((page) => {
      if (page.isContent && !page.parent) page.allowJavascript = false;
    }, "browsing-context-attached")`,
  },
});

const STEPS = ["navigationCommitted", "domContentLoaded", "load"];

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
    turnScriptsOff(this);
  }
};

function turnScriptsOff(socket) {
  socket.on("message", function hear(data) {
    const { id, result } = JSON.parse(data.toString());
    if (id === WINDOWS.id) {
      socket.off("message", hear);
      if (result) {
        send.call(socket, JSON.stringify(NO_SCRIPTS(result.contexts[0].context)));
      }
    }
  });
  send.call(socket, JSON.stringify(WINDOWS));
}

// Firefox tells that a page begins to come back from its back/forward cache, and never that it is there.
// Its window tells: of a navigation that nothing was asked of the network for, Playwright is told so.
WebSocket.prototype.emit = function (event, data, ...rest) {
  if (event === "message") {
    const { method, params } = JSON.parse(data.toString());
    this.cached ??= new Map(); // navigations that may be of that kind, by their context
    if (method === "browsingContext.navigationStarted" && params.url.startsWith("http")) {
      this.cached.set(params.context, params);
    } else if (params?.navigation && params.navigation === this.cached.get(params.context)?.navigation) {
      this.cached.delete(params.context);
    } else if (method === "script.realmCreated" && params.type === "window" && !params.sandbox) {
      for (const step of this.cached.has(params.context) ? STEPS : []) {
        const told = { method: `browsingContext.${step}`, params: this.cached.get(params.context) };
        emit.call(this, event, Buffer.from(JSON.stringify({ type: "event", ...told })), false);
      }
      this.cached.delete(params.context);
    }
  }
  return emit.call(this, event, data, ...rest);
};
