/**
 * Keyboard shortcuts. An element declares its key in a template with the attribute that screen
 * readers know: `<a {{edit}} aria-keyshortcuts="e">`. The key focuses a field and clicks any other
 * element. `?`, or the button below the page, lists the keys that work now.
 *
 * - A shortcut is a single key, as `KeyboardEvent.key` names it, or a key with Alt, such as
 *   `Alt+ArrowUp`; `Plus` is +.
 * - An item of a menu can be pressed while the menu is closed.
 * - Shortcuts do nothing while the focus is in a field that letters change. While a dialog is open, only
 *   its own work.
 * - If several elements have the same key, the one in the row with the focus is used, then the last
 *   that is in no list (such as *Undo* in the newest toast), then the one in the selected row.
 * - Users who dictate, or hit keys by mistake, can turn the shortcuts off in the list of keys, also
 *   `?` itself. The browser remembers that.
 * - An element with keys of its own names them for the list: `data-keys="+ - = Zoom; 0 = Show all"`.
 *   So does a list whose rows have keys, for while no row is selected or has the focus.
 */
import { complain } from "./assets.js";
import { isField } from "./fields.js";

const ITEM = "keys";
const ROW = "[data-list] > *";
const NAMES = { "+": "Plus", " ": "Space" };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || event.isComposing) return;
  if (event.ctrlKey || event.metaKey) return;
  const isTyping = isField(event.target) && !event.target.matches("[type=file], [type=range]");
  if (isTyping || event.target.isContentEditable) return;
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
export function targetOf(key) {
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
export function candidates() {
  const scope = document.querySelector("dialog:modal") ?? document;
  return [...scope.querySelectorAll("[aria-keyshortcuts]")].filter((element) => {
    const visible = element.closest("details.menu:not([open])") ?? element;
    return isVisible(visible) && !element.disabled && element.ariaDisabled !== "true";
  });
}

/** Older browsers cannot tell. */
export function isVisible(element) {
  return element.checkVisibility?.({ visibilityProperty: true }) !== false;
}

function keysOf(element) {
  return element.getAttribute("aria-keyshortcuts").toLowerCase().split(" ");
}

// MARK: The list of keys

/** Call it ahead, too, because the server may be away, or of another release, when it is needed. */
export function loadKeys() {
  return import("./key-list.js");
}

function showKeys() {
  loadKeys().then((list) => list.showKeys(), complain);
}

/** The way to the list, and to the switch in it, for users who do not press `?`. */
function offerKeys() {
  if (document.documentElement.hasAttribute("data-framed")) return;
  const button = document.createElement("button");
  button.textContent = "Keyboard shortcuts";
  button.type = "button";
  button.addEventListener("click", () => showKeys());
  let footer = document.querySelector("body > footer");
  if (!footer) {
    footer = document.createElement("footer");
    document.querySelector("main")?.after(footer);
  }
  footer.prepend(button);
}

// MARK: On and off

export function isOn() {
  try {
    return localStorage.getItem(ITEM) !== "off";
  } catch {
    return true; // no storage
  }
}

export function setOn(on) {
  try {
    if (on) localStorage.removeItem(ITEM);
    else localStorage.setItem(ITEM, "off");
  } catch {
    // The browser may not allow storage. The keys are then on again on the next page.
  }
}

offerKeys();
