/**
 * Keyboard shortcuts. An element declares its key in a template with the attribute that screen
 * readers know: `<a {{edit}} aria-keyshortcuts="e">`. The key focuses a field and clicks any other
 * element. `?`, or the button below the page, lists the keys that work now.
 *
 * - A shortcut is a single key, as `KeyboardEvent.key` names it, or a key with Alt, such as
 *   `Alt+ArrowUp`; `Plus` is +.
 * - An item of a menu can be pressed while the menu is closed.
 * - Shortcuts do nothing while the user types in a field. While a dialog is open, only its own work.
 * - If several elements have the same key, the one in the row with the focus is used, then the last
 *   that is in no list (such as *Undo* in the newest toast), then the one in the selected row.
 * - Users who dictate, or hit keys by mistake, can turn the shortcuts off in the list of keys, also
 *   `?` itself. The browser remembers that.
 * - An element with keys of its own names them for the list: `data-keys="+ - = Zoom; 0 = Show all"`.
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
    if (document.querySelector("dialog:modal") || !isOn()) return;
    event.preventDefault();
    showKeys();
    return;
  }
  const name = NAMES[event.key] ?? event.key;
  // Keys with Alt are hardly ever dictated or hit by mistake.
  const target = event.altKey ? targetOf(`Alt+${name}`) : isOn() ? targetOf(name) : undefined;
  if (!target) return;
  event.preventDefault();
  if (!isField(target)) return target.click();
  target.focus();
  target.select?.();
});

/** The element that a key is for at present, if there is one. */
function targetOf(key) {
  const isNamed = (element) => keysOf(element).includes(key.toLowerCase());
  const named = candidates().filter(isNamed);
  const row = document.activeElement?.closest(ROW);
  // While the row's own element is disabled, the key must not do something to another row.
  if ([...(row?.querySelectorAll("[aria-keyshortcuts]") ?? [])].some(isNamed)) {
    return named.find((element) => row.contains(element));
  }
  return (
    named.findLast((element) => !element.closest(ROW)) ??
    named.find((element) => element.closest(`${ROW}[aria-current]`))
  );
}

/** The elements with a key that are visible and enabled, in the order of the page. */
function candidates() {
  const scope = document.querySelector("dialog:modal") ?? document;
  return [...scope.querySelectorAll("[aria-keyshortcuts]")].filter((element) => {
    const visible = element.closest("details.menu:not([open])") ?? element;
    return isVisible(visible) && !element.disabled && element.ariaDisabled !== "true";
  });
}

function isVisible(element) {
  return element.checkVisibility({ visibilityProperty: true });
}

function keysOf(element) {
  return element.getAttribute("aria-keyshortcuts").toLowerCase().split(" ");
}

// MARK: The list of keys

/** The way to the list, and to the switch in it, for users who do not press `?`. */
function offerKeys() {
  if (document.documentElement.hasAttribute("data-framed")) return;
  const button = make("button", "Keyboard shortcuts");
  button.type = "button";
  button.addEventListener("click", showKeys);
  let footer = document.querySelector("body > footer");
  if (!footer) {
    footer = document.createElement("footer");
    document.querySelector("main")?.after(footer);
  }
  footer.prepend(button);
}

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

/** What the keys do at present; each key is listed once. */
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
  const own = [...document.querySelectorAll("[data-keys]")].filter(isVisible).flatMap(ownKeys);
  const always = [[["Esc"], "Close a dialog or menu"], ...(isOn() ? [[["?"], "Show this list"]] : [])];
  return [...declared, ...lists, ...own, ...always];
}

function ownKeys(element) {
  return element.getAttribute("data-keys").split(";").map((entry) => {
    const [keys, label] = entry.split("=").map((part) => part.trim());
    return [keys.split(" "), label];
  });
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
  label.append(box, "Use single-key shortcuts on this device");
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
    // The browser may not allow storage. The keys are then on again on the next page.
  }
}

offerKeys();
