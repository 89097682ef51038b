/**
 * This tab as a window of the server: where it is, what it shows, and what the hub tells it.
 *
 * - Each `here` (a join, a rejoin, a navigation, a retry) has a navigation number of its own. From
 *   then until the `show` with that number the tab is at no place and takes no patch, so that what
 *   it shows stays what its tags said, and the difference that comes fits.
 * - All regions of an event are applied in one go, so a frame of an animation never sees half.
 * - A patch that does not fit makes the tab ask for everything whole, and, should that not fit
 *   either, load the page anew.
 *
 * Events: `status` (connected changed), `moving` and `shown` (the newest navigation has begun, is
 * answered), `patched` (regions or the overlay have changed: its detail says which), `version`,
 * `refused` (the server does not let the window join or move).
 */
import { bring } from "./assets.js";
import { Channel } from "./channel.js";
import { lay, lift } from "./overlay.js";
import { applyPatches } from "./patch.js";
import { here, withLate } from "./query.js";
import { isAnimated, transition } from "./transitions.js";

/** Patches that fail twice within this time, in milliseconds, make the tab load its page anew. */
const RECOVERY = 5000;

export class Tab extends EventTarget {
  /** The window's id on the present stream, for the X-Window header; null until it has joined. */
  window = null;
  /** Whether the stream is open; null while that is not known yet. */
  connected = null;

  #channel;
  #navigation = 0;
  #place = null;
  #version = 0;
  #recovered = -Infinity;
  #streams = 0; // how many there were until now
  #held = new Set();
  #queue = null; // messages that came while a transition begins, in order

  /** @param {object} configuration what a `Hub` is made with, and `worker`: its script */
  constructor({ worker, ...configuration }) {
    super();
    this.#channel = new Channel({
      configuration,
      workerURL: worker,
      onConnect: () => this.move(),
      onMessage: (message) => this.#hear(message),
    });
  }

  connect() {
    this.#channel.connect();
  }

  /** Makes the hub reconnect at once, if it is waiting to. */
  hurry() {
    this.#channel.send({ kind: "hurry" });
  }

  /** Tells the server that this window is at the tab's URL now; a `shown` event answers. */
  move(tags = this.#tags()) {
    this.#navigation += 1;
    this.#place = null;
    this.#channel.send({ kind: "here", at: here(), navigation: this.#navigation, tags });
    this.#say("moving");
  }

  /** Whether the newest `move` has been answered. */
  get isShown() {
    return this.#place !== null;
  }

  /** Whether the window shows what the server last said of its URL. */
  get isCurrent() {
    return this.connected === true && this.isShown;
  }

  /**
   * Resolves when the window shows what came of a post that has been answered: it is current, and
   * its stream has reached the answer's version or was opened after the answer (versions of another
   * boot say nothing). A stream that stays behind is waited for no longer than `limit` milliseconds
   * in which the window is current; one that is lost, as long as it takes.
   */
  reached(version = 0, limit = 2000) {
    const end = new AbortController();
    const stream = this.#streams;
    let timer;
    return new Promise((resolve) => {
      const check = () => {
        if (!this.isCurrent) {
          clearTimeout(timer);
          timer = undefined;
        } else if (this.#version >= version || this.#streams > stream) resolve();
        else timer ??= setTimeout(resolve, limit);
      };
      for (const name of ["version", "status", "moving", "shown"]) {
        this.addEventListener(name, check, { signal: end.signal });
      }
      check();
    }).finally(() => {
      end.abort();
      clearTimeout(timer);
    });
  }

  /** Has the page stay until a promise is settled: a post that was not answered yet would be lost. */
  hold(promise) {
    this.#held.add(promise);
    promise.finally(() => this.#held.delete(promise));
  }

  /** Loads the page anew, as soon as nothing holds it. */
  async reload() {
    while (this.#held.size > 0) await Promise.allSettled(this.#held);
    location.reload();
  }

  #tags() {
    const regions = document.querySelectorAll("[data-region][data-tag]");
    return Object.fromEntries([...regions].map(({ dataset }) => [dataset.region, dataset.tag]));
  }

  #hear(message) {
    if (this.#queue) this.#queue.push(message);
    else if (message.kind === "event") this.#receive(message.name, message.data);
    else if (message.kind === "ask") this.move();
    else if (message.kind === "joined") this.window = message.window;
    else if (message.kind === "version") this.#reach(message.version);
    else if (message.kind === "refused") this.#say("refused");
    else if (message.kind === "status" && message.connected !== this.connected) {
      this.connected = message.connected;
      if (this.connected) this.#streams += 1;
      // What it shows is of a stream that has ended: it is shown again when it has joined again.
      else this.window = this.#place = null;
      this.#say("status");
    }
  }

  #receive(name, data) {
    if (name === "show") this.#show(data);
    else if (data.place === this.#place && name === "frame") {
      if (isAnimated(data.transition)) return this.#animate(data);
      this.#patch(data);
    }
    else if (data.place === this.#place && name === "move") this.#settle(data, data.to);
    this.#reach(data.version);
  }

  #show(data) {
    if (data.navigation !== this.#navigation) return;
    // Also when it is shown at another place: a `move` was missed while its stream was behind.
    if (this.#place !== data.place && this.#settle(data, data.place)) this.#say("shown");
  }

  /** Patches as a view transition: the browser asks for it when it knows what was shown before. */
  #animate(data) {
    this.#queue = [];
    transition(data.transition, () => {
      const queue = this.#queue;
      this.#queue = null;
      if (data.place === this.#place) this.#patch(data); // it may have gone elsewhere
      this.#reach(data.version);
      for (const message of queue) this.#hear(message);
    });
  }

  /** Takes the window to a place, whose URL may be a normal form of the one asked for. */
  #settle({ url, title, assets, regions, overlay }, place) {
    this.#place = place;
    if (url !== undefined && withLate(url) !== here()) {
      history.replaceState(history.state, "", withLate(url));
    }
    const isShown = this.#patch({ title, regions, overlay });
    bring(assets ?? []); // modules find what they are for in what has been patched
    return isShown;
  }

  #patch({ title, regions = [], overlay }) {
    try {
      if (title !== undefined) document.title = title;
      const standing = lift();
      const changes = applyPatches(regions);
      lay(overlay ?? standing, changes);
      this.dispatchEvent(new CustomEvent("patched", { detail: changes }));
      return true;
    } catch (error) {
      console.error("A patch does not fit.", error);
      this.#recover();
      return false;
    }
  }

  #recover() {
    this.#place = null;
    const now = performance.now();
    if (now - this.#recovered < RECOVERY) setTimeout(() => this.reload(), RECOVERY);
    else this.move({});
    this.#recovered = now;
  }

  #reach(version) {
    if (version === undefined) return;
    this.#version = version;
    this.#say("version");
  }

  #say(name) {
    this.dispatchEvent(new Event(name));
  }
}
