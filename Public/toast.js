/**
 * Toasts: short messages from the server about this window's own posts, with forms that undo them.
 * Without JavaScript, the next page shows the newest one.
 *
 * A new toast replaces the newest, `#toast`, unless that one can be undone. A toast that can be
 * undone moves up instead and stays until its time is over, or until there are too many. One `about`
 * the same is replaced in any case. If it says the same too, such as that a row was moved, *Undo*
 * takes back both: it undoes the newest submission and, once that is done, the one before. A toast
 * stays while the pointer or the focus is on it, and while its undo is being sent. The tab's session
 * storage keeps the toasts that are shown, so that a reload removes none. Frames keep none, because
 * the page around them would show them.
 *
 * *Undo* is posted to the page of the post that it undoes, also from pages of other products.
 *
 * The tab also keeps the accepted posts whose toasts have not come, and names them to the server when it
 * joins or navigates (`tab.js`), because the stream that they were sent to may have ended.
 */
import { FOCUSABLE, goBack, goToContent, isFocusLost, originOf } from "./focus.js";
import { isVisible } from "./keys.js";
import { here } from "./query.js";
import { isFramed, load, save } from "./session.js";

/** How many older toasts stay. */
const LIMIT = 2;
/** From this length on, a message has a line of its own where it does not fit beside the buttons. */
const LONG = 48;
/** How long a toast is shown, in milliseconds. */
const DURATION = 10_000;
const ITEM = "toasts";
/** The status of an undo that comes too late. */
const GONE = 410;
const AWAITED = "awaited";
/** How many posts without a toast are kept, because many have none, and how long, in milliseconds. */
const AWAITED_LIMIT = 8;
const AWAITED_LIFETIME = 600_000;
const ROW = "[data-list] > [data-key]";

/** How many submissions before the newest an *Undo* takes back. */
const EARLIER_LIMIT = 20;

/** The content of each toast that is shown, and when it ends. At most LIMIT + 1. */
const shown = new Map();
/** The toasts whose undos follow others, by the tokens of those. At most AWAITED_LIMIT. */
const next = new Map();

/**
 * Shows the toasts that came with the page, and those from before a reload.
 * @param {import("./tab.js").Tab} tab
 * @returns {(content?: object) => void} shows another, or keeps a post until its toast comes
 */
export function showToasts(tab) {
  let newest = document.getElementById("toast");
  if (!newest) return () => {};
  const pristine = newest.cloneNode(true);

  function show(content) {
    if (content.token) stopWaiting(content.token);
    // A post that was sent again is told again.
    if (content.token && [...shown.values()].some(({ token }) => token === content.token)) return;
    const rest = next.get(content.token);
    next.delete(content.token);
    const hasFailed = content.submission !== undefined && content.about === undefined;
    if (rest && !hasFailed) return goOn(rest, content);
    const rivals = [...shown].filter(([toast, other]) => isReplaced(toast, other, content));
    for (const [, other] of rivals) takeOver(other, content);
    // A new form, because the old one may be in progress or show an error.
    const fresh = pristine.cloneNode(true);
    const form = fresh.querySelector("form");
    fresh.hidden = false;
    form.hidden = content.submission === undefined;
    form.elements._submission.value = content.submission ?? "";
    const replaced = new Set(rivals.map(([toast]) => toast));
    if (!canBeUndone(newest)) replaced.add(newest);
    newest.after(fresh);
    newest.removeAttribute("id");
    newest = fresh;
    attend(fresh, content, { tab, show, goOn });
    replaced.forEach((old) => passFocus(old, fresh));
    replaced.forEach(remove);
    for (const old of [...fresh.parentElement.children].slice(0, -1 - LIMIT)) remove(old);
    const text = fresh.querySelector("[role=status]");
    // On a phone, a long message would be a narrow column beside the buttons.
    text.style.flexBasis = content.message.length > LONG ? "min(100%, 24rem)" : "";
    text.textContent = content.message; // only changes are announced
  }

  /** Undoes the submission before, too. The result of the undo so far is shown if that is no longer possible. */
  function goOn(rest, result) {
    show({ ...rest, result, until: Date.now() + DURATION });
    newest.querySelector("form").requestSubmit();
  }

  if (newest.hidden) kept().forEach(show);
  else attend(newest, contentOf(newest), { tab, show, goOn });
  // The tab's other pages may have shown, dismissed or undone some while this one was in the back/forward cache.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || isFramed) return;
    const present = kept();
    [...shown.keys()].forEach(remove);
    present.forEach(show);
  });
  return (content) => {
    if (content?.post) awaitToast(content.post, tab);
    else if (content) show({ url: here(), ...content, until: Date.now() + DURATION });
  };
}

function canBeUndone(toast) {
  return !toast.hidden && !toast.querySelector("form").hidden;
}

/** Whether a new toast replaces one that is shown. An undo that is being sent stays. */
function isReplaced(toast, { about }, content) {
  return about !== undefined && about === content.about && !toast.matches(":has([aria-busy=true])");
}

/** If a new toast says the same as the one that it replaces, its undo takes back what that would. */
function takeOver({ message, submission, earlier = [] }, content) {
  if (!submission || message !== content.message) return;
  content.earlier = [...earlier, submission].slice(-EARLIER_LIMIT);
}

/** The toast that undoes the submission before the newest one, if any. */
function restOf({ earlier = [], ...content }) {
  const submission = earlier.at(-1);
  return submission && { ...content, token: undefined, submission, earlier: earlier.slice(0, -1) };
}

/** The content of a toast that came with the page. */
function contentOf(toast) {
  const message = toast.querySelector("[role=status]").textContent;
  const submission = toast.querySelector("form").elements._submission.value || undefined;
  return { message, submission, url: here(), until: Date.now() + DURATION };
}

/** Removes a toast after its time, when it is dismissed, and once it has been undone. */
function attend(toast, content, { tab, show, goOn }) {
  let timer;

  const isUsed = () => toast.matches(":hover, :focus-within, :has([aria-busy=true])");

  function hide() {
    clearTimeout(timer);
    remove(toast);
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isUsed()) return hide();
      content.until = Date.now() + DURATION;
      keep();
      wait();
    }, content.until - Date.now());
  }

  toast.querySelector("form").dataset.url = content.url;
  const dismiss = toast.querySelector("[type=button]");
  dismiss.hidden = false;
  dismiss.addEventListener("click", hide);
  toast.addEventListener("submit", () => {
    goToWhatComesBack(toast, tab); // also if a key has pressed it from elsewhere
  });
  toast.addEventListener("accepted", ({ detail }) => {
    const token = detail.post.body.get("_token");
    const rest = restOf(content);
    const isEarly = early.has(token);
    if (rest && !isEarly) next.set(token, rest);
    if (next.size > AWAITED_LIMIT) next.delete(next.keys().next().value);
    if (hasFocus(toast)) goBack(originOf(document.activeElement));
    hide();
    if (rest && isEarly) goOn(rest, [...shown.values()].find((other) => other.token === token));
  });
  toast.addEventListener("declined", (event) => {
    if (event.detail.status !== GONE) return;
    if (content.result) {
      event.preventDefault();
      hide();
      return show(content.result);
    }
    if (hasFocus(toast)) dismiss.focus();
    toast.querySelector("form button").remove();
    delete content.submission;
    keep();
  });
  shown.set(toast, content);
  keep();
  wait();
}

function remove(toast) {
  leave(toast);
  forget(toast);
  if (toast.id === "") toast.remove();
  else toast.hidden = true; // the next one replaces it
}

// MARK: The focus

/** Moves the focus before the element that has it is removed. */
function leave(toast) {
  if (hasFocus(toast)) goToContent();
}

/** Moves the focus to the same button of the toast that replaces one. */
function passFocus(toast, fresh) {
  const place = [...toast.querySelectorAll("button")].indexOf(document.activeElement);
  fresh.querySelectorAll("button")[place]?.focus({ preventScroll: true });
}

function hasFocus(toast) {
  return toast.contains(document.activeElement);
}

/** After a deletion is undone, the row that returns gets the focus, unless the user does something before. */
function goToWhatComesBack(toast, tab) {
  const before = new Set([...document.querySelectorAll(ROW)].map(nameOf));
  const origin = document.activeElement;
  const back = originOf(origin); // where the focus goes if the answer comes long before the row
  const end = new AbortController();
  const giveUp = () => end.abort();
  setTimeout(giveUp, DURATION); // nothing may come back
  for (const kind of ["keydown", "pointerdown"]) {
    document.addEventListener(kind, giveUp, { capture: true, signal: end.signal });
  }
  tab.addEventListener("patched", ({ detail: changes }) => {
    const { activeElement } = document;
    if (!isFocusLost(origin) && activeElement !== back && !hasFocus(toast)) return end.abort();
    const heirs = [...changes.matching(ROW)].filter((row) => !before.has(nameOf(row)));
    const heir = heirs.map((row) => row.querySelector(FOCUSABLE)).find((link) => link && isVisible(link));
    if (!heir) return;
    end.abort();
    heir.focus();
  }, { signal: end.signal });
}

function nameOf(row) {
  return `${row.parentElement.dataset.list} ${row.dataset.key}`;
}

// MARK: Kept across reloads

function forget(toast) {
  shown.delete(toast);
  keep();
}

function keep() {
  if (!isFramed) save(ITEM, [...shown.values()]);
}

/** The toasts that were shown before a reload and whose time is not over, oldest first. */
function kept() {
  if (isFramed) return [];
  // An earlier release kept toasts without a URL.
  return load(ITEM, ({ url, until }) => {
    return typeof url === "string" && until > Date.now() && until <= Date.now() + DURATION;
  });
}

// MARK: Toasts that have not come

/** The tokens of the newest toasts that nobody waited for: a toast may overtake the answer to its post. */
const early = new Set();

/** Keeps an accepted post until its toast comes. */
function awaitToast(post, tab) {
  const token = post.body.get("_token");
  if (isFramed || early.delete(token)) return;
  save(AWAITED, [...awaited(), { url: post.url, token, since: Date.now() }].slice(-AWAITED_LIMIT));
  setTimeout(() => save(AWAITED, awaited()), AWAITED_LIFETIME); // also after a sleep
  // The window that it was posted from, if there was one, has gone. The new one asks for the toast.
  if (post.headers["X-Window"] !== tab.window) tab.move();
}

function awaited() {
  return load(AWAITED, ({ since }) => Date.now() - since < AWAITED_LIFETIME);
}

function stopWaiting(token) {
  const posts = awaited();
  const others = posts.filter((post) => post.token !== token);
  if (others.length < posts.length) return save(AWAITED, others);
  early.add(token);
  if (early.size > AWAITED_LIMIT) early.delete(early.values().next().value);
}
