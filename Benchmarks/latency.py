#!/usr/bin/env python3
"""Measures in a browser how long a click takes until its own tab and another tab show the result, and how long a key of
a search takes, and updates README.md."""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests" / "BrowserTests"))

from browsing import update

CLICKS = 200
# Each key of these changes what is found, or at least which search is shown.
WORDS = ["alaska", "chile", "tonga", "japan", "peru", "island"] * 5
PAUSE = 90  # milliseconds between two keys of somebody who types normally
LIMIT = 100  # milliseconds that a key may take

OWN, OTHER, KEY = "A click, its own tab", "A click, another tab", "A key of a search"

# Notes when an element gets each text, by a clock that tabs share.
WATCH = """(selector) => {
  window.seen = {};
  const look = () => {
    const text = document.querySelector(selector)?.textContent.trim();
    if (text) window.seen[text] ??= performance.timeOrigin + performance.now();
  };
  new MutationObserver(look).observe(document.querySelector("main"), {
    subtree: true, childList: true, characterData: true });
}"""

# Presses a button. Returns when, and the text that will follow.
PRESS = """() => {
  const next = `Value: ${Number(document.querySelector(".value").textContent.match(/-?\\d+/)[0]) + 1}`;
  const begun = performance.timeOrigin + performance.now();
  document.querySelector("[data-form=increment] button").click();
  return [begun, next];
}"""

# Notes when each text is typed.
TYPED = """() => {
  window.typed = {};
  document.addEventListener("input", ({ target }) => {
    window.typed[`“${target.value}”`] = performance.timeOrigin + performance.now();
  }, true);
}"""


def measure(browser, url, clicks=CLICKS, words=WORDS):
    """Returns times in milliseconds: of clicks in their own tab and in another one, and of keys of a search."""
    context = browser.new_context()
    context.set_default_timeout(120_000)  # a month of earthquakes takes a while on a busy machine
    try:
        return {**clicked(context, url, clicks), KEY: typed(context, url, words)}
    finally:
        context.close()


def clicked(context, url, clicks):
    own, other = (opened(context, f"{url}/counter") for _ in range(2))
    for page in (own, other):
        page.evaluate(WATCH, ".value")
    times = {OWN: [], OTHER: []}
    for _ in range(clicks):
        begun, text = own.evaluate(PRESS)
        for page, name in zip((own, other), times):
            shown = page.wait_for_function("text => window.seen[text]", arg=text, polling=20).json_value()
            times[name].append(shown - begun)
    own.close()
    other.close()
    return times


def typed(context, url, words):
    """The page shows the text of the search beside what was found."""
    page = opened(context, f"{url}/quakes")
    page.locator("summary", has_text="Refresh").click()
    page.locator(".menu").get_by_role("button", name="Past month").click()
    page.locator(".strip > a").nth(-2).click()  # a whole day
    page.wait_for_selector("[data-list=quakes] > li")
    search = page.locator("[type=search]")
    page.evaluate(WATCH, ".token .text")
    page.evaluate(TYPED)
    times = []
    for word in words:
        page.evaluate("window.seen = {}; window.typed = {}")
        search.press_sequentially(word, delay=PAUSE)
        page.wait_for_function("text => window.seen[text]", arg=f"“{word}”")
        seen, keys = page.evaluate("[window.seen, window.typed]")
        # A key may be overtaken by a later one, whose result then shows.
        times += [min(seen[later] for later in seen if len(later) >= len(text)) - begun
                  for text, begun in keys.items()]
        search.fill("")
        page.wait_for_selector(".token .text", state="detached")
    page.close()
    return times


def opened(context, url):
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("html[data-live]")
    return page


def report(times):
    p50 = {name: statistics.median(values) for name, values in times.items()}
    p95 = {name: statistics.quantiles(values, n=20)[-1] for name, values in times.items()}
    targets = {
        OWN: ("p50 at most that of another tab", p50[OWN] <= p50[OTHER]),
        KEY: (f"p95 at most {LIMIT} ms", p95[KEY] <= LIMIT),
    }
    lines = ["In Chromium, until the document has changed; the server is on the same machine.", "",
             "| | Count | p50 | p95 | Target |", "| --- | ---: | ---: | ---: | --- |"]
    for name, values in times.items():
        target, is_met = targets.get(name, ("", None))
        verdict = {True: ": met", False: ": **missed**", None: ""}[is_met]
        lines.append(f"| {name} | {len(values)} | {p50[name]:.1f} ms | {p95[name]:.1f} ms | {target}{verdict} |")
    return "\n".join(lines)


if __name__ == "__main__":
    update("latency", lambda browser, port: measure(browser, f"http://127.0.0.1:{port}"), report)
