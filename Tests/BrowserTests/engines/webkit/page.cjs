// What runs in pages: values as WebDriver BiDi writes them, handles of objects, promises.

"use strict";

/** Puts the bridge's own object into a document that has none, and answers how the document is. */
const OBSERVE = `
  const bridge = globalThis.__bridge ?? (${install})(arguments[0]);
  return JSON.stringify([
    bridge.id, location.href, document.readyState, bridge.settled.splice(0),
  ]);
`;

/** The body of a function that calls `declaration`, with `sources` compiled for those who use eval. */
function call(declaration, sources) {
  const compiled = [...sources]
    .map((source) => `[${JSON.stringify(source)}, () => (${trimmed(source)}\n)]`)
    .join(",");
  return `
    const bridge = globalThis.__bridge;
    if (!bridge) {
      return JSON.stringify({ stale: true });
    }
    for (const [source, run] of [${compiled}]) {
      bridge.compiled.set(source, run);
    }
    return bridge.call(() => (${trimmed(declaration)}\n), ...arguments);
  `;
}

function trimmed(source) {
  return source.trim().replace(/;+$/, "");
}

function install(id) {
  class Stale extends Error {}

  const bridge = {
    id,
    handles: new Map(),
    settled: [],
    compiled: new Map(),
    next: 0,

    /** Calls what `make` makes with arguments; without any, what it makes is the result. */
    call(make, args, isWaiting, isHandle) {
      try {
        const made = make();
        const result = args ? made(...args.map((arg) => read(arg))) : made;
        if (!isWaiting || typeof result?.then !== "function") {
          return JSON.stringify({ result: write(result, isHandle) });
        }
        const promise = ++bridge.next;
        Promise.resolve(result).then(
          (value) => bridge.settled.push([promise, { result: write(value, isHandle) }]),
          (error) => bridge.settled.push([promise, { exception: describe(error) }]),
        );
        return JSON.stringify({ promise });
      } catch (error) {
        const stale = error instanceof Stale;
        return JSON.stringify(stale ? { stale } : { exception: describe(error) });
      }
    },
  };

  function describe(error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }

  function read(value) {
    const handle = value.handle ?? value.sharedId;
    if (handle) {
      if (!bridge.handles.has(handle)) {
        throw new Stale();
      }
      return bridge.handles.get(handle);
    }
    switch (value.type) {
      case "undefined": return undefined;
      case "null": return null;
      case "number": return Number(value.value);
      case "bigint": return BigInt(value.value);
      case "array": return value.value.map(read);
      case "object":
        return Object.fromEntries(value.value.map(([name, item]) => [
          typeof name === "string" ? name : read(name), read(item),
        ]));
      case "date": return new Date(value.value);
      case "regexp": return new RegExp(value.value.pattern, value.value.flags);
      default: return value.value;
    }
  }

  function write(value, isHandle) {
    switch (typeof value) {
      case "undefined": return { type: "undefined" };
      case "string": return { type: "string", value };
      case "boolean": return { type: "boolean", value };
      case "bigint": return { type: "bigint", value: String(value) };
      case "number":
        return {
          type: "number",
          value: Number.isFinite(value) && !Object.is(value, -0) ? value
            : Object.is(value, -0) ? "-0" : String(value),
        };
    }
    if (value === null) {
      return { type: "null" };
    }
    if (isHandle || kind(value) === "node") {
      const handle = `${id}.${++bridge.next}`;
      bridge.handles.set(handle, value);
      return { type: kind(value), handle, sharedId: handle };
    }
    if (Array.isArray(value)) {
      return { type: "array", value: value.map((item) => write(item)) };
    }
    if (kind(value) !== "object") {
      return { type: kind(value) };
    }
    return {
      type: "object",
      value: Object.entries(value).map(([name, item]) => [name, write(item)]),
    };
  }

  function kind(value) {
    if (value instanceof Node) {
      return "node";
    }
    if (value === globalThis) {
      return "window";
    }
    return typeof value === "function" ? "function" : Array.isArray(value) ? "array" : "object";
  }

  // A page's policy forbids eval, but not scripts of its driver: those have compiled what is asked for.
  const { eval: original } = globalThis;
  globalThis.eval = (source) =>
    bridge.compiled.has(source) ? bridge.compiled.get(source)() : original(source);
  Object.defineProperty(globalThis, "__bridge", { value: bridge });

  // Each window has the focus, as far as its page can tell, as in the other engines.
  document.hasFocus = () => true;
  return bridge;
}

module.exports = { OBSERVE, call };
