/**
 * The camera of a picture: which part of `svg[data-camera]` shows. It is a late parameter of the
 * window's URL, named by `data-late-parameter`: `x_y_zoom`, the center in units of `data-world` (a viewBox)
 * and how many times larger than the whole world; not there: the whole world.
 *
 * - The user moves it by drag, wheel, pinch, double click, keys, and links with `data-camera-move`.
 *   That replaces the URL and tells nobody.
 * - A link that says where the camera goes (a row of a list, say), back and forward take it there in
 *   an animation. A link takes it nearer, and never farther away.
 * - A search takes it to what has been found: to all that is in the list within the picture. `data-fits` names
 *   the search's parameter, and after it those that narrow a search. With the end of the search it goes back,
 *   unless its user has moved it since.
 *
 * From west to east the world has no edge: the camera goes around it, by the shortest way. What is marked is
 * drawn where it is nearest to the camera, and once more to each side if there is room for it.
 *
 * A zoom draws the picture anew in each frame, for what is drawn keeps its size on the screen: markers would
 * grow with a picture that is stretched. While the camera is only moved, the picture is moved as it was drawn.
 *
 * Level 0 has a pixel for a unit of the picture, and each further level twice as many. `data-levels` lists the
 * level and those before it: the style sheet shows the names and marks that have room there. From level 2 on a
 * file with more details replaces the coarse land.
 */

import { everything, links, tab } from "../window.js";

/** How long a wheel rests before the picture is drawn anew, in milliseconds. */
const REST = 160;
const STEP = 0.25; // of what shows, for arrows
const FACTOR = 2; // for plus and minus
const MARGIN = 56; // around what is found, in pixels
const NEAR = 8; // the most zoom for what is found
const LEVELS = 8;
const LEVEL_SLACK = 0.3; // of a level: maps are nearly as large as a level asks for
const NEAR_LEVEL = 2; // where the coarse land shows that it is
const DETAILS = new URL("world.svg", import.meta.url);
const MARKS = "[data-list] > a, .selected";
const SLACK = 4; // how far a pointer may stray in a click, in pixels

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** Finds the pictures of a page; `links` replaces the URL, `tab` says when it has changed. */
class Cameras {
  #cameras = new Map();

  constructor() {
    tab.addEventListener("moving", () => {
      // What was not saved yet belongs to the entry that was left.
      if (links.isReturning) this.#cameras.forEach((camera) => camera.restore());
      this.#follow();
    });
    tab.addEventListener("shown", () => this.#cameras.forEach((camera) => camera.fit()));
    tab.addEventListener("patched", ({ detail: changes }) => {
      this.#cameras.forEach((camera) => camera.mark());
      this.#follow();
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
  /** Where it is, where it was drawn, and where it is going: {x, y, zoom}. */
  #now;
  #drawn;
  #target;
  #text;
  /** What was searched for, where a search has taken the camera, and where it was before: {x, y, zoom}. */
  #search;
  #found = null;
  #before = null;
  #pointers = new Map();
  #dragged = 0;
  /** Whether it is in an animation, and whether it has moved since it was drawn and saved. */
  #isFlying = false;
  #isUnsettled = false;
  /** Whether where it is going is not in the URL yet. */
  #isUnsaved = false;
  /** What is marked, and where: {element, x, y}; null: not known since the last patch. */
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
    this.#text = this.#asked();
    this.#search = this.#searched();
    this.#now = this.#target = this.#parse(this.#text);
    if (this.#search !== "") [this.#found, this.#before] = [this.#target, this.#parse("")];
    this.#draw();
    this.#listen();
  }

  /** Finds what is marked, now that it has changed. */
  mark() {
    this.#marks = null;
    this.#placeMarks();
  }

  /** Goes where the URL says, if that is elsewhere than it said before. */
  follow() {
    const asked = this.#asked();
    if (asked === this.#text) return;
    this.#text = asked;
    const target = this.#parse(asked);
    const { zoom } = this.#target;
    if (links.isReturning || asked === "" || target.zoom >= zoom) this.#fly(target);
    else this.#fly(this.#within({ ...target, zoom }), { saves: true });
  }

  /** Takes up what the URL says, now that its user has gone back or forward. */
  restore() {
    this.#search = this.#searched(); // the entry has the camera that belongs to it
    this.#found = null;
    if (!this.#isUnsaved) return;
    this.#isUnsaved = false;
    this.#text = this.#asked();
    this.#fly(this.#parse(this.#text));
  }

  /** Goes to what has been found, if another search has been made. */
  fit() {
    const search = this.#searched();
    if (search === this.#search) return;
    this.#search = search;
    const isUnmoved = this.#target === this.#found;
    if (search === "") {
      if (isUnmoved) this.#flyAndSave(this.#before);
      this.#found = null;
      return;
    }
    const list = this.#svg.querySelector("[data-list]");
    if (list.childElementCount === 0) return;
    if (!isUnmoved) this.#before = this.#target;
    const places = [...list.children].map((marker) => placeOf(marker));
    this.#found = this.#flyAndSave(this.#around(bounds(places)));
  }

  /** Saves at once where it flies to: the user may go back before it has arrived. */
  #flyAndSave(target) {
    this.#fly(target);
    this.#save();
    return this.#target;
  }

  /** Lets go of what shows the picture, which has gone: its frame may show another one. */
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
    const [x, y, zoom] = text.split("_").map(Number);
    const isCamera = [x, y, zoom].every(Number.isFinite) && text.split("_").length === 3;
    return this.#within(isCamera ? { x, y, zoom } : { ...this.#center, zoom: 1 });
  }

  get #center() {
    const { x, y, width, height } = this.#world;
    return { x: x + width / 2, y: y + height / 2 };
  }

  #save() {
    const { x, y, zoom } = this.#target;
    const number = (value) => String(Math.round(value * 100) / 100);
    this.#isUnsaved = false;
    const text = [around(Number(number(x))), y, zoom].map(number).join("_");
    this.#text = text === "0_0_1" ? "" : text;
    links.keep(this.#parameter, this.#text);
  }

  // Geometry.

  /** The nearest camera that shows nothing beyond the poles, as far as that can be. */
  #within({ x, y, zoom }) {
    const scale = Math.min(Math.max(zoom, 1), this.#mostZoom);
    const center = this.#center;
    const dy = (this.#world.height / 2) * (1 - 1 / scale);
    return { x, y: Math.min(Math.max(y, center.y - dy), center.y + dy), zoom: scale };
  }

  /** The camera that shows a part of the world whole, and not too near. */
  #around({ x, y, width, height }) {
    const { clientWidth, clientHeight } = this.#svg.parentElement;
    const scale = this.#scale;
    const zoom = Math.min(
      (clientWidth - 2 * MARGIN) / (width * scale),
      (clientHeight - 2 * MARGIN) / (height * scale),
      NEAR,
    );
    return this.#within({ x: x + width / 2, y: y + height / 2, zoom });
  }

  /** How many pixels a unit has at zoom 1. */
  get #scale() {
    const { clientWidth, clientHeight } = this.#svg.parentElement;
    return Math.min(clientWidth / this.#world.width, clientHeight / this.#world.height) || 1;
  }

  /** A point of the screen, from the middle of the picture. */
  #fromCenter({ clientX, clientY }) {
    const { left, top, width, height } = this.#svg.parentElement.getBoundingClientRect();
    return { dx: clientX - left - width / 2, dy: clientY - top - height / 2 };
  }

  /** Zoomed with the point of the picture staying where it is on the screen. */
  #zoomed(camera, factor, { dx, dy } = { dx: 0, dy: 0 }) {
    const zoom = Math.min(Math.max(camera.zoom * factor, 1), this.#mostZoom);
    const shift = (1 / camera.zoom - 1 / zoom) / this.#scale;
    return this.#within({ x: camera.x + dx * shift, y: camera.y + dy * shift, zoom });
  }

  #moved(camera, dx, dy) {
    return this.#within(this.#shifted(camera, dx, dy));
  }

  /** Moved, be it out of the world. */
  #shifted(camera, dx, dy) {
    const scale = this.#scale * camera.zoom;
    return { ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale };
  }

  // Showing.

  /** Draws the picture anew, at rest. */
  #draw() {
    this.#drawView();
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
    this.#drawLevel(Math.floor(Math.log2(this.#scale * zoom) + LEVEL_SLACK));
    this.#placeMarks();
  }

  /** On a map that is smaller than all levels it is as on the first: there is none without marks. */
  #drawLevel(exact) {
    const level = Math.max(exact, 0);
    const levels = [...Array(LEVELS).keys()].filter((number) => number <= level).join(" ");
    if (this.#svg.dataset.levels !== levels) {
      const focused = this.#svg.querySelector(":focus");
      this.#svg.dataset.levels = levels;
      // A mark that has opened has no focus to give: the map is where it was.
      if (focused?.getClientRects().length === 0) this.#svg.focus({ preventScroll: true });
    }
    if (level >= NEAR_LEVEL) this.#loadDetails();
  }

  /** Has the land in detail; until it is there, the coarse one shows. */
  async #loadDetails() {
    if (this.#svg.dataset.detail !== "coarse") return;
    this.#svg.dataset.detail = "loading";
    const isLoaded = await fetch(DETAILS).then((response) => response.ok, () => false);
    if (!isLoaded) return (this.#svg.dataset.detail = "coarse");
    const uses = [...this.#svg.querySelectorAll("use[data-part]")];
    for (const use of uses) {
      const file = use.dataset.file ? new URL(use.dataset.file, import.meta.url) : DETAILS;
      use.setAttribute("href", `${file}#${use.dataset.part}`);
    }
    const show = () => {
      if (!this.#svg.isConnected) return;
      if (uses[0].getBBox().width > 0) this.#svg.dataset.detail = "fine";
      else requestAnimationFrame(show);
    };
    show();
  }

  /** Has each mark where it is nearest to the camera, and all once more to the sides where these show. */
  #placeMarks() {
    this.#marks ??= [...this.#svg.querySelectorAll(MARKS)].map((element) => {
      return { element, ...placeOf(element), turns: null };
    });
    const x = around(this.#drawn.x) + this.#now.x - this.#drawn.x;
    for (const mark of this.#marks) {
      const turns = Math.round((x - mark.x) / 360);
      if (turns === mark.turns) continue;
      mark.turns = turns;
      if (turns === 0) mark.element.removeAttribute("transform");
      else mark.element.setAttribute("transform", `translate(${360 * turns})`);
    }
    const half = this.#svg.parentElement.clientWidth / 2 / this.#scale / this.#now.zoom;
    const { width } = this.#world;
    setCopies(this.#svg, ".copies", "#marks", () => half > width / 2);
    // What does not show is not drawn: the world in detail has a hundred thousand points.
    setCopies(this.#svg, ".world", "#world", (side) => half + side * x > width / 2);
  }

  /** Shows the camera while it moves. */
  #show(camera) {
    this.#now = camera;
    // What covers it then (see the style sheet) spares the browser to look what the pointer is over.
    this.#svg.parentElement.setAttribute("data-moving", "");
    // What was drawn reaches so far only.
    const isFar = Math.abs(camera.x - this.#drawn.x) > 180;
    if (camera.zoom !== this.#drawn.zoom) {
      // Names are not set anew in each frame: that takes longer than all else.
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

  /** Goes there at once, and draws when nothing has come for a while. */
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

  /** Ends an animation where it is. */
  #stop() {
    if (this.#isFlying) this.#go(this.#now);
  }

  /** Goes there in an animation: far ways by way of an overview. */
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

  // What the user does.

  #listen() {
    const frame = this.#svg.parentElement;
    const svg = this.#svg;
    const { signal } = this.#life;
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false, signal });
    frame.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    frame.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const name of ["pointerup", "pointercancel"]) {
      frame.addEventListener(name, (event) => this.#up(event), { signal });
    }
    frame.addEventListener("dblclick", (event) => this.#zoom(event), { signal });
    // What is dragged is no link to be dragged, and a drag that ends on a marker is no click on it.
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    svg.addEventListener("click", (event) => this.#click(event), true);
    frame.addEventListener("keydown", (event) => this.#press(event), { signal });
    frame.addEventListener("click", (event) => this.#push(event), { signal });
    svg.addEventListener("focusin", (event) => this.#reveal(event.target));
    const observer = new ResizeObserver(() => this.#draw());
    observer.observe(frame);
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
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // A pinch on a touch pad comes as a wheel with Ctrl, and in finer steps.
    const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002));
    this.#go(this.#zoomed(this.#target, factor, this.#fromCenter(event)));
  }

  /**
   * Whether a click is the end of a drag; that of a key or of a screen reader is not. Firefox says of
   * such a click that it is the first (`detail` is 1), and only its pointer, which is none, tells.
   */
  #isDragged(event) {
    return event.detail > 0 && event.pointerType !== "" && this.#dragged > SLACK;
  }

  #click(event) {
    if (this.#isDragged(event)) return event.preventDefault();
    if (event.target.closest(".copies") === null) return;
    // It is the picture of a link, not the link.
    event.preventDefault();
    this.#markAt(event)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }

  /** What is marked at a point of the screen, on whichever side of the world that is; the last is on top. */
  #markAt(event) {
    const { dx, dy } = this.#fromCenter(event);
    const scale = this.#scale * this.#now.zoom;
    const [x, y] = [this.#now.x + dx / scale, this.#now.y + dy / scale];
    return this.#marks.findLast(({ element, ...mark }) => {
      const disk = element.querySelector(".disk");
      const distance = Math.hypot(near(mark.x, x) - x, mark.y - y) * scale;
      const isLink = element.localName === "a" && element.getClientRects().length > 0;
      return isLink && distance <= Number(disk.getAttribute("stroke-width")) / 2;
    })?.element;
  }

  #down(event) {
    if (event.button !== 0 || isControl(event)) return;
    // Browsers would go on showing a focus that came by the keyboard.
    if (document.activeElement === this.#svg) this.#svg.blur();
    if (this.#pointers.size === 0) this.#dragged = 0;
    this.#pointers.set(event.pointerId, event);
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    // It was released elsewhere.
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
    const distance = (pointer) => {
      return Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
    };
    const middle = {
      clientX: (event.clientX + other.clientX) / 2,
      clientY: (event.clientY + other.clientY) / 2,
    };
    const factor = distance(event) / Math.max(distance(before), 1);
    // Only what comes of both is taken back into the world: one finger moves before the other.
    const shifted = this.#shifted(this.#target, dx / 2, dy / 2);
    this.#go(this.#zoomed(shifted, factor, this.#fromCenter(middle)));
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId) || this.#pointers.size > 0) return;
    if (this.#isUnsettled) this.#settle();
  }

  #press(event) {
    // A marker that has the focus takes arrows for itself.
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const moves = {
      ArrowLeft: "left",
      ArrowRight: "right",
      ArrowUp: "up",
      ArrowDown: "down",
      "+": "in",
      "=": "in",
      "-": "out",
      0: "all",
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : null;
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
    const { clientWidth, clientHeight } = this.#svg.parentElement;
    const [dx, dy] = [clientWidth * STEP, clientHeight * STEP];
    const target = this.#target;
    const cameras = {
      in: () => this.#zoomed(target, FACTOR),
      out: () => this.#zoomed(target, 1 / FACTOR),
      all: () => this.#parse(""),
      left: () => this.#moved(target, dx, 0),
      right: () => this.#moved(target, -dx, 0),
      up: () => this.#moved(target, 0, dy),
      down: () => this.#moved(target, 0, -dy),
    };
    const camera = cameras[move]();
    // An animation would begin anew with each repetition of the key, and never come far.
    if (isHeld) this.#go(camera);
    else this.#fly(camera, { saves: true });
  }

  /** Shows what has got the focus by the keyboard. */
  #reveal(element) {
    if (element === this.#svg || !element.matches(":focus-visible")) return;
    const [inner, outer] = [element, this.#svg.parentElement].map((box) => {
      return box.getBoundingClientRect();
    });
    const [clientX, clientY] = [(inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2];
    const isShown =
      clientX > outer.left && clientX < outer.right && clientY > outer.top && clientY < outer.bottom;
    if (isShown) return;
    const { dx, dy } = this.#fromCenter({ clientX, clientY });
    this.#fly(this.#moved(this.#now, -dx, -dy), { saves: true });
  }
}

/** Draws something once more beside the world, or does not. `isSeen` is asked with -1 for the west, 1 for the east. */
function setCopies(svg, layer, original, isSeen) {
  for (const use of svg.querySelectorAll(`${layer} > use`)) {
    const href = isSeen(Math.sign(use.getAttribute("x"))) ? original : "#none";
    if (use.getAttribute("href") !== href) use.setAttribute("href", href);
  }
}

/** Where a mark is: its path begins there. */
function placeOf(mark) {
  const [x, y] = mark.querySelector(".disk").getAttribute("d").match(/-?[\d.]+/g).map(Number);
  return { x, y };
}

/** The smallest part of the world with these places: from west to east it leaves out the widest gap. */
function bounds(places) {
  const xs = places.map(({ x }) => x).sort((a, b) => a - b);
  const ys = places.map(({ y }) => y);
  const gaps = xs.map((x, index) => (xs[index + 1] ?? xs[0] + 360) - x);
  const last = gaps.indexOf(Math.max(...gaps));
  const x = xs[(last + 1) % xs.length];
  const y = Math.min(...ys);
  return { x, y, width: (xs[last] - x + 360) % 360, height: Math.max(...ys) - y };
}

/** The same longitude, from -180 to 180. */
function around(x) {
  return x - 360 * Math.floor((x + 180) / 360);
}

/** The same longitude, so many times around the world that it is next to another. */
function near(x, other) {
  return x + 360 * Math.round((other - x) / 360);
}

/** Whether something is done to what lies over the picture. */
function isControl({ target }) {
  return target.closest("nav") !== null;
}

new Cameras();

/** What the URL says of a parameter; empty if nothing. */
function said(name) {
  return new URLSearchParams(location.search).get(name) ?? "";
}
