#!/usr/bin/env python3
"""Measures the cost of a patch of one row in a browser, in lists of 100 to 10,000 rows, and updates README.md: of one
text, as the server sends it (`edit`), and of the row as HTML (`set`)."""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests" / "BrowserTests"))

from playwright.sync_api import sync_playwright

from engines import chromium
from fake_server import FakeServer
from harness import measured, publish

SIZES = [100, 1_000, 10_000]
OPERATIONS = ["edit", "set"]
PATCHES = 200
WARM_UP = 50
TARGET = 1_000  # microseconds, of scripts for a patch with one edit

# Applies patches of one row like a tab, and returns how long each took, in milliseconds.
MEASURE = """async ([operation, size, first, count]) => {
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
    const value = operation === "edit" ? [[0, `Changed ${number}`]]
      : `<li data-key="${key}"><a data-set="selected=${key}">Changed ${number}</a> ` +
        `<time datetime="2018-02-07T12:00:00Z" data-relative>noon</time></li>`;
    const begun = performance.now();
    const standing = lift();
    const changes = applyPatches(
      [["root", `${number}`, null, { rows: [[operation, `${key}`, value]] }]]);
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


def run():
    results = {}
    server = FakeServer()
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for size in SIZES:
            results[size] = [
                time for operation in OPERATIONS for time in measure(browser, server, operation, size)]
        browser.close()
    server.close()
    return report(results)


def main():
    publish({"patch": measured("patch", run)}, "--print" in sys.argv)


def measure(browser, server, operation, size):
    """Returns microseconds: for the modules per patch, and for all scripts as the browser counts."""
    rows = "".join(
        f'<li data-key="{key}"><a data-set="selected={key}">Row {key}</a> '
        '<time datetime="2018-02-07T12:00:00Z" data-relative>noon</time></li>'
        for key in range(size))
    server.content[f"/{size}"] = f'<ul data-list="rows">{rows}</ul>'
    page = browser.new_page()
    page.goto(f"{server.url}/{size}")
    page.wait_for_selector("html[data-live]")
    page.evaluate(MEASURE, [operation, size, 0, WARM_UP])
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    before = script_seconds(client)
    times = page.evaluate(MEASURE, [operation, size, WARM_UP, PATCHES])
    scripts = (script_seconds(client) - before) / PATCHES
    page.close()
    return statistics.fmean(times) * 1000, scripts * 1_000_000


def script_seconds(client):
    metrics = client.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics}["ScriptDuration"]


def report(results):
    lines = [
        f"Means of {PATCHES} patches in Chromium. *Scripts* is its ScriptDuration.", "",
        "| Rows | One text (`edit`): modules | Scripts | The row (`set`): modules | Scripts |",
        "| ---: | ---: | ---: | ---: | ---: |"]
    for size, times in results.items():
        lines.append(f"| {size:,} | " + " | ".join(f"{time:,.0f} µs" for time in times) + " |")
    ratios = [last / first for first, last in zip(results[SIZES[0]], results[SIZES[-1]])]
    lines.append(f"| {SIZES[-1]:,} to {SIZES[0]:,} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
    lines.append(f"| Target | | {TARGET:,} µs | | |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
