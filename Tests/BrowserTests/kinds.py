"""Cases of which `make test` tries one of each kind, and `make browsers`, `make faults` and others try all."""

import pytest


def one_of_each_kind(cases, kinds):
    """The names of cases, as parameters: `make test` tries those of these kinds."""
    assert set(kinds) < set(cases)
    return [pytest.param(name, marks=[] if name in kinds else pytest.mark.thorough) for name in cases]


def thorough(*cases):
    """More cases of what others have tried: `make test` leaves them out."""
    return [pytest.param(*(case if isinstance(case, tuple) else [case]), marks=pytest.mark.thorough) for case in cases]
