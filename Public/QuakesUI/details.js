/**
 * Loads the detailed land of a map (camera.js), with its names and plate boundaries, once somebody
 * looks closely.
 */
const DETAILS = new URL("world.svg", import.meta.url);

/** Replaces the coarse land as soon as the detailed one is drawn. Throws if it cannot be loaded. */
export async function load(svg) {
  const { ok } = await fetch(DETAILS);
  if (!ok) throw new Error("no details");
  const uses = [...svg.querySelectorAll("use[data-part]")];
  for (const use of uses) {
    const file = use.dataset.file ? new URL(use.dataset.file, import.meta.url) : DETAILS;
    use.setAttribute("href", `${file}#${use.dataset.part}`);
  }
  const show = () => {
    if (!svg.isConnected) return;
    if (uses[0].getBBox().width > 0) svg.dataset.detail = "fine";
    else requestAnimationFrame(show);
  };
  show();
}
