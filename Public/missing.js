/**
 * Runs after `window.js`, and says so if one of the scripts that make a page live has not come (the
 * network broke, a proxy ended the connection). A browser that does not know what they are written in
 * has the page as it is without them, and no notice. It imports nothing more: that might be what is
 * missing.
 */
import("./window.js").catch((error) => {
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
});
