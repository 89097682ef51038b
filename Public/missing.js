/**
 * Runs after the other modules of a page, and shows a notice if one of the scripts that make the
 * page live could not be loaded (the network failed, or a proxy closed the connection). A browser
 * that does not support their syntax keeps the plain page, without a notice. This module imports
 * nothing else, because that could be missing too.
 */
for (const { src } of document.querySelectorAll("script[type=module]")) {
  if (src !== import.meta.url) import(src).catch((error) => error instanceof SyntaxError || complain());
}

/** Reports that a module could not be loaded. */
export function complain() {
  const notice = document.getElementById("incomplete");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Reload";
  button.addEventListener("click", () => location.reload());
  notice.hidden = false; // before its text: only visible changes are announced
  notice.replaceChildren(
    "A part of this page could not be loaded. You can use this page, but it will not update by itself. ",
    button,
  );
}
