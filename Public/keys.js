/**
 * Keys that press what is on the page. An element declares its key in a template with the attribute that
 * screen readers know: `<a {{edit}} aria-keyshortcuts="e">`. A field gets the focus, anything else is
 * clicked. `?` lists the keys of what is there now.
 *
 * - A key is a single one, by the names of `KeyboardEvent.key`, or one with Alt, such as `Alt+ArrowUp`;
 *   `Plus` is +.
 * - An item of a menu can be pressed while the menu is closed.
 * - Keys do nothing while somebody types in a field, and in an open dialog only its own count.
 * - If several elements have the same key, the one in the row with the focus counts, then one that is in
 *   no list, then the one in the selected row.
 * - Whoever dictates or misses keys can switch them off in the list; a browser remembers that.
 */
import { isField } from "./fields.js";

const ITEM = "keys";
const ROW = "[data-list] > *";
const NAMES = { "+": "Plus", " ": "Space" };
const LABELS = { Plus: "+", Delete: "Del", Space: "Space", ArrowUp: "↑", ArrowDown: "↓" };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || event.isComposing) return;
  if (event.ctrlKey || event.metaKey) return;
  if (isField(event.target) || event.target.isContentEditable) return;
  if (event.key === "?" && !event.altKey) {
    if (document.querySelector("dialog:modal")) return;
    event.preventDefault();
    showKeys();
    return;
  }
  const name = NAMES[event.key] ?? event.key;
  // Nobody says or hits a key with Alt by mistake.
  const target = event.altKey ? targetOf(`Alt+${name}`) : isOn() ? targetOf(name) : undefined;
  if (!target) return;
  event.preventDefault();
  if (!isField(target)) return target.click();
  target.focus();
  target.select?.();
});

/** The element that a key is for now, if there is one. */
function targetOf(key) {
  const named = candidates().filter((element) => keysOf(element).includes(key.toLowerCase()));
  const row = document.activeElement?.closest(ROW);
  return (
    named.find((element) => row?.contains(element)) ??
    named.find((element) => !element.closest(ROW)) ??
    named.find((element) => element.closest(`${ROW}[aria-current]`))
  );
}

/** What has a key and can be seen and used, in the order of the page. */
function candidates() {
  const scope = document.querySelector("dialog:modal") ?? document;
  return [...scope.querySelectorAll("[aria-keyshortcuts]")].filter((element) => {
    const visible = element.closest("details.menu:not([open])") ?? element;
    return visible.checkVisibility() && !element.disabled && element.ariaDisabled !== "true";
  });
}

function keysOf(element) {
  return element.getAttribute("aria-keyshortcuts").toLowerCase().split(" ");
}

// MARK: The list of keys

function showKeys() {
  const dialog = document.createElement("dialog");
  dialog.className = "sheet keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const title = make("h2", "Keyboard shortcuts");
  title.id = "keys-title";
  const list = document.createElement("dl");
  for (const [keys, label] of entries()) {
    const entry = document.createElement("div");
    const names = make("dt", "");
    names.append(...keys.map((key) => make("kbd", key)));
    entry.append(names, make("dd", label));
    list.append(entry);
  }
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  const close = make("button", "Close");
  close.type = "button";
  close.autofocus = true;
  close.addEventListener("click", () => dialog.close());
  buttons.append(close);
  dialog.append(title, list, makeSwitch(), buttons);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** What the keys do now, each once. */
function entries() {
  const keys = new Set(candidates().flatMap((element) => {
    return element.getAttribute("aria-keyshortcuts").split(" ");
  }));
  const declared = [...keys].flatMap((key) => {
    const target = targetOf(key);
    return target ? [[key.split("+").map((part) => LABELS[part] ?? part), labelOf(target)]] : [];
  });
  const lists = document.querySelector("[data-list][data-roving] > *")
    ? [[["↑", "↓"], "Move in a list"]]
    : [];
  return [...declared, ...lists, [["Esc"], "Close a dialog or menu"], [["?"], "Show this list"]];
}

function labelOf(element) {
  const text = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
  return (text ?? element.textContent).trim().replace(/\s+/g, " ");
}

function makeSwitch() {
  const label = make("label", "");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = isOn();
  box.addEventListener("change", () => setOn(box.checked));
  label.append(box, "Single keys work on this device");
  return label;
}

function make(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

// MARK: On and off

function isOn() {
  try {
    return localStorage.getItem(ITEM) !== "off";
  } catch {
    return true; // no storage
  }
}

function setOn(on) {
  try {
    if (on) localStorage.removeItem(ITEM);
    else localStorage.setItem(ITEM, "off");
  } catch {
    // A browser may keep nothing; then the keys are on again with the next page.
  }
}
