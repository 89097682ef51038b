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

const STEPS = ["navigationCommitted", "domContentLoaded", "load"]
  .map((name) => `browsingContext.${name}`);

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
// Its window tells: of a navigation to where its context was before, that nothing was asked of the network
// for, Playwright is told so.
WebSocket.prototype.emit = function (event, data, ...rest) {
  if (event === "message") {
    this.history ??= new History();
    for (const message of this.history.complete(JSON.parse(data.toString()))) {
      emit.call(this, event, Buffer.from(JSON.stringify(message)), false);
    }
  }
  return emit.call(this, event, data, ...rest);
};

class History {
  #visited = new Set();
  #begun = new Map(); // navigations that may be of that kind, by their context

  /** What Firefox should have told before it told this. */
  complete({ method, params }) {
    const place = `${params?.context} ${params?.url}`;
    const begun = this.#begun.get(params?.context);
    if (method === "browsingContext.navigationStarted" && this.#visited.has(place)) {
      this.#begun.set(params.context, params);
    } else if (begun && params.navigation === begun.navigation) {
      this.#begun.delete(params.context);
    } else if (begun && method === "script.realmCreated" && !params.sandbox) {
      this.#begun.delete(params.context);
      return STEPS.map((step) => ({ type: "event", method: step, params: begun }));
    }
    if (method === STEPS[0]) {
      this.#visited.add(place);
    }
    return [];
  }
}
