/**
 * Forms with files: `form[data-upload]` is sent as soon as a file has been chosen, dropped on it or
 * its pane, or pasted anywhere but into a field, if it is the only such form. A file that is larger
 * than its field's `data-byte-limit` is not sent, nor are several that come together; the form says
 * why, with the field's `data-too-large` or `data-too-many`.
 * A file that is dropped elsewhere does nothing, because browsers would leave the page to show it.
 *
 * For CSS: a form has `data-over` while a file is dragged over it.
 */
import { setError } from "./field-error.js";
import { isField } from "./fields.js";
import { isVisible } from "./keys.js";
import { answerOf } from "./request.js";

/** After this time without progress, in milliseconds, an upload is given up. */
const SILENCE = 20_000;
/** The same once all has been sent. The server makes small versions of a picture before it answers. */
const PATIENCE = 60_000;

/** Instead of an answer. */
const UNREADABLE = {
  ok: false,
  status: 0,
  json: { message: "This file can no longer be read. Choose it again." },
};

/**
 * Sends a form with files. Never throws.
 * @param {string | URL} url
 * @param {{headers: Object<string, string>, body: FormData}} options
 * @param {(element: HTMLProgressElement) => void} show shows how much has been sent
 * @returns {Promise<import("./request.js").Answer | null>} null if there was no answer in time; a refusal
 *   if a file can no longer be read
 */
export function upload(url, { headers, body }, show) {
  const progress = document.createElement("progress");
  progress.setAttribute("aria-label", "Sent");
  return new Promise((resolve) => {
    // `fetch` does not report upload progress.
    const request = new XMLHttpRequest();
    let timer;
    const wait = (limit) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), limit);
    };
    const end = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      wait(loaded < total ? SILENCE : PATIENCE);
      progress.value = total > 0 ? loaded / total : 0;
      if (!progress.isConnected) show(progress);
    });
    request.addEventListener("load", () => {
      const get = (name) => request.getResponseHeader(name);
      end(answerOf({ status: request.status, headers: { get } }, request.responseText));
    });
    // Firefox does not say that it cannot go on, so the time limit ends it.
    const fail = async () => end((await areReadable(body)) ? null : UNREADABLE);
    for (const name of ["abort", "error"]) request.addEventListener(name, fail);
    wait(SILENCE);
    request.send(body);
  });
}

/** Whether no file has been changed or deleted since it was chosen. Browsers do not say why a request fails. */
async function areReadable(body) {
  const files = [...body.values()].filter((value) => value instanceof File);
  const reads = await Promise.allSettled(files.map((file) => file.stream().getReader().read()));
  return reads.every(({ status }) => status === "fulfilled");
}

const isFile = (field) => field.type === "file";
const isBusy = (form) => form?.getAttribute("aria-busy") === "true";
const FORM = "form[data-upload]";
const formOf = (target) => target instanceof Element && target.closest(FORM);
/** The form that a file dropped on an element is for. */
const receiver = (target) => formOf(target) || (target instanceof Element && target.closest(".pane")?.querySelector(FORM));

document.addEventListener("change", ({ target }) => {
  if (isFile(target) && formOf(target)) send(target);
});

// While one is being sent, no other can be chosen. Disabling the field would lose the focus.
document.addEventListener("click", (event) => {
  if (isFile(event.target) && isBusy(formOf(event.target))) event.preventDefault();
});

// Files that were accepted need not be sent again. In a form that is sent when a file is chosen, refused
// files are cleared too, because choosing the same file again would not be a change.
for (const name of ["accepted", "declined"]) {
  document.addEventListener(name, ({ target: form, detail: { post } }) => {
    if (name === "declined" && !form.matches?.(FORM)) return;
    for (const field of [...form.elements ?? []].filter(isFile)) {
      const posted = post.body.getAll(field.name);
      if ([...field.files].some((file) => posted.includes(file))) field.value = "";
    }
  });
}

document.addEventListener("dragover", (event) => {
  const form = receiver(event.target);
  for (const other of document.querySelectorAll("[data-over]")) {
    if (other !== form) other.removeAttribute("data-over");
  }
  const { target, dataTransfer, defaultPrevented } = event;
  if (defaultPrevented || !dataTransfer.types.includes("Files")) return;
  if (!form && isFile(target)) return;
  event.preventDefault();
  dataTransfer.dropEffect = form ? "copy" : "none";
  form?.setAttribute("data-over", "");
});

document.addEventListener("dragleave", ({ target, relatedTarget }) => {
  const form = receiver(target);
  if (form && form !== receiver(relatedTarget)) form.removeAttribute("data-over");
});

document.addEventListener("drop", (event) => {
  const form = receiver(event.target);
  const { dataTransfer } = event;
  if (!form || event.defaultPrevented || dataTransfer.files.length === 0) return;
  event.preventDefault();
  form.removeAttribute("data-over");
  // Browsers drag the page's own pictures as files too.
  const isOwn = dataTransfer.getData("text/uri-list").startsWith(`${location.origin}/`);
  if (!isOwn) take(form, dataTransfer.files);
});

document.addEventListener("paste", (event) => {
  const { target, clipboardData } = event;
  if (event.defaultPrevented || clipboardData.files.length === 0) return;
  // Other programs copy formatted text as a picture too, and a field wants the text.
  if (target.isContentEditable || (isField(target) && !isFile(target))) return;
  const fields = [...document.querySelectorAll(`${FORM} [type=file]`)].filter(isVisible);
  if (fields.length !== 1 || document.querySelector("dialog:modal")) return;
  event.preventDefault();
  take(fields[0].form, clipboardData.files);
});

function take(form, dropped) {
  const field = [...form.elements].find(isFile);
  if (!field || field.disabled || isBusy(form)) return;
  // One of several would be chosen by the order in which they happen to come.
  if (dropped.length > 1) return refuse(field, field.dataset.tooMany);
  const files = new DataTransfer();
  files.items.add(dropped[0]);
  field.files = files.files;
  send(field);
}

function send(field) {
  const { form, files } = field;
  if (files.length === 0) return;
  const limit = Number(field.dataset.byteLimit) || Infinity;
  if (files[0].size > limit) return refuse(field, field.dataset.tooLarge);
  form.requestSubmit();
}

function refuse(field, reason) {
  field.value = "";
  setError(field, reason);
  field.focus();
}
