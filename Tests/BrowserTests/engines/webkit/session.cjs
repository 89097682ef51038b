// One WebKitWebDriver with one MiniBrowser: a profile of its own. Commands are W3C WebDriver's. A browser
// that does not answer one in time is ended, and says so to whoever asks it for more.

"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const readline = require("node:readline");
const { setTimeout: sleepFor } = require("node:timers/promises");

// Milliseconds, of a computer with much else to do.
const START_LIMIT = 20_000;
const COMMAND_LIMIT = 20_000;
const LATE = 500; // after which a script may have been forgotten
const PROBE_LIMIT = 2000;
const STARTS = 3; // a browser that does not come up is started again
const MINI_BROWSER = ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"]
  .map((name) => `/usr/lib/x86_64-linux-gnu/${name}/MiniBrowser`)
  .find((path) => fs.existsSync(path));

const LOST = Symbol("lost");
const ENDS = ["invalid session id", "session not created"]; // errors of a browser that is none any more

class WebDriverError extends Error {
  constructor(code, message) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

class Session {
  /** Starts a browser. `onConsole` gets each line that it writes about its pages. */
  static async start(options) {
    for (let tries = 1; ; tries++) {
      const session = new Session();
      try {
        await session.begin(options);
        return session;
      } catch (error) {
        session.end(`did not start: ${error.message}`);
        if (tries === STARTS || options.isClosed()) {
          throw error;
        }
      }
    }
  }

  async begin({ args, environment, onConsole, onFailure }) {
    this.port = await freePort();
    this.process = spawn("WebKitWebDriver", [`--port=${this.port}`], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.process.on("error", (error) => this.end(error.message));
    this.process.on("exit", () => this.end("its WebKitWebDriver has ended"));
    readline.createInterface({ input: this.process.stdout }).on("line", onConsole);
    await this.connect();
    const { sessionId } = await this.request("POST", "/session", {
      capabilities: {
        alwaysMatch: {
          pageLoadStrategy: "none",
          "webkitgtk:browserOptions": {
            binary: MINI_BROWSER,
            args: ["--automation", "--enable-write-console-messages-to-stdout=true",
              "--javascript-can-open-windows-automatically=true", ...args],
          },
        },
      },
    }, START_LIMIT);
    this.path = `/session/${sessionId}`;
    this.onFailure = onFailure;
  }

  async connect() {
    const deadline = Date.now() + START_LIMIT;
    for (;;) {
      try {
        return await this.send("GET", "/status", undefined, START_LIMIT);
      } catch (error) {
        if (Date.now() > deadline || this.failure) {
          throw this.failure ?? error;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  get(path) {
    return this.request("GET", this.path + path);
  }

  post(path, body = {}) {
    return this.request("POST", this.path + path, body);
  }

  delete(path) {
    return this.request("DELETE", this.path + path);
  }

  /** Runs a function's body, and returns what it returns. */
  run(script, ...args) {
    return this.post("/execute/sync", { script, args });
  }

  /**
   * As `run`, but answers LOST if there will be no answer: WebKit forgets a script that it was told to
   * run just when the page made room for another. Scripts run one after the other, so a later one that
   * has been answered tells.
   */
  async runOrLose(script, ...args) {
    const given = new AbortController();
    const answer = this.request(
      "POST", `${this.path}/execute/sync`, { script, args }, COMMAND_LIMIT, given.signal);
    const lost = (async () => {
      for (let isLost = false; !isLost; ) {
        await sleepFor(LATE, undefined, { signal: given.signal });
        isLost = await this.isAnswering(given.signal);
      }
      await sleepFor(LATE, undefined, { signal: given.signal });
      return LOST;
    })();
    lost.catch(() => {});
    try {
      return await Promise.race([answer, lost]);
    } finally {
      answer.catch(() => {});
      given.abort();
    }
  }

  /** Whether a script is run now; its answer may be lost too. */
  isAnswering(signal) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_LIMIT)]);
    const script = "return document.readyState";
    return this.request(
      "POST", `${this.path}/execute/sync`, { script, args: [] }, COMMAND_LIMIT, limit,
    ).then(() => true, () => false);
  }

  /** Ends the browser, whatever it is doing. Its profile was nowhere but in its memory. */
  end(reason) {
    if (this.failure) {
      return;
    }
    this.failure = new WebDriverError("browser ended", reason ?? "nobody wants it any more");
    for (const id of family(this.process?.pid)) {
      try {
        process.kill(id, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    this.agent.destroy();
    if (reason) {
      this.onFailure?.(this.failure);
    }
  }

  /** A request that `signal` aborts is given up; one that fails in another way ends the browser. */
  async request(method, path, body, limit = COMMAND_LIMIT, signal = undefined) {
    if (this.failure) {
      throw this.failure;
    }
    try {
      return await this.send(method, path, body, limit, signal);
    } catch (error) {
      if (signal?.aborted) {
        throw error;
      }
      if (!(error instanceof WebDriverError) || ENDS.includes(error.code)) {
        this.end(`${method} ${path}: ${error.message}`);
      }
      throw this.failure ?? error;
    }
  }

  send(method, path, body, limit, given) {
    return new Promise((resolve, reject) => {
      const data = body && JSON.stringify(body);
      const late = AbortSignal.timeout(limit);
      late.onabort = () => reject(new Error(`no answer within ${limit / 1000} s`));
      const signal = given ? AbortSignal.any([given, late]) : late;
      const request = http.request(
        { host: "127.0.0.1", port: this.port, method, path, agent: this.agent, signal },
        (response) => {
          const chunks = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            try {
              const { value } = JSON.parse(Buffer.concat(chunks).toString());
              if (response.statusCode === 200) {
                resolve(value);
              } else {
                reject(new WebDriverError(value.error, value.message));
              }
            } catch (error) {
              reject(error);
            }
          });
        },
      );
      request.on("error", reject);
      if (data) {
        request.setHeader("Content-Type", "application/json");
        request.setHeader("Content-Length", Buffer.byteLength(data));
      }
      request.end(data);
    });
  }

  agent = new http.Agent({ keepAlive: true });
}

/** The ids of a process and of all that descend from it. */
function family(id) {
  if (!id) {
    return [];
  }
  const children = [];
  try {
    for (const task of fs.readdirSync(`/proc/${id}/task`)) {
      const ids = fs.readFileSync(`/proc/${id}/task/${task}/children`, "utf8");
      children.push(...ids.split(" ").filter(Boolean).map(Number));
    }
  } catch {
    // It has ended.
  }
  return [id, ...children.flatMap(family)];
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

module.exports = { LOST, Session };
