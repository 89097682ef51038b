// Firefox as Debian has it does not know a command with which Playwright says what every context
// prefers (emulation.setMediaFeaturesOverride). Where what is asked for is what Firefox does anyway,
// this answers in its place. Whatever else is asked for fails as before.

"use strict";

const { createRequire } = require("node:module");
const path = require("node:path");

const COMMAND = "emulation.setMediaFeaturesOverride";
const DEFAULTS = ["light", null, undefined];

const driver = createRequire(path.resolve(process.argv[1]));
const WebSocket = driver("./lib/utilsBundle.js").ws;
const { send } = WebSocket.prototype;

WebSocket.prototype.send = function (data, ...rest) {
  const { id, method, params } = command(data);
  if (method !== COMMAND || !DEFAULTS.includes(params.features["prefers-color-scheme"])) {
    return send.call(this, data, ...rest);
  }
  const answer = JSON.stringify({ type: "success", id, result: {} });
  setImmediate(() => this.emit("message", Buffer.from(answer), false));
};

function command(data) {
  return typeof data === "string" && data.includes(COMMAND) ? JSON.parse(data) : {};
}
