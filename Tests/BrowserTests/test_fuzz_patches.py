"""Patches as the protocol lets them be, made at random: what they leave is what a new page has."""

import json
import os
import pathlib
import random

import pytest

SCRIPT = (pathlib.Path(__file__).parent / "fuzz_patches.js").read_text()
ITERATIONS = int(os.environ.get("ITERATIONS") or 10_000)
PAGES = max(100, ITERATIONS * 3 // 100)  # each is patched several times
BATCH = 500


@pytest.mark.timeout(60 + PAGES // 100)
def test_a_patched_page_is_the_page_that_a_reload_shows(bench):
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    print(f"fuzz patches: {PAGES} pages, SEED={seed}")
    errors, taken = 0, 0
    for first in range(0, PAGES, BATCH):
        batch = {"seed": seed, "first": first, "count": min(BATCH, PAGES - first)}
        result = bench.page.evaluate(SCRIPT, batch)
        assert not result["found"], f"SEED={seed}: {json.dumps(result['found'][0], indent=1)}"
        errors += result["refused"]["errors"]
        taken += result["refused"]["taken"]
    assert errors + taken == PAGES
    assert errors > PAGES // 10 and taken > PAGES // 100  # spoilt patches of both kinds
