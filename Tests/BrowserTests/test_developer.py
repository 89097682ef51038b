"""The developer pages: the log, the state, windows and pages of the past."""

import json
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

import raw
from clients import Drained
from quakes_page import YESTERDAY
from waiting import wait_until


@pytest.fixture
def server(start_server):
    return start_server("--developer", "--quakes-feed", "sample")


@pytest.fixture
def actor(open_page, server):
    """Opens a page in which something is done, with JavaScript and without."""
    return open_page.of(server)


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def entries(page):
    return page.locator("[data-list=entries] > li")


def test_without_the_option_there_are_no_developer_pages(start_server):
    server = start_server()
    for path in ["/developer", "/developer/state", "/developer/past?url=/counter"]:
        assert raw.get(server, path).status == 404


@pytest.mark.parametrize("path", [
    "/developer", "/developer/", "/developer/state", "/developer/windows", "/developer/time",
    "/developer/cost",
    "/developer/past?url=/counter", "/developer?search=x",
])
def test_they_are_absent_for_whoever_is_elsewhere(server, path):
    forwarded = {"X-Forwarded-For": "203.0.113.7"}
    assert raw.get(server, path, **forwarded).status == 404
    assert raw.get(server, path, Host="203.0.113.7").status == 404


def test_no_window_elsewhere_shows_one(server):
    """Joining and navigating are other ways in than the page."""
    session = raw.Session(server)
    forwarded = {"X-Forwarded-For": "203.0.113.7", "Cookie": session.cookie}
    with Drained(server, session) as stream:
        joining = {"stream": stream.id, "at": "/developer", "navigation": 1}
        assert raw.post_json(server, "/_/windows", joining, **forwarded).status == 404
        window = stream.join("/counter")
        there = {"at": "/developer?search=x", "navigation": 2}
        assert raw.post_json(server, f"/_/windows/{window}", there, **forwarded).status == 404
        assert stream.navigate(window, "/developer?search=x", 2) == 204


@pytest.mark.parametrize("at", ["/developer", "/developer/windows", "/developer?search=x"])
def test_no_stream_elsewhere_shows_one(server, at):
    """A stream can join a window by itself; what is said of it is what is said of no page at all."""
    def answer(at):
        with server.connection() as connection:
            connection.request("GET", "/_/stream?" + urllib.parse.urlencode({"at": at}),
                               headers={"X-Forwarded-For": "203.0.113.7"})
            response = connection.getresponse()
            assert response.status == 404  # else it has no end that could be read
            return response.read().decode()

    assert answer(at) == answer(at.replace("developer", "nobody")).replace("nobody", "developer")

    with raw.Session(server).stream("?at=/developer") as stream:
        assert "Developer" in json.dumps(stream.next("show")[2])


def test_the_log_follows_what_happens(server, actor, open_live):
    page = open_live(server, "/counter")
    log = actor("/developer")

    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    if not actor.is_live:
        log.reload()

    expect(entries(log).filter(has_text="didTapIncrementButton")).to_have_count(1)
    entries(log).filter(has_text="didTapIncrementButton").get_by_role("link").click()
    detail = log.get_by_role("region", name="Action", exact=True)
    expect(detail).to_contain_text("/value")
    expect(detail.locator("del")).to_have_text("0")
    expect(detail.locator("ins")).to_have_text("1")
    expect(detail).to_contain_text("form “increment” at /counter")


def test_the_log_is_searched_and_paused(server, open_live):
    page, log = open_live(server, "/counter"), open_live(server, "/developer")
    press(page, "Increment")
    press(page, "Decrement")
    expect(entries(log).filter(has_text="didTap")).to_have_count(2)

    log.get_by_label("Search actions").fill("decrement")
    expect(entries(log)).to_have_count(1)
    press(log, "Pause")
    expect(log.get_by_text("Paused: nothing is recorded.")).to_be_visible()
    press(page, "Decrement")
    expect(page.get_by_text("Value: -1", exact=True)).to_be_visible()
    press(log, "Resume")
    expect(log.get_by_role("button", name="Pause")).to_be_visible()
    press(page, "Decrement")

    expect(entries(log)).to_have_count(2)
    press(log, "Clear")
    expect(entries(log)).to_have_count(0)


def test_a_large_state_is_looked_at_part_by_part(server, open_live, plain):
    page = open_live(server, YESTERDAY)
    assert raw.post(server, "/quakes", "_form=refresh&range=allMonth").status == 200
    expect(page.locator(".counts")).to_contain_text(re.compile(r"\d{3} earthquakes"))

    plain.goto(server.url + "/developer/state?product=Quakes&path=/quakes")
    expect(plain.get_by_role("row").filter(has_text="Table<Quake>")).to_contain_text(
        re.compile(r"\d{4,5} elements"))
    response = plain.goto(server.url + "/developer/state?product=Quakes&path=/quakes/table")

    assert len(response.body()) < 50_000
    expect(plain.get_by_role("row")).to_have_count(100)
    plain.get_by_role("link", name="Next").click()
    expect(plain.get_by_text("101 to 200 of")).to_be_visible()
    plain.get_by_role("row").first.get_by_role("link").click()
    expect(plain.get_by_role("row").filter(has_text="magnitude")).to_have_count(1)


def test_windows_are_listed_as_they_come_and_go(server, open_live):
    page = open_live(server, "/counter")
    windows = open_live(server, "/developer/windows")
    shown = windows.locator("[data-list=windows] > li")
    expect(shown).to_have_text([re.compile("/counter"), re.compile("/developer/windows")])

    page.goto(server.url + "/animals?category=Bird")
    expect(shown.first).to_contain_text("/animals?category=Bird")
    page.close()
    expect(shown).to_have_count(1)


def test_a_window_is_looked_at_as_it_was(server, actor, open_live):
    page = open_live(server, "/counter")
    for value in [1, 2, 3]:
        press(page, "Increment")
        expect(page.get_by_text(f"Value: {value}", exact=True)).to_be_visible()
    time = actor("/developer/time?url=/counter")
    past = time.frame_locator("iframe")
    expect(past.get_by_text("Value: 3", exact=True)).to_be_attached()

    time.get_by_role("link", name="Earlier").click()
    expect(past.get_by_text("Value: 2", exact=True)).to_be_attached()
    press(page, "Increment")

    # The past stays as it was; the present goes on.
    expect(page.get_by_text("Value: 4", exact=True)).to_be_visible()
    expect(past.get_by_text("Value: 2", exact=True)).to_be_attached()
    time.get_by_role("link", name="Newest").click()
    if not actor.is_live:
        time.reload()
    expect(past.get_by_text("Value: 4", exact=True)).to_be_attached()


def test_it_says_what_an_action_did_to_a_page_and_what_it_did_not(server, actor, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    log = actor("/developer")
    entries(log).filter(has_text="didTapIncrementButton").get_by_role("link").click()
    log.get_by_role("link", name="What it did to /counter").click()

    causes = log.get_by_role("region", name="What didTapIncrementButton did to this page")
    expect(causes).to_contain_text("Of 2 regions 1 were rendered again, and 1 changed.")
    number, root = causes.locator(".causes > li").all()
    expect(number).to_contain_text(re.compile(r"number\s+CounterNumber\s+rendered in \d+ µs, \d+ bytes"))
    expect(number).to_contain_text(
        re.compile(r"SelectValue:\s+has another output\s+CounterUI/Select\.swift:\d+"))
    expect(root).to_contain_text(re.compile(r"root\s+Content\s+\d+ bytes, shows the same"))

    open_live(server, "/animals")
    log.goto(server.url + "/developer/time?url=/animals")
    log.get_by_role("link", name=re.compile("animalList.onAppear|categoryList.onAppear")).first.click()
    causes = log.get_by_role("region", name=re.compile("^What ui"))
    expect(causes).to_contain_text("did not run: ")


def test_a_page_of_the_past_does_nothing(server):
    answer = raw.get(server, "/developer/past?url=/counter")
    assert answer.status == 200
    assert "<script" not in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "form-action 'none'" in policy
    assert "script-src" not in policy
    wait_until(lambda: "A developer looks at a page of the past" in server.output, "it is logged")


def regions(html):
    """The tags of a page's regions, which are what is in them."""
    return dict(re.findall(r'data-region="([^"]+)" data-tag="([^"]+)"', html))


ANIMALS = "/animals/Dog?category=Mammal"
STEPS = [
    ("/counter", "_form=increment"),
    (ANIMALS, "_form=rows&star=add~Dog"),
    (ANIMALS, "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"),
    ("/counter", "_form=decrement"),
    (ANIMALS, "_form=rows&delete=Cat"),
    (ANIMALS, "_form=rows&star=remove~Dog"),
]


def test_pages_of_the_past_are_those_that_were_shown(server):
    """After each step: what a page shows then is what it is said to have shown, ever after."""
    session = raw.Session(server)
    paths = ["/counter", ANIMALS, "/animals?favorites=true"]
    for path in paths:
        raw.get(server, path)
    shown = []
    for page, fields in STEPS:
        assert session.post(page, fields, Accept="text/html").status == 303
        tags = {path: regions(raw.get(server, path).text) for path in paths}
        newest = int(re.search(r'<li[^>]* data-key="(\d+)"', raw.get(server, "/developer").text)[1])
        shown.append((newest, tags))

    assert len({str(tags) for _, tags in shown}) > 3
    for newest, tags in shown:
        for path in paths:
            query = urllib.parse.urlencode({"url": path, "at": newest})
            assert regions(raw.get(server, "/developer/past?" + query).text) == tags[path], (newest, path)


# The region of an element of the past.


def inspected(page, region):
    return page.get_by_role("region", name=f"Region “{region}”")


def expect_number_explained(time):
    """What put the counter's number there."""
    number = inspected(time, "number")
    expect(number).to_contain_text("didTapIncrementButton, form “increment” at /counter")
    expect(number).to_contain_text("Templates/CounterUI/CounterNumber.mustache")
    expect(number).to_contain_text(
        re.compile(r"SelectValue: has another output, in [\d.]+ µs\s+CounterUI/Select\.swift:\d+"))
    expect(number).to_contain_text(re.compile(r"In the reducer\s*\d+ µs"))
    expect(number).to_contain_text(re.compile(r"rendered in \d+ µs"))


def test_an_element_of_the_past_leads_to_its_region(server, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    time = open_live(server, "/developer/time?url=/counter")
    past = time.frame_locator("iframe")
    number = past.locator("[data-region=number]")
    shown = number.locator("> *").first

    shown.hover()
    expect(number).to_have_attribute("data-pointed", "")
    expect(past.locator("[data-pointed]")).to_have_count(1)
    shown.click()

    expect(time).to_have_url(re.compile("region=number"))
    expect_number_explained(time)
    expect(inspected(time, "number")).to_be_focused()
    expect(past.locator("[data-marked]")).to_have_count(1)
    expect(past.locator("[data-region=number][data-marked]")).to_be_attached()
    # The forms of the past do nothing.
    past.get_by_role("button", name="Increment").press("Enter")
    expect(inspected(time, "root")).to_be_focused()
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    # Back goes from region to region, and not through the frame's own pages.
    time.go_back()
    expect_number_explained(time)
    time.go_back()
    expect(time.get_by_role("region", name=re.compile("^Region"))).to_have_count(0)
    expect(past.locator("[data-marked]")).to_have_count(0)


def test_the_list_of_regions_leads_to_each(server, actor, open_live):
    page = open_live(server, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    time = actor("/developer/time?url=/counter")

    time.locator(".causes").get_by_role("link", name="number").click()

    expect_number_explained(time)
    past = time.frame_locator("iframe")
    expect(past.locator("[data-region=number][data-marked]")).to_be_attached()
    inspected(time, "number").get_by_role("link", name="Close").click()
    expect(inspected(time, "number")).to_have_count(0)
    expect(past.locator("[data-region=number]")).to_be_attached()
    expect(past.locator("[data-marked]")).to_have_count(0)


def test_it_says_which_action_put_a_region_there(server, open_page):
    session = raw.Session(server)
    raw.get(server, ANIMALS)
    star = session.post(ANIMALS, "_form=rows&star=add~Dog", Accept="text/html")
    assert star.status == 303
    save = "_form=save&_token=one&anyway=yes&name=Otter&category=Mammal&diet=Carnivore"
    assert session.post(ANIMALS, save, Accept="text/html").status == 303
    query = urllib.parse.urlencode({"url": ANIMALS, "region": "detail"})
    time = open_page(server, "/developer/time?" + query)

    # The dog's star is what the detail shows; the animal that was added is in the list alone.
    detail = inspected(time, "detail")
    expect(detail).to_contain_text(re.compile(r"Put there by\s*data.persistentSession.didMarkAnimal"))
    expect(detail).to_contain_text(re.compile("Which began with.*, form “rows” at /animals"))
    detail.get_by_role("link", name="The page after that action").click()
    expect(time.get_by_role("heading", name="What data.persistentSession.didMarkAnimal did")).to_be_visible()
    expect(detail).to_contain_text("didMarkAnimal")
    time.goto(server.url + "/developer/time?" + query.replace("detail", "nothing"))
    expect(inspected(time, "nothing")).to_contain_text("the page has no such region")


# What frames cost.


def frames(page):
    return page.locator("[data-list=frames] > li")


@pytest.fixture
def count_frames(server, actor):
    """Waits until a page shows so many frames, which come a moment after what they show."""
    def count(page, number):
        if not actor.is_live:
            wait_until(
                lambda: raw.get(server, "/developer/cost").text.count("<li data-key=") >= number,
                "the frames are there")
            page.reload()
        expect(frames(page)).to_have_count(number)
    return count


def test_a_frame_shows_what_it_cost(server, actor, open_live, count_frames):
    page = open_live(server, "/counter")
    cost = actor("/developer/cost")
    expect(cost.get_by_text("No frame yet.")).to_be_visible()
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    count_frames(cost, 1)

    expect(frames(cost).first).to_contain_text("Counter didTapIncrementButton")
    frame = cost.get_by_role("region", name="A frame")
    row = frame.get_by_role("row")
    expect(row.filter(has_text="SelectValue")).to_have_text(
        re.compile(r"select SelectValue number of /counter CounterUI/Select\.swift:\d+\s+[\d.]+ µs\s+(< )?\d+%"))
    expect(row.filter(has_text="CounterNumber")).to_have_text(
        re.compile(r"render CounterNumber number of /counter\s+[\d.]+ µs"))
    for phase in ["reduce", "difference", "write"]:
        assert row.filter(has_text=phase).count() > 0, phase
    boxes = frame.get_by_role("img", name="Flame graph").locator("svg")
    expect(boxes.filter(has_text="select SelectValue")).to_have_count(1)
    totals = cost.get_by_role("region", name=re.compile("All frames together"))
    expect(totals).to_contain_text("Frames: 1.")
    expect(totals.get_by_role("table", name="By selector")).to_contain_text(
        re.compile(r"SelectValue.*updates: 1, with another output: 1"))
    expect(totals.get_by_role("table", name="By region")).to_contain_text(
        "number of /counter Counter, renders: 1")

    frame.get_by_role("link", name="didTapIncrementButton").click()
    expect(entries(cost)).to_have_count(1)


def test_an_older_frame_stays_open(server, actor, open_live, count_frames):
    page = open_live(server, "/counter")
    cost = actor("/developer/cost")
    press(page, "Increment")
    count_frames(cost, 1)
    frame = cost.get_by_role("region", name="A frame")
    frames(cost).first.get_by_role("link").click()
    heading = frame.get_by_role("heading").text_content()
    press(page, "Decrement")
    count_frames(cost, 2)

    expect(frame.get_by_role("heading")).to_have_text(heading)
    expect(frames(cost).nth(1)).to_have_attribute("aria-current", "true")
    cost.get_by_role("link", name="Newest").click()
    expect(frame).to_contain_text("didTapDecrementButton")


def test_frames_of_one_product_are_chosen(server, actor, open_live, count_frames):
    page = open_live(server, "/counter")
    open_live(server, "/animals?category=Mammal")
    cost = actor("/developer/cost")
    raw.Session(server).post(ANIMALS, "_form=rows&star=add~Dog", Accept="text/html")
    wait_until(lambda: "AnimalList" in raw.get(server, "/developer/cost").text, "a frame of animals")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    wait_until(
        lambda: "didTapIncrementButton" in raw.get(server, "/developer/cost").text, "one of the counter")

    cost.get_by_role("group", name="Product").get_by_role("link", name="Counter").click()
    expect(cost).to_have_url(re.compile("product=Counter"))
    count = frames(cost)
    expect(count).to_have_count(1)
    cost.reload()
    expect(count).to_have_count(1)
    expect(count).to_contain_text("Counter didTapIncrementButton")
    cost.get_by_role("group", name="Product").get_by_role("link", name="Animals").click()
    expect(count.filter(has_text="Animals").first).to_be_visible()
    expect(count.filter(has_text="Counter")).to_have_count(0)


def test_developer_pages_do_not_show_their_own_frames(server, open_live):
    page, log = open_live(server, "/counter"), open_live(server, "/developer")
    cost = open_live(server, "/developer/cost")
    press(page, "Increment")
    expect(frames(cost)).to_have_count(1)

    press(log, "Pause")
    expect(log.get_by_role("button", name="Resume")).to_be_visible()
    press(page, "Increment")
    expect(page.get_by_text("Value: 2", exact=True)).to_be_visible()
    press(log, "Resume")
    expect(log.get_by_role("button", name="Pause")).to_be_visible()
    press(page, "Increment")

    expect(frames(cost)).to_have_count(2)
    expect(frames(cost).filter(has_text="Counter")).to_have_count(2)
    press(cost, "Clear")
    expect(cost.get_by_text("No frame yet.")).to_be_visible()


@pytest.fixture
def dispatching(start_server):
    return start_server("--developer", "--developer-dispatch")


REFUSED = json.dumps({"ui": {"_0": {"animalList": {"_0": {
    "onTapDeleteSelectedAnimalButton": {"animalId": "Nobody"}}}}}})


def test_an_action_of_the_log_is_dispatched_by_hand(dispatching, open_page, open_live):
    page = open_live(dispatching, "/counter")
    press(page, "Increment")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    hand = open_page(dispatching, "/developer")
    entries(hand).filter(has_text="didTapIncrementButton").get_by_role("link").click()
    hand.get_by_role("link", name="Use this one to dispatch by hand").click()

    expect(hand.get_by_label("Product", exact=True)).to_have_value("Counter")
    expect(hand.get_by_label("Action, as JSON")).to_have_value(re.compile("didTapIncrementButton"))
    press(hand, "Dispatch")

    expect(hand.get_by_text("didTapIncrementButton was dispatched.")).to_be_visible()
    expect(page.get_by_text("Value: 2", exact=True)).to_be_visible()
    log = open_live(dispatching, "/developer")
    expect(entries(log).first).to_contain_text("from outside: a developer, by hand")
    logged = next(line for line in dispatching.output.splitlines() if "by hand" in line)
    assert "action=didTapIncrementButton product=Counter" in logged


def test_one_action_of_each_kind_is_there_to_begin_with(dispatching, open_page, open_live):
    page = open_live(dispatching, "/counter")
    for name in ["Increment", "Increment", "Decrement"]:
        press(page, name)
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()
    hand = open_page(dispatching, "/developer/dispatch")
    examples = hand.locator("[data-list=examples] > li")
    expect(examples).to_contain_text(["didTapDecrementButton", "didTapIncrementButton"])

    action = hand.get_by_label("Action, as JSON")
    for name in ["didTapIncrementButton", "didTapDecrementButton"]:
        # What was typed is of the action before.
        action.fill("something else")
        examples.filter(has_text=name).get_by_role("link").click()
        expect(action).to_have_value(re.compile(name))
    press(hand, "Dispatch")
    expect(page.get_by_text("Value: 0", exact=True)).to_be_visible()


@pytest.mark.parametrize("product, action, message", [
    ("Counter", '{"didTap": ', "This is not JSON."),
    ("Counter", '{"didTap": {}}', "This has to be one case of CounterAction, by its name."),
    ("Animals", REFUSED.replace('"Nobody"', "7"),
     "ui._0.animalList._0.onTapDeleteSelectedAnimalButton.animalId: Expected to decode String"),
    ("Animals", REFUSED.replace("animalId", "id"),
     "ui._0.animalList._0.onTapDeleteSelectedAnimalButton: There is no “animalId” here."),
    ("Animals", REFUSED, "Animals refused it: "),
], ids=["no JSON", "no case", "another type", "a part is missing", "refused"])
def test_what_is_wrong_with_an_action_is_said_where_it_was_typed(
        dispatching, open_page, product, action, message):
    hand = open_page(dispatching, "/developer/dispatch")
    raw.get(dispatching, "/animals")
    hand.get_by_label("Product", exact=True).select_option(product)
    text = hand.get_by_label("Action, as JSON")
    text.fill(action)
    press(hand, "Dispatch")

    form = hand.get_by_role("region", name="Dispatch by hand")
    expect(form.get_by_role("alert").filter(has_text=message)).to_be_visible()
    expect(text).to_have_value(action)
    expect(hand.get_by_label("Product", exact=True)).to_have_value(product)
    if "refused" not in message:
        expect(text).to_have_attribute("aria-invalid", "true")


def test_nobody_dispatches_by_hand_unless_it_was_asked_for(start_server):
    server = start_server("--developer")
    session = raw.Session(server)
    fields = "_form=dispatch&_token=one&product=Counter&json=%7B%22didTapIncrementButton%22%3A%7B%7D%7D"

    assert raw.get(server, "/developer/dispatch").status == 404
    assert "Dispatch" not in raw.get(server, "/developer").text
    assert session.post("/developer/dispatch", fields).status == 404
    assert session.post("/developer", fields).status == 404
    assert "Value: 0" in raw.get(server, "/counter").text


def test_nobody_elsewhere_dispatches_by_hand(start_server, tmp_path):
    token = tmp_path / "token"
    token.write_text("a-token-of-operators-which-is-long-enough")
    server = start_server(
        "--developer", "--developer-dispatch", "--metrics-token-file", str(token))
    operator = {"Authorization": f"Bearer {token.read_text()}"}
    fields = "_form=dispatch&_token=one&product=Counter&json=%7B%22didTapIncrementButton%22%3A%7B%7D%7D"
    session = raw.Session(server)

    for elsewhere in [{"X-Forwarded-For": "203.0.113.7"}, {"Host": "203.0.113.7"}]:
        for path in ["/developer", "/developer/dispatch"]:
            assert raw.get(server, path, **operator, **elsewhere).status == 404
            assert session.post(path, fields, **operator, **elsewhere).status == 404
    assert "Value: 0" in raw.get(server, "/counter").text
    assert session.post("/developer/dispatch", fields).status == 404
    assert session.post(
        "/developer/dispatch", fields, Accept="text/html", **operator).status == 303
    assert "Value: 1" in raw.get(server, "/counter").text
