/**
 * A tab's channel to the hub. The hub runs in the SharedWorker that all tabs share. Without
 * SharedWorker it runs in the tab itself, but only while the tab is visible, because browsers allow
 * only six connections per host.
 *
 * The hub pings and the tab answers. Four intervals without a message mean that the worker hangs.
 * The tab then starts a new one, whose name is the next number; every other tab will do the same.
 */
import { complain } from "./assets.js";

const PINGS = 4;
/** After this many workers without a message, the tab works without one. */
const WORKERS = 3;

export class Channel {
  #configuration;
  #workerURL;
  #onConnect;
  #onMessage;
  #port = null;
  #timer;
  #silent = 0;
  #worker = 0;

  /**
   * @param {object} options
   * @param {object} options.configuration for the `Hub`
   * @param {string} options.workerURL
   * @param {() => void} options.onConnect called when a hub must be told the tab's location
   * @param {(message: object) => void} options.onMessage
   */
  constructor({ configuration, workerURL, onConnect, onMessage }) {
    this.#configuration = configuration;
    this.#workerURL = workerURL;
    this.#onConnect = onConnect;
    this.#onMessage = onMessage;
    if (!globalThis.SharedWorker) this.#worker = WORKERS;
    document.addEventListener("visibilitychange", () => this.#followVisibility());
    // A page in the back/forward cache must not receive messages, or it is evicted.
    addEventListener("pagehide", () => this.disconnect());
    addEventListener("pageshow", (event) => event.persisted && this.connect());
  }

  connect() {
    if (this.#port || (this.#isAlone && document.hidden)) return;
    this.#port = this.#isAlone ? this.#openHub() : this.#openWorker();
    if (!this.#port) return;
    this.#port.onmessage = ({ data }) => this.#hear(data);
    this.#silent = 0;
    this.#timer = setInterval(() => this.#listen(), this.#configuration.silence / PINGS);
    this.#onConnect();
  }

  disconnect() {
    if (!this.#port) return;
    this.send({ kind: "leave" });
    this.#port.close();
    this.#port = null;
    clearInterval(this.#timer);
  }

  send(message) {
    this.#port?.postMessage(message);
  }

  /** Makes the hub reconnect immediately if it is waiting. If it does not answer, it is replaced sooner. */
  hurry() {
    this.#silent = Math.max(this.#silent, PINGS - 1);
    this.send({ kind: "hurry" });
  }

  get #isAlone() {
    return this.#worker >= WORKERS;
  }

  #openHub() {
    const { port1, port2 } = new MessageChannel();
    // Messages wait in the port.
    import("./hub.js").then(({ Hub }) => new Hub(this.#configuration).attach(port1), complain);
    return port2;
  }

  #openWorker() {
    try {
      const name = `${this.#worker}`;
      const worker = new SharedWorker(this.#workerURL, { type: "module", name });
      worker.onerror = () => {
        if (this.#port === worker.port) this.#replace(WORKERS); // its script cannot be loaded
      };
      worker.port.postMessage({ configuration: this.#configuration });
      return worker.port;
    } catch {
      this.#worker = WORKERS;
      return document.hidden ? null : this.#openHub();
    }
  }

  #replace(worker) {
    this.disconnect();
    this.#worker = worker;
    this.connect();
  }

  #hear(message) {
    this.#silent = 0;
    if (message.kind === "ping") this.send({ kind: "alive" });
    else this.#onMessage(message);
  }

  #listen() {
    this.#silent += 1;
    if (this.#silent > PINGS) this.#replace(this.#worker + 1);
  }

  #followVisibility() {
    if (!this.#isAlone) {
      if (!document.hidden) this.hurry();
    } else if (document.hidden) this.disconnect();
    else this.connect();
  }
}
