/**
 * Applies edits: new values of texts and attributes. (`docs/PROTOCOL.md`, Edits)
 */

/**
 * Throws if an edit does not fit the document.
 * @param {Element} root the row or region that they are in
 * @param {Array[]} edits
 */
export function applyEdits(root, edits) {
  unwrapTexts(root);
  for (const [path, value, target = 0] of edits) {
    const element = [path].flat().reduce((parent, index) => parent?.children[index], root);
    if (!element) throw new Error(`There is no element ${path} in ${root.localName}.`);
    if (typeof target === "number") setText(element, target, value);
    else setAttribute(element, target, value);
  }
}

/** A browser that translates the page wraps each text in `font` elements, which edits do not expect. */
function unwrapTexts(root) {
  const wrappers = root.querySelectorAll("font");
  for (const wrapper of wrappers) wrapper.replaceWith(...wrapper.childNodes);
  if (wrappers.length > 0) root.normalize();
}

/** Sets the text before an element's child of this number, or after all of them. */
function setText(element, index, value) {
  if (index > element.children.length) throw new Error(`There is no text ${index}.`);
  const next = element.children[index] ?? null;
  const text = next ? next.previousSibling : element.lastChild;
  if (text?.nodeType !== Node.TEXT_NODE) element.insertBefore(new Text(value), next);
  else if (value === "") text.remove();
  else if (text.data !== value) text.data = value;
}

function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
