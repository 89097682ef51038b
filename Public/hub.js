/**
 * The hub of one browser. It owns the only event stream, joins a window to it for each tab, and
 * passes each event to the tabs concerned. It runs in the SharedWorker (`worker.js`) or, without
 * one, in the tab itself (`channel.js`). It knows a tab only as a MessagePort.
 *
 * A tab sends           | and the hub
 * ----------------------|-----------------------------------------------------------------------
 * here {at, navigation, | joins a window for it, or moves its window there. If several are waiting,
 * tags, awaited}        | only the newest is sent; the answer is the `show` event
 * leave                 | forgets it, and closes the stream if it was the last tab
 * hurry                 | tries again immediately if it is waiting to reconnect, or heard nothing for
 *                       | long; and answers with a `ping`
 * alive                 | knows that it is alive. It drops a tab that left four `ping` unanswered
 *
 * The hub sends `ask` (for `here` again), `joined {window}`, `status {connected}`,
 * `refused {isMissing, reason}`, `ping`, and `event {name, data}` for show, frame, move, version, presence,
 * toast and ended.
 *
 * Invariants
 * - Every `here` contains the tab's tags, and the hub asks for a new one for each attempt. So the
 *   server's difference is always relative to what the tab shows at that time. (`docs/PROTOCOL.md`,
 *   Requests)
 * - Events are passed on in the order of the stream. A `show` can overtake the answer to its join,
 *   which contains its window. It and all later events then wait for that answer.
 * - The window of `open` joins after it. Until its `show`, or `refused`, this counts as a request in
 *   progress for its tab: nothing else is posted for it, and the tab does not know its window.
 * - The `place` that the hub keeps for a tab only saves messages. Each tab checks again for itself.
 */
import { backoff, isFinal, jittered, postJSON, request } from "./request.js";
import { EventStream } from "./stream.js";

/**
 * How many pings may stay unanswered. Nothing else tells of a tab that has crashed: Chromium 156 has
 * no `close` event of ports. They are counted rather than timed, so that a computer may
 * sleep.
 */
const PINGS = 4;
/** The state of a tab that has not sent its location yet. */
const ABSENT = {
  window: null, place: null, here: null, posting: null, isForgotten: false, attempt: 0, pings: 0,
};

/**
 * @typedef {object} Tab
 * @property {MessagePort} port
 * @property {string | null} window its id on the current stream
 * @property {number | null} place
 * @property {object | null} here the last message that it sent, until that is posted
 * @property {object | null} posting the request that is in progress for it; that for the stream has
 *   the `window` that joins with it
 * @property {boolean} isForgotten whether the server did not know the stream when it last asked to join
 * @property {number} attempt failures in a row
 * @property {number | undefined} timer of the next attempt
 * @property {number} pings unanswered ones
 */

export class Hub {
  #windowsURL;
  #silence;
  #events;
  #stream = null; // the id of the current stream, null if there is none
  #isConnected = null; // null until the first attempt has ended
  #tabs = new Set();
  #joins = new Set(); // requests to join that have not been answered yet
  #waiting = []; // events that have not been passed on yet, while joins are in progress
  #first = null; // the tab whose window joins with the request for the stream, and its last message
  #pinging;

  /**
   * @param {object} configuration
   * @param {string} configuration.stream the stream's URL
   * @param {string} configuration.windows the URL for joining windows
   * @param {number} configuration.silence when a silent stream counts as dead, in milliseconds
   */
  constructor({ stream, windows, silence }) {
    this.#windowsURL = windows;
    this.#silence = silence;
    this.#events = new EventStream(stream, {
      silence,
      onEvent: (name, data) => this.#receive(name, data),
      onEnd: () => this.#lose(),
      greet: () => this.#greet(),
    });
  }

  /** Serves the tab at the other end of a port. */
  attach(port) {
    const tab = { port, ...ABSENT };
    port.onmessage = ({ data }) => this.#hear(tab, data);
  }

  // MARK: Tabs

  #hear(tab, message) {
    tab.pings = 0;
    if (message.kind === "here") this.#place(tab, message);
    else if (message.kind === "leave") this.#drop(tab);
    else if (message.kind === "hurry") {
      this.#events.hurry();
      tab.port.postMessage({ kind: "ping" });
    }
  }

  #place(tab, { kind, ...here }) {
    if (!this.#tabs.has(tab)) {
      this.#tabs.add(tab);
      tab.port.postMessage({ kind: "status", connected: this.#isConnected });
      this.#pinging ??= setInterval(() => this.#ping(), this.#silence / PINGS);
    }
    tab.here = here;
    tab.place = null; // it accepts no frame before it is shown the answer
    this.#events.open();
    clearTimeout(tab.timer);
    this.#post(tab);
  }

  #drop(tab) {
    if (!this.#tabs.delete(tab)) return;
    clearTimeout(tab.timer);
    if (tab.window) this.#leave(tab.window);
    Object.assign(tab, ABSENT);
    if (this.#tabs.size > 0) return;
    clearInterval(this.#pinging);
    this.#pinging = undefined;
    this.#events.close();
    this.#end();
    this.#isConnected = null;
  }

  #ping() {
    for (const tab of [...this.#tabs]) {
      tab.pings += 1;
      const isAlive = tab.pings <= PINGS;
      if (!isAlive) this.#drop(tab);
      // A frozen tab that was dropped reads this when it resumes, and so returns.
      tab.port.postMessage({ kind: isAlive ? "ping" : "ask" });
    }
  }

  #tell(message) {
    for (const tab of this.#tabs) tab.port.postMessage(message);
  }

  // MARK: Windows

  /** The first tab's window joins with the request for the stream, which saves a round trip. */
  #greet() {
    const [tab] = this.#tabs;
    this.#first = { tab, here: tab.here };
    return tab.here;
  }

  #admit(window) {
    const { tab, here } = this.#first;
    if (!this.#tabs.has(tab)) return;
    if (tab.here === here) tab.here = null;
    Object.assign(tab, { window, posting: { window } });
  }

  /** That window has joined, or could not (null). */
  #admitted(tab, window) {
    if (!tab?.posting?.window) return;
    tab.posting = null;
    if (window) this.#join(tab, window);
    else this.#retry(tab, { json: { code: "unknownWindow" } });
    this.#post(tab);
  }

  /** Posts a tab's last message, if there is a stream and no request in progress for the tab. */
  async #post(tab) {
    if (!this.#stream || !tab.here || tab.posting) return;
    const stream = this.#stream;
    const { window } = tab;
    const posting = {};
    const url = window ? `${this.#windowsURL}/${window}` : this.#windowsURL;
    const body = window ? tab.here : { stream, ...tab.here };
    tab.here = null;
    tab.posting = posting;
    if (!window) this.#joins.add(posting);

    const answer = await postJSON(url, body, tab.attempt);

    if (tab.posting === posting) {
      tab.posting = null;
      if (!answer?.ok) this.#retry(tab, answer);
      else if (!window) this.#join(tab, answer.json.window);
      if (answer?.ok) tab.attempt = 0;
      this.#post(tab);
    } else if (!window && answer?.ok && stream === this.#stream) {
      this.#leave(answer.json.window); // the tab left while it was joining
    }
    this.#joins.delete(posting);
    this.#handOn();
  }

  #join(tab, window) {
    Object.assign(tab, { window, isForgotten: false });
    tab.port.postMessage({ kind: "joined", window });
  }

  /** Asks a tab again after a failed request, unless its page does not exist. */
  #retry(tab, answer) {
    const code = answer?.json.code;
    const isUnknown = code === "unknownWindow";
    if (isUnknown) tab.window = null;
    else if (code === "unknownStream" && !tab.isForgotten) {
      // Once, because a browser without cookies has a stream that it can never join, and all other
      // tabs lose theirs.
      tab.isForgotten = true;
      return this.#events.reopen();
    } else if (isFinal(answer) || code === "noRoom") {
      const isMissing = code === "unknownPage";
      tab.port.postMessage({ kind: "refused", isMissing, reason: code === "noRoom" && answer.json.message });
      if (isMissing) return;
    }
    if (tab.here) return; // a newer message is posted immediately
    const asked = answer?.retryAfter;
    const wait = isUnknown ? 0 : asked ? jittered(asked) : backoff(tab.attempt);
    tab.attempt += 1;
    tab.timer = setTimeout(() => tab.port.postMessage({ kind: "ask" }), wait);
  }

  #leave(window) {
    // keepalive: without a worker, the page that sends this is being closed.
    request(`${this.#windowsURL}/${window}/leave`, { method: "POST", keepalive: true });
  }

  // MARK: Events

  #receive(name, data) {
    if (name === "open") this.#begin(data);
    else {
      this.#waiting.push({ name, data });
      this.#handOn();
    }
  }

  #begin({ stream, window }) {
    this.#end();
    this.#stream = stream;
    this.#isConnected = true;
    this.#tell({ kind: "status", connected: true });
    if (window) this.#admit(window);
    for (const tab of this.#tabs) {
      if (tab.here) this.#post(tab); // not posted yet, so it is still valid (Tab.move)
      else if (!tab.window) tab.port.postMessage({ kind: "ask" });
    }
  }

  #lose() {
    this.#end();
    this.#isConnected = false;
    this.#tell({ kind: "status", connected: false });
  }

  /** Forgets everything that belonged to the stream. */
  #end() {
    this.#stream = null;
    this.#waiting = [];
    this.#joins.clear();
    for (const tab of this.#tabs) Object.assign(tab, { window: null, place: null, posting: null });
  }

  #handOn() {
    while (this.#waiting.length > 0) {
      const { name, data } = this.#waiting[0];
      const mayBeJoining = name === "show" && this.#joins.size > 0;
      if (mayBeJoining && !this.#tabOf(data.window)) return;
      this.#waiting.shift();
      this.#route(name, data);
    }
  }

  #route(name, data) {
    const concerned = this.#concerned(name, data);
    for (const tab of concerned) tab.port.postMessage({ kind: "event", name, data });
  }

  /** Updates the hub for an event, and returns the tabs that must receive it. */
  #concerned(name, data) {
    if (name === "show") {
      const tab = this.#tabOf(data.window);
      if (tab) tab.place = data.place;
      else this.#leave(data.window); // the hub gave up its join, which the server does not know
      this.#admitted(tab, data.window);
      return tab ? [tab] : [];
    }
    if (["toast", "ended", "version"].includes(name)) return [this.#tabOf(data.window)].filter(Boolean);
    if (name === "frame" || name === "move" || name === "presence") {
      const tabs = [...this.#tabs].filter((tab) => tab.place === data.place);
      if (name === "move") for (const tab of tabs) tab.place = data.to;
      return tabs;
    }
    if (name === "refused") this.#admitted(this.#tabOf(data.window), null);
    if (name === "goodbye") this.#events.comeBackAfter(data.retry);
    return [];
  }

  #tabOf(window) {
    return [...this.#tabs].find((tab) => tab.window === window);
  }
}
