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
  this.clicks ??= new Clicks(this);
  if (this.clicks.take(id, method, params)) {
    return;
  }
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

// Firefox counts the clicks of one command only, and Playwright sends each press and each release by
// itself: of those that it sends at once, several presses are made one command.
class Clicks {
  #commands = [];

  constructor(socket) {
    this.socket = socket;
  }

  /** Whether this is a command of the mouse, which goes out a moment later; any other goes after those. */
  take(id, method, params) {
    const [source, other] = params?.actions ?? [];
    if (method !== "input.performActions" || other || source.parameters?.pointerType !== "mouse") {
      this.#flush();
      return false;
    }
    if (this.#commands.length === 0) {
      setImmediate(() => this.#flush());
    }
    this.#commands.push({ id, method, params });
    return true;
  }

  #flush() {
    const commands = this.#commands.splice(0);
    const actions = commands.flatMap(({ params }) => params.actions[0].actions);
    const contexts = new Set(commands.map(({ params }) => params.context));
    const isOne = contexts.size === 1
      && actions.filter(({ type }) => type === "pointerDown").length > 1;
    if (!isOne) {
      commands.forEach((command) => send.call(this.socket, JSON.stringify(command)));
      return;
    }
    const [{ id, method, params }, ...others] = commands;
    const merged = { ...params, actions: [{ ...params.actions[0], actions }] };
    answered(this.socket, id, (answer) => {
      for (const other of others) {
        tell(this.socket, { ...answer, id: other.id });
      }
    });
    send.call(this.socket, JSON.stringify({ id, method, params: merged }));
  }
}

/** Calls a function with the answer to a command, once. */
function answered(socket, id, hear) {
  socket.on("message", function listen(data) {
    const answer = JSON.parse(data.toString());
    if (answer.id === id) {
      socket.off("message", listen);
      hear(answer);
    }
  });
}

/** Tells Playwright what Firefox has not told. */
function tell(socket, message) {
  emit.call(socket, "message", Buffer.from(JSON.stringify(message)), false);
}

// Firefox tells that a page begins to come back from its back/forward cache, and never that it is there.
// Its window tells: of a navigation to where its context was before, that nothing was asked of the network
// for, Playwright is told so.
WebSocket.prototype.emit = function (event, data, ...rest) {
  if (event === "message") {
    const message = JSON.parse(data.toString());
    this.history ??= new History();
    this.history.complete(message).forEach((missing) => tell(this, missing));
    this.worlds ??= new Worlds(this);
    this.worlds.hear(message);
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

// A window that a page opens at its own site goes on with the world of the blank page that it had at first,
// and Firefox tells of no world but Playwright's own in it. It is asked for the page's.
class Worlds {
  #told = new Map(); // contexts, by the page's world that was told of
  #next = FOCUS.id - 1_000_000;

  constructor(socket) {
    this.socket = socket;
  }

  hear({ method, params }) {
    if (method === "script.realmDestroyed") {
      this.#told.delete(params.realm);
    } else if (method === "script.realmCreated" && !params.sandbox) {
      this.#told.set(params.realm, params.context);
    } else if (method === "script.realmCreated" && ![...this.#told.values()].includes(params.context)) {
      this.#ask(params.context);
    }
  }

  #ask(context) {
    const id = this.#next--;
    answered(this.socket, id, ({ result }) => {
      const missing = result?.realms.filter(({ realm, sandbox }) => !sandbox && !this.#told.has(realm));
      for (const params of missing ?? []) {
        this.#told.set(params.realm, context);
        tell(this.socket, { type: "event", method: "script.realmCreated", params });
      }
    });
    send.call(this.socket, JSON.stringify({ id, method: "script.getRealms", params: { context } }));
  }
}
