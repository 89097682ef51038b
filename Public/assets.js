/**
 * What components bring: style sheets and modules of their own. A page that is loaded has those of its
 * components in its head; a window that comes to another page in place gets the ones that it lacks.
 */

/**
 * Adds what the document does not have yet. A module runs once for a document.
 * @param {string[]} paths below the folder of this module, whose release they are of
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

async function complain(error) {
  const { complain } = await import("./missing.js");
  complain(error);
}
