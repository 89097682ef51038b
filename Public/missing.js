/**
 * Runs after the other modules of a page, and says so if one of the scripts that make it live has not come
 * (the network broke, a proxy ended the connection). A browser that does not know what they are written in
 * has the page as it is without them, and no notice. It imports nothing more: that might be what is
 * missing.
 */
for (const { src } of document.querySelectorAll("script[type=module]")) {
  if (src !== import.meta.url) import(src).catch(complain);
}

/** Says that a module has not come, unless it is one that this browser does not understand. */
export function complain(error) {
  if (error instanceof SyntaxError) return;
  const notice = document.getElementById("connection");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Reload";
  button.addEventListener("click", () => location.reload());
  notice.hidden = false; // before its text: only what changes in sight is read out
  notice.replaceChildren(
    "A part of this page could not be loaded. It can be used, but does not follow changes. ",
    button,
  );
}
