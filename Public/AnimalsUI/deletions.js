/**
 * A list moves up when a row is deleted, so the second half of a double click on × is on the next row. It does
 * nothing.
 */
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.(".rows .delete")) event.preventDefault();
}, true);
