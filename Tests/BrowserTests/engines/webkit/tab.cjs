// One window of a browser: its document, which comes and goes without telling, is asked again and again.

"use strict";

const { randomBytes } = require("node:crypto");

const page = require("./page.cjs");
const { LOST } = require("./session.cjs");

const IDLE = 50; // milliseconds between two looks
const WAITING = 4; // while something is awaited

class Tab {
  constructor(profile, handle, emit) {
    this.profile = profile;
    this.handle = handle;
    this.emit = emit;
    this.document = null; // the id of the one that was seen last
    this.url = null;
    this.loaded = 0; // 1: it is interactive, 2: complete
    this.navigation = null; // that was asked for and has not begun
    this.keys = new Set(); // those that are down: WebKit's WebDriver tells pages nothing more of them
    this.promises = new Map(); // what pages have not settled yet
    this.isClosed = false;
  }

  /** Does something in this window, when whatever else there is in this browser is done. */
  async inside(work) {
    return this.profile.inTurn(async (session) => {
      if (this.profile.current !== this.handle) {
        await session.post("/window", { handle: this.handle });
        this.profile.current = this.handle;
      }
      return work(session);
    });
  }

  async watch() {
    while (!this.isClosed) {
      await this.observe().catch(() => {}); // between two documents there is none
      await new Promise((resolve) => setTimeout(resolve, this.isAwaited ? WAITING : IDLE));
    }
  }

  get isAwaited() {
    return this.promises.size > 0 || this.navigation !== null || this.loaded < 2;
  }

  async observe() {
    const next = randomBytes(9).toString("base64url");
    const seen = await this.inside((session) => session.runOrLose(page.OBSERVE, next));
    if (this.isClosed || seen === LOST) {
      return;
    }
    const [document, url, state, settled] = JSON.parse(seen);
    if (document !== this.document) {
      this.replace(document, url);
    } else if (url !== this.url) {
      this.url = url;
      this.emit("browsingContext.historyUpdated", { context: this.handle, url });
    }
    for (const [promise, answer] of settled) {
      this.promises.get(promise)?.(answer);
      this.promises.delete(promise);
    }
    this.tell(state);
  }

  /** There is another document. */
  replace(document, url) {
    if (this.document) {
      this.emit("script.realmDestroyed", { realm: this.document });
      this.emit("script.realmDestroyed", { realm: `${this.document} utility` });
    }
    this.release();
    const navigation = this.navigation ?? document;
    if (this.document || this.navigation) {
      if (!this.navigation) {
        this.emit("browsingContext.navigationStarted", { context: this.handle, navigation, url });
      }
      this.emit("browsingContext.navigationCommitted", { context: this.handle, navigation, url });
    }
    this.navigation = null;
    this.document = document;
    this.url = url;
    this.loaded = 0;
    const { origin } = new URL(url);
    this.emit("script.realmCreated", {
      realm: document, origin, type: "window", context: this.handle,
    });
  }

  /** How far the document is. */
  tell(state) {
    const parameters = { context: this.handle, navigation: null, url: this.url };
    if (this.loaded < 1 && state !== "loading") {
      this.loaded = 1;
      this.emit("browsingContext.domContentLoaded", parameters);
    }
    if (this.loaded < 2 && state === "complete") {
      this.loaded = 2;
      this.emit("browsingContext.load", parameters);
    }
  }

  /** Nobody waits for the promises of a document that is gone. */
  release() {
    for (const settle of this.promises.values()) {
      settle({ stale: true });
    }
    this.promises.clear();
  }

  /** Runs a script; `args` is null for an expression. Returns what BiDi answers. */
  async run(source, sources, args, { isWaiting, isHandle, realm }) {
    const script = page.call(source, sources);
    const document = this.document;
    const ran = await this.inside((session) => session.runOrLose(script, args, isWaiting, isHandle));
    let answer = ran === LOST ? { stale: true } : JSON.parse(ran);
    if (answer.promise) {
      answer = await new Promise((resolve) => {
        if (this.document === document) {
          this.promises.set(answer.promise, resolve);
        } else {
          resolve({ stale: true });
        }
      });
    }
    if (answer.stale) {
      await this.observe().catch(() => {});
      throw Object.assign(new Error("the document is gone"), { code: "no such handle" });
    }
    const name = realm(this.document);
    return answer.exception === undefined
      ? { type: "success", result: answer.result, realm: name }
      : { type: "exception", exceptionDetails: { text: answer.exception }, realm: name };
  }
}

module.exports = { Tab };
