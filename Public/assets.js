/**
 * Loads the style sheets and modules of components. A loaded page has those of its components in
 * its head. A window that navigates to another page in place loads the ones that are missing.
 */

/**
 * Loads what the document does not have yet. A module runs once per document.
 * @param {string[]} paths relative to this module's folder, and so of the same release
 */
export function bring(paths) {
  for (const path of paths) {
    const { href } = new URL(path, import.meta.url);
    if (path.endsWith(".css")) addSheet(href);
    else import(href).catch(complain);
  }
}

function addSheet(href) {
  if ([...document.querySelectorAll("link[rel=stylesheet]")].some((link) => link.href === href)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}

/**
 * Reports that a module could not be loaded, if it can: the connection's notice may say it already. A
 * syntax error is reported too: a module of another release lacks an export.
 */
export function complain() {
  return import("./missing.js").then((missing) => missing.complain(), () => {});
}
