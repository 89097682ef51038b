"""How long a click and a key of a search take in a browser, as Benchmarks/latency.py measures it, for a short time."""

import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))

import latency  # noqa: E402


@pytest.mark.long
def test_each_click_and_each_key_is_measured(launch, start_server):
    """Whether they are fast enough is for `make bench` to say, on an idle machine."""
    server = start_server("--quakes-feed", "sample")

    times = latency.measure(launch(), server.url, clicks=10, words=["tonga", "peru"])

    print(latency.report(times))
    own, other, keys = times.values()
    assert len(own) == len(other) == 10
    assert len(keys) == len("tonga" + "peru")
    assert all(time > 0 for time in [*own, *other, *keys])


def test_the_report_says_which_targets_are_met():
    """The tab that was clicked shows the change first, and a key takes no longer than somebody notices."""
    times = {latency.OWN: [10, 11], latency.OTHER: [12, 13], latency.KEY: [20, 21]}

    assert latency.report(times).count(": met |") == 2
    slow = latency.report(times | {latency.OTHER: [8, 9], latency.KEY: [120, 121]})
    assert slow.count(": **missed** |") == 2
