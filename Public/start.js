/**
 * What a page loads first. It works without the scripts that make it live; should one of them not
 * come (a network that breaks, a proxy that ends its connection), it says that it is not.
 */
import("./window.js").catch((error) => {
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
  throw error;
});
