"""Everything is put back to an earlier state, and forks show alternative outcomes."""

import re

import pytest
from playwright.sync_api import expect

import raw
from waiting import wait_until


@pytest.fixture
def server(start_server):
    return start_server("--developer", "--developer-dispatch")


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


@pytest.fixture
def counter(open_live, other_context, server):
    """A visitor's window that has counted to 3."""
    page = open_live(server, "/counter", other_context)
    for number in [1, 2, 3]:
        press(page, "Increment")
        value(page, number)
    return page


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def value(page, number):
    expect(page.get_by_text(f"Value: {number}", exact=True)).to_be_visible()


def entries(page):
    return page.locator("[data-list=entries] > li")


def open_entry(page, index, name="didTapIncrementButton"):
    """Opens an action of the log; the oldest of that name is the first."""
    entries(page).filter(has_text=name).nth(-1 - index).get_by_role("link").click()
    return page.get_by_role("region", name="Action", exact=True)


BANNER = "Everything is shown as it was"


def test_all_windows_show_the_past_and_one_click_returns_to_now(server, open_page, counter):
    page = open_page(server, "/developer")
    press(open_entry(page, 0), "Put everything back to here")

    banner = page.get_by_role("region", name=BANNER)
    expect(banner).to_contain_text("after didTapIncrementButton, version")
    expect(banner).to_contain_text("does not change databases")
    value(counter, 1)
    assert raw.counter_value(server) == 1
    # On every developer page.
    page.get_by_role("link", name="Windows", exact=True).click()
    expect(page.get_by_role("region", name=BANNER)).to_be_visible()
    press(page, "Back to now")

    expect(page.get_by_role("region", name=BANNER)).to_have_count(0)
    value(counter, 3)
    press(counter, "Increment")
    value(counter, 4)
    for line in ["A developer puts everything back", "A developer goes back to now"]:
        wait_until(lambda: line in server.output, "it is logged")


def test_visitors_actions_are_refused_while_the_past_is_shown(server, open_live, counter, plain):
    page = open_live(server, "/developer")
    press(open_entry(page, 0), "Put everything back to here")
    value(counter, 1)

    press(counter, "Increment")
    expect(counter.get_by_role("alert").filter(has_text="A developer is showing an earlier state")
           ).to_be_visible()
    plain.goto(server.url + "/counter")
    press(plain, "Increment")
    expect(plain.get_by_role("alert").filter(has_text="A developer is showing an earlier state")
           ).to_be_visible()
    value(counter, 1)

    press(page, "Back to now")
    value(counter, 3)


@pytest.mark.both_ways
def test_results_of_effects_show_after_going_back_to_now(server, open_page, open_live, other_context):
    """A past page runs no effect, and saved data stays saved."""
    animals = open_live(server, "/animals?category=Mammal", other_context)
    expect(animals.get_by_role("link", name="Dog")).to_be_visible()
    session = raw.Session(server)
    page = open_page(server, "/developer")
    fields = "_form=save&_token=one&name=Otter&category=Mammal&diet=Carnivore"
    assert session.post("/animals", fields, Accept="text/html").status == 303
    expect(animals.get_by_role("link", name="Otter")).to_be_visible()
    if not open_page.is_live:
        page.reload()

    press(open_entry(page, 0, "didFetchAnimals"), "Put everything back to here")
    banner = page.get_by_role("region", name=BANNER)
    expect(banner).to_contain_text("Effects that have run since then:")
    banner.get_by_text("Effects that have run since then:").click()
    expect(banner.get_by_role("listitem").filter(has_text="didAddAnimal")).to_have_count(1)
    expect(animals.get_by_role("link", name="Otter")).to_have_count(0)
    press(page, "Back to now")

    expect(animals.get_by_role("link", name="Otter")).to_be_visible()


def test_the_past_cannot_be_shown_while_the_server_records(start_server, open_live, tmp_path):
    server = start_server(
        "--developer", "--developer-dispatch", "--record", str(tmp_path / "recording.jsonl"))
    counter, page = open_live(server, "/counter"), open_live(server, "/developer")
    press(counter, "Increment")
    value(counter, 1)
    detail = open_entry(page, 0)
    press(detail, "Put everything back to here")

    expect(detail.get_by_role("alert")).to_contain_text("Start it without --record and --reports.")
    value(counter, 1)


def test_showing_the_past_needs_the_dispatch_option(start_server, open_live):
    server = start_server("--developer")
    counter, page = open_live(server, "/counter"), open_live(server, "/developer")
    press(counter, "Increment")
    value(counter, 1)
    detail = open_entry(page, 0)
    expect(detail.get_by_role("button")).to_have_count(0)

    answer = raw.Session(server).post("/developer", "_form=goBack&entry=1")

    assert answer.status == 404
    assert "--developer-dispatch" in answer.json["message"]
    value(counter, 1)


def test_actions_are_skipped_and_moved_in_a_fork(server, open_page, counter):
    press(counter, "Decrement")
    value(counter, 2)
    page = open_page(server, "/developer")
    open_entry(page, 0).get_by_role("link", name="Fork from here").click()
    steps = page.locator("[data-list=steps] > li")
    expect(steps).to_have_count(4)
    outcome = page.get_by_role("region", name="What would be")
    expect(outcome).to_contain_text("The state would be the same as recorded.")
    would_be = page.frame_locator("iframe")
    expect(would_be.get_by_text("Value: 2", exact=True)).to_be_attached()

    steps.nth(1).get_by_role("link", name="Skip").click()
    expect(steps.nth(1)).to_contain_text("skipped")
    expect(outcome).to_contain_text("/counter/value")
    expect(outcome.locator("ins")).to_have_text("1")
    expect(would_be.get_by_text("Value: 1", exact=True)).to_be_attached()
    steps.nth(3).get_by_role("link", name="Earlier").click()
    expect(steps.nth(2)).to_contain_text("didTapDecrementButton")
    expect(steps.nth(2)).to_contain_text("moved")

    # The address is the fork; the store has not changed.
    page.reload()
    expect(steps.nth(1)).to_contain_text("skipped")
    expect(steps.nth(2)).to_contain_text("didTapDecrementButton")
    value(counter, 2)
    assert raw.counter_value(server) == 2
    page.get_by_role("link", name="As it was recorded").click()
    expect(outcome).to_contain_text("The state would be the same as recorded.")


def test_an_action_refused_in_a_fork_shows_why(start_server, open_page):
    """Without *Otter* nothing can be done to it. No option is needed to look."""
    server = start_server("--developer")
    session = raw.Session(server)
    raw.get(server, "/animals")
    fields = "_form=save&_token=one&name=Otter&category=Mammal&diet=Carnivore"
    assert session.post("/animals", fields, Accept="text/html").status == 303
    listed = raw.get(server, "/animals?category=Mammal").text
    otter = re.search(r'data-key="([^"]+)"[^>]*>(?:(?!data-key).)*Otter', listed, re.S)[1]
    answer = session.post("/animals?category=Mammal", f"_form=rows&row=delete~{otter}",
                          Accept="text/html")
    assert answer.status == 303
    page = open_page(server, "/developer")
    open_entry(page, 0, "didAddAnimal").get_by_role("link", name="Fork from here").click()
    steps = page.locator("[data-list=steps] > li")
    expect(steps.filter(has_text="refused")).to_have_count(0)

    steps.first.get_by_role("link", name="Skip").click()

    expect(steps.filter(has_text="onTapDelete")).to_contain_text("refused: ")
