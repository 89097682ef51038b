/**
 * Submits `form[data-form]` with fetch, so that the page stays and is patched through the stream.
 *
 * - Each submit has its own token. A post is sent again with the same token until it is answered,
 *   so it takes effect once, no matter how often it arrives. If the page is left before, the tab's
 *   next page sends it (`outbox.js`). After an hour the user is told that the result is unknown. The
 *   browser asks before it leaves a page with posts that cannot be kept: those with files or
 *   passwords, and very long ones.
 * - Policy `once`: while a post is in progress, its form accepts no other submit, and its buttons
 *   are `aria-disabled`. Policy `repeatable`: each submit counts, and they are posted one at a time, in
 *   order.
 * - A form is in progress until the window shows the result of its post, even if the connection is
 *   lost for long. When `aria-busy` goes away, the result is visible, so users are not tempted to
 *   submit again.
 * - A refusal is shown next to the fields, which keep their input. Success makes them clean. It
 *   also resets them if the form has `data-reset` or the response has a location. While the effect
 *   is pending they keep their input, because the effect may still fail; `reset.js` resets them once
 *   it has succeeded. The form gets an `accepted` event with the post on success, and a `declined`
 *   event with the post and the status on a refusal; if the form is gone, the document gets it too.
 *   Whoever shows the refusal elsewhere prevents the default of `declined`.
 *
 * A form with `data-url` is posted to that page, and the window stays where it is.
 *
 * For CSS: a form in progress has `aria-busy="true"`, and also `data-resending` while the server
 * does not answer. A form with policy `once` then also shows a message in `[data-queued]`. In a form
 * with several buttons, each that has been pressed has `data-resending` too.
 */
import { hold, isDisabled, isHeld, release } from "./buttons.js";
import { FormErrors } from "./form-errors.js";
import { isFocusLost } from "./focus.js";
import { initial, isField, isSame, setInitial, show, shown } from "./fields.js";
import { forget, isTooOld, keep, unanswered } from "./outbox.js";
import { here, isOfPage, withLate } from "./query.js";
import { backoff, jittered, LATER, request } from "./request.js";

/** Statuses that ask for another attempt, or say that the post may still take effect. */
const UNANSWERED = [...LATER, 503];
/** The maximum size, in characters, of a post that is sent even if the page is closed. */
const KEEPALIVE_LIMIT = 30_000;
const QUEUED =
  "The server does not answer. Keep this tab open: this is sent automatically when the connection is back.";
const REFUSED = "The server did not accept this. Nothing has changed.";
/** Instead of an answer, when a post has become too old to be sent again. */
const UNKNOWN = {
  ok: false,
  status: 0,
  json: { message: "It is not known whether this arrived. Look before you send it again." },
};

export class Forms {
  #tab;
  #links;
  /** @type {Map<HTMLFormElement, State>} the forms that are in progress or show errors */
  #states = new Map();
  /** The form with policy `once` that the latest click, or the first of a double-click, has submitted. */
  #submitted = null;

  /**
   * @param {import("./tab.js").Tab} tab
   * @param {import("./links.js").Links} links
   */
  constructor(tab, links) {
    this.#tab = tab;
    this.#links = links;
    document.addEventListener("submit", (event) => this.#submit(event));
    document.addEventListener("click", (event) => this.#ignoreRepeated(event), { capture: true });
    document.addEventListener("refused", ({ target, detail }) => detail(this.#state(target).errors));
    addEventListener("beforeunload", (event) => {
      if ([...this.#states.values()].some((state) => state.isLostIfLeft)) event.preventDefault();
    });
  }

  /** Whether a post of this window has not shown its result yet. */
  get isUnderWay() {
    return [...this.#states.values()].some((state) => state.isUnderWay);
  }

  /** Sends what earlier pages of this tab have left unanswered, from its form if that is here. */
  resend() {
    const nowhere = document.createElement("form");
    for (const { url, body, since } of unanswered()) {
      const isHere = isOfPage(new URL(url, location.href));
      const form = [...document.querySelectorAll("form[data-form]")].find((form) => {
        return (isHere || form.dataset.url === url) && isSource(form, body);
      });
      const post = new Post(url, body, since);
      post.isKept = true;
      if (form) post.visits = this.#links.visits;
      this.#post(form ?? nowhere, post);
    }
  }

  /** Restores what forms show about their posts, which patches do not contain. */
  refresh() {
    for (const [form, state] of [...this.#states]) {
      if (form.isConnected) state.render();
      else if (!state.isUnderWay) this.#states.delete(form);
      else this.#bequeath(form, state);
    }
  }

  /** Passes the state on to a form that has replaced one whose post is in progress. */
  #bequeath(form, state) {
    const all = document.querySelectorAll(`form[data-form="${CSS.escape(form.dataset.form)}"]`);
    const heir = [...all].find((other) => !this.#states.has(other) && isAlike(form, other));
    if (!heir) return;
    this.#states.delete(form);
    this.#states.set(heir, state);
    state.moveTo(heir);
  }

  /**
   * Makes a double-click one submit of a form with policy `once`, even if it is answered before the
   * second click.
   */
  #ignoreRepeated(event) {
    if (event.detail < 2) this.#submitted = null;
    if (this.#submitted?.contains(event.target)) event.preventDefault();
  }

  #submit(event) {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !isOurs(form, submitter)) return;
    event.preventDefault();
    // The server accepts no submit while all buttons are disabled. Browsers respect that for Enter,
    // but not for `requestSubmit` from a script or an extension.
    const submits = [...form.elements].filter(({ type }) => type === "submit");
    if (submits.length > 0 && submits.every((button) => isDisabled(button) && !isHeld(button))) return;
    const state = this.#state(form);
    const isOnce = form.dataset.policy !== "repeatable";
    if (state.isUnderWay && isOnce) return;
    this.#submitted = isOnce ? form : null;
    const post = Post.of(form, submitter, this.#links.visits);
    post.isKept = isKeepable(form) && keep(post);
    this.#post(form, post, submitter);
  }

  #post(form, post, submitter = null) {
    const state = this.#state(form);
    state.queue.push(post);
    state.begin(submitter);
    if (!state.isPosting) this.#postAll(state);
  }

  #state(form) {
    const state = this.#states.get(form) ?? new State(form);
    this.#states.set(form, state);
    return state;
  }

  async #postAll(state) {
    state.isPosting = true;
    const round = (state.round += 1);
    const accepted = [];
    let version;
    let isAccepted = false;
    let refused = 0;
    for (const post of state.posts()) {
      const delivery = this.#deliver(post, state);
      this.#tab.hold(delivery);
      const { ok, status, json } = await delivery;
      forget(post, ok);
      // The page of another product does not reach its versions.
      if (!isOfPage(new URL(post.url, location.href))) delete json.version;
      version = json.version ?? version;
      // A success of a post that was queued before the refusal could be read leaves it there.
      if (!ok || post.since > refused) state.errors.set(ok ? null : { message: REFUSED, ...json });
      if (!ok) {
        refused = Date.now();
        if (tell(state.form, "declined", { post, status })) this.#tellUnseen(state, status, json);
        continue;
      }
      isAccepted = true;
      tell(state.form, "accepted", { post, isPending: json.pending });
      const resets = json.location !== undefined || state.form.hasAttribute("data-reset");
      if (resets && !json.pending) post.settle({ resets });
      else if (!json.pending) accepted.push(post);
      // The user may have navigated in the meantime. A URL that the server or another module has
      // changed since then is not a navigation.
      const isThere = post.visits === this.#links.visits || post.url === here();
      if (json.location !== undefined && isThere && !post.keepsLocation) {
        // The form has served its purpose, so going back must not show it again.
        this.#links.visit(withLate(json.location), { replaces: true, waits: true });
      }
    }
    state.isPosting = false;

    await this.#tab.reached(version);

    for (const post of accepted) post.settle({ resets: false });
    if (round === state.round) state.end(); // not if it has posted since
    // A window that cannot join shows the result of its post after a reload.
    if (isAccepted && this.#tab.isRefused) this.#links.visit(here(), { replaces: true });
  }

  /** Tells of a refusal that its form does not show, because it is gone or in a closed menu. */
  async #tellUnseen({ errors }, status, { version, message: reason = "Nothing has changed." }) {
    await this.#tab.reached(version); // the form may be about to go
    if (errors.isSeen) return;
    const result = status ? "accepted" : "answered";
    const message = `Something that you sent earlier was not ${result}. ${reason}`;
    this.#tab.dispatchEvent(new CustomEvent("toast", { detail: { message } }));
  }

  async #deliver(post, state) {
    let isWindowKnown = true;
    for (let attempt = 0; !isTooOld(post); attempt += 1) {
      const isAway = this.#tab.connected === false;
      if (isAway) state.setResending(true);
      if (isAway || attempt > 0) this.#tab.hurry(); // without a window, its toast would be lost
      if (isWindowKnown) await this.#tab.whenJoined();
      const headers = (post.headers = { Accept: "application/json" });
      if (isWindowKnown && this.#tab.window) headers["X-Window"] = this.#tab.window;
      const answer = await this.#send(post, headers, state, attempt);
      state.setResending(!isAnswer(answer));
      if (answer?.json.code === "unknownWindow" && headers["X-Window"]) {
        // The server has restarted and this tab has not joined it yet. The post is sent without the
        // window.
        isWindowKnown = false;
        continue;
      }
      if (isAnswer(answer)) return answer;
      const asked = answer?.retryAfter;
      await this.#pause(asked ? jittered(asked) : backoff(attempt));
    }
    state.setResending(false);
    return UNKNOWN;
  }

  #upload({ url, body }, headers, state) {
    return import("./editing.js").then(
      ({ upload }) => upload(url, { headers, body }, (element) => state.showProgress(element)),
      () => null,
    );
  }

  #send(post, headers, state, attempt) {
    if (post.hasFiles) return this.#upload(post, headers, state);
    const keepalive = post.body.toString().length < KEEPALIVE_LIMIT;
    return request(post.url, { method: "POST", headers, body: post.body, keepalive }, attempt);
  }

  /** Waits, but no longer than until the connection's status changes. */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#tab.removeEventListener("status", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#tab.addEventListener("status", end);
    });
  }
}

function makeNotice() {
  const notice = document.createElement("p");
  notice.className = "hint";
  notice.setAttribute("data-queued", "");
  notice.setAttribute("role", "status");
  return notice;
}

/** Whether two forms post the same, apart from what their users enter. */
function isAlike(form, other) {
  const [one, another] = [form, other].map(({ elements }) => {
    const hidden = [...elements].filter(({ type, name }) => type === "hidden" && name !== "_token");
    return hidden.map(({ name, value }) => [name, value]);
  });
  return isSame(one, another);
}

/** Whether a form is the one that has made a post. */
function isSource({ elements }, body) {
  return [...elements].every(({ type, name, value }) => {
    return type !== "hidden" || ["", "_token"].includes(name) || body.getAll(name).includes(value);
  });
}

/** Whether the tab may keep what a form posts: text, but no passwords. */
function isKeepable(form) {
  return form.enctype !== "multipart/form-data" && !form.querySelector("[type=password]");
}

/** What a form shows about its posts. Only this class writes these attributes. */
class State {
  queue = [];
  isPosting = false;
  round = 0; // how often it has begun to post
  #sending = null; // the post that has not been answered yet
  isUnderWay = false;
  form; // the one that shows the posts, which a patch may have replaced
  #isResending = false;
  #notice = makeNotice();
  #progress = null; // the progress element of a post with files
  #pressed = null; // the button that has been pressed, if it had the focus

  constructor(form) {
    this.form = form;
    this.errors = new FormErrors(form);
  }

  /** Takes the posts from the queue, one after another. */
  *posts() {
    while ((this.#sending = this.queue.shift() ?? null)) yield this.#sending;
  }

  /** Whether something would not be posted if the page were left now. */
  get isLostIfLeft() {
    return [this.#sending, ...this.queue].some((post) => post && !post.isKept);
  }

  moveTo(form) {
    this.form = form;
    this.errors.moveTo(form);
    this.render();
  }

  begin(submitter) {
    this.isUnderWay = true;
    this.#pressed = document.activeElement === submitter ? submitter : null;
    this.render();
  }

  showProgress(element) {
    this.#progress?.remove();
    this.#progress = element;
    this.render();
  }

  end() {
    this.isUnderWay = false;
    this.showProgress(null);
    if (isFocusLost(this.#pressed)) this.errors.focus();
  }

  /** Also needed after a patch, which removes what the server did not send. */
  #tellQueued(isQueued) {
    if (!isQueued) return this.#notice.remove();
    if (!this.form.contains(this.#notice)) this.form.append(this.#notice);
    if (this.#notice.textContent !== QUEUED) this.#notice.textContent = QUEUED;
  }

  setResending(isResending) {
    this.#isResending = isResending;
    this.render();
  }

  render() {
    toggle(this.form, "aria-busy", this.isUnderWay);
    const isResending = this.isUnderWay && this.#isResending;
    toggle(this.form, "data-resending", isResending);
    const takesNoOther = this.isUnderWay && this.form.dataset.policy !== "repeatable";
    this.#tellQueued(takesNoOther && isResending);
    if (this.#progress && !this.form.contains(this.#progress)) this.form.append(this.#progress);
    const resent = isResending ? [this.#sending, ...this.queue] : [];
    for (const element of this.form.elements) {
      if (element.type !== "submit") continue;
      const { name, value } = element;
      const isPressed = resent.some((post) => name && post?.body.getAll(name).includes(value));
      toggle(element, "data-resending", isPressed);
      if (takesNoOther) hold(element, this);
      else release(element, this);
    }
    this.errors.render();
  }
}

/** One submit: what is posted, and what the fields showed at that time. */
class Post {
  keepsLocation = false;
  isKept = false; // by the outbox
  visits = null;
  #fields = [];

  constructor(url, body, since = Date.now()) {
    this.url = url;
    this.body = body;
    this.since = since;
    this.hasFiles = body instanceof FormData;
  }

  static of(form, submitter, visits) {
    const hasFiles = form.enctype === "multipart/form-data";
    const data = new FormData(form, submitter);
    const body = hasFiles ? data : new URLSearchParams();
    if (!hasFiles) {
      for (const [name, value] of data) {
        body.append(name, value.name ?? value); // of a file that is not posted, its name
      }
    }
    body.set("_token", mintToken());
    const post = new Post(form.dataset.url ?? here(), body);
    post.keepsLocation = form.dataset.url !== undefined;
    post.visits = visits;
    post.#fields = [...form.elements].filter(isField).map((field) => {
      return { field, shown: shown(field), initial: initial(field) };
    });
    return post;
  }

  /**
   * Makes fields clean if they still show the posted values. If a default has changed since, it came
   * with a patch and wins. Text that the user has typed since stays.
   */
  settle({ resets }) {
    for (const { field, ...then } of this.#fields) {
      if (!isSame(shown(field), then.shown)) continue;
      if (resets || !isSame(initial(field), then.initial)) show(field, initial(field));
      else setInitial(field, then.shown);
    }
  }
}

function isOurs(form, submitter) {
  const attribute = (name) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const action = new URL(attribute("action") || location.href, location.href);
  return (
    form.matches("form[data-form]") &&
    attribute("method")?.toLowerCase() === "post" &&
    attribute("enctype")?.toLowerCase() !== "text/plain" &&
    /^(_self)?$/.test(attribute("target") ?? "") &&
    action.href.split("#")[0] === location.href.split("#")[0]
  );
}

/**
 * An acceptance has a version, and a failure a message. A network's sign-in page has none, nor has a proxy's error,
 * which does not say whether the post took effect.
 */
function isAnswer(answer) {
  if (answer === null || UNANSWERED.includes(answer.status)) return false;
  const { ok, status, json } = answer;
  return ok ? Number.isInteger(json.version) : status < 500 || "message" in json;
}

/** 128 bits in base64url. `randomUUID` does not exist on plain http. */
function mintToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * A form that is gone has no document to which its events bubble. Returns false if the result is
 * shown elsewhere.
 */
function tell(form, type, detail) {
  const event = new CustomEvent(type, { bubbles: true, cancelable: true, detail });
  form.dispatchEvent(event);
  if (!form.isConnected) document.dispatchEvent(event);
  return !event.defaultPrevented;
}

function toggle(element, attribute, isOn) {
  if (isOn) element.setAttribute(attribute, "true");
  else element.removeAttribute(attribute);
}
