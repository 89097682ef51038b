/**
 * The timeline plays the day: the list and the map show the earthquakes up to a time of the day that
 * advances. The page has all earthquakes of the day, each with its local time (`data-at`), so the
 * server is not involved. When it rests, its time is the late parameter `until` of the window's URL,
 * such as `0905`. Without it, the whole day is shown.
 *
 * - The scrubber and the steps move it. Space plays and pauses while the focus is in the timeline, and
 *   `p` everywhere.
 * - Earthquakes are not announced one by one. A status says how many are shown when it comes to rest.
 * - With reduced motion it goes from hour to hour, and nothing glows.
 * - When the month is played, it continues from the end of a day to the next day, by the link to that
 *   day. This is one request to the server for each day.
 */

import { hasModifier, links, tab } from "../window.js";

const DAY = 1440; // minutes
const GRAIN = 5; // minutes, of the scrubber
/** The style sheet hides by the hour; this module by the minute. */
const EVERY_HOUR = ["timed", ...Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"))].join(" ");
const NEXT_DAY = ".strip > [aria-current] + a";

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

class Timeline {
  #element = null;
  #parameter;
  /** The elements with a time: {element, minutes}; null if they are unknown since the last patch. */
  #known = null;
  /** The time up to which it shows, in minutes; DAY: the whole day. */
  #now = DAY;
  /** The parameter in the URL. */
  #text = "";
  #frame = 0;
  #isPlaying = false;
  /** Whether the next day was requested and will be played from its beginning. */
  #isGoingOn = false;

  constructor() {
    tab.addEventListener("moving", () => this.#follow());
    tab.addEventListener("shown", () => this.#goOn());
    tab.addEventListener("patched", () => this.#take());
    document.addEventListener("visibilitychange", () => document.hidden && this.#pause());
    this.#take();
  }

  #part(selector) {
    return this.#element.querySelector(selector);
  }

  /** Reads the current content of the page. */
  #take() {
    this.#known = null;
    if (!this.#element?.isConnected) {
      const element = document.querySelector(".timeline");
      if (element === this.#element) return;
      this.#element = element;
      if (!element) return this.#stop();
      this.#listen();
      this.#parameter = element.dataset.lateParameter;
      this.#text = this.#said();
      this.#now = parse(this.#text);
      this.#show();
    } else if (this.#now < DAY) {
      // While the whole day is shown, new earthquakes need no update here.
      this.#show();
    }
  }

  get #timed() {
    return (this.#known ??= [...document.querySelectorAll("[data-at]")].map((element) => {
      const [, hours, minutes] = element.dataset.at.match(/^(..)(..)$/);
      return { element, minutes: 60 * Number(hours) + Number(minutes) };
    }));
  }

  #listen() {
    for (const control of this.#element.querySelectorAll("[hidden]")) control.hidden = false;
    const scrubber = this.#part("[type=range]");
    scrubber.addEventListener("input", () => {
      this.#stop();
      this.#now = Number(scrubber.value);
      this.#show();
    });
    // A held key changes it thirty times a second, and browsers limit how often the URL may change.
    let [isHeld, isMoving] = [false, false];
    scrubber.addEventListener("change", () => {
      isMoving = isHeld;
      if (!isMoving) this.#rest();
    });
    scrubber.addEventListener("keydown", ({ repeat }) => (isHeld = repeat));
    for (const name of ["keyup", "blur"]) {
      scrubber.addEventListener(name, () => {
        if (isMoving) this.#rest();
        isHeld = isMoving = false;
      });
    }
    this.#part(".play").addEventListener("click", () => this.#isPlaying ? this.#pause() : this.#play());
    this.#element.addEventListener("keydown", (event) => {
      if (event.key !== " " || event.target !== scrubber) return;
      event.preventDefault();
      this.#part(".play").click();
    });
    this.#element.addEventListener("click", (event) => {
      const step = event.target.closest("[data-hour-step]")?.dataset.hourStep;
      if (!step || event.button !== 0 || hasModifier(event)) return;
      event.preventDefault();
      this.#stop();
      this.#now = stepped(this.#now, Number(step));
      this.#rest();
    });
  }

  // The URL.

  #said() {
    return new URLSearchParams(location.search).get(this.#parameter) ?? "";
  }

  /** Moves to the time in the URL, if that has changed. */
  #follow() {
    if (!this.#element || this.#isGoingOn) return;
    const said = this.#said();
    if (said === this.#text) return;
    this.#stop();
    this.#text = said;
    this.#now = parse(said);
    // It goes away.
    if (document.activeElement?.matches(".whole")) this.#part("[type=range]").focus();
    this.#show();
  }

  /** Comes to rest: updates the URL and the status for screen readers. */
  #rest() {
    this.#stop();
    this.#now = Math.round(this.#now / GRAIN) * GRAIN;
    this.#text = write(this.#now);
    links.keep(this.#parameter, this.#text);
    this.#show();
    this.#part("[role=status]").textContent = this.#summary();
  }

  #summary() {
    const shown = this.#shown;
    const newest = shown.reduce((last, mark) => last?.minutes > mark.minutes ? last : mark, null);
    const title = newest?.element.querySelector("title").textContent;
    return `${this.#face(shown.length)}.${title ? ` The newest: ${title}.` : ""}`;
  }

  // Showing.

  get #markers() {
    return this.#timed.filter(({ element }) => element.localName === "a");
  }

  /** The markers until now. */
  get #shown() {
    return this.#markers.filter(({ minutes }) => minutes < this.#now);
  }

  #show() {
    const isWhole = this.#now >= DAY;
    for (const { element, minutes } of this.#timed) {
      const isLater = minutes >= this.#now;
      if (element.hasAttribute("hidden") === isLater) continue;
      if (isLater && element.contains(document.activeElement)) this.#part(".play").focus({ preventScroll: true });
      element.toggleAttribute("hidden", isLater);
      element.toggleAttribute("data-arrived", !isLater && this.#isPlaying);
    }
    const hours = isWhole ? "all" : EVERY_HOUR;
    const root = this.#element.closest(".quakes"); // patches do not contain its hours
    if (root.dataset.hours !== hours) root.dataset.hours = hours;
    const scrubber = this.#part("[type=range]");
    scrubber.value = String(this.#now);
    // While it plays, screen readers would read each new time.
    scrubber.ariaValueText = this.#isPlaying ? "Playing" : isWhole ? "Whole day" : clock(this.#now);
    const shown = this.#shown.length;
    this.#showFace(this.#face(shown));
    this.#showCount(isWhole ? null : shown);
    const play = this.#part(".play");
    const label = this.#isPlaying ? "Pause" : "Play the day";
    play.toggleAttribute("data-playing", this.#isPlaying);
    play.title = play.ariaLabel = label;
    for (const link of this.#element.querySelectorAll("[data-hour-step]")) {
      const url = new URL(location.href);
      const text = write(stepped(this.#now, Number(link.dataset.hourStep)));
      if (text) url.searchParams.set(this.#parameter, text);
      else url.searchParams.delete(this.#parameter);
      link.setAttribute("href", url.pathname + url.search);
    }
  }

  #face(shown) {
    return this.#now >= DAY ? "Whole day" : `${clock(this.#now)} · ${shown} of ${this.#markers.length}`;
  }

  /** In one line, or on a phone in two. */
  #showFace(face) {
    const { dataset } = this.#part(".face");
    const parts = face.split(" · ");
    dataset.clock = face;
    if (parts[1]) [dataset.time, dataset.count] = parts;
    else for (const name of ["time", "count"]) delete dataset[name];
  }

  /** Beside the total: how many are shown, unless the map has only some of them. */
  #showCount(shown) {
    const element = document.querySelector(".shown");
    const number = document.querySelector(".map .limit") ? "" : `${shown} `;
    element.dataset.shown = shown === null ? "" : `${number}until ${clock(this.#now)}`;
  }

  // Playing.

  #play() {
    if (this.#now >= DAY) this.#now = 0;
    this.#part("[role=status]").textContent = "";
    this.#isPlaying = true;
    let last;
    let exact = this.#now;
    const step = (time) => {
      exact += ((time - (last ?? time)) / 1000) * Number(this.#part("select").value);
      last = time;
      // With reduced motion, the hours are shown one after another.
      this.#now = stillness.matches ? Math.floor(exact / 60) * 60 : Math.floor(exact);
      if (this.#isOver()) return this.#end();
      this.#show();
      this.#frame = requestAnimationFrame(step);
    };
    this.#show();
    this.#frame = requestAnimationFrame(step);
  }

  /** Whether there is nothing more to play. Today ends with the latest earthquake. */
  #isOver() {
    return this.#timed.every(({ minutes }) => minutes < this.#now);
  }

  #end() {
    const next = document.querySelector(NEXT_DAY);
    if (next && this.#part("select").selectedOptions[0].matches("[data-goes-on]")) {
      this.#now = 0;
      this.#isGoingOn = true;
      next.click();
      return;
    }
    this.#now = DAY;
    this.#rest();
  }

  /** Plays the next day, which has arrived. */
  #goOn() {
    if (!this.#isGoingOn) return;
    this.#isGoingOn = false;
    this.#text = this.#said();
    if (this.#element) this.#play();
  }

  #pause() {
    if (this.#isPlaying) this.#rest();
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    this.#isPlaying = false;
    this.#isGoingOn = false;
  }
}

/** An hour earlier or later, on the hour; not before one o'clock, when nothing would be shown. */
function stepped(minutes, step) {
  const hour = step < 0 ? Math.ceil(minutes / 60) - 1 : Math.floor(minutes / 60) + 1;
  return Math.min(Math.max(60 * hour, 60), DAY);
}

function parse(text) {
  const [, hours, minutes] = text.match(/^(\d\d)([0-5]\d)$/) ?? [];
  return hours < 24 ? 60 * Number(hours) + Number(minutes) : DAY;
}

function write(minutes) {
  if (minutes >= DAY) return "";
  return [Math.floor(minutes / 60), minutes % 60].map((number) => String(number).padStart(2, "0")).join("");
}

/** A time as in the rows: `9:05 AM`. */
function clock(minutes) {
  const hour = Math.floor(minutes / 60);
  return `${(hour + 11) % 12 + 1}:${String(minutes % 60).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

new Timeline();
