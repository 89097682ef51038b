/**
 * The camera of a picture: the visible part of `svg[data-camera]`. It is a late parameter of the
 * window's URL, named by `data-late-parameter`: `x_y_zoom`, the center in units of `data-world` (a
 * viewBox) and the magnification relative to the whole world. Without it, the whole world is shown.
 * On a map that is higher than the world, as on a phone, that would be a strip between two blank
 * ones: there, the map shows the marks, and as much of the world as has room around them.
 *
 * - The user moves it by drag, wheel, pinch, double click, keys, and links with `data-camera-move`.
 *   That replaces the URL and sends nothing.
 * - A link with a camera in its URL (such as a row of a list), Back and Forward move it in an
 *   animation. A link zooms in, but never out.
 * - A search moves it to the results: to everything in the list within the picture. So does a URL with
 *   a search and no camera. `data-fits` names the search's parameter, followed by those that narrow a
 *   search. When the search ends, the camera returns, unless the user has moved it since.
 *
 * From west to east the world has no edge, and the camera takes the shortest way around it. Each mark
 * is drawn at its position nearest to the camera, and again on each side if there is room.
 *
 * While zooming, the picture is redrawn in each frame, because markers keep their size on the screen
 * and would grow in a picture that is merely scaled. While the camera only moves, the drawn picture is
 * moved.
 *
 * Level 0 has one pixel per unit of the picture, and each further level twice as many. `data-levels`
 * lists the current level and the lower ones, for which the style sheet shows the names and marks
 * that fit; there are none on a map that is smaller than level 0. From level 2 on, a more detailed
 * file replaces the coarse land.
 */

import { everything, links, tab } from "../window.js";

/** How long a wheel must rest before the picture is redrawn, in milliseconds. */
const REST = 160;
const STEP = 0.25; // how far arrows move it, as a fraction of the visible part
const FACTOR = 2; // how much plus and minus zoom
const MARGIN = 56; // around search results, in pixels; half of it beside the marks of a high map
const NEAR = 8; // the maximum zoom for search results
const LEVELS = "0 1 2 3 4 5 6 7";
const LEVEL_SLACK = 0.15; // of a level: a map that is almost large enough for a level counts
const NEAR_LEVEL = 2; // from here on, the land would look coarse
const MARKS = "[data-list] > a, .selected";
const SLACK = 4; // how far a pointer may move during a click, in pixels

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** Finds the pictures of a page. `links` replaces the URL, and `tab` reports that it has changed. */
class Cameras {
  #cameras = new Map();

  constructor() {
    tab.addEventListener("moving", () => {
      // An unsaved camera belongs to the history entry that was left.
      if (links.isReturning) this.#cameras.forEach((camera) => camera.restore());
      this.#follow();
    });
    tab.addEventListener("patched", ({ detail: changes }) => {
      this.#follow();
      this.#cameras.forEach((camera) => camera.update());
      this.#find(changes);
    });
    this.#find(everything);
  }

  #find(changes) {
    for (const svg of changes.matching("svg[data-camera]")) {
      if (!this.#cameras.has(svg)) this.#cameras.set(svg, new Camera(svg));
    }
  }

  #follow() {
    for (const [svg, camera] of this.#cameras) {
      if (svg.isConnected) camera.follow();
      else {
        camera.end();
        this.#cameras.delete(svg);
      }
    }
  }
}

class Camera {
  #svg;
  #parameter;
  #world;
  #mostZoom;
  /** The size of the picture on the screen, and its frame's height, kept because measuring lays out the page. */
  #size;
  /** The current camera, the one that was last drawn, and the one that it moves to: {x, y, zoom}. */
  #now;
  #drawn;
  #target;
  #text;
  /** The search, and the cameras {x, y, zoom} that it has moved to, and before it. */
  #search;
  #found = null;
  #before = null;
  #pointers = new Map();
  #dragged = 0;
  /** The scale of a pinch on a touch pad so far. */
  #pinched = 1;
  /** Whether it is being animated, and whether it has moved since it was drawn and saved. */
  #isFlying = false;
  #isUnsettled = false;
  /** Whether its target is not in the URL yet. */
  #isUnsaved = false;
  /** The marks and their positions: {element, x, y}; null if they are unknown since the last patch. */
  #marks = null;
  #rest;
  #life = new AbortController();
  #frame;

  constructor(svg) {
    this.#svg = svg;
    this.#parameter = svg.dataset.lateParameter;
    const [x, y, width, height] = svg.dataset.world.split(" ").map(Number);
    this.#world = { x, y, width, height };
    this.#mostZoom = Number(svg.dataset.zoom);
    this.#measure();
    this.#text = this.#asked();
    this.#search = this.#searched();
    const fitting = this.#search !== "" && this.#text === "" ? this.#fitting() : null;
    this.#now = this.#target = fitting ?? this.#parse(this.#text);
    if (this.#search !== "") [this.#found, this.#before] = [this.#target, this.#parse("")];
    this.#draw();
    this.#listen();
  }

  /** Finds the marks again after they have changed. */
  update() {
    this.#marks = null;
    this.#placeMarks();
    this.#fit();
  }

  /** Moves to the camera in the URL, if that has changed. */
  follow() {
    const asked = this.#asked();
    if (asked === this.#text) return;
    this.#text = asked;
    const target = this.#parse(asked);
    const { zoom } = this.#target;
    if (links.isReturning || asked === "" || target.zoom >= zoom) this.#fly(target);
    else this.#fly(this.#within({ ...target, zoom }), { saves: true });
  }

  /** Takes the camera from the URL, after the user has gone back or forward. */
  restore() {
    this.#search = this.#searched(); // the entry already has the camera for its search
    this.#found = null;
    if (!this.#isUnsaved) return;
    this.#isUnsaved = false;
    this.#text = this.#asked();
    this.#fly(this.#parse(this.#text));
  }

  /** Moves to the results, if the search has changed. A camera that nobody has moved follows the marks. */
  #fit() {
    const search = this.#searched();
    if (search === this.#search) {
      if (!this.#isHome || this.#pointers.size > 0) return;
      const [text, home] = [this.#target, this.#home].map(textOf);
      if (text !== home) this.#fly(this.#home); // what is on its way there would start again
      return;
    }
    this.#search = search;
    const isUnmoved = this.#target === this.#found;
    if (search === "") {
      if (isUnmoved) this.#flyAndSave(this.#before ?? this.#parse(""));
      this.#found = null;
      return;
    }
    const fitting = this.#fitting();
    if (!fitting) return;
    if (!isUnmoved) this.#before = this.#target;
    this.#found = this.#flyAndSave(fitting);
  }

  /** The camera that shows everything in the list; null if it is empty. */
  #fitting() {
    const places = this.#places;
    return places.length === 0 ? null : this.#around(bounds(places));
  }

  get #places() {
    return [...this.#svg.querySelector("[data-list]").children].map(placeOf);
  }

  /** Saves its target immediately, because the user may go back before the animation ends. */
  #flyAndSave(target) {
    this.#fly(target);
    this.#save();
    return this.#target;
  }

  /** Stops listening after the picture was removed, because its frame may show another one. */
  end() {
    this.#life.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  // The URL.

  #asked() {
    return said(this.#parameter);
  }

  #searched() {
    const [text, ...others] = this.#svg.dataset.fits.split(" ").map(said);
    return text === "" ? "" : [text, ...others].join(" ");
  }

  #parse(text) {
    const numbers = text.split("_").map(Number);
    if (numbers.length !== 3 || !numbers.every(isFinite)) return this.#home;
    const [x, y, zoom] = numbers;
    return this.#within({ x, y, zoom });
  }

  /** The camera of a URL without one. */
  get #home() {
    const whole = { ...this.#center, zoom: 1 };
    const { width, frame } = this.#size;
    // In pixels per unit: that of a world as wide as the map, and that of one as high, which is below NEAR_LEVEL.
    const [least, most] = [width / this.#world.width, Math.min(frame / this.#world.height, 3.5)];
    const places = this.#places;
    if (most <= least || places.length === 0) return whole;
    const part = bounds(places);
    const fitting = Math.max((width - MARGIN) / part.width, (least * most) ** 0.5);
    return { ...whole, x: part.x + part.width / 2, zoom: Math.min(fitting, most) / this.#scale };
  }

  get #isHome() {
    return this.#text === "" && this.#found === null && !this.#isUnsaved;
  }

  get #center() {
    const { x, y, width, height } = this.#world;
    return { x: x + width / 2, y: y + height / 2 };
  }

  #save() {
    this.#isUnsaved = false;
    const [text, home] = [this.#target, this.#home].map(textOf);
    this.#text = text === home ? "" : text;
    links.keep(this.#parameter, this.#text);
  }

  // Geometry.

  /** The nearest camera that shows nothing beyond the poles, as far as possible. */
  #within({ x, y, zoom }) {
    const scale = Math.min(Math.max(zoom, 1), this.#mostZoom);
    const height = this.#size.height / this.#scale / scale;
    const dy = Math.max(0, this.#world.height - height) / 2;
    const middle = this.#center.y;
    return { x, y: Math.min(Math.max(y, middle - dy), middle + dy), zoom: scale };
  }

  /** The camera that shows all of a part of the world, without zooming in too far. */
  #around({ x, y, width, height }) {
    const scale = this.#scale;
    const zoom = Math.min(
      (this.#size.width - 2 * MARGIN) / (width * scale),
      (this.#size.height - 2 * MARGIN) / (height * scale),
      NEAR,
    );
    return this.#within({ x: x + width / 2, y: y + height / 2, zoom });
  }

  #measure() {
    const { clientWidth: width, clientHeight: height, parentElement: frame } = this.#svg;
    this.#size = { width, height, frame: frame.clientHeight };
  }

  /** How many pixels a unit has at zoom 1. */
  get #scale() {
    const { width, height } = this.#size;
    return Math.min(width / this.#world.width, height / this.#world.height) || 1;
  }

  /** Where the picture is on the screen at rest. Something may lie over the top of its frame. */
  get #box() {
    const frame = this.#svg.parentElement;
    const { left, right, top, bottom } = frame.getBoundingClientRect();
    return { left, right, top: top + frame.clientHeight - this.#svg.clientHeight, bottom };
  }

  /** A point of the screen, from the middle of the picture. */
  #fromCenter({ clientX, clientY }) {
    const { left, right, top, bottom } = this.#box;
    return { dx: clientX - (left + right) / 2, dy: clientY - (top + bottom) / 2 };
  }

  /** Zooms so that a point of the picture stays in place on the screen. */
  #zoomed(camera, factor, { dx, dy } = { dx: 0, dy: 0 }) {
    const zoom = Math.min(Math.max(camera.zoom * factor, 1), this.#mostZoom);
    const shift = (1 / camera.zoom - 1 / zoom) / this.#scale;
    return this.#within({ x: camera.x + dx * shift, y: camera.y + dy * shift, zoom });
  }

  #moved(camera, dx, dy) {
    return this.#within(this.#shifted(camera, dx, dy));
  }

  /** Moves it, even out of the world. */
  #shifted(camera, dx, dy) {
    const scale = this.#scale * camera.zoom;
    return { ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale };
  }

  // Showing.

  /** Redraws the picture once it is at rest. */
  #draw() {
    this.#drawView();
    // Not while it moves: if the network fails, each frame would ask again.
    if (this.#level >= NEAR_LEVEL) this.#loadDetails();
    this.#svg.style.willChange = "";
    this.#svg.parentElement.removeAttribute("data-moving");
    this.#svg.parentElement.removeAttribute("data-zooming");
  }

  #drawView() {
    const { x, y, zoom } = this.#now;
    const [width, height] = [this.#world.width / zoom, this.#world.height / zoom];
    const box = [around(x) - width / 2, y - height / 2, width, height];
    this.#drawn = this.#now;
    this.#svg.setAttribute("viewBox", box.map((number) => number.toFixed(3)).join(" "));
    this.#svg.style.transform = "";
    this.#svg.style.setProperty("--pixel", 1 / (this.#scale * zoom));
    this.#drawLevel();
    this.#placeMarks();
  }

  get #level() {
    return Math.floor(Math.log2(this.#scale * this.#now.zoom) + LEVEL_SLACK);
  }

  #drawLevel() {
    const levels = LEVELS.slice(0, Math.max(0, 2 * this.#level + 1));
    if (this.#svg.dataset.levels !== levels) {
      const focused = this.#svg.querySelector(":focus");
      this.#svg.dataset.levels = levels;
      // If the focused mark is now hidden, because it has opened into several, the map gets the focus.
      if (focused?.getClientRects().length === 0) this.#svg.focus({ preventScroll: true });
    }
  }

  /** Loads the detailed land. The coarse land is shown until then, and if that fails. */
  #loadDetails() {
    const { dataset } = this.#svg;
    if (dataset.detail !== "coarse") return;
    dataset.detail = "loading";
    import("./details.js")
      .then(({ load }) => load(this.#svg))
      .catch(() => (dataset.detail = "coarse"));
  }

  /** Places each mark nearest to the camera, and copies all to the sides that are visible. */
  #placeMarks() {
    this.#marks ??= [...this.#svg.querySelectorAll(MARKS)].map((element) => {
      return { element, ...placeOf(element) };
    });
    const x = around(this.#drawn.x) + this.#now.x - this.#drawn.x;
    for (const mark of this.#marks) {
      const turns = Math.round((x - mark.x) / 360);
      if (turns === mark.turns) continue;
      mark.turns = turns;
      if (turns === 0) mark.element.removeAttribute("transform");
      else mark.element.setAttribute("transform", `translate(${360 * turns})`);
    }
    const half = this.#size.width / 2 / this.#scale / this.#now.zoom;
    const { width } = this.#world;
    setCopies(this.#svg, ".copies", "#marks", () => half > width / 2);
    // Invisible copies are not drawn, because the detailed world has a hundred thousand points.
    setCopies(this.#svg, ".world", "#world", (side) => half + side * x > width / 2);
  }

  /** Shows the camera while it moves. */
  #show(camera) {
    this.#now = camera;
    // The picture is covered while it moves (see the style sheet), so that the browser need not find
    // the element under the pointer.
    this.#svg.parentElement.setAttribute("data-moving", "");
    // The drawn picture extends only this far.
    const isFar = Math.abs(camera.x - this.#drawn.x) > 180;
    if (camera.zoom !== this.#drawn.zoom) {
      // Names are hidden meanwhile, because laying them out in each frame takes longest.
      this.#svg.parentElement.setAttribute("data-zooming", "");
      return this.#drawView();
    }
    if (isFar) return this.#drawView();
    this.#placeMarks();
    const scale = this.#scale * camera.zoom;
    const [x, y] = [(this.#drawn.x - camera.x) * scale, (this.#drawn.y - camera.y) * scale];
    this.#svg.style.willChange = "transform";
    this.#svg.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Moves there immediately, and redraws after a pause. */
  #go(camera) {
    cancelAnimationFrame(this.#frame);
    this.#target = camera;
    this.#isFlying = false;
    this.#isUnsettled = this.#isUnsaved = true;
    this.#frame = requestAnimationFrame(() => this.#show(camera));
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#settle(), REST);
  }

  #settle() {
    if (this.#pointers.size > 0) return;
    cancelAnimationFrame(this.#frame);
    this.#isUnsettled = false;
    this.#now = this.#target;
    this.#draw();
    this.#save();
  }

  /** Stops an animation at its current position. */
  #stop() {
    if (this.#isFlying) this.#go(this.#now);
  }

  /** Moves there in an animation, which zooms out on long ways. */
  #fly(place, { saves = false } = {}) {
    const target = { ...place, x: near(place.x, this.#now.x) };
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    this.#target = target;
    this.#isFlying = true;
    this.#isUnsettled = false;
    this.#isUnsaved = saves;
    const start = this.#now;
    const end = () => {
      this.#isFlying = false;
      this.#now = target;
      this.#draw();
      if (saves) this.#save();
    };
    const distance = Math.hypot(target.x - start.x, target.y - start.y);
    const isSame = distance < 1e-6 && Math.abs(target.zoom - start.zoom) < 1e-6;
    if (isSame || stillness.matches || document.hidden) return end();
    const overview = Math.max(1, this.#world.width / 2 / Math.max(distance, 1));
    const dip = Math.max(0, Math.log(Math.min(start.zoom, target.zoom) / overview));
    const duration = 350 + Math.min(distance * 8, 650);
    let begun;
    const step = (time) => {
      begun ??= time;
      const part = (time - begun) / duration;
      if (part >= 1) return end();
      const eased = part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
      const between = (from, to) => from + (to - from) * eased;
      const log = between(Math.log(start.zoom), Math.log(target.zoom));
      this.#show({
        x: between(start.x, target.x),
        y: between(start.y, target.y),
        zoom: Math.exp(log - dip * Math.sin(Math.PI * eased)),
      });
      this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  // Input.

  #listen() {
    const frame = this.#svg.parentElement;
    const svg = this.#svg;
    const { signal } = this.#life;
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false, signal });
    for (const name of ["gesturestart", "gesturechange"]) {
      frame.addEventListener(name, (event) => this.#pinch(event), { signal });
    }
    frame.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    frame.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const name of ["pointerup", "pointercancel"]) {
      frame.addEventListener(name, (event) => this.#up(event), { signal });
    }
    frame.addEventListener("dblclick", (event) => this.#zoom(event), { signal });
    // Dragging the map must not drag a link, and a drag that ends on a marker is not a click on it.
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    svg.addEventListener("click", (event) => this.#click(event), true);
    frame.addEventListener("keydown", (event) => this.#press(event), { signal });
    frame.addEventListener("click", (event) => this.#push(event), { signal });
    svg.addEventListener("focusin", ({ target }) => {
      if (target !== svg && target.matches(":focus-visible")) this.#reveal(target);
    });
    const given = this.#isHome ? null : svg.querySelector(".ring"); // with the camera in the URL
    let height = Infinity;
    const observer = new ResizeObserver(() => {
      this.#measure();
      if (this.#isHome) this.#now = this.#target = this.#home;
      this.#draw();
      // The card of an earthquake that was selected on a phone's map would cover it there. The part of
      // the world that a URL without a camera shows there may be without it.
      const ring = svg.querySelector(".ring");
      if (ring && ring !== given && this.#size.height < height && !this.#isFlying) this.#reveal(ring);
      ({ height } = this.#size);
    });
    observer.observe(svg);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  #zoom(event) {
    if (isControl(event)) return;
    event.preventDefault();
    const factor = event.shiftKey ? 1 / FACTOR : FACTOR;
    this.#fly(this.#zoomed(this.#target, factor, this.#fromCenter(event)), { saves: true });
  }

  #wheel(event) {
    event.preventDefault();
    this.#stop();
    const unit = event.deltaMode === 1 ? 16 : 1; // in Firefox it counts lines
    // A pinch on a touch pad arrives as a wheel event with Ctrl, in finer steps.
    const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002));
    this.#go(this.#zoomed(this.#target, factor, this.#fromCenter(event)));
  }

  /** A pinch on a touch pad in Safari, which has its own events for it. Fingers on the map are pointers too. */
  #pinch(event) {
    event.preventDefault();
    const factor = event.type === "gesturestart" ? 1 : event.scale / this.#pinched;
    this.#pinched = event.scale;
    if (this.#pointers.size > 0 || factor === 1) return;
    this.#stop();
    this.#go(this.#zoomed(this.#target, factor, this.#fromCenter(event)));
  }

  /**
   * Whether a click is the end of a drag. A click by a key or a screen reader is not. In Firefox,
   * such a click has a `detail` of 1 too, and can be recognized only because it has no pointer.
   */
  #isDragged(event) {
    return event.detail > 0 && event.pointerType !== "" && this.#dragged > SLACK;
  }

  #click(event) {
    if (this.#isDragged(event)) return event.preventDefault();
    if (event.target.closest(".copies") === null) return;
    // It is the image of a link, not the link itself.
    event.preventDefault();
    this.#markAt(event)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }

  /** The mark at a point of the screen, or the mark whose copy is there; the last is on top. */
  #markAt(event) {
    const { dx, dy } = this.#fromCenter(event);
    const { x, y } = this.#shifted(this.#now, -dx, -dy);
    const scale = this.#scale * this.#now.zoom;
    return this.#marks.findLast(({ element, ...mark }) => {
      const disk = element.querySelector(".disk");
      const distance = Math.hypot(near(mark.x, x) - x, mark.y - y) * scale;
      const isLink = element.localName === "a" && element.getClientRects().length > 0;
      return isLink && distance <= Number(disk.getAttribute("stroke-width")) / 2;
    })?.element;
  }

  #down(event) {
    if (event.button !== 0 || isControl(event)) return;
    // Otherwise, browsers would keep showing the focus ring from the keyboard.
    if (document.activeElement === this.#svg) this.#svg.blur();
    if (this.#pointers.size === 0) this.#dragged = 0;
    this.#pointers.set(event.pointerId, event);
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    // The button was released elsewhere.
    if (event.buttons === 0) return this.#up(event);
    const others = [...this.#pointers.values()].filter((other) => other !== before);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    this.#dragged += Math.hypot(dx, dy);
    if (this.#dragged <= SLACK) return;
    this.#svg.parentElement.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, event);
    this.#stop();
    if (others.length === 0) return this.#go(this.#moved(this.#target, dx, dy));
    if (others.length > 1) return;
    const [other] = others;
    const distance = ({ clientX, clientY }) => {
      return Math.hypot(clientX - other.clientX, clientY - other.clientY);
    };
    const middle = {
      clientX: (event.clientX + other.clientX) / 2,
      clientY: (event.clientY + other.clientY) / 2,
    };
    const factor = distance(event) / Math.max(distance(before), 1);
    // Only the combined movement is limited to the world, because one finger moves before the other.
    const shifted = this.#shifted(this.#target, dx / 2, dy / 2);
    this.#go(this.#zoomed(shifted, factor, this.#fromCenter(middle)));
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId) || this.#pointers.size > 0) return;
    if (this.#isUnsettled) this.#settle();
  }

  #press(event) {
    // A focused marker handles arrows itself.
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const moves = { "+": "in", "=": "in", "-": "out", 0: "all" };
    const move = event.key.startsWith("Arrow") ? event.key.slice(5).toLowerCase() : moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.#step(move, { isHeld: event.repeat });
  }

  #push(event) {
    const link = event.target.closest("[data-camera-move]");
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#step(link.dataset.cameraMove);
  }

  #step(move, { isHeld = false } = {}) {
    const [dx, dy] = [this.#size.width * STEP, this.#size.height * STEP];
    const target = this.#target;
    const cameras = {
      in: () => this.#zoomed(target, FACTOR),
      out: () => this.#zoomed(target, 1 / FACTOR),
      all: () => ({ ...this.#home, zoom: 1 }),
      fit: () => this.#fitting() ?? target,
      left: () => this.#moved(target, dx, 0),
      right: () => this.#moved(target, -dx, 0),
      up: () => this.#moved(target, 0, dy),
      down: () => this.#moved(target, 0, -dy),
    };
    const camera = cameras[move]();
    // An animation would restart with each key repeat, and never get far.
    if (isHeld) this.#go(camera);
    else this.#fly(camera, { saves: true });
    if (move === "fit") this.#found = this.#target;
  }

  /** Moves an element into view. */
  #reveal(element) {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const box = this.#box;
    if (left > box.left && right < box.right && top > box.top && bottom < box.bottom) return;
    const middle = { clientX: (left + right) / 2, clientY: (top + bottom) / 2 };
    const { dx, dy } = this.#fromCenter(middle);
    this.#fly(this.#moved(this.#now, -dx, -dy), { saves: true });
  }
}

/** Adds or removes copies beside the world. `isSeen` is called with -1 for the west, 1 for the east. */
function setCopies(svg, layer, original, isSeen) {
  for (const use of svg.querySelectorAll(`${layer} > use`)) {
    const href = isSeen(Math.sign(use.getAttribute("x"))) ? original : "#none";
    if (use.getAttribute("href") !== href) use.setAttribute("href", href);
  }
}

/** A camera as it is in the URL. */
function textOf({ x, y, zoom }) {
  const number = (value) => String(Math.round(value * 100) / 100);
  return [around(Number(number(x))), y, zoom].map(number).join("_");
}

/** The position of a mark: its path begins there. */
function placeOf(mark) {
  const [x, y] = mark.querySelector(".disk").getAttribute("d").match(/-?[\d.]+/g).map(Number);
  return { x, y };
}

/** The smallest part of the world with these places. From west to east it omits the widest gap. */
function bounds(places) {
  const xs = places.map(({ x }) => x).sort((a, b) => a - b);
  const ys = places.map(({ y }) => y);
  const gaps = xs.map((x, index) => (xs[index + 1] ?? xs[0] + 360) - x);
  const last = gaps.indexOf(Math.max(...gaps));
  const x = xs[(last + 1) % xs.length];
  const y = Math.min(...ys);
  return { x, y, width: (xs[last] - x + 360) % 360, height: Math.max(...ys) - y };
}

/** The same longitude, in the range -180 to 180. */
function around(x) {
  return x - 360 * Math.floor((x + 180) / 360);
}

/** The same longitude, plus as many turns around the world as bring it closest to another one. */
function near(x, other) {
  return x + 360 * Math.round((other - x) / 360);
}

/** Whether an event belongs to something that lies over the picture. */
function isControl({ target }) {
  return target.closest("nav") !== null;
}

new Cameras();

/** A parameter of the URL; empty if it is missing. */
function said(name) {
  return new URLSearchParams(location.search).get(name) ?? "";
}
