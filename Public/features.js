/**
 * What only some pages need. A feature is loaded when the page first has an element for it. The
 * others are loaded once the page is live, so that they are there without a delay when a patch
 * brings the first element.
 */
import { everything } from "./changes.js";

/**
 * In the order in which they follow a patch. `needs` is a selector for the elements that a feature is
 * for. `load` loads its module, whose `start` is called once, with the objects of the page, and whose
 * `follow` is called with what has changed. What `load` returns is kept as `loading`, and the module as
 * `module`.
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

  /** Resolves when the features of the page as it is have been started. */
  async start() {
    const needed = FEATURES.filter((feature) => isNeeded(feature, everything));
    await Promise.all(needed.map((feature) => this.#load(feature).catch(this.#onFailure)));
    for (const feature of needed) this.#follow(feature, everything);
  }

  /** Call it after each patch. */
  follow(changes) {
    for (const feature of FEATURES) {
      if (feature.isStarted) this.#follow(feature, changes);
      else if (isNeeded(feature, changes)) this.#bring(feature);
    }
  }

  /** Loads the features that the page does not need yet. One that fails is loaded when it is needed. */
  loadRest() {
    for (const feature of FEATURES) this.#load(feature).catch(() => {});
  }

  #bring(feature) {
    if (feature.module) this.#follow(feature, everything);
    else this.#load(feature).then(() => this.#follow(feature, everything), this.#onFailure);
  }

  #follow(feature, changes) {
    const { module } = feature;
    if (!module) return; // it could not be loaded
    if (!feature.isStarted) module.start(this.#page);
    feature.isStarted = true;
    module.follow(changes);
  }

  #load(feature) {
    return (feature.loading ??= this.#import(feature));
  }

  async #import(feature) {
    try {
      feature.module = await feature.load();
    } catch (error) {
      feature.loading = null;
      throw error;
    }
  }
}

function isNeeded({ needs }, changes) {
  for (const _ of changes.matching(needs)) return true;
  return false;
}
