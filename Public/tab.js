/**
 * This tab as a window of the server: its location, its content, and the messages from the hub.
 *
 * - Each `here` (a join, a rejoin, a navigation, a retry) has its own navigation number. From then
 *   until the `show` with that number, the tab is at no place and accepts no patch. So its content
 *   still matches the tags that it sent, and the difference that arrives fits.
 * - All regions of an event are applied at once, so no animation frame shows half of them.
 * - If a patch does not fit, the tab asks for the whole content. If that does not fit either, if the
 *   server no longer has the page, or if it has other styles and scripts, it reloads the page.
 *
 * Events: `status` (`connected` has changed), `joined` (`window` is set), `moving` and `shown` (the
 * newest navigation has begun, or was answered), `patched` (regions or the overlay have changed; its
 * detail contains the changes), `pushed` (they have changed because the state did), `presence` (its
 * detail is the number of windows that show this page), `toast` (its detail is the content of a
 * toast), `ended` (its detail has the token of a post whose effect has succeeded), `version`,
 * `outdated` (the page should be reloaded; the detail is true if it cannot apply a patch),
 * `refused` (the server does not let the window join or move; its detail is a sentence that says why,
 * if the user can do something about it).
 */
import { bring } from "./assets.js";
import { Channel } from "./channel.js";
import { lay, lift } from "./overlay.js";
import { applyPatches } from "./patch.js";
import { here, learnLate, withLate } from "./query.js";
import { isFramed, load } from "./session.js";

/** If patches fail twice within this time, in milliseconds, the page is reloaded. */
const RECOVERY = 5000;

export class Tab extends EventTarget {
  /** The window's id on the current stream, for the X-Window header; null until it has joined. */
  window = null;
  /** Whether the stream is open; null if that is not known yet. */
  connected = null;
  /** Whether the server does not let the window join or move; it may do so later. */
  isRefused = false;
  /** Whether the page should be reloaded (`renewal.js`). */
  isOutdated = false;
  /** The module `transitions.js`. Until it is loaded, changes are shown without. */
  transitions = null;

  #channel;
  #navigation = 0;
  #place = null;
  #version = 0;
  #recovered = -Infinity;
  #streams = 0; // the number of streams so far
  #held = new Set();
  #queue = []; // messages that wait until nothing pauses the window, in order
  #pauses = 0;

  /** @param {object} configuration for the `Hub`, plus `worker`, the URL of its script */
  constructor({ worker, ...configuration }) {
    super();
    this.#channel = new Channel({
      configuration,
      workerURL: worker,
      onConnect: () => {
        this.window = null; // of the connection before, which has left it
        this.move();
      },
      onMessage: (message) => this.#hear(message),
    });
  }

  connect() {
    this.#channel.connect();
  }

  /** Makes the hub reconnect immediately if it is waiting. */
  hurry() {
    this.#channel.hurry();
  }

  /** Sends the tab's URL to the server as the window's location. A `shown` event answers. */
  move(tags = this.#tags()) {
    this.#navigation += 1;
    this.#place = null;
    // See `toast.js`.
    const posts = load("awaited", () => !isFramed);
    const awaited = posts.length > 0 ? posts : undefined;
    this.#channel.send({ kind: "here", at: here(), navigation: this.#navigation, tags, awaited });
    this.#say("moving");
  }

  /** Whether the newest `move` has been answered. */
  get isShown() {
    return this.#place !== null;
  }

  /** Whether the window shows the newest content for its URL. */
  get isCurrent() {
    return this.connected === true && this.isShown;
  }

  /**
   * Resolves when the window has joined, when it cannot join, or when the page is left; after at most
   * `limit` milliseconds. Only a window that has joined is sent the toasts of its posts.
   */
  whenJoined(limit = 2000) {
    if (this.window !== null || this.isRefused) return Promise.resolve();
    const end = new AbortController();
    return new Promise((resolve) => {
      for (const name of ["joined", "refused"]) {
        this.addEventListener(name, resolve, { signal: end.signal });
      }
      addEventListener("pagehide", resolve, { signal: end.signal });
      setTimeout(resolve, limit);
    }).finally(() => end.abort());
  }

  /**
   * Resolves when the window shows the result of a post that has been answered: it is current, and
   * has reached the answer's version or is on a stream that was opened after the answer (versions of
   * different boots cannot be compared). If the stream lags behind, it waits at most `limit`
   * milliseconds while the window is current; if the stream is lost, it waits as long as it takes.
   * If the server does not let the window join, it does not wait.
   */
  reached(version = 0, limit = 2000) {
    if (this.connected === false) this.hurry(); // the server is back, since it has answered
    const end = new AbortController();
    const stream = this.#streams;
    let timer;
    return new Promise((resolve) => {
      const check = () => {
        if (this.isRefused) resolve();
        else if (!this.isCurrent) {
          clearTimeout(timer);
          timer = undefined;
        } else if (this.#version >= version || this.#streams > stream) resolve();
        else timer ??= setTimeout(resolve, limit);
      };
      for (const name of ["version", "status", "moving", "shown", "refused"]) {
        this.addEventListener(name, check, { signal: end.signal });
      }
      check();
    }).finally(() => end.abort());
  }

  /**
   * Keeps the page from reloading until a promise is settled, because an unanswered post would be
   * lost.
   */
  hold(promise) {
    this.#held.add(promise);
    promise.finally(() => this.#held.delete(promise));
  }

  /** Reloads the page, or does something else, as soon as nothing holds it. */
  async reload(act = () => location.reload()) {
    while (this.#held.size > 0) await Promise.allSettled(this.#held);
    return act();
  }

  #tags() {
    const regions = document.querySelectorAll("[data-region][data-tag]");
    return Object.fromEntries([...regions].map(({ dataset }) => [dataset.region, dataset.tag]));
  }

  /** What arrives is kept until `resume` has been called as often as this. So call it only for moments. */
  pause() {
    this.#pauses += 1;
  }

  resume() {
    this.#pauses -= 1;
    const queue = this.#queue;
    this.#queue = [];
    for (const message of queue) this.#hear(message);
  }

  #hear(message) {
    if (this.#pauses > 0) this.#queue.push(message);
    else if (message.kind === "event") this.#receive(message.name, message.data);
    else if (message.kind === "ask") this.move();
    else if (message.kind === "joined") this.#join(message.window);
    else if (message.kind === "refused") this.refuse(message);
    else if (message.kind === "status" && message.connected !== this.connected) {
      this.connected = message.connected;
      if (this.connected) this.#streams += 1;
      // Its content came from a stream that has ended. It gets a new place when it rejoins.
      else this.window = this.#place = null;
      this.#say("status");
    }
  }

  #join(window) {
    this.window = window;
    this.isRefused = false;
    this.#say("joined");
  }

  /** Shows that the window is not live, and why if there is a reason to show. */
  refuse({ isMissing, reason }) {
    this.isRefused = true;
    this.#say("refused", reason);
    // Not at once: during an upgrade, another server may still have the page.
    const refused = this.#navigation;
    const isStill = () => this.connected && !this.isShown && refused === this.#navigation;
    if (isMissing) setTimeout(() => isStill() && this.reload(), RECOVERY);
  }

  #receive(name, data) {
    const isHere = data.place === this.#place;
    if (name === "toast" || name === "ended") return this.#say(name, data);
    if (name === "presence") return isHere && this.#say("presence", data.windows);
    if (name === "show") this.#show(data);
    else if (isHere && name === "move") this.#settle(data, data.to);
    else if (isHere && name === "frame") {
      if (this.transitions?.isAnimated(data.as)) return this.#animate(data);
      this.#push(data);
    }
    this.#reach(data.version);
  }

  #show(data) {
    if (data.navigation !== this.#navigation) return;
    this.isRefused = false;
    if ((this.isOutdated = data.outdated)) this.#say("outdated");
    // Also if it is shown at another place: a `move` was missed while the stream was behind.
    if (this.#place !== data.place && this.#settle(data, data.place)) this.#say("shown");
    this.#say("presence", data.windows);
  }

  /**
   * Patches within a view transition. The browser calls back once it has captured the old content.
   */
  #animate(data) {
    this.pause();
    this.#hear({ kind: "event", name: "frame", data: { ...data, as: undefined } });
    this.transitions.transition(data.as, () => this.resume());
  }

  /** Moves the window to a place, whose URL may be a normalized form of the requested one. */
  #settle({ url, title, assets, regions, overlay }, place) {
    this.#place = place;
    const isShown = this.#patch({ url, title, regions, overlay });
    bring(assets ?? []); // modules find their elements in the patched content
    return isShown;
  }

  #push(data) {
    const changes = this.#patch(data);
    if (changes) this.#say("pushed", changes);
  }

  /** Returns the changes; null if the patches do not fit. */
  #patch({ url, title, regions = [], overlay }) {
    try {
      if (title !== undefined) document.title = title;
      const standing = lift();
      // Searching the document at each push would cost more the longer the page is.
      if (url !== undefined) learnLate();
      const changes = applyPatches(regions);
      if (url !== undefined) {
        const target = withLate(url); // only now, because the patch may declare a late parameter
        if (target !== here()) history.replaceState(history.state, "", target);
      }
      lay(overlay ?? standing, changes);
      this.#say("patched", changes);
      return changes;
    } catch (error) {
      console.error("A patch does not fit.", error);
      this.#recover();
      return null;
    }
  }

  #recover() {
    this.#place = null;
    const now = performance.now();
    if (now - this.#recovered < RECOVERY) {
      this.isOutdated = true;
      this.#say("outdated", true);
    } else this.move({});
    this.#recovered = now;
  }

  #reach(version) {
    this.#version = version;
    this.#say("version");
  }

  #say(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
