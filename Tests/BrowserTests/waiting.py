"""Waiting for what no event tells of."""

import time


def wait_until(condition, what="condition", seconds=10):
    """Polls until a condition holds; returns its value. `what` describes it, or is a function that does so afterwards."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what() if callable(what) else what} did not hold within {seconds} s")
        time.sleep(0.01)
    return value
