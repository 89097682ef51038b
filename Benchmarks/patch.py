#!/usr/bin/env python3
"""Measures the cost of a patch of one row in a browser, in lists of 100 to 10,000 rows, and updates README.md."""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests" / "BrowserTests"))

from playwright.sync_api import sync_playwright

from engines import chromium
from fake_server import FakeServer
from harness import publish

SIZES = [100, 1_000, 10_000]
PATCHES = 200
WARM_UP = 50

# Applies patches of one row like a tab, and returns how long each took, in milliseconds.
MEASURE = """async ([size, first, count]) => {
  const { applyPatches } = await import("/public/patch.js");
  const { lay, lift } = await import("/public/overlay.js");
  const { fill } = await import("/public/late.js");
  const { disableIncomplete } = await import("/public/complete.js");
  const { refreshTimes } = await import("/public/times.js");
  const { showDialogs } = await import("/public/dialogs.js");
  const { revealSelection } = await import("/public/reveal.js");
  const times = [];
  // In a task of the page, because code that a debugger evaluates does not count as its scripts.
  return new Promise((resolve) => setTimeout(() => {
  for (let number = first; number < first + count; number += 1) {
    const key = (number * 37) % size;
    const html = `<li data-key="${key}"><a data-set="selected=${key}">Changed ${number}</a> ` +
      `<time datetime="2018-02-07T12:00:00Z" data-relative>noon</time></li>`;
    const begun = performance.now();
    const standing = lift();
    const changes = applyPatches([{ region: "root", tag: `${number}`,
      lists: { rows: [["set", `${key}`, html]] } }]);
    lay(standing, changes);
    fill({ changes });
    disableIncomplete(changes);
    refreshTimes(changes);
    showDialogs(changes);
    revealSelection(changes);
    times.push(performance.now() - begun);
  }
  resolve(times);
  }));
}"""


def main():
    results = {}
    server = FakeServer()
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for size in SIZES:
            results[size] = measure(browser, server, size)
        browser.close()
    server.close()
    publish({"patch": report(results)}, "--print" in sys.argv)


def measure(browser, server, size):
    """Returns microseconds: for the modules per patch, and for all scripts as the browser counts."""
    rows = "".join(
        f'<li data-key="{key}"><a data-set="selected={key}">Row {key}</a> '
        '<time datetime="2018-02-07T12:00:00Z" data-relative>noon</time></li>'
        for key in range(size))
    server.content[f"/{size}"] = f'<ul data-list="rows">{rows}</ul>'
    page = browser.new_page()
    page.goto(f"{server.url}/{size}")
    page.wait_for_selector("html[data-live]")
    page.evaluate(MEASURE, [size, 0, WARM_UP])
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    before = script_seconds(client)
    times = page.evaluate(MEASURE, [size, WARM_UP, PATCHES])
    scripts = (script_seconds(client) - before) / PATCHES
    page.close()
    return statistics.fmean(times) * 1000, scripts * 1_000_000


def script_seconds(client):
    metrics = client.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics}["ScriptDuration"]


def report(results):
    lines = [f"Means of {PATCHES} patches in Chromium.", "",
             "| Rows | Modules, for a patch | ScriptDuration, for a patch |", "| ---: | ---: | ---: |"]
    for size, (modules, scripts) in results.items():
        lines.append(f"| {size:,} | {modules:,.0f} µs | {scripts:,.0f} µs |")
    ratios = [last / first for first, last in zip(results[SIZES[0]], results[SIZES[-1]])]
    lines.append(f"| {SIZES[-1]:,} to {SIZES[0]:,} | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
