// Playwright's functions evaluate text, which the policy of our pages forbids. What they will evaluate
// is found here beforehand, to be sent along as code.

"use strict";

const vm = require("node:vm");

// What Playwright's functions evaluate, by the name of the argument that it comes in.
const EVALUATED = {
  expression: (text) => text,
  callbackText: (text) => text,
  functionText: (text) => `(${text})`,
  source: (text) => `
    (() => {
      const module = {};
      ${text}
      return module.exports.default();
    })()`,
};

/** What a function of Playwright will evaluate: its own text, and what its arguments hold. */
function expressions(args) {
  const found = new Set();
  const search = (value) => {
    if (value?.type === "array") {
      value.value.forEach(search);
    } else if (value?.type === "object") {
      const { k, v, ...others } =
        Object.fromEntries(value.value.map(([name, item]) => [name.value ?? name, item]));
      if (v?.type === "string" && Object.hasOwn(EVALUATED, k?.value)) {
        found.add(EVALUATED[k.value](v.value));
      }
      [v, ...Object.values(others)].forEach(search);
    }
  };
  if (args[3]?.type === "string") {
    found.add(args[3].value);
  }
  args.forEach(search);
  return [...found].filter(isScript);
}

/** Arguments of those names hold other things too. */
function isScript(text) {
  try {
    new vm.Script(`() => (${text.trim().replace(/;+$/, "")}\n)`);
    return true;
  } catch {
    return false;
  }
}

module.exports = { expressions };
