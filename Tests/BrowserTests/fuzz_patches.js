/**
 * Makes pages and patches by docs/PROTOCOL.md, from a seed, and applies them: `test_fuzz_patches.py`
 * runs it in a browser. A page is a tree of nodes: text, elements, lists of rows, nested regions.
 */
async ({ seed, first, count }) => {
  const { applyPatches } = await import("/public/patch.js");
  const main = document.querySelector("main");

  // Chance (mulberry32).
  let state = 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(random() * limit);
  const pick = (values) => values[below(values.length)];
  const once = (times) => below(times) === 0;
  let serial = 0;
  const fresh = (prefix) => `${prefix}${(serial += 1)}`;

  // Nodes.
  const TEXTS = [
    "", "a", "<script>window.pwned = 1</script>", "<img src=x onerror=pwned=1>", "\"'&<>", "]]>",
    "é\u0301", "-->", " ", "\n", "</li></ul>", "{{name}}", "\u202e", "😀",
  ];
  const KEYS = [
    "a", "b", "\"]", "'", "\\", "<", "0", "__proto__", "constructor", "toString", "é", " ", "a b",
  ];
  const text = () => ({ is: "text", text: pick(TEXTS.slice(1)) });
  const attributes = () => Object.fromEntries(
    ["class", "title", "aria-current", "href"].filter(() => once(4))
      .map((name) => [name, pick(TEXTS)]));
  const element = (depth) => ({
    is: "element", tag: pick(["div", "span", "b", "section"]), attributes: attributes(),
    id: once(4) ? fresh("id") : null, nodes: nodes(depth - 1),
  });
  const leaf = () => ({
    is: "element", tag: pick(["i", "b"]), attributes: attributes(), id: null, nodes: [text()],
  });
  const row = (key) => ({
    key, attributes: attributes(), nodes: once(3) ? [text()] : [text(), leaf(), text()],
  });
  const field = () => ({ is: "field", id: fresh("field"), value: pick(TEXTS) });
  const list = () => {
    const keys = KEYS.filter(() => once(2));
    return { is: "list", name: fresh("list"), tag: pick(["ul", "tbody", "svg"]), rows: keys.map(row) };
  };
  const region = (depth) => ({
    is: "region", name: fresh("region"), tag: fresh("tag"), nodes: nodes(depth - 1),
  });
  function node(depth) {
    if (depth <= 0) return once(3) ? field() : text();
    return pick([text, () => element(depth), () => element(depth), list, () => region(depth), field])();
  }
  function nodes(depth) {
    const made = Array.from({ length: below(4) }, () => node(depth));
    return apart(made);
  }
  /** Texts that touch are one text to a browser. */
  const apart = (nodes) => nodes.filter((node, index) =>
    node.is !== "text" || nodes[index - 1]?.is !== "text");

  // HTML.
  const escape = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const written = (attributes) => Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escape(value)}"`).join("");
  const rowHTML = (list, row) => {
    const inner = html(row.nodes, {});
    const head = ` data-key="${escape(row.key)}"${written(row.attributes)}`;
    if (list.tag === "tbody") return `<tr${head}><td>${inner}</td></tr>`;
    if (list.tag === "svg") return `<g${head}><text>${escape(row.nodes[0].text)}</text></g>`;
    return `<li${head}>${inner}</li>`;
  };
  function html(nodes, { rows = true, nested = true }) {
    return nodes.map((node) => {
      if (node.is === "text") return escape(node.text);
      if (node.is === "field") return `<input id="${node.id}" value="${escape(node.value)}">`;
      if (node.is === "element") {
        const id = node.id ? ` id="${node.id}"` : "";
        const inner = html(node.nodes, { rows, nested });
        return `<${node.tag}${id}${written(node.attributes)}>${inner}</${node.tag}>`;
      }
      if (node.is === "list") {
        const inner = rows ? node.rows.map((row) => rowHTML(node, row)).join("") : "";
        const open = `<${node.tag === "svg" ? "g" : node.tag} data-list="${node.name}">`;
        if (node.tag === "tbody") return `<table>${open}${inner}</tbody></table>`;
        return node.tag === "svg" ? `<svg>${open}${inner}</g></svg>` : `${open}${inner}</ul>`;
      }
      return `<div data-region="${node.name}" data-tag="${node.tag}">`
        + `${nested ? html(node.nodes, { rows, nested }) : ""}</div>`;
    }).join("");
  }

  // What is in a region, without what is in those nested in it.
  const inside = (nodes) => nodes.flatMap((node) =>
    node.is === "element" ? [node, ...inside(node.nodes)] : [node]);
  const nestedIn = (region) => inside(region.nodes).filter(({ is }) => is === "region");
  const listsIn = (region) => inside(region.nodes).filter(({ is }) => is === "list");
  const regionsOf = (region) => [region, ...nestedIn(region).flatMap(regionsOf)];

  // Changes.
  function changeNodes(nodes, depth) {
    for (let changes = below(3); changes > 0; changes -= 1) {
      const index = below(nodes.length + 1);
      const old = nodes[index];
      pick([
        () => nodes.splice(index, 0, node(depth)),
        () => nodes.splice(index, 1),
        () => nodes.push(...nodes.splice(index, 1)),
        () => old && nodes.splice(index, 1, { ...leaf(), tag: "div", nodes: [old] }),
        () => old?.is === "element" && nodes.splice(index, 1, ...old.nodes),
        () => old?.is === "element" && (old.attributes = attributes()),
        () => old?.is === "text" && (old.text = pick(TEXTS.slice(1))),
        () => old?.is === "field" && (old.value = pick(TEXTS)),
        () => old?.is === "element" && (old.tag = pick(["div", "span"])),
      ])();
    }
    for (const node of nodes) if (node.is === "element" && once(2)) changeNodes(node.nodes, depth - 1);
    nodes.splice(0, nodes.length, ...apart(nodes));
  }
  /** Changes texts and attributes of a row; answers the edits. */
  function changeTexts(list, row) {
    const way = list.tag === "ul" ? [] : [0];
    const [first, leaf, last] = row.nodes;
    const path = (...indices) => (indices.length === 1 ? indices[0] : indices);
    const edits = [[path(...way), first.text = pick(TEXTS)]];
    if (leaf && list.tag !== "svg") {
      edits.push([path(...way, 0), leaf.nodes[0].text = pick(TEXTS)]);
      edits.push([path(...way), last.text = pick(TEXTS), 1]);
    }
    if ("class" in row.attributes && once(2)) {
      delete row.attributes.class;
      edits.push([[], null, "class"]);
    } else edits.push([[], row.attributes.class = pick(TEXTS), "class"]);
    return edits;
  }
  /** Changes rows; answers the operations. */
  function changeRows(list) {
    const { rows } = list;
    return Array.from({ length: below(6) }, () => {
      const index = below(rows.length);
      const old = rows[index];
      const before = (from = rows) => (once(3) || from.length === 0 ? null : pick(from).key);
      const insert = (row, key) => {
        const end = key === null ? rows.length : rows.findIndex((other) => other.key === key);
        rows.splice(end, 0, row);
      };
      const free = KEYS.filter((key) => rows.every((row) => row.key !== key));
      const kind = pick(["set", "edit", "put", "cut", "move", "order"]);
      if (kind === "put") {
        if (free.length === 0) return null;
        const [made, key] = [row(pick(free)), before()];
        insert(made, key);
        return ["put", made.key, rowHTML(list, made), key];
      }
      if (kind === "order") {
        rows.sort(() => random() - 0.5);
        return ["order", rows.map(({ key }) => key)];
      }
      if (!old) return null;
      if (kind === "set") {
        rows[index] = row(old.key);
        return ["set", old.key, rowHTML(list, rows[index])];
      }
      if (kind === "edit") return ["edit", old.key, changeTexts(list, old)];
      rows.splice(index, 1);
      if (kind === "cut") return ["cut", old.key];
      const key = before();
      insert(old, key);
      return ["move", old.key, key];
    }).filter(Boolean);
  }
  const whole = (region) =>
    [region.name, region.tag, html(region.nodes, { nested: false })];
  /** Puts a region into another one, sometimes; answers the regions that it was and is in. */
  function moveRegion(root) {
    const all = regionsOf(root);
    const [moved, target] = [pick(all), pick(all)];
    const source = all.find((region) => nestedIn(region).includes(moved));
    if (!source || regionsOf(moved).includes(target)) return [];
    const remove = (nodes) => {
      const kept = apart(nodes.filter((node) => node !== moved));
      nodes.splice(0, nodes.length, ...kept);
      for (const node of nodes) if (node.is === "element") remove(node.nodes);
    };
    remove(source.nodes);
    target.nodes.splice(below(target.nodes.length + 1), 0, moved);
    return [source, target];
  }
  /** Changes a page; answers the patches, parents first. */
  function change(root) {
    const patches = [];
    for (const region of regionsOf(root)) region.isOld = true;
    const changed = once(2) ? moveRegion(root) : [];
    const visit = (region) => {
      if (!region.isOld) {
        patches.push(whole(region));
      } else if (changed.includes(region) || !once(3)) {
        region.tag = fresh("tag");
        const known = listsIn(region);
        if (once(2)) changeNodes(region.nodes, 2);
        const now = listsIn(region);
        const lists = Object.fromEntries(
          now.filter(() => once(2)).map((list) => [list.name, changeRows(list)]));
        const isSame = now.length === known.length && now.every((list) => known.includes(list));
        const frame = html(region.nodes, { rows: false, nested: false });
        const patch = [region.name, region.tag, frame, lists];
        patches.push(isSame && !once(4) ? patch : whole(region));
      }
      nestedIn(region).forEach(visit);
    };
    visit(root);
    return patches;
  }
  const wholly = (root) => regionsOf(root).map(whole);

  /** Patches as nobody sends them. */
  const JUNK = [
    null, 0, -1, "", "nobody", [], {}, [[]], "\"]", "__proto__", ["order", []], ["cut", "nobody"], true,
  ];
  function spoil(value) {
    if (value === null || typeof value !== "object") {
      if (typeof value === "string" && once(2)) return value.slice(0, below(value.length));
      return once(2) ? pick(JUNK) : value;
    }
    const keys = Object.keys(value);
    if (keys.length === 0 || once(8)) return pick(JUNK);
    const key = pick(keys);
    if (Array.isArray(value) && once(3)) {
      value.splice(Number(key), once(2) ? 1 : 0, ...(once(2) ? [value[key]] : []));
    } else if (once(8)) delete value[key];
    else value[key] = spoil(value[key]);
    return value;
  }

  const shown = (root) => {
    const whole = document.createElement("main");
    whole.innerHTML = html([root], {});
    return whole;
  };
  const isShown = (root) => {
    const copy = main.cloneNode(true);
    const wanted = shown(root);
    copy.normalize();
    wanted.normalize();
    return copy.isEqualNode(wanted);
  };
  const found = [];
  const refused = { errors: 0, taken: 0 };
  let applied = 0; // patches, without those that are spoilt
  for (let index = first; index < first + count && found.length === 0; index += 1) {
    state = (seed + Math.imul(index, 0x9e3779b1)) | 0;
    serial = 0;
    const draftField = { is: "field", id: "draft", value: "" };
    const root = { is: "region", name: "root", tag: "tag", nodes: [draftField, ...nodes(3)] };
    main.innerHTML = html([root], {});
    const draft = main.querySelector("#draft");
    draft.value = "typed";
    const steps = [];
    const tell = (what) => found.push({
      what, index, steps, is: main.innerHTML, wanted: shown(root).innerHTML });
    for (let step = 0; step < 3 && found.length === 0; step += 1) {
      const patches = change(root);
      const kept = root.nodes.find(({ id }) => id === "draft");
      steps.push(structuredClone(patches));
      applied += patches.length;
      try {
        applyPatches(patches);
      } catch (error) {
        tell(`it throws ${error.stack}`);
        break;
      }
      if (!isShown(root)) tell("it does not show what it should");
      const now = document.getElementById("draft");
      if (kept && now === draft && now.value !== "typed") tell("what was typed is lost");
    }
    if (found.length > 0) break;
    const bad = change(structuredClone(root)).map((patch) => spoil(patch));
    steps.push(structuredClone(bad));
    try {
      applyPatches(spoil(bad));
      refused.taken += 1;
    } catch (error) {
      if (!(error instanceof Error)) tell(`it throws ${error}`);
      refused.errors += 1;
    }
    // Whatever that has done, a page that is sent whole is right again; without a root it is loaded anew.
    if (document.querySelector('main > [data-region="root"]')) {
      try {
        applyPatches(wholly(root));
        if (!isShown(root)) tell("it is not right again");
      } catch (error) {
        tell(`it is not right again: ${error.stack}`);
      }
    }
    if (window.pwned) tell("text was run as script");
  }
  return { found, refused, applied };
}
