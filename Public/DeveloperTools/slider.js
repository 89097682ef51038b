/**
 * The arrow keys move the slider from version to version. Its numbers are those of the actions of all products,
 * so a browser would stop at actions that did not change the page.
 */

/** Where each key leads: the links that the page has for it. */
const LINKS = { ArrowLeft: "prev", ArrowDown: "prev", ArrowRight: "next", ArrowUp: "next" };

const sliderOf = ({ target }) => target.closest?.(".developer .slider input");

document.addEventListener("keydown", (event) => {
  const rel = LINKS[event.key];
  const slider = sliderOf(event);
  if (!rel || !slider || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const link = document.querySelector(`.developer .steps a[rel=${rel}]`);
  if (!link) return;
  slider.value = new URL(link.href).searchParams.get("at") ?? slider.max;
  tell(slider, "input");
});

// However long a key is held, it is one entry of the history.
document.addEventListener("keyup", (event) => {
  const slider = sliderOf(event);
  if (slider && event.key in LINKS) tell(slider, "change");
});

function tell(slider, name) {
  slider.dispatchEvent(new Event(name, { bubbles: true }));
}
