// WebDriver BiDi, as far as Playwright needs it for these tests, over the W3C WebDriver commands that
// WebKitGTK has. What those cannot do is an error that says so.

"use strict";

const { createRequire } = require("node:module");
const path = require("node:path");

const { expressions } = require("./expressions.cjs");
const { Profile } = require("./profile.cjs");

const driver = createRequire(path.join(process.env.PLAYWRIGHT_DRIVER, "package", "cli.js"));
const { wsServer: WebSocketServer } = driver("./lib/utilsBundle.js");

class Bridge {
  constructor(send, args) {
    this.send = send;
    this.args = args;
    this.profiles = new Map();
    this.tabs = new Map();
    this.next = 0;
  }

  async answer({ id, method, params }) {
    try {
      const command = COMMANDS[method];
      if (!command) {
        throw new Unsupported(method);
      }
      const result = (await command.call(this, params)) ?? {};
      this.send({ type: "success", id, result });
    } catch (error) {
      this.send({ type: "error", id, error: error.code ?? "unknown error", message: error.message });
    }
  }

  tab(context) {
    const tab = this.tabs.get(context);
    if (!tab) {
      throw Object.assign(new Error(context), { code: "no such frame" });
    }
    return tab;
  }

  profilesOf({ userContexts, contexts, context }) {
    return userContexts
      ? userContexts.map((id) => this.profiles.get(id))
      : [...(contexts ?? [context])].map((id) => this.tab(id).profile);
  }

  async end() {
    await Promise.all([...this.profiles.values()].map((profile) => profile.end()));
  }
}

class Unsupported extends Error {
  code = "unsupported operation";

  constructor(what) {
    super(`not supported in WebKit: ${what}`);
  }
}

const NOTHING = () => ({});

const COMMANDS = {
  "session.new": () => ({
    sessionId: "webkit",
    capabilities: { browserName: "webkit", browserVersion: "WebKitGTK", userAgent: "WebKitGTK" },
  }),
  "session.subscribe": NOTHING,
  "network.addDataCollector": () => ({ collector: "none" }),
  "network.setCacheBehavior": NOTHING,
  "browser.setDownloadBehavior": NOTHING,
  "emulation.setScreenOrientationOverride": NOTHING,
  "emulation.setScreenSettingsOverride": NOTHING,
  "script.disown": NOTHING,

  "network.addIntercept"({ phases }) {
    if (phases.some((phase) => phase !== "authRequired")) {
      throw new Unsupported("routes");
    }
    return { intercept: "none" };
  },

  "browser.createUserContext"() {
    const id = `profile ${++this.next}`;
    this.profiles.set(id, new Profile(id, {
      args: this.args,
      environment: {},
      emit: (method, params) => this.send({ type: "event", method, params }),
      onTab: (tab) => this.tabs.set(tab.handle, tab),
    }));
    return { userContext: id };
  },

  async "browser.removeUserContext"({ userContext }) {
    await this.profiles.get(userContext).end();
    this.profiles.delete(userContext);
  },

  async "browser.close"() {
    await this.end();
    setImmediate(() => process.exit(0));
  },

  // What a browser is told when it starts.

  "emulation.setMediaFeaturesOverride"(params) {
    const isDark = params.features["prefers-color-scheme"] === "dark";
    for (const profile of this.profilesOf(params)) {
      if (isDark && profile.starting) {
        throw new Unsupported("another color scheme");
      }
      profile.args.push(...(isDark ? ["--dark-mode"] : []));
    }
  },

  "emulation.setTimezoneOverride"(params) {
    for (const profile of this.profilesOf(params)) {
      if (profile.starting) {
        throw new Unsupported("another time zone");
      }
      profile.environment.TZ = params.timezone;
    }
  },

  async "browsingContext.setViewport"(params) {
    if (params.context) {
      const tab = this.tab(params.context);
      return tab.profile.resize(tab, params.viewport);
    }
    for (const profile of this.profilesOf(params)) {
      profile.viewport = params.viewport;
    }
  },

  // Windows.

  async "browsingContext.create"({ userContext }) {
    const tab = await this.profiles.get(userContext).open();
    return { context: tab.handle };
  },

  async "browsingContext.close"({ context }) {
    const tab = this.tab(context);
    this.tabs.delete(context);
    await tab.profile.close(tab);
  },

  async "browsingContext.activate"({ context }) {
    const tab = this.tab(context);
    tab.profile.current = null;
    await tab.inside(() => {});
  },

  async "browsingContext.navigate"({ context, url }) {
    const tab = this.tab(context);
    const navigation = `navigation ${++this.next}`;
    const [before, target] = [tab.url, new URL(url)];
    const isFragment = target.hash && before?.split("#")[0] === url.split("#")[0];
    tab.emit("browsingContext.navigationStarted", { context, navigation, url });
    if (isFragment) {
      tab.emit("browsingContext.fragmentNavigated", { context, navigation, url });
    } else {
      tab.navigation = navigation;
    }
    await tab.inside((session) => session.post("/url", { url }));
    return { navigation, url };
  },

  async "browsingContext.reload"({ context }) {
    const tab = this.tab(context);
    tab.navigation = `navigation ${++this.next}`;
    tab.emit("browsingContext.navigationStarted", {
      context, navigation: tab.navigation, url: tab.url,
    });
    await tab.inside((session) => session.post("/refresh"));
    return { navigation: tab.navigation, url: tab.url };
  },

  async "browsingContext.traverseHistory"({ context, delta }) {
    const tab = this.tab(context);
    await tab.inside((session) => session.post(delta < 0 ? "/back" : "/forward"));
  },

  async "browsingContext.captureScreenshot"({ context, clip, origin }) {
    const tab = this.tab(context);
    const [size, data] = await tab.inside(async (session) => [
      await session.run("return [innerWidth, innerHeight, scrollX, scrollY]"),
      await session.get("/screenshot"),
    ]);
    const [width, height, x, y] = size;
    const [left, top] = origin === "document" ? [x, y] : [0, 0];
    const isWhole = !clip
      || (clip.x === left && clip.y === top && clip.width === width && clip.height === height);
    if (!isWhole) {
      throw new Unsupported("a picture of a part of a page");
    }
    return { data };
  },

  // Scripts.

  "script.evaluate"({ expression, target, awaitPromise, resultOwnership }) {
    return this.tab(target.context).run(expression, [], null, {
      isWaiting: awaitPromise, isHandle: resultOwnership === "root", realm: realm(target),
    });
  },

  "script.callFunction"({
    functionDeclaration, target, arguments: args = [], awaitPromise, resultOwnership,
  }) {
    return this.tab(target.context).run(functionDeclaration, expressions(args), args, {
      isWaiting: awaitPromise, isHandle: resultOwnership === "root", realm: realm(target),
    });
  },

  // What users do.

  async "input.performActions"({ context, actions }) {
    const tab = this.tab(context);
    for (const { type, value } of actions.flatMap((source) => source.actions)) {
      if (type === "keyDown" && tab.keys.has(value)) {
        throw new Unsupported("a key that repeats");
      }
      if (type === "keyDown") {
        tab.keys.add(value);
      } else if (type === "keyUp") {
        tab.keys.delete(value);
      }
    }
    await tab.inside((session) => session.post("/actions", { actions }));
  },

  // Cookies: those of the page in a profile's window.

  async "storage.getCookies"({ partition }) {
    const [tab] = this.profiles.get(partition.userContext).tabs.values();
    const cookies = tab ? await tab.inside((session) => session.get("/cookie")) : [];
    return {
      cookies: cookies.map(({ value, sameSite, ...rest }) => ({
        ...rest,
        value: { type: "string", value },
        sameSite: (sameSite ?? "none").toLowerCase(),
      })),
    };
  },

  async "storage.setCookie"({ cookie, partition }) {
    const [tab] = this.profiles.get(partition.userContext).tabs.values();
    if (!tab || new URL(tab.url).hostname !== cookie.domain) {
      throw new Unsupported("a cookie of a host that no page is of");
    }
    const { value, sameSite, ...rest } = cookie;
    await tab.inside((session) =>
      session.post("/cookie", { cookie: { ...rest, value: value.value } }));
  },
};

/** Playwright's other world is the same one here; its name is another. */
function realm({ sandbox }) {
  return (document) => (sandbox ? `${document} utility` : document);
}

function main(args) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("listening", () => {
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`);
  });
  server.on("connection", (socket) => {
    const bridge = new Bridge((message) => socket.send(JSON.stringify(message)), args);
    socket.on("message", (data) => bridge.answer(JSON.parse(data.toString())));
    socket.on("close", async () => {
      await bridge.end();
      process.exit(0);
    });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
      process.on(signal, async () => {
        await bridge.end();
        process.exit(0);
      });
    }
  });
}

main(process.argv.slice(2).filter((arg) => arg.startsWith("--enable-")));
