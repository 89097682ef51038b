/**
 * What a page says about itself to who cannot see it, or not well. Each function answers a list of
 * sentences about what is wrong; `Tests/BrowserTests/test_accessibility.py` wants them empty.
 */
window.accessibility = {
  /** WCAG 1.4.3: text has a contrast of 4.5, or 3 where it is large. */
  contrast() {
    const problems = [];
    // What lies behind a modal dialog is not to be read.
    const root = document.querySelector("dialog:modal") ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !isShown(element) || element.closest("svg, noscript, :disabled")) {
        continue;
      }
      const style = getComputedStyle(element);
      const ground = groundOf(element);
      const text = over(parse(style.color), ground);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const ratio = contrastOf(text, ground);
      if (ratio < (isLarge ? 3 : 4.5) - 0.01) {
        problems.push(`“${node.data.trim().slice(0, 40)}” has a contrast of ${ratio.toFixed(2)}`);
      }
    }
    for (const field of root.querySelectorAll("[placeholder]")) {
      const ground = groundOf(field);
      const ratio = contrastOf(over(parse(getComputedStyle(field, "::placeholder").color), ground), ground);
      if (ratio < 4.49) problems.push(`the placeholder of ${describe(field)}: ${ratio.toFixed(2)}`);
    }
    return problems;
  },

  /** WCAG 1.4.11: what shows where a field is, or that something is selected, has a contrast of 3. */
  shapes() {
    const problems = [];
    const root = document.querySelector("dialog:modal") ?? document.body;
    for (const element of root.querySelectorAll("input, select, textarea, li[aria-current]")) {
      if (!isShown(element) || element.matches(":disabled, [type=hidden]")) continue;
      const style = getComputedStyle(element);
      const ground = groundOf(element.parentElement);
      const color = element.matches("li") ? style.backgroundColor : style.borderTopColor;
      const ratio = contrastOf(over(parse(color), ground), ground);
      if (ratio < 2.99) problems.push(`the shape of ${describe(element)}: ${ratio.toFixed(2)}`);
    }
    return problems;
  },

  /** Shows everything as if the mouse were over it, or not any more. Returns how many rules say how that looks. */
  hover(isHovered) {
    if (isHovered) {
      for (const rule of rules()) {
        if (rule.selectorText?.includes(":hover")) hovering.set(rule, rule.selectorText);
      }
    }
    for (const [rule, selector] of hovering) {
      rule.selectorText = isHovered ? selector.replaceAll(":hover", UNDER_THE_MOUSE) : selector;
    }
    const count = hovering.size;
    if (!isHovered) hovering.clear();
    return count;
  },

  /** One h1, no level left out, and landmarks around everything. */
  structure() {
    const problems = [];
    const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
      .filter((heading) => heading.closest("dialog") === null)
      .map((heading) => Number(heading.localName[1]));
    if (levels.filter((level) => level === 1).length !== 1) problems.push(`levels ${levels}`);
    levels.reduce((before, level) => {
      if (level > before + 1) problems.push(`after h${before} comes h${level}`);
      return level;
    }, 0);
    for (const landmark of ["header nav[aria-label]", "main", "a.skip"]) {
      if (document.querySelectorAll(landmark).length === 0) problems.push(`no ${landmark}`);
    }
    if (!document.documentElement.lang) problems.push("no language");
    if (!document.title) problems.push("no title");
    for (const dialog of document.querySelectorAll("dialog")) {
      if (!dialog.querySelector("h2[id]")?.matches(`#${dialog.getAttribute("aria-labelledby")}`)) {
        problems.push(`a dialog is not named by its heading: ${describe(dialog)}`);
      }
    }
    // Screen readers pass over the name of an element without a role.
    for (const element of document.querySelectorAll(":is(span, div, p, dt, dd, b, strong)[aria-label]:not([role])")) {
      problems.push(`a name without a role: ${describe(element)}`);
    }
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    for (const id of ids) {
      if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`two elements have the id ${id}`);
    }
    for (const element of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
      for (const name of ["aria-labelledby", "aria-describedby"]) {
        for (const id of (element.getAttribute(name) ?? "").split(" ").filter(Boolean)) {
          if (!ids.includes(id)) problems.push(`${name} of nothing: ${id}`);
        }
      }
    }
    return problems;
  },

  /** WCAG 2.5.8: what is to be hit is 24 pixels wide and high, unless it stands in a sentence. */
  targets() {
    const problems = [];
    for (const element of document.querySelectorAll("a[href], button, input, select, summary")) {
      if (!isShown(element) || element.closest("svg, p")) continue;
      if (element.matches(".skip, [type=hidden]")) continue;
      // Thirty days beside each other. The date and the links beside it do the same (its exception
      // "Equivalent").
      if (element.matches(".strip > a") && document.querySelector(".step, [type=date]")) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width < 24 || height < 24) problems.push(`${describe(element)} is ${width} by ${height}`);
    }
    return problems;
  },

  /** Nothing reaches beyond the page, no text beyond its box, and nothing is cut off. */
  overflow() {
    const problems = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) problems.push(`the page is ${scrollWidth} of ${clientWidth} wide`);
    for (const element of document.querySelectorAll("body *:not(svg, svg *)")) {
      if (!isShown(element) || element.closest(".hidden, .skip")) continue;
      const { overflowX, overflowY, clipPath } = getComputedStyle(element);
      if (clipPath === "inset(50%)") continue; // for screen readers only, as .hidden is
      const { left, right } = element.getBoundingClientRect();
      if (left < -1 || right > clientWidth + 1) {
        problems.push(`${describe(element)} is from ${left} to ${right} of ${clientWidth}`);
      }
      if (element.matches(".map")) continue;
      if (overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) {
        problems.push(`${describe(element)} is ${element.scrollWidth} of ${element.clientWidth} wide`);
      }
      const isCut = overflowY === "hidden" || overflowY === "clip";
      if (isCut && element.scrollHeight > element.clientHeight + 1) {
        problems.push(`${describe(element)} is ${element.scrollHeight} of ${element.clientHeight} high`);
      }
    }
    // The picture reaches beyond its frame, what lies on it does not.
    const frame = document.querySelector(".map")?.getBoundingClientRect();
    for (const element of document.querySelectorAll(".map :is(a.button, .legend)")) {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      if (!isShown(element)) continue;
      if (top < frame.top || bottom > frame.bottom || left < frame.left || right > frame.right) {
        problems.push(`${describe(element)} reaches beyond the map`);
      }
    }
    return problems;
  },

  /** The text there is, with its size in pixels. */
  texts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || element.closest("svg, noscript")) continue;
      texts.push([node.data.trim(), parseFloat(getComputedStyle(element).fontSize)]);
    }
    for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
      texts.push([describe(field), parseFloat(getComputedStyle(field).fontSize)]);
    }
    return texts;
  },

  /** WCAG 2.4.7 and 1.4.11: what is wrong with the mark of the focus, if anything. */
  focusMark() {
    const element = document.activeElement;
    // After its last stop, a page in Firefox has lost the focus to the browser's own windows: whoever presses Tab
    // there comes back to it, but its driver's keys go on in the page that has lost it, which shows no mark.
    if (!element.matches(":focus")) return null;
    const style = getComputedStyle(element);
    const frame = element.closest(".map");
    let color = style.outlineColor;
    // Beside the mark is what the element lies on, or the element itself if the mark is in it.
    let beside = parseFloat(style.outlineOffset) < 0 ? element : element.parentElement;
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) === 0) {
      if (!frame) return "no mark";
      const mark = getComputedStyle(frame, "::after");
      const edge = element.querySelector(".edge"); // of a marker
      if (mark.content !== "none" && parseFloat(mark.borderTopWidth) > 0) color = mark.borderTopColor;
      else if (edge && isWidened(edge)) color = getComputedStyle(edge).stroke;
      else return "no mark";
      beside = frame;
    }
    const ground = groundOf(beside);
    const ratio = contrastOf(over(parse(color), ground), ground);
    if (ratio < 2.99) return `its mark has a contrast of ${ratio.toFixed(2)}`;
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    return isInSight ? null : "it is out of sight";
  },

  /** Remembers what reads out what changes in it, and what it says now. */
  listen() {
    heard.length = 0;
    for (const region of document.querySelectorAll(LIVE)) {
      let text = textOf(region);
      const hear = () => {
        if (!region.isConnected || !isShown(region) || textOf(region) === text) return;
        text = textOf(region);
        if (text && region.getAttribute("aria-live") !== "off") heard.push(text);
      };
      new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
    }
  },

  /** What has been read out since, and what interrupts whoever listens to something else. */
  heard() {
    return heard;
  },

  interruptions() {
    return [...document.querySelectorAll(INTERRUPTING)].map(textOf).filter(Boolean);
  },

  /** Where the focus is; null on the page itself. */
  focused() {
    const element = document.activeElement;
    // A frame's own document says what has the focus in it.
    const isElsewhere = element === document.body || element.localName === "iframe";
    return isElsewhere ? null : place(element);
  },

  /**
   * Whether the focus is where only this engine stops, of itself: Firefox at what scrolls, which arrows then do,
   * and WebKit at a dialog before it begins again.
   */
  isAtEnginesOwn() {
    const element = document.activeElement;
    const scrolls = element.scrollHeight > element.clientHeight && getComputedStyle(element).overflowY === "auto";
    // Firefox also stops at a dialog, whose tabIndex it says is 0.
    return element.matches("dialog") || (element.tabIndex < 0 && scrolls);
  },

  /** What the keyboard is to reach, in the order of the document. */
  focusable() {
    const root = document.querySelector("dialog:modal") ?? document.body;
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
    return [...root.querySelectorAll(controls)]
      .filter((element) => isShown(element) && element.tabIndex >= 0)
      .filter((element) => !element.matches(":disabled"))
      .filter((element) => element.type !== "radio" || isStop(element))
      .map(place);
  },
};

/** Whether a line is some pixels wider than at rest. */
function isWidened(line) {
  return parseFloat(getComputedStyle(line).strokeWidth) >= Number(line.getAttribute("stroke-width")) + 4;
}

/** Whether it is the one radio button of its group that Tab reaches. */
function isStop(radio) {
  const group = [...radio.form.elements].filter(({ name }) => name === radio.name);
  return radio === (group.find(({ checked }) => checked) ?? group[0]);
}

/** What may be under the mouse, as specific as `:hover`, so that the same rules win. */
const UNDER_THE_MOUSE = ":is(a, button, summary, li, input, select, .hovered)";
const hovering = new Map(); // selectors as written, by their rules

/** All rules of the page, also those within others. */
function rules() {
  const within = (list) => [...list].flatMap((rule) => [
    rule, ...within(rule.styleSheet?.cssRules ?? rule.cssRules ?? []),
  ]);
  return within([...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]));
}

const LIVE = "[role=status], [aria-live=polite], output";
const INTERRUPTING = "[role=alert], [aria-live=assertive]";
const heard = [];
const parsed = new Map(); // by computed color, which does not depend on the color scheme

function textOf(element) {
  return element.innerText.trim().replaceAll(/\s+/g, " ");
}

function describe(element) {
  const text = (element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 40);
  return `${element.localName}${element.id && `#${element.id}`} “${text}”`;
}

/** Which element it is, and what it is called. */
function place(element) {
  return `${[...document.querySelectorAll("*")].indexOf(element)}: ${describe(element)}`;
}

function isShown(element) {
  return element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
}

function parse(color) {
  if (!parsed.has(color)) parsed.set(color, paint(color));
  return parsed.get(color);
}

function paint(color) {
  const canvas = (paint.canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }));
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return { rgb: [red, green, blue], alpha: alpha / 255 };
}

function over({ rgb, alpha }, ground) {
  return rgb.map((value, index) => value * alpha + ground[index] * (1 - alpha));
}

/** The color behind an element's text. */
function groundOf(element) {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const layer = parse(getComputedStyle(at).backgroundColor);
    layers.unshift(layer);
    if (layer.alpha === 1) break;
  }
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return layers.reduce((ground, layer) => over(layer, ground), isDark ? [0, 0, 0] : [255, 255, 255]);
}

/** Source: WCAG 2.2, relative luminance and contrast ratio. */
function contrastOf(one, other) {
  const luminance = (color) => {
    const [red, green, blue] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

// What is off the screen is measured too.
const everything = new CSSStyleSheet();
everything.replaceSync("* { content-visibility: visible !important }");
document.adoptedStyleSheets.push(everything);
