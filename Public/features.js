/**
 * What only some pages need. A feature is loaded when the page first has an element for it. The
 * others are loaded once the page is live, so that they are there without a delay when a patch
 * brings the first element.
 */
import { everything } from "./changes.js";

/**
 * In the order in which they follow a patch. `needs` is a selector for the elements that a feature is
 * for. `load` loads its module, whose `start` is called once, with the objects of the page, and whose
 * `follow` is called with what has changed.
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
];

export class Features {
  #page;
  #onFailure;
  #modules = new Map(); // feature: its module, once it has been loaded
  #loading = new Map(); // feature: a promise
  #started = new Set();

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
      if (this.#started.has(feature)) this.#follow(feature, changes);
      else if (isNeeded(feature, changes)) this.#bring(feature);
    }
  }

  /** Loads the features that the page does not need yet. One that fails is loaded when it is needed. */
  loadRest() {
    for (const feature of FEATURES) this.#load(feature).catch(() => {});
  }

  #bring(feature) {
    if (this.#modules.has(feature)) this.#follow(feature, everything);
    else this.#load(feature).then(() => this.#follow(feature, everything), this.#onFailure);
  }

  #follow(feature, changes) {
    const module = this.#modules.get(feature);
    if (!module) return; // it could not be loaded
    if (!this.#started.has(feature)) module.start(this.#page);
    this.#started.add(feature);
    module.follow(changes);
  }

  #load(feature) {
    const loading = this.#loading.get(feature) ?? this.#import(feature);
    this.#loading.set(feature, loading);
    return loading;
  }

  async #import(feature) {
    try {
      this.#modules.set(feature, await feature.load());
    } catch (error) {
      this.#loading.delete(feature);
      throw error;
    }
  }
}

function isNeeded({ needs }, changes) {
  for (const _ of changes.matching(needs)) return true;
  return false;
}
