/**
 * A list moves up when a row is deleted, so the second click of a double click on × hits the next
 * row. This module ignores it.
 */
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.(".rows .delete")) event.preventDefault();
}, true);
