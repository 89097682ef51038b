/**
 * Reorders an element's children with the fewest moves. Moving a node detaches it, which loses
 * focus, scroll positions and playback. So the longest run of children that is already in order
 * stays, and the focused child always stays; the others move around them.
 */

/**
 * Makes `wanted` the children of an element, in this order and without any others.
 * @param {Node} parent
 * @param {Node[]} wanted each once
 * Complexity: O(n log n)
 */
export function arrange(parent, wanted) {
  const isWanted = new Set(wanted);
  for (const node of [...parent.childNodes]) if (!isWanted.has(node)) node.remove();
  const staying = stayingOf(parent, wanted);
  let next = null;
  for (const node of wanted.toReversed()) {
    const isInPlace = node.parentNode === parent && node.nextSibling === next;
    if (!isInPlace && !staying.has(node)) move(parent, node, next);
    next = node;
  }
}

/** With `moveBefore`, where browsers have it, a moved node keeps its state. */
function move(parent, node, next) {
  if (node.parentNode === parent && parent.moveBefore) parent.moveBefore(node, next);
  else parent.insertBefore(node, next);
}

/** The children that need not move. Text nodes are left out, since they have no state to lose. */
function stayingOf(parent, wanted) {
  const position = new Map([...parent.children].map((child, index) => [child, index]));
  const present = wanted.filter((node) => position.has(node));
  const focused = present.find((node) => node.contains(document.activeElement));
  if (!focused) return new Set(longestRise(present, (node) => position.get(node)));
  // All children whose order relative to the focused one is right. Their longest rise contains the
  // focused one, because it fits into every rise.
  const rank = present.indexOf(focused);
  const agreeing = present.filter((node, index) => {
    return Math.sign(index - rank) === Math.sign(position.get(node) - position.get(focused));
  });
  return new Set(longestRise(agreeing, (node) => position.get(node)));
}

/** The longest increasing subsequence. */
function longestRise(items, valueOf) {
  const ends = []; // ends[n]: the index of the smallest item that ends a rise of n + 1 items
  const before = [];
  items.forEach((item, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (valueOf(items[ends[middle]]) < valueOf(item)) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? ends[low - 1] : -1;
    ends[low] = index;
  });
  const rise = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]) rise.push(items[index]);
  return rise;
}
