/** The list of the keys that work at present. */
import { candidates, isOn, isVisible, setOn, targetOf } from "./keys.js";

const COMMAND = /^(Mac|iP)/.test(navigator.platform) ? "⌘" : "Ctrl";
const LABELS = { Plus: "+", Delete: "Del", Space: "Space", ArrowUp: "↑", ArrowDown: "↓" };

export function showKeys() {
  if (document.querySelector("dialog:modal")) return; // it may have been opened meanwhile
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
  const lists = [...document.querySelectorAll("[data-list][data-roving] > *")].some(isVisible)
    ? [[["↑", "↓"], "Move in a list"]]
    : [];
  const listed = new Set(declared.map(([keys]) => keys.join(" ")));
  const isOfRow = ":is(:empty, :focus-within, :has(> [aria-current]))"; // its own keys are listed
  const own = [...document.querySelectorAll(`[data-keys]:not([data-list]${isOfRow})`)]
    .filter(isVisible).flatMap(ownKeys).filter(([keys]) => !listed.has(keys.join(" ")));
  const always = [[["Esc"], "Close a dialog or menu"], ...(isOn() ? [[["?"], "Show this list"]] : [])];
  return [...declared, ...lists, ...own, ...always];
}

function ownKeys(element) {
  return element.getAttribute("data-keys").split(";").map((entry) => {
    const [keys, label] = entry.split("=").map((part) => part.trim());
    return [keys.split(" ").map((key) => key === "Ctrl" ? COMMAND : key), label];
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
