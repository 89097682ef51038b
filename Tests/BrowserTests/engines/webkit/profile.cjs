// A user context: one browser with its windows, started when the first of them is wanted.

"use strict";

const { Session } = require("./session.cjs");
const { Tab } = require("./tab.cjs");

const LOOK_FOR_WINDOWS = 200; // milliseconds
const RESIZE_LIMIT = 10_000; // until it has been told its size again and again in vain
const [LOOKS, LOOK_AGAIN] = [10, 20]; // after each time, and milliseconds between two
const ERROR = /CONSOLE JS ERROR (.*)|CONSOLE (?:SECURITY|OTHER) ERROR (.*)/;

// Without a window manager the window under the pointer has the focus; it is in the middle of the screen.
const POINTER = { x: 800, y: 600 };

/** Where a window of a size has a point inside it. */
function around({ x, y }, width, height) {
  return { x: Math.max(0, Math.round(x - width / 2)), y: Math.max(0, Math.round(y - height / 2)) };
}

class Profile {
  constructor(id, { args, environment, emit, onTab }) {
    this.id = id;
    this.args = [...args];
    this.environment = { ...environment };
    this.emit = emit;
    this.onTab = onTab;
    this.tabs = new Map();
    this.current = null; // the window that commands go to
    this.turn = Promise.resolve();
    this.viewport = null;
    this.spare = null; // a window that shows nothing
  }

  /** Commands of a session go to one window at a time. */
  inTurn(work) {
    const result = this.turn.then(() => work(this.session));
    this.turn = result.catch(() => {});
    return result;
  }

  async start() {
    this.session = await Session.start({
      args: this.args,
      environment: this.environment,
      onConsole: (line) => this.hear(line),
      onFailure: (error) => this.fail(error),
      isClosed: () => this.isClosed,
    });
    this.spare = await this.session.get("/window");
    this.lookForWindows();
  }

  async open() {
    this.starting ??= this.start();
    await this.starting;
    const spare = this.spare;
    this.spare = null;
    return this.add(spare ?? await this.inTurn(async (session) => {
      const { handle } = await session.post("/window/new", { type: "window" });
      this.known.add(handle);
      return handle;
    }));
  }

  async add(handle, opener = null) {
    const tab = new Tab(this, handle, this.emit);
    this.tabs.set(handle, tab);
    this.onTab(tab);
    this.emit("browsingContext.contextCreated", {
      context: handle, userContext: this.id, url: "about:blank", children: null, parent: null,
      originalOpener: opener, clientWindow: handle,
    });
    if (this.viewport) {
      await this.resize(tab, this.viewport);
    }
    while (!tab.document && !tab.isClosed) {
      await tab.observe(); // whoever asked for this window gets it with a document
    }
    tab.watch();
    return tab;
  }

  known = new Set();

  /** Links and scripts open windows too. */
  async lookForWindows() {
    while (!this.isClosed) {
      await this.inTurn(async (session) => {
        for (const handle of await session.get("/window/handles")) {
          if (!this.known.has(handle) && handle !== this.spare && !this.tabs.has(handle)) {
            this.known.add(handle);
            setImmediate(() => this.add(handle, [...this.tabs.keys()][0]).catch(() => {}));
          }
        }
      }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, LOOK_FOR_WINDOWS));
    }
  }

  /** Makes what a window shows so large: the window has a frame and a toolbar too. */
  async resize(tab, { width, height }) {
    await tab.inside(async (session) => {
      const size = "return [innerWidth, innerHeight]";
      let [w, h] = await session.run(size);
      for (const deadline = Date.now() + RESIZE_LIMIT; w !== width || h !== height;) {
        if (Date.now() > deadline) {
          throw new Error(`a window of ${width} by ${height} is ${w} by ${h}`);
        }
        const rect = await session.get("/window/rect");
        const [more, higher] = [rect.width - w, rect.height - h];
        const [across, down] = [width + more, height + higher];
        await session.post("/window/rect", {
          ...around(POINTER, across, down), width: across, height: down,
        });
        for (let looks = 0; looks < LOOKS && (w !== width || h !== height); looks++) {
          await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
          [w, h] = await session.run(size);
        }
      }
    });
  }

  /**
   * The browser would end with its last window, so another one is opened before that for the next page.
   * It is not made one that shows nothing: WebKit would keep its page to come back to, with its worker.
   */
  async close(tab) {
    tab.isClosed = true;
    this.tabs.delete(tab.handle);
    try {
      await tab.inside(async (session) => {
        if (this.tabs.size === 0) {
          const { handle } = await session.post("/window/new", { type: "window" });
          this.known.add(handle);
          this.spare = handle;
        }
        await session.delete("/window");
        this.current = null;
      });
    } finally {
      this.gone(tab);
    }
  }

  async end() {
    this.isClosed = true;
    await this.starting?.catch(() => {});
    this.session?.end();
    this.goneAll();
  }

  /** The browser is no more: its pages have an error that says why, and are gone. */
  fail(error) {
    this.isClosed = true;
    const [tab] = this.tabs.values();
    if (tab) {
      this.complain(tab, error.message);
    }
    this.goneAll();
  }

  goneAll() {
    for (const tab of this.tabs.values()) {
      tab.isClosed = true;
      this.gone(tab);
    }
    this.tabs.clear();
  }

  gone(tab) {
    tab.release();
    this.emit("browsingContext.contextDestroyed", {
      context: tab.handle, userContext: this.id, url: tab.url, children: null, parent: null,
    });
  }

  /** An error that no code of a page's has caught. */
  complain(tab, text) {
    const source = { realm: tab.document, context: tab.handle };
    const timestamp = Date.now();
    this.emit("log.entryAdded", { type: "javascript", level: "error", source, text, timestamp });
  }

  /** What the browser says of its pages; it does not say of which. */
  hear(line) {
    const match = ERROR.exec(line);
    const [tab] = this.tabs.values();
    if (!match || !tab) {
      return;
    }
    if (match[1] !== undefined) {
      this.complain(tab, match[1]);
      return;
    }
    this.emit("log.entryAdded", {
      type: "console", method: "error", level: "error", text: match[2], timestamp: Date.now(),
      source: { realm: tab.document, context: tab.handle },
      args: [{ type: "string", value: match[2] }],
    });
  }
}

module.exports = { Profile };
