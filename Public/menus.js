/**
 * Closes `details.menu` like a menu: after a choice, on Escape, and when the user clicks or focuses
 * something else.
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
    // The chosen element is then hidden. A dialog that it opens returns the focus to the summary.
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
