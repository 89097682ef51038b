"""Random patches within the protocol: their result equals a new page."""

import itertools
import json
import os
import pathlib
import random
import time

import pytest

SCRIPT = (pathlib.Path(__file__).parent / "fuzz_patches.js").read_text()
PATCHES = int(os.environ.get("ITERATIONS") or 5_000)
BATCH = 100  # pages, each of which is patched several times


@pytest.mark.long
@pytest.mark.timeout(max(180, 60 + PATCHES // 100))
def test_a_patched_page_equals_a_reloaded_page(bench):
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    print(f"fuzz patches: {PATCHES} patches, SEED={seed}")
    pages, applied, errors, taken, began = 0, 0, 0, 0, time.monotonic()
    for first in itertools.count(0, BATCH):
        result = bench.page.evaluate(SCRIPT, {"seed": seed, "first": first, "count": BATCH})
        assert not result["found"], f"SEED={seed}: {json.dumps(result['found'][0], indent=1)}"
        pages += BATCH
        applied += result["applied"]
        errors += result["refused"]["errors"]
        taken += result["refused"]["taken"]
        if applied >= PATCHES:
            break
    print(f"fuzz patches: {applied} in {pages} pages, {time.monotonic() - began:.1f} s")
    assert errors + taken == pages
    assert errors > pages // 10 and taken > pages // 100  # spoilt patches of both kinds
