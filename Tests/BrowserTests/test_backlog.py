"""The posts whose effects have not ended: each client has a share of them, and each product its own."""

import pytest

from fake_animals import FakeAnimals
from process import eventually
from raw import counter_value, get, post_from
from servers import product_server

LIMIT = 8  # of which one client may have a quarter
ELSEWHERE = [f"127.0.0.{number}" for number in range(2, 5)]


@pytest.fixture
def stuck():
    """A Server whose animals' API holds everything, and that API."""
    remote = FakeAnimals()
    server = product_server(
        "--animals-api", remote.url, "--animals-timeout", "60", "--backlog", str(LIMIT)).start()
    eventually(lambda: "Dog" in get(server, "/animals?category=Mammal").text, "the animals are there")
    remote.hold_answers()
    yield server, remote
    remote.release()
    server.kill()
    remote.stop()


def add(server, address, name):
    """Adds an animal; answers the response."""
    body = f"_form=save&_token={name}&name={name}&category=Mammal&diet=Omnivore"
    return post_from(server, address, "/animals?category=Mammal&sheet=add", body)


def names_of(address):
    """The names of more animals than one client may add at once."""
    return [f"Otter{address.rpartition('.')[2]}{number}" for number in "abc"]


def test_one_client_has_a_quarter_of_the_backlog(stuck):
    """One that posted until the backlog was full kept everybody else from posting."""
    server, remote = stuck

    greedy = [add(server, "127.0.0.1", name).status for name in names_of("127.0.0.1")]
    others = [[add(server, address, name).status for name in names_of(address)] for address in ELSEWHERE]

    assert greedy == [200, 200, 503]
    assert others == [[200, 200, 503]] * 3
    # The backlog is full now, and not at half of its limit.
    late = add(server, "127.0.0.9", "Late")
    assert late.status == 503
    assert float(late.headers["Retry-After"]) > 0

    remote.release()
    shown = [name for address in ["127.0.0.1", *ELSEWHERE] for name in names_of(address)[:2]]
    eventually(lambda: all(name in get(server, "/animals?category=Mammal").text for name in shown),
               "what was accepted is added")
    eventually(lambda: add(server, "127.0.0.1", "Again").status == 200, "there is room again")


def test_a_product_whose_effects_are_stuck_does_not_refuse_the_posts_of_others(stuck):
    """The backlog was counted for all products together."""
    server, _ = stuck
    for address in ["127.0.0.1", *ELSEWHERE]:
        for name in names_of(address):
            add(server, address, name)
    assert add(server, "127.0.0.9", "Late").status == 503

    counted = [post_from(server, "127.0.0.1", "/counter", f"_form=increment&_token={number}").status
               for number in range(20)]
    refreshed = post_from(server, "127.0.0.1", "/quakes", "_form=refresh&range=allHour")

    assert counted == [200] * 20
    assert counter_value(server) == 20
    assert refreshed.status == 200
