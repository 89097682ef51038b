/**
 * Closes `details.menu` as menus close: after a choice, on Escape, and when the user goes elsewhere.
 */
const OPEN = "details.menu[open]";

function close(menu, { focuses = false } = {}) {
  menu.open = false;
  if (focuses) menu.querySelector("summary")?.focus();
}

document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll(OPEN)) {
    const isChoice = target.closest?.("a[href], button:not(:disabled)");
    if (!menu.contains(target)) close(menu);
    // What is chosen is hidden then, and a dialog that it opens gives the focus back when it closes.
    else if (isChoice) close(menu, { focuses: menu.contains(document.activeElement) });
  }
});

document.addEventListener("focusin", ({ target }) => {
  for (const menu of document.querySelectorAll(OPEN)) if (!menu.contains(target)) close(menu);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll(OPEN)) {
    close(menu, { focuses: menu.contains(document.activeElement) });
    event.preventDefault();
  }
});
