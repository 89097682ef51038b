/**
 * What only some pages need. A feature is loaded when the page first has an element for it. The
 * others are loaded once the page is live, so that they are there without a delay when a patch
 * brings the first element.
 */
import { everything } from "./changes.js";

/**
 * In the order in which they follow a patch. `needs` is a selector for the elements that a feature is
 * for. `load` loads its module, whose `start` is called once, with the objects of the page, and whose
 * `follow` is called with what has changed. The module is kept as `module`.
 */
const FEATURES = [
  {
    needs:
      "[data-unsaved], [data-tells], [data-complete], form:is([data-reset], [enctype='multipart/form-data'])",
    load: () => import("./editing.js"),
  },
  {
    needs: "form[data-local], details.menu, [data-reveal], [data-roving], [data-top], time[data-relative]",
    load: () => import("./lists.js"),
  },
  { needs: "[data-move]", load: () => import("./moves.js") },
  { needs: "[data-countdown]", load: () => import("./countdown.js") },
];

export class Features {
  #page;
  #onFailure;

  /**
   * @param {object} page
   * @param {import("./tab.js").Tab} page.tab
   * @param {import("./links.js").Links} page.links
   * @param {(error: Error) => void} onFailure called when a feature cannot be loaded
   */
  constructor(page, onFailure) {
    this.#page = page;
    this.#onFailure = onFailure;
  }

  /** Call it at first with everything, then after each patch. Resolves when what it needs is loaded. */
  follow(changes) {
    return Promise.all(FEATURES.map((feature) => this.#follow(feature, changes)));
  }

  /** Loads the features that the page does not need yet. One that fails is loaded when it is needed. */
  loadRest() {
    for (const feature of FEATURES) this.#load(feature).catch(() => {});
  }

  #follow(feature, changes) {
    const { module, isStarted } = feature;
    if (!isStarted && !isNeeded(feature, changes)) return null;
    if (!module) return this.#load(feature).then(() => this.#follow(feature, everything), this.#onFailure);
    if (!isStarted) module.start(this.#page);
    feature.isStarted = true;
    return module.follow(isStarted ? changes : everything);
  }

  /** The browser loads a module once, however often it is asked. */
  async #load(feature) {
    feature.module = await feature.load();
  }
}

function isNeeded({ needs }, changes) {
  for (const _ of changes.matching(needs)) return true;
  return false;
}
