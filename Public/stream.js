/**
 * One event stream that stays open: it is read with `fetch`, which shows status and Retry-After
 * (EventSource hides both), and reopened after every end but `close()`.
 *
 * - Silence (no byte, not even a heartbeat) for `silence` milliseconds counts as an end.
 * - The wait before a reopening is what the server asked for (`goodbye`, Retry-After), else a
 *   backoff that starts anew only after a connection that held, so a server that accepts and drops
 *   is not hammered.
 */
import { backoff, jittered, retryAfter } from "./request.js";
import { EventParser } from "./sse.js";

/** How long a server may take to begin its answer. */
const CONNECT_LIMIT = 10_000;
/** A connection that lasted this long has held. */
const STEADY = 5000;

export class EventStream {
  #url;
  #silence;
  #onEvent;
  #onEnd;
  #closing = null;
  #connection = null;
  #wait = null;
  #wake = () => {};
  #base;

  /**
   * @param {string} url
   * @param {object} options
   * @param {number} options.silence in milliseconds
   * @param {(name: string, data: object) => void} options.onEvent
   * @param {() => void} options.onEnd called after each connection, and each failed try
   */
  constructor(url, { silence, onEvent, onEnd }) {
    this.#url = url;
    this.#silence = silence;
    this.#onEvent = onEvent;
    this.#onEnd = onEnd;
  }

  /** Opens the stream unless it is open or opening. */
  open() {
    if (this.#closing) return;
    this.#closing = new AbortController();
    this.#run(this.#closing.signal);
  }

  /** Closes the stream, until it is opened again. */
  close() {
    this.#closing?.abort();
    this.#closing = null;
    this.#connection?.abort();
    this.#wake();
  }

  /** Ends the present connection; the next one follows as after any other end. */
  reopen() {
    this.#connection?.abort();
  }

  /** Makes the next connection wait for what the server asked, in milliseconds. */
  comeBackAfter(milliseconds) {
    this.#wait = jittered(milliseconds);
  }

  /** Ends the wait before the next try. */
  hurry() {
    this.#wake();
  }

  async #run(closing) {
    for (let attempt = 0; !closing.aborted; attempt += 1) {
      const began = performance.now();
      const connection = new AbortController();
      this.#connection = connection;
      await this.#read(connection).catch(() => {});
      connection.abort(); // gives the socket back, also where the answer was refused unread
      if (closing.aborted) return;
      this.#onEnd();
      if (performance.now() - began > STEADY) attempt = 0;
      await this.#sleep(this.#wait ?? backoff(attempt, this.#base), closing);
      this.#wait = null;
    }
  }

  async #read(connection) {
    let watchdog = setTimeout(() => connection.abort(), CONNECT_LIMIT);
    const listen = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => connection.abort(), this.#silence);
    };
    try {
      const response = await fetch(this.#url, {
        headers: { Accept: "text/event-stream" },
        cache: "no-store",
        signal: connection.signal,
      });
      const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
      if (!response.ok || !isStream) {
        const asked = retryAfter(response);
        if (asked !== null) this.comeBackAfter(asked);
        return;
      }
      const parser = new EventParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        listen();
        const { value, done } = await reader.read();
        if (done) return;
        for (const { name, data } of parser.push(value)) {
          // What was read before an abort must not arrive after it.
          if (connection.signal.aborted) return;
          this.#onEvent(name, JSON.parse(data));
        }
        this.#base = parser.retry ?? undefined;
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  #sleep(milliseconds, closing) {
    if (closing.aborted) return;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
