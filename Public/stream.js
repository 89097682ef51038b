/**
 * An event stream that stays open. It is read with `fetch`, which gives access to status and
 * Retry-After (EventSource hides both), and reopened whenever it ends, except after `close()`.
 *
 * - Silence (no byte, not even a heartbeat) for `silence` milliseconds counts as an end.
 * - The wait before reopening is the one that the server asked for (`goodbye`, Retry-After), otherwise a
 *   backoff. The backoff starts over only after a steady connection, so a server that accepts and
 *   drops connections is not flooded.
 */
import { backoff, jittered, retryAfter } from "./request.js";
import { EventParser } from "./sse.js";

/** How long a server may take to begin its answer, in milliseconds. */
const CONNECT_LIMIT = 10_000;
/** A connection that lasted this long, in milliseconds, counts as steady. */
const STEADY = 5000;

export class EventStream {
  #url;
  #silence;
  #onEvent;
  #onEnd;
  #greet;
  #closing = null;
  #connection = null;
  #wait = null;
  #wake = () => {};
  #base;
  #heard = 0; // when the connection began or something arrived, by the clock that goes on in sleep

  /**
   * @param {string} url
   * @param {object} options
   * @param {number} options.silence in milliseconds
   * @param {(name: string, data: object) => void} options.onEvent its data has the `version` too
   * @param {() => void} options.onEnd called after each connection and each failed attempt
   * @param {() => object | undefined} options.greet what the server is told with the first request
   */
  constructor(url, { silence, onEvent, onEnd, greet }) {
    this.#url = url;
    this.#silence = silence;
    this.#onEvent = onEvent;
    this.#onEnd = onEnd;
    this.#greet = greet;
  }

  /** Opens the stream, unless it is open or opening. */
  open() {
    if (this.#closing) return;
    this.#closing = new AbortController();
    this.#run(this.#closing.signal);
  }

  /** Closes the stream until it is opened again. */
  close() {
    this.#closing?.abort();
    this.#closing = null;
    this.reopen();
    this.#wake();
  }

  /** Ends the current connection. The next one follows as after any other end. */
  reopen() {
    this.#connection?.abort();
  }

  /** Sets the wait that the server asked for before the next connection, in milliseconds. */
  comeBackAfter(milliseconds) {
    this.#wait = jittered(milliseconds);
  }

  /** Ends the wait before the next attempt, or a connection that may have ended during a sleep. */
  hurry() {
    if (Date.now() - this.#heard > this.#silence / 2) {
      this.#wait = 0; // the wait for the next attempt has not begun yet
      this.reopen();
    }
    this.#wake();
  }

  async #run(closing) {
    for (let attempt = 0; !closing.aborted; attempt += 1) {
      const began = performance.now();
      const connection = new AbortController();
      this.#connection = connection;
      const greeting = attempt === 0 ? this.#greet() : undefined;
      await this.#read(connection, greeting).catch(() => {});
      connection.abort(); // frees the socket, even if the response was rejected unread
      if (closing.aborted) return;
      this.#onEnd();
      if (performance.now() - began > STEADY) attempt = 0;
      await this.#sleep(this.#wait ?? backoff(attempt, this.#base));
      this.#wait = null;
    }
  }

  async #read(connection, greeting) {
    let watchdog = setTimeout(() => connection.abort(), CONNECT_LIMIT);
    this.#heard = Date.now();
    const listen = () => {
      this.#heard = Date.now();
      clearTimeout(watchdog);
      watchdog = setTimeout(() => connection.abort(), this.#silence);
    };
    try {
      const headers = { Accept: "text/event-stream" };
      if (greeting) headers["Content-Type"] = "application/json";
      const response = await fetch(this.#url, {
        method: greeting ? "POST" : "GET",
        body: greeting && JSON.stringify(greeting),
        headers,
        cache: "no-store",
        signal: connection.signal,
      });
      const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
      if (!response.ok || !isStream) {
        const asked = retryAfter(response);
        if (asked) this.comeBackAfter(asked);
        return;
      }
      const parser = new EventParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        listen();
        const { value, done } = await reader.read();
        if (done) return;
        for (const { id, name, data } of parser.push(value)) {
          // Events that were read before an abort must not be delivered after it.
          if (connection.signal.aborted) return;
          this.#onEvent(name === "message" ? "frame" : name, { ...JSON.parse(data), version: Number(id) });
        }
        this.#base = parser.retry;
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  #sleep(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
