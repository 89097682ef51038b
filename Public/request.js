/**
 * Requests that never last, and how long to wait before the next try.
 *
 * Browsers allow six HTTP/1.1 connections a host and the stream keeps one for good, so every other
 * request is given up after two seconds, its body included.
 */
const LIMIT = 2000;
const BASE = 500;
const CAP = 15_000;

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {boolean} ok whether the status is 2xx
 * @property {object} json the body, or `{}` when it is no JSON object
 * @property {number | null} retryAfter what Retry-After asks for, in milliseconds
 */

/**
 * Sends a request; never throws.
 * @param {string | URL} url
 * @param {RequestInit} options
 * @returns {Promise<Answer | null>} null when there was no answer in time
 */
export async function request(url, options) {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(LIMIT) });
    const text = await response.text();
    return {
      status: response.status,
      ok: response.ok,
      json: parseObject(text),
      retryAfter: retryAfter(response),
    };
  } catch {
    return null;
  }
}

/** Posts a value as JSON; see `request`. */
export function postJSON(url, value, options = {}) {
  const headers = { "Content-Type": "application/json", "Accept": "application/json" };
  return request(url, { method: "POST", headers, body: JSON.stringify(value), ...options });
}

/** What a response's Retry-After asks for, in milliseconds; null when it names no seconds. */
export function retryAfter(response) {
  const seconds = Number.parseFloat(response.headers.get("Retry-After") ?? "");
  return seconds >= 0 ? seconds * 1000 : null;
}

/**
 * The wait before try number `attempt + 1`, in milliseconds: exponential with full jitter, so that
 * a crowd that lost its server together does not come back together.
 */
export function backoff(attempt, base = BASE) {
  return Math.random() * Math.min(CAP, base * 2 ** attempt);
}

/** At least the wait that the server asked for, and at most half as much again. */
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
