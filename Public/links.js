/**
 * In-place navigation: links to another local state of this page, back and forward.
 *
 * The URL changes first, through the History API. Then the server is asked for its content. If that
 * does not arrive, the page is loaded normally, unless the server cannot be reached. Then page and
 * URL stay, and the window catches up when it rejoins, because it joins with its URL.
 *
 * Until then, `<html data-waiting>` says that the requested content is not shown yet. A link with
 * `data-step` leads one step on from what is shown, such as to the next day. Clicks on it that come
 * before the content wait for it, so that each of them counts.
 *
 * An open sheet is an entry of the history, so that Back closes it. If something else closes it
 * (`a[data-dismiss]`, a save), that entry is replaced, so that neither Back nor Forward opens the
 * sheet again. The entry is then a *twin*: it has the same URL as the entry before it. Users do not
 * notice it, because Back and Forward skip one of the two, and the next navigation replaces the
 * twin.
 *
 * In `history.state`, `from` is the URL of the previous entry, `depth` counts the entries, and
 * `hasTwin` is set if Back has skipped a twin, so that Forward can skip it too.
 */
import { goOn } from "./focus.js";
import { fill } from "./late.js";
import { changer, here, isOfPage, parameters } from "./query.js";
import { isFinal, request } from "./request.js";

/** After this time, in milliseconds, the page is shown as busy. */
const PATIENCE = 300;
/** How long links may be outdated after a parameter that changes often, in milliseconds. */
const LAZINESS = 500;
/** After this time, in milliseconds, the page is loaded instead. */
const LIMIT = 2000;

/** Handles clicks and history. Other modules navigate with `visit`. */
export class Links {
  /**
   * The number of the current history entry, for code that replaces only the entry it has pushed.
   */
  entry = 0;
  /** The number of navigations, including those that added no history entry. */
  visits = 0;
  /** Whether a back or forward navigation is being handled. */
  isReturning = false;

  #tab;
  #visited = here();
  #state; // that of the current entry of the history
  #isUnderWay = false;
  #steps = []; // links whose clicks wait for the content; the user clicks them one by one
  #busy;
  #isBusy = false;
  #limit;
  #idle;
  #autofocused = new WeakSet(document.querySelectorAll("[autofocus]"));

  /** @param {import("./tab.js").Tab} tab */
  constructor(tab) {
    this.#tab = tab;
    document.addEventListener("click", (event) => this.#click(event));
    this.#state = this.#entryState;
    addEventListener("popstate", () => {
      this.entry += 1;
      if (this.#passesTwin()) return;
      // A popstate with the same path and query is about a fragment, or a twin.
      if (here() !== this.#visited) this.#go({ force: true });
    });
    // The server may have replaced the URL with its normalized form.
    tab.addEventListener("patched", () => (this.#visited = here()));
    tab.addEventListener("shown", () => this.#isUnderWay && this.#arrive());
    tab.addEventListener("refused", () => this.#isUnderWay && this.#load());
    tab.addEventListener("status", () => this.#showBusy());
  }

  /**
   * Navigates to a URL: in place if it belongs to this page, otherwise normally.
   * @param {string | URL} url
   * @param {object} [options]
   * @param {boolean} [options.replaces] whether to replace the history entry instead of adding one
   * @param {boolean} [options.waits] whether to wait as long as it takes, because a page load would
   *   disturb the user
   */
  visit(url, { replaces = false, waits = false } = {}) {
    const target = new URL(url, location.href);
    if (!isOfPage(target)) {
      location.assign(target);
      return;
    }
    if (isSame(target, location)) replaces = true;
    const from = here();
    const { hasTwin, ...state } = this.#entryState;
    const isTwin = state.from === from;
    history.replaceState(state, "", replaces || isTwin ? target : location.href);
    if (!replaces && !isTwin) {
      history.pushState({ from, depth: state.depth + 1 }, "", target);
    }
    if (!replaces) this.entry += 1;
    this.#state = history.state;
    this.#go({ waits });
  }

  /** The state of the current entry. An entry that a fragment or the browser has made gets one now. */
  get #entryState() {
    if (history.state?.depth === undefined) {
      history.replaceState({ depth: (this.#state?.depth ?? -1) + 1 }, "");
    }
    return history.state;
  }

  /**
   * Skips an entry that shows the same as the one that was left, or as the one after it. Returns
   * whether it has skipped one; the next popstate then decides what is shown.
   */
  #passesTwin() {
    const left = this.#state;
    const state = this.#entryState;
    const { depth, hasTwin } = (this.#state = state);
    if (here() === this.#visited && left.from === here() && depth === left.depth - 1) {
      this.#state = { ...state, hasTwin: true };
      history.replaceState(this.#state, "");
      history.back();
      return true;
    }
    if (!hasTwin || depth <= left.depth) return false;
    history.forward();
    return true;
  }

  /** Stores a late parameter in the URL. Only this window knows it, so no request is needed. */
  keep(name, value) {
    const changes = new URLSearchParams([[name, value]]).toString();
    history.replaceState(history.state, "", changer()(changes));
    this.#visited = here();
    clearTimeout(this.#idle);
    // It may be called very often, and there may be thousands of links.
    this.#idle = setTimeout(fill, LAZINESS);
  }

  /** From now on, a `visit` with `waits` waits only as long as an ordinary link. */
  insist(limit = LIMIT) {
    if (!this.#isUnderWay) return;
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#load(), this.#tab.connected === false ? 0 : limit);
  }

  #go({ force = false, waits = false }) {
    this.visits += 1;
    this.#steps = [];
    document.querySelector("[data-missing]")?.remove(); // about the URL as it was loaded
    this.#visited = here();
    this.isReturning = force;
    this.#tab.move();
    this.isReturning = false;
    fill({ force }); // while the server makes the content
    this.#isUnderWay = true;
    this.#busy ??= setTimeout(() => this.#showBusy(true), PATIENCE);
    clearTimeout(this.#limit);
    if (!waits) this.insist();
  }

  #arrive() {
    const [step, ...steps] = this.#steps;
    this.#stop();
    if (step?.isConnected) {
      step.click();
      this.#steps = steps;
      return;
    }
    const field = [...document.querySelectorAll("[autofocus]")].find((field) => {
      return !this.#autofocused.has(field);
    });
    if (!field) return;
    this.#autofocused.add(field); // once, as the browser does when it loads a page
    field.focus();
    goOn(field);
  }

  #stop() {
    clearTimeout(this.#busy);
    clearTimeout(this.#limit);
    this.#busy = undefined;
    this.#steps = [];
    this.#isUnderWay = false;
    this.#showBusy(false);
  }

  #showBusy(isBusy = this.#isBusy) {
    this.#isBusy = isBusy;
    document.documentElement.toggleAttribute("data-waiting", isBusy);
    // Screen readers may skip busy content, so nothing is marked busy while the server is away.
    const main = document.querySelector("main");
    if (isBusy && this.#tab.connected !== false) main?.setAttribute("aria-busy", "true");
    else main?.removeAttribute("aria-busy");
  }

  /** Reloads the page at its current URL if a server can be reached; otherwise it keeps waiting. */
  async #load() {
    const { visits } = this;
    const answer = await request(location.href, { method: "HEAD" });
    // It was shown in the meantime, or the user has gone elsewhere, which has its own time.
    if (!this.#isUnderWay || visits !== this.visits) return;
    if (!answer) this.#tab.hurry(); // the stream may be lost, too
    // A reload would forget the steps.
    if (!isFinal(answer) || this.#steps.length > 0) {
      // Without a connection, it will rejoin with its URL.
      if (this.#tab.connected) this.insist(Math.max(LIMIT, answer?.retryAfter ?? 0));
      return;
    }
    this.#stop();
    this.#tab.reload();
  }

  #click(event) {
    if (event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
    // Attributes, because the properties of links in SVG are not strings.
    const link = event.target.closest?.("a[href]");
    const target = link?.getAttribute("target") ?? "";
    if (!link || link.hasAttribute("download") || !["", "_self"].includes(target)) return;
    const changes = link.getAttribute("data-set");
    const href = changes === null ? link.getAttribute("href") : changer()(changes);
    const url = new URL(href, location.href);
    if (!isOfPage(url)) return;
    if (url.hash && url.pathname + url.search === here()) return; // the browser scrolls to it
    event.preventDefault();
    if (link.hasAttribute("data-step") && this.#isUnderWay) {
      this.#steps.push(link);
      this.insist();
    } else this.visit(url, { replaces: link.hasAttribute("data-dismiss") });
  }
}

/**
 * Whether two URLs of this page have the same local state. The order of parameters does not matter.
 */
function isSame(one, other) {
  const [query, otherQuery] = [one, other].map((url) => {
    const query = parameters(url);
    query.sort();
    return query.toString();
  });
  return query === otherQuery && one.hash === other.hash;
}

/** Whether a modifier key is held. A link then opens elsewhere. */
export function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }) {
  return altKey || ctrlKey || metaKey || shiftKey;
}
