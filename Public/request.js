/**
 * Requests with a time limit, and the wait before the next attempt.
 *
 * Browsers allow six HTTP/1.1 connections per host, and the stream permanently uses one. So every
 * other request is given up after two seconds, including its body. Repeated attempts have longer, up
 * to 15 seconds, because an answer takes longer than two seconds in some networks.
 */
const LIMIT = 2000;
const BASE = 500;
const CAP = 15_000;

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {boolean} ok whether the status is 2xx
 * @property {object} json the body, or `{}` if it is not a JSON object
 * @property {number | null} retryAfter the value of Retry-After, in milliseconds
 */

/**
 * Sends a request. Never throws.
 * @param {string | URL} url
 * @param {RequestInit} options
 * @param {number} attempt how many attempts have failed before this one
 * @returns {Promise<Answer | null>} null if there was no answer in time
 */
export async function request(url, options, attempt = 0) {
  try {
    const signal = AbortSignal.timeout(Math.min(CAP, LIMIT * 2 ** attempt));
    const response = await fetch(url, { ...options, signal });
    return answerOf(response, await response.text());
  } catch {
    return null;
  }
}

/**
 * Converts a response to an answer.
 * @param {{status: number, headers: {get: (name: string) => string | null}}} response
 * @param {string} text its body
 * @returns {Answer}
 */
export function answerOf({ status, headers }, text) {
  return {
    status,
    ok: status >= 200 && status < 300,
    json: parseObject(text),
    retryAfter: retryAfter({ headers }),
  };
}

/** Statuses with which a server, or a proxy, asks for another attempt later. */
export const LATER = [408, 425, 429];

/** Whether the same request, sent again, would be answered alike. */
export function isFinal(answer) {
  return answer?.status < 500 && !LATER.includes(answer.status);
}

/** Posts a value as JSON; see `request`. */
export function postJSON(url, value, attempt) {
  const headers = { "Content-Type": "application/json", "Accept": "application/json" };
  return request(url, { method: "POST", headers, body: JSON.stringify(value) }, attempt);
}

/** A response's Retry-After in milliseconds; null if it is not a number of seconds. */
export function retryAfter(response) {
  const seconds = Number.parseFloat(response.headers.get("Retry-After") ?? "");
  return seconds >= 0 ? seconds * 1000 : null;
}

/**
 * The wait before attempt number `attempt + 1`, in milliseconds: exponential with full jitter, so
 * that clients that lost the server together do not reconnect together.
 */
export function backoff(attempt, base = BASE) {
  return Math.random() * Math.min(CAP, base * 2 ** attempt);
}

/** At least the wait that the server asked for, and at most one and a half times as long. */
export function jittered(milliseconds) {
  return milliseconds * (1 + Math.random() / 2);
}

function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
