/**
 * A parser for server-sent events (HTML Standard, section 9.2.6). It receives text as it arrives.
 *
 * A line may end in LF, CR or CRLF, and a chunk may end anywhere, even between CR and LF. Only the
 * new chunk is searched for line ends, so the cost of a long line in many chunks is linear.
 */
export class EventParser {
  #line = [];
  #afterCR = false;
  #data = [];
  #name = "";
  #id = "";

  /** The server's last `retry:`, in milliseconds; undefined before the first. */
  retry;

  /**
   * Takes the next piece of the stream.
   * @param {string} chunk
   * @returns {{id: string, name: string, data: string}[]} the events that are now complete
   */
  push(chunk) {
    if (chunk === "") return [];
    const text = this.#afterCR && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#afterCR = chunk.endsWith("\r");
    const [first, ...rest] = text.split(/\r\n|\n|\r/);
    this.#line.push(first);
    const events = [];
    for (const start of rest) {
      const event = this.#take(this.#line.join(""));
      if (event) events.push(event);
      this.#line = [start];
    }
    return events;
  }

  #take(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null; // a comment: the heartbeat
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#name = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    return null;
  }

  #dispatch() {
    const event = { id: this.#id, name: this.#name || "message", data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#data = [];
    this.#name = "";
    return isEmpty ? null : event;
  }
}
