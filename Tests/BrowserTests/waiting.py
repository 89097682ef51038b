"""Waiting for what no event tells of."""

import time


# How long a test waits for anything, in seconds. Only a failing test waits that long, so it is enough for a busy machine.
PATIENCE = 30


def wait_until(condition, what="condition", seconds=PATIENCE):
    """
    Polls until a condition holds; returns its value. `what` describes it, or is a function that does so afterwards. The
    pauses grow to a tenth of a second, because a condition that asks a server takes time from what it waits for.
    """
    deadline = time.monotonic() + seconds
    pause = 0.01
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what() if callable(what) else what} did not hold within {seconds} s")
        time.sleep(pause)
        pause = min(1.2 * pause, 0.1)
    return value
