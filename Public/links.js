/**
 * In-place navigation: links to another local state of this page, back and forward.
 *
 * The URL changes first, by the History API; then the server is asked for what it shows. If that
 * does not come, the page is loaded in the ordinary way, unless the server cannot be reached: then
 * page and URL stay, and the window catches up when it joins again, since it joins with its URL.
 *
 * A sheet is an entry of the history while it is open, so that Back closes it. What closes it otherwise
 * (`a[data-dismiss]`, a save) takes the window back to the entry before, so that Back does not bring it
 * again, and is not needed twice.
 */
import { goOn } from "./focus.js";
import { fill } from "./late.js";
import { changer, here, isOfPage, parameters } from "./query.js";
import { request } from "./request.js";

/** An answer that takes longer is shown as under way, in milliseconds. */
const PATIENCE = 300;
/** How long links may wait for a parameter that changes often, in milliseconds. */
const LAZINESS = 500;
/** An answer that takes longer is not waited for. */
const LIMIT = 2000;

/** Takes clicks and history; `visit` is for other modules that navigate. */
export class Links {
  /** The number of the present history entry, for whoever replaces only the one that they pushed. */
  entry = 0;
  /** How many navigations there were, whatever they did to the history. */
  visits = 0;
  /** Whether it is just going back or forward. */
  isReturning = false;

  #isLeaving = false; // an entry for the one before, until that is there
  #tab;
  #visited = here();
  #isUnderWay = false;
  #busy;
  #limit;
  #idle;
  #autofocused = new WeakSet(document.querySelectorAll("[autofocus]"));

  /** @param {import("./tab.js").Tab} tab */
  constructor(tab) {
    this.#tab = tab;
    document.addEventListener("click", (event) => this.#click(event));
    addEventListener("popstate", () => {
      this.entry += 1;
      this.#isLeaving = false;
      // A popstate whose query is the same is about a fragment.
      if (here() !== this.#visited) this.#go({ force: true });
    });
    // The server may have replaced the URL by its normal form.
    tab.addEventListener("patched", () => (this.#visited = here()));
    tab.addEventListener("shown", () => this.#isUnderWay && this.#arrive());
    tab.addEventListener("refused", () => this.#isUnderWay && this.#load());
  }

  /**
   * Goes to a URL: in place if it is this page's, else in the browser's way.
   * @param {string | URL} url
   * @param {object} [options]
   * @param {boolean} [options.replaces] whether the history entry is replaced, not followed by one
   * @param {boolean} [options.waits] whether it waits as long as it takes, since a page load would
   *   disturb the user
   */
  visit(url, { replaces = false, waits = false } = {}) {
    this.#isLeaving = false;
    const target = new URL(url, location.href);
    if (!isOfPage(target)) {
      location.assign(target);
      return;
    }
    if (isSame(target, location)) replaces = true;
    if (replaces) history.replaceState(history.state, "", target);
    else {
      history.pushState({ from: here() }, "", target);
      this.entry += 1;
    }
    this.#go({ waits });
  }

  /** Goes where the window was before a sheet was opened. */
  dismiss(url) {
    if (!this.#leaveFor(pathOf(url))) this.visit(url, { replaces: true });
  }

  /** A sheet has been closed by what came of it: its entry is one too many if it says what the one before does. */
  leaveSheet() {
    this.#leaveFor(here());
  }

  /** Answers whether the entry before is at a URL, and goes back to it, once. */
  #leaveFor(url) {
    if (history.state?.from !== url) return false;
    if (!this.#isLeaving) history.back();
    this.#isLeaving = true;
    return true;
  }

  /** Keeps a late parameter in the URL: only this window knows of it, so nobody is asked. */
  keep(name, value) {
    const changes = new URLSearchParams([[name, value]]).toString();
    history.replaceState(history.state, "", changer()(changes));
    this.#visited = here();
    clearTimeout(this.#idle);
    // It may be kept again and again, and there may be thousands of links.
    this.#idle = setTimeout(fill, LAZINESS);
  }

  /** Waits no longer than for any link for what a `visit` that waits has not brought yet. */
  insist() {
    if (!this.#isUnderWay) return;
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#load(), this.#tab.connected === false ? 0 : LIMIT);
  }

  #go({ force = false, waits = false }) {
    this.visits += 1;
    document.querySelector("[data-missing]")?.remove(); // it was about where the page was loaded
    this.#visited = here();
    fill({ force });
    this.isReturning = force;
    this.#tab.move();
    this.isReturning = false;
    this.#isUnderWay = true;
    this.#busy ??= setTimeout(() => setBusy(true), PATIENCE);
    clearTimeout(this.#limit);
    if (!waits) this.insist();
  }

  #arrive() {
    this.#stop();
    const field = [...document.querySelectorAll("[autofocus]")].find((field) => {
      return !this.#autofocused.has(field);
    });
    if (!field) return;
    this.#autofocused.add(field); // as the browser does when it loads a page, once
    field.focus();
    goOn(field);
  }

  #stop() {
    clearTimeout(this.#busy);
    clearTimeout(this.#limit);
    this.#busy = undefined;
    this.#isUnderWay = false;
    setBusy(false);
  }

  /** Loads the page anew, at the URL it has by now, if there is a server to load it from. */
  async #load() {
    const answer = await request(location.href, { method: "HEAD" });
    if (!this.#isUnderWay) return; // it was shown in the meantime
    this.#stop();
    if (answer && answer.status < 500) this.#tab.reload();
  }

  #click(event) {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    // Attributes, since the properties of links in SVG are no strings.
    const link = event.target.closest?.("a[href]");
    const target = link?.getAttribute("target") ?? "";
    if (!link || link.hasAttribute("download") || !["", "_self"].includes(target)) return;
    const changes = link.getAttribute("data-set");
    const href = changes === null ? link.getAttribute("href") : changer()(changes);
    const url = new URL(href, location.href);
    if (!isOfPage(url)) return;
    if (url.hash && url.pathname + url.search === here()) return; // the browser scrolls to it
    event.preventDefault();
    if (link.hasAttribute("data-dismiss")) this.dismiss(url);
    else this.visit(url);
  }
}

function pathOf({ pathname, search }) {
  return pathname + search;
}

/** Whether two URLs of this page are one local state: parameters have no order. */
function isSame(one, other) {
  const [query, otherQuery] = [one, other].map((url) => {
    const query = parameters(url);
    query.sort();
    return query.toString();
  });
  return query === otherQuery && one.hash === other.hash;
}

function setBusy(isBusy) {
  const main = document.querySelector("main");
  if (isBusy) main?.setAttribute("aria-busy", "true");
  else main?.removeAttribute("aria-busy");
}
