// One WebKitWebDriver with one MiniBrowser: a profile of its own. Commands are W3C WebDriver's.

"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const readline = require("node:readline");

const START_LIMIT = 60_000; // milliseconds
const MINI_BROWSER = ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"]
  .map((name) => `/usr/lib/x86_64-linux-gnu/${name}/MiniBrowser`)
  .find((path) => fs.existsSync(path));

class WebDriverError extends Error {
  constructor(code, message) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

class Session {
  /** Starts a browser. `onConsole` gets each line that it writes about its pages. */
  static async start({ args, environment, onConsole }) {
    const session = new Session();
    session.port = await freePort();
    session.process = spawn("WebKitWebDriver", [`--port=${session.port}`], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "ignore"],
    });
    readline.createInterface({ input: session.process.stdout }).on("line", onConsole);
    await session.connect();
    const { sessionId } = await session.request("POST", "/session", {
      capabilities: {
        alwaysMatch: {
          pageLoadStrategy: "none",
          "webkitgtk:browserOptions": {
            binary: MINI_BROWSER,
            args: ["--automation", "--enable-write-console-messages-to-stdout=true", ...args],
          },
        },
      },
    });
    session.path = `/session/${sessionId}`;
    return session;
  }

  async connect() {
    const deadline = Date.now() + START_LIMIT;
    for (;;) {
      try {
        return await this.request("GET", "/status");
      } catch (error) {
        if (Date.now() > deadline || this.process.exitCode !== null) {
          throw error;
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

  async end() {
    await this.delete("").catch(() => {});
    this.process.kill();
  }

  request(method, path, body) {
    return new Promise((resolve, reject) => {
      const data = body && JSON.stringify(body);
      const request = http.request(
        { host: "127.0.0.1", port: this.port, method, path, agent: this.agent },
        (response) => {
          const chunks = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("end", () => {
            const { value } = JSON.parse(Buffer.concat(chunks).toString());
            if (response.statusCode === 200) {
              resolve(value);
            } else {
              reject(new WebDriverError(value.error, value.message));
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

  agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
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

module.exports = { Session, WebDriverError };
