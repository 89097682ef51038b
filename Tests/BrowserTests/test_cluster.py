"""Several Servers that share one state through a log in PostgreSQL."""

import concurrent.futures
import contextlib
import http.client
import json
import os
import re
import signal
import threading
import urllib.parse

import pytest
from playwright.sync_api import expect

from profiles import profile
from fake_feed import FakeFeed, feature
from kinds import thorough
from pictures import png
from postgresql import PostgreSQL
from proxies import NAME, NginxForSeveral
from quakes_page import AYNA, FEATURES, MINUTE, NOON, PLACES, QUAKES
from raw import FORM, STREAM, Session, Stream, counter_value, events, get, metrics, post, post_json
from servers import product_server
from test_animals import button, delete, expect_names, fill, save
from test_animals_pictures import DOG, expect_picture, expect_size, image
from test_animals_pictures import choose as choose_picture
from test_quakes import choose
from test_replay import run
from test_quakes import expect_names as expect_places
from test_proxy import ask, context, trusting_browser  # noqa: F401  (fixtures)
from waiting import wait_until

MAMMALS = "/animals?category=Mammal"
INCREMENT = "[data-form=increment] button"
DELETE_DOG = "_form=rows&row=delete~Dog&_token="
RETURN = 30_000  # a reconnection waits up to 15 s


@pytest.fixture(scope="module")
def postgresql():
    database = PostgreSQL()
    yield database
    database.end()


@pytest.fixture
def log(postgresql):
    """An empty database."""
    postgresql.start_if_stopped()
    postgresql.drop_log()
    return postgresql


@pytest.fixture
def feed():
    feed = FakeFeed()
    feed.features["day"] = list(FEATURES)
    yield feed
    feed.release()


@pytest.fixture
def start_node(log, feed, start_server):
    """Starts one more Server on the log."""
    return lambda *options: start_server("--log", log.url, "--quakes-feed", feed.url, *options)


@pytest.fixture
def nodes(start_node):
    return [start_node(), start_node()]


def expect_value(page, value):
    expect(page.locator(".value")).to_have_text(f"Value: {value}", timeout=RETURN)


def expect_live(page):
    expect(page.locator("html[data-live]")).to_be_attached(timeout=RETURN)


def increment(server, token):
    return post(server, "/counter", urllib.parse.urlencode({"_form": "increment", "_token": token}))


# MARK: One state


def test_a_change_at_one_server_shows_at_the_other(nodes, open_live):
    pages = [open_live(node, "/counter") for node in nodes]

    pages[0].click(INCREMENT)
    for page in pages:
        expect_value(page, 1)
    pages[1].click(INCREMENT)

    for page in pages:
        expect_value(page, 2)
    for page in pages:
        page.reload()
        expect_value(page, 2)


def test_a_picture_uploaded_to_one_server_shows_at_others_and_at_a_later_one(
        nodes, start_node, open_live):
    page, other = (open_live(node, DOG) for node in nodes)
    content = png()

    choose_picture(page, content)

    late = open_live(start_node(), DOG)
    for window in (page, other, late):
        expect_picture(window, content)
        expect_size(image(window), 64, 48)


def test_while_the_database_is_away_a_picture_is_refused_and_can_be_sent_again(
        log, nodes, open_live, plain):
    page = open_live(nodes[0], DOG)
    expect(page.locator("input[type=file]")).to_have_count(1)
    log.stop()

    choose_picture(page, png())

    alert = page.locator("form[data-form=setPicture]").get_by_role("alert")
    expect(alert).to_have_text("The picture could not be saved. Try again.")
    log.start()
    wait_until(lambda: get(nodes[0], "/readyz").status == 200, "it has the log again")
    expect_live(page)
    choose_picture(page, png())
    expect_picture(page, png())


@pytest.mark.both_ways
def test_an_animal_added_at_one_server_is_edited_and_deleted_at_the_other(nodes, open_page, open_live):
    page = open_page(nodes[0], "/animals?category=Mammal&sheet=add")
    other = open_live(nodes[1], "/animals?category=Mammal")
    fill(page, "Otter", diet="Carnivore")
    save(page)
    expect_names(other, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")

    other.get_by_role("link", name="Otter", exact=True).click()
    button(other, "Edit Otter").click()
    fill(other, "Sea otter")
    save(other)
    expect(other.get_by_role("heading", name="Sea otter")).to_be_visible()
    wait_until(lambda: "Sea otter" in get(nodes[0], "/animals?category=Mammal").text, "it is there, too")
    if not open_page.is_live:
        page.goto(nodes[0].url + "/animals?category=Mammal")
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Sea otter", "Southern gibbon")
    delete(page, "Sea otter")

    expect_names(other, "Cat", "Dog", "Red kangaroo", "Southern gibbon")
    # Until the effect has ended, the newest toast may be that of the addition.
    page.locator("#toast").filter(has_text="deleted.").get_by_role("button", name="Undo").click()
    expect_names(other, "Cat", "Dog", "Red kangaroo", "Sea otter", "Southern gibbon")


def test_the_first_servers_animal_limit_applies_to_all_servers(start_node):
    """All servers accept the same animals and refuse the same ones, wherever they are added."""
    nodes = [start_node("--animals-limit", "10"), start_node("--animals-limit", "20")]

    def add(number):
        body = f"_form=save&_token=t{number}&name=A{number}&category=Mammal&diet=Omnivore"
        return post(nodes[number % 2], "/animals", body).status

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(add, range(16)))

    assert (found.count(200), found.count(409)) == (4, 12)
    for node in nodes:
        page = "/animals?category=Mammal"
        wait_until(lambda: len(set(re.findall(r">A\d+<", get(node, page).text))) == 4, "all are there")
    assert "--animals-limit is that of the log's first server" in nodes[1].output
    assert "--animals-limit" not in nodes[0].output


def test_servers_with_sample_data_say_so_and_those_with_another_feed_do_not_join(log, start_server, tmp_path):
    sample = ["--log", log.url, "--quakes-feed", "sample"]
    nodes = [start_server(*sample), start_server(*sample)]

    code, _, error = run("--log", log.url, "--port", "0", "--data-directory", tmp_path)

    assert code != 0
    assert "its first server was started with --quakes-feed sample. Start this one so, too." in error
    for node in nodes:
        wait_until(lambda: "All earthquakes here are made up." in get(node, "/quakes").text, "it says so")


def test_earthquakes_fetched_by_one_server_show_at_the_other(nodes, feed, open_page, open_live):
    page = open_page(nodes[0], QUAKES)
    other = open_live(nodes[1], QUAKES)
    # Until its database has been read, a page without JavaScript reloads itself, which closes menus.
    wait_until(lambda: "http-equiv=\"refresh\"" not in get(nodes[0], QUAKES).text, "nothing is being read")
    page.reload()

    choose(page, "Refresh", "Past day")

    for window in [page, other]:
        expect_places(window, *PLACES)
    assert len(feed.requests) == 1


def test_a_refresh_is_logged_as_its_changes(nodes, log, feed):
    def refresh(node, token):
        assert post(node, QUAKES, f"_form=refresh&range=allMonth&_token={token}").status == 200

    feed.features["month"] = [feature(f"q{number}", 1 + number % 5, time=NOON + number) for number in range(2_000)]
    refresh(nodes[0], "first")
    metrics(nodes[1], lambda found: found["quakes"] == 2_000)
    feed.features["month"][7] = feature("q7", 6.5, time=NOON + 7, updated=NOON + MINUTE)
    feed.features["month"].append(feature("new", 3, time=NOON + 2_000))

    refresh(nodes[1], "second")
    metrics(nodes[0], lambda found: found["quakes"] == 2_001)

    whole, changes = map(int, log.query(
        "SELECT octet_length(payload) FROM action_log.entry"
        " WHERE convert_from(payload, 'UTF8') LIKE '%remoteStore%didFetchQuakes%' ORDER BY sequence"))
    assert whole > 100 * 2_000
    assert changes < 2_000


def test_a_resent_post_counts_once_whichever_server_gets_it(nodes):
    first = increment(nodes[0], "a-token-of-a-browser")
    again = [increment(node, "a-token-of-a-browser") for node in nodes + nodes]

    assert first.status == 200
    assert {(answer.status, answer.json["version"]) for answer in again} == {
        (200, first.json["version"])}
    for node in nodes:
        wait_until(lambda: counter_value(node) == 1, "it has counted once")


def delete_dog(server, token):
    return post(server, MAMMALS, DELETE_DOG + token)


def test_a_post_that_is_refused_leaves_no_entry(nodes, log):
    """However often it is sent, and to whichever server. Visitors cannot fill the log so."""
    assert delete_dog(nodes[0], "the-first").status == 200
    for node in nodes:
        wait_until(lambda: not has_dog(node), "it is deleted")

    answers = [delete_dog(node, f"token-{number}").status for number in range(20) for node in nodes]

    assert set(answers) == {404}
    assert log.query("SELECT count(*) FROM action_log.entry"
                     " WHERE convert_from(payload, 'UTF8') LIKE '%onTapDelete%'") == ["1"]
    assert [delete_dog(node, "the-first").status for node in nodes] == [200, 200]


def test_of_two_posts_at_once_the_second_is_refused_by_the_log_and_counted(nodes, log):
    """Each server accepts its own before it knows of the other's."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        with log.locked("base"):
            posts = [pool.submit(delete_dog, node, f"token-{node.port}") for node in nodes]
            wait_until(lambda: log.query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                         " AND query LIKE '%action_log.append%'") == ["2"], "both are being appended")
        answers = sorted(post.result().status for post in posts)

    assert answers in ([200, 409], [200, 404])  # the first deletion may have ended before
    assert sum(metrics(node)["log_conflicts_total"] for node in nodes) == 1


def test_an_edit_resent_to_another_server_does_not_conflict_with_itself(nodes, plain):
    path = "/animals/Dog?category=Mammal&sheet=edit"
    plain.goto(nodes[0].url + path)
    fill(plain, "Hound")
    # Firefox tells of no post what it contains.
    body = plain.get_by_role("button", name="Save", exact=True).evaluate(
        "(button) => `${new URLSearchParams(new FormData(button.form, button))}`")
    save(plain)
    expect(plain.get_by_role("heading", name="Hound")).to_be_visible()

    answers = [post(node, path, body) for node in [nodes[1], *nodes]]

    assert [answer.status for answer in answers] == [200] * 3, [answer.text for answer in answers]
    assert len({answer.json["version"] for answer in answers}) == 1


class Visitor:
    """A browser without JavaScript whose requests may reach any server."""

    def __init__(self, server):
        self.session = Session(server)
        self.receipt = None

    @property
    def cookie(self):
        return "; ".join(filter(None, [self.session.cookie, self.receipt]))

    def delete_dog(self, server, token="delete-dog"):
        return self._post(server, DELETE_DOG + token)

    def undo(self, server, token):
        return self._post(server, f"_form=_undo&_submission={self.submission}&_token={token}")

    def _post(self, server, fields):
        answer = post(server, MAMMALS, fields, Accept="text/html", Cookie=self.session.cookie)
        self.receipt = (answer.headers["Set-Cookie"] or "").partition(";")[0] or None
        return answer

    def find_undo(self, server):
        text = get(server, MAMMALS, Cookie=self.cookie).text
        self.submission = re.search(r'name="_submission" value="([^"]+)"', text)[1]


def has_dog(server):
    return ">Dog<" in get(server, MAMMALS).text


def test_a_post_can_be_undone_at_any_server_but_only_once(nodes):
    visitor, other = Visitor(nodes[0]), Visitor(nodes[1])
    assert visitor.delete_dog(nodes[0]).status == 303
    visitor.find_undo(nodes[0])
    wait_until(lambda: not has_dog(nodes[1]), "it is deleted there too")
    other.submission = visitor.submission

    foreign = [other.undo(node, "foreign") for node in nodes]
    mine = [visitor.undo(nodes[1], "first"), visitor.undo(nodes[0], "second"), visitor.undo(nodes[1], "first")]

    assert [answer.status for answer in foreign] == [410, 410]
    assert [answer.status for answer in mine] == [303] * 3
    for node in nodes:
        wait_until(lambda: has_dog(node), "it is back")
    # A later post is not undone with it.
    assert visitor.delete_dog(nodes[0], "again").status == 303
    wait_until(lambda: not has_dog(nodes[1]), "it is deleted again")
    visitor.undo(nodes[1], "third")
    assert not has_dog(nodes[1]) and not has_dog(nodes[0])


def test_a_post_resent_to_another_server_is_confirmed_and_can_be_undone_there(nodes):
    visitor = Visitor(nodes[0])
    visitor.delete_dog(nodes[0])
    wait_until(lambda: not has_dog(nodes[1]), "it is deleted there too")

    visitor.delete_dog(nodes[1])  # its answer was lost

    text = get(nodes[1], MAMMALS, Cookie=visitor.cookie).text
    assert "Dog deleted." in text
    visitor.submission = re.search(r'name="_submission" value="([^"]+)"', text)[1]
    assert visitor.undo(nodes[1], "undo").status == 303
    wait_until(lambda: has_dog(nodes[0]), "it is back")


def test_a_session_of_one_server_is_valid_at_the_other(nodes, context):
    page = context.new_page()
    for node in nodes:
        page.goto(node.url + "/counter")

    (cookie,) = [cookie for cookie in context.cookies() if cookie["name"] == "session"]
    for node in nodes:
        answer = get(node, "/counter", Cookie=f"session={cookie['value']}")
        assert answer.headers["Set-Cookie"] is None


def test_readiness_and_metrics_show_how_far_a_server_is_behind(nodes, log):
    def lag(node):
        entries, seconds = re.fullmatch(
            r"(?:.*\.|ready)\nlog_lag_entries (\d+)\nlog_lag_seconds ([\d.]+)\n", get(node, "/readyz").text).groups()
        return int(entries), float(seconds)

    increment(nodes[0], "a-token")
    wait_until(lambda: counter_value(nodes[1]) == 1, "the other has it")
    assert lag(nodes[1])[0] == 0
    log.stop()
    wait_until(lambda: get(nodes[1], "/readyz").status == 503, "it is not ready")
    before = lag(nodes[1])[1]
    wait_until(lambda: lag(nodes[1])[1] > before + 1, "its state is older")
    metrics(nodes[1], lambda found: found["log_lag_seconds"] > before)
    log.start()
    wait_until(lambda: get(nodes[1], "/readyz").status == 200, "it is ready again", seconds=30)

    wait_until(lambda: lag(nodes[1]) < (1, before), "it has everything again")
    metrics(nodes[1], lambda found: found["log_lag_entries"] == 0)


def test_metrics_count_appends_folds_and_resends_and_show_the_leader(nodes):
    for token in ["one", "two", "two"]:
        increment(nodes[0], f"a-token-of-{token}")
    increment(nodes[1], "a-token-of-two")

    # A post that is resent to the same server does not reach the log.
    expected = {"log_append_seconds_count": [2, 1], "log_fold_seconds_count": [2, 2], "log_known_total": [0, 1]}
    for name, values in expected.items():
        for node, value in zip(nodes, values):
            metrics(node, lambda found: found[name] == value)
    wait_until(lambda: sum(metrics(node)["log_leads"] for node in nodes) == 1, "one of them leads")
    for name in ["log_takeovers_total", "log_fenced_total", "log_conflicts_total"]:
        assert [metrics(node)[name] for node in nodes] == [0, 0]


# MARK: Servers that end


def test_a_joining_server_has_the_earlier_actions(nodes, start_node):
    for number in range(20):
        increment(nodes[number % 2], f"token-{number}")

    third = start_node()

    assert counter_value(third) == 20
    wait_until(lambda: get(third, "/readyz").status == 200, "it is ready")


@pytest.mark.parametrize("end", ["terminate", *thorough("kill")])
def test_answered_posts_survive_the_end_of_all_servers(nodes, end, start_node):
    for number in range(20):
        assert increment(nodes[number % 2], f"token-{number}").status == 200

    for node in nodes:
        getattr(node, end)()

    third = start_node()
    assert counter_value(third) == 20
    assert increment(third, "token-7").status == 200
    assert counter_value(third) == 20


def test_servers_go_on_where_a_restored_backup_ends(nodes, log, tmp_path):
    """It is made while they run."""
    for number in range(20):
        increment(nodes[number % 2], f"token-{number}")
    log.back_up(tmp_path / "backup")
    assert increment(nodes[0], "lost").status == 200
    for node in nodes:
        assert node.terminate() == 0

    log.restore(tmp_path / "backup")

    for node in nodes:
        node.start()
        assert counter_value(node) == 20
    assert increment(nodes[0], "token-7").status == 200  # counted before
    assert increment(nodes[1], "lost").status == 200
    for node in nodes:
        wait_until(lambda: counter_value(node) == 21, "both have the same state")


def test_a_half_filled_form_survives_its_server(nodes, open_live):
    page = open_live(nodes[0], "/animals?category=Mammal&sheet=add")
    other = open_live(nodes[1], "/animals?category=Mammal")
    fill(page, "Otter", diet="Carnivore")

    nodes[0].restart()  # another server at its address

    expect_live(page)
    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    save(page)
    expect_names(other, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    expect(page.get_by_role("heading", name="Otter")).to_be_visible()


def test_another_server_finishes_what_a_killed_one_began(nodes, feed, open_live):
    feed.hold()
    page = open_live(nodes[1], QUAKES)
    post(nodes[0], QUAKES, urllib.parse.urlencode(
        {"_form": "refresh", "_token": "refresh-token", "range": "allDay"}))
    assert feed.held.wait(10)
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    feed.held.clear()

    nodes[0].kill()
    assert feed.held.wait(30), "the other asks the feed"
    feed.release()

    expect_places(page, *PLACES)
    assert "The effects of another server run here" in nodes[1].output


def test_a_server_that_was_stopped_until_entries_were_removed_goes_on(nodes, log, start_node, open_live):
    page = open_live(nodes[0], "/counter")
    increment(nodes[0], "before")
    expect_value(page, 1)

    with nodes[0].paused():
        for number in range(5):
            increment(nodes[1], f"meanwhile-{number}")
        assert nodes[1].terminate() == 0  # saves a snapshot
        log.query("DELETE FROM action_log.entry WHERE sequence < (SELECT max(sequence) FROM action_log.snapshot)")

    expect_value(page, 6)
    assert "This server continues with a snapshot" in nodes[0].output
    page.click(INCREMENT)
    expect_value(page, 7)
    assert counter_value(start_node()) == 7


# MARK: A log that is away


def test_while_the_log_is_away_pages_are_read_and_posts_wait(nodes, log, open_live):
    page = open_live(nodes[0], "/counter")
    page.click(INCREMENT)
    expect_value(page, 1)

    log.stop()
    wait_until(lambda: get(nodes[0], "/readyz").status == 503, "it is not ready")
    assert "The log cannot be reached." in get(nodes[0], "/readyz").text
    assert get(nodes[0], "/healthz").status == 200
    assert counter_value(nodes[0]) == 1
    expect(page.locator("#connection")).to_contain_text("Connection lost.")
    page.click(INCREMENT)
    refused = increment(nodes[1], "token-while-away")
    assert refused.status == 503
    metrics(nodes[1], lambda found: found["log_ready"] == 0 and found["log_append_failures_total"] > 0)
    assert "Nothing is lost" in refused.json["message"]
    log.start()

    expect_value(page, 2)
    wait_until(lambda: get(nodes[0], "/readyz").status == 200, "it is ready again", seconds=30)
    expect_value(open_live(nodes[1], "/counter"), 2)
    assert increment(nodes[1], "token-while-away").status == 200
    wait_until(lambda: counter_value(nodes[0]) == 3, "the other has it too")


def test_while_the_standby_is_lost_posts_wait_until_it_is_given_up(nodes, log):
    """A commit waits for it, and the database does not say so."""
    assert increment(nodes[0], "before").status == 200
    log.set_standby("lost")
    try:
        assert increment(nodes[0], "meanwhile").status == 503
        for node in nodes:
            wait_until(lambda: get(node, "/readyz").status == 503, "it is not ready", seconds=30)
            assert get(node, "/counter").status == 200
    finally:
        log.set_standby("")

    for node in nodes:
        wait_until(lambda: get(node, "/readyz").status == 200, "it is ready again", seconds=30)
    assert increment(nodes[1], "meanwhile").status == 200
    for node in nodes:
        wait_until(lambda: counter_value(node) == 2, "it counts once")


def test_a_server_ends_when_another_log_is_behind_its_address(nodes, log, start_node):
    """As after a change of a DNS entry. Nothing of one log gets into the other, or onto the pages of its servers."""
    for number in range(5):
        increment(nodes[0], f"t{number}")
    wait_until(lambda: counter_value(nodes[1]) == 5, "the other server knows it")
    log.query("ALTER SCHEMA action_log RENAME TO old")
    wait_until(lambda: get(nodes[0], "/readyz").status == 503, "the log is away")
    new = start_node()
    for number in range(9):
        assert increment(new, f"new{number}").status == 200

    for node in nodes:
        assert node.wait() != 0
        assert "The database has another log than the one that was used before." in node.output
    assert counter_value(new) == 9
    nodes[0].start()
    assert counter_value(nodes[0]) == 9
    log.query("DROP SCHEMA old CASCADE")


def test_while_the_log_is_away_no_stream_opens(nodes, log):
    """Its windows would show what may be old, while another server may reach the log."""
    log.stop()
    wait_until(lambda: get(nodes[0], "/readyz").status == 503, "it is not ready")

    with Stream(nodes[0]) as refused:
        assert (refused.status, refused.headers["Retry-After"]) == (503, "2")

    log.start()
    wait_until(lambda: get(nodes[0], "/readyz").status == 200, "it is ready again", seconds=30)
    with Stream(nodes[0]) as stream:
        assert stream.status == 200


def test_without_javascript_a_post_that_cannot_be_saved_shows_an_error_and_keeps_the_input(
        nodes, log, plain):
    plain.goto(nodes[0].url + "/animals?category=Mammal&sheet=add")
    fill(plain, "Otter", diet="Carnivore")
    log.stop()

    save(plain)

    expect(plain.get_by_text("This cannot be saved at the moment.")).to_be_visible()
    expect(plain.get_by_label("Name", exact=True)).to_have_value("Otter")
    log.start()
    wait_until(lambda: get(nodes[0], "/readyz").status == 200, "it is ready again", seconds=30)
    save(plain)
    expect(plain.get_by_role("heading", name="Otter")).to_be_visible()


def test_without_javascript_pages_say_that_they_may_be_out_of_date_while_the_log_is_away(nodes, log, plain):
    # A search by text ignores what is in noscript.
    text = plain.locator("noscript > [role=status]")
    plain.goto(nodes[0].url + "/counter")
    expect(text).to_have_count(0)
    log.stop()
    wait_until(lambda: get(nodes[0], "/readyz").status == 503, "it is not ready")

    plain.reload()
    expect(text).to_be_visible()
    expect(text).to_contain_text("This page may be out of date")
    log.start()
    wait_until(lambda: get(nodes[0], "/readyz").status == 200, "it is ready again", seconds=30)
    plain.reload()
    expect(text).to_have_count(0)


def test_an_unreachable_log_is_reported_at_start(log, feed):
    server = product_server("--log", "postgres://nobody@127.0.0.1:1/none")

    with pytest.raises(RuntimeError, match="The log cannot be reached"):
        server.start()


# MARK: Behind nginx


@pytest.fixture
def cluster(start_node, tmp_path):
    """Three servers behind nginx."""
    options = ["--allowed-hosts", NAME, "--trusted-proxy", "127.0.0.1"]
    servers = [start_node(*options) for _ in range(3)]
    proxy = NginxForSeveral(servers, tmp_path)
    yield proxy.start(), servers
    proxy.end()


def test_windows_of_a_killed_server_continue_on_another(cluster, context, open_live):
    proxy, servers = cluster
    pages = [open_live(proxy, path) for path in ["/counter", "/counter", "/animals?category=Mammal"]]
    pages[0].click(INCREMENT)
    expect_value(pages[1], 1)
    (owner,) = [server for server in servers if metrics(server)["streams"] > 0]

    owner.kill()

    pages[0].click(INCREMENT)
    expect_value(pages[1], 2)
    for page in pages:
        expect_live(page)
    pages[0].click(INCREMENT)
    for page in pages[:2]:
        expect_value(page, 3)
    for server in servers:
        assert server is owner or counter_value(server) == 3


def test_a_server_whose_state_differs_says_where_ends_and_joins_anew(cluster, log, open_live):
    """As if its memory had been damaged at one entry: its state is not the one that the log leads to. While it is away,
    its window is live at another server."""
    proxy, servers = cluster
    damaged, *others = servers
    for server in others:
        server.kill()
    page = open_live(proxy, "/counter")
    for number in range(130):
        assert increment(damaged, f"before-{number}").status == 200
    expect_value(page, 130)
    log.query("UPDATE action_log.entry SET payload = convert_to("
              "replace(convert_from(payload, 'UTF8'), 'Increment', 'Decrement'), 'UTF8') WHERE sequence = 100")
    for server in others:
        server.start()
        assert counter_value(server) == 128
    increment(damaged, "tells-of-its-state")
    wait_until(lambda: "Another server's state differs from the log" in others[0].output, "others notice")

    increment(others[0], "tells-of-the-right-one")

    assert damaged.wait() != 0
    # Every 64 entries, and between them as often as there is time for it.
    found = re.search(r"After entry (\d+) the state differs from that of the log; after entry (\d+) it was still right",
                      damaged.output)
    assert found and 64 <= int(found[2]) < 100 <= int(found[1]) <= 128, damaged.output
    assert "it differs in /counter/value." in damaged.output
    expect_live(page)
    expect_value(page, 130)
    page.click(INCREMENT)
    expect_value(page, 131)
    damaged.start()  # as its supervisor does
    wait_until(lambda: get(damaged, "/readyz").status == 200, "it is ready again")
    assert counter_value(damaged) == 131
    assert increment(damaged, "afterwards").status == 200
    expect_value(page, 132)
    for server in servers:
        wait_until(lambda: counter_value(server) == 132, "all have the same state")


def test_while_the_database_is_away_pages_are_read_behind_nginx_and_posts_keep_their_input(cluster, log):
    """However many posts the servers have refused by then."""
    proxy, servers = cluster
    log.stop()
    for server in servers:
        wait_until(lambda: get(server, "/readyz").status == 503, "it is not ready")

    for number in range(10):
        status, _, text = ask(
            proxy, f"{MAMMALS}&sheet=add", "POST",
            f"_form=save&_token=otter-{number}&name=Otter&diet=Carnivore&category=Mammal",
            Content_Type=FORM, Accept="text/html")
        assert status == 503
        assert "This cannot be saved at the moment." in text and 'value="Otter"' in text
        status, _, text = ask(proxy, "/counter")
        assert status == 200
        assert "This page may be out of date" in text


def test_a_window_joins_the_first_stream_that_its_server_gets_after_a_restart(cluster):
    """nginx takes the server for away as long as it has answered nothing completely, and a stream goes on."""
    proxy, servers = cluster
    cookie = Session(servers[0]).cookie
    with stream_through(proxy, cookie) as stream:
        owner = next(server for server in servers if has_stream(server, cookie, stream))
    owner.kill()
    with stream_through(proxy, cookie) as stream:  # nginx notices
        assert any(has_stream(server, cookie, stream) for server in servers if server is not owner)
    owner.start()

    def status_of_first_join():
        """None as long as nginx gives the server no stream."""
        with stream_through(proxy, cookie) as stream:
            if has_stream(owner, cookie, stream):
                return ask(proxy, "/_/windows", "POST", json.dumps(joining(stream)), Cookie=cookie,
                           Content_Type="application/json")[0]

    assert wait_until(status_of_first_join, "nginx gives the server a stream again") == 201


@contextlib.contextmanager
def stream_through(proxy, cookie):
    """The id of a stream that a proxy passes on."""
    with proxy.connection() as connection:
        connection.request("GET", STREAM, headers={"Host": f"{NAME}:{proxy.port}", "Cookie": cookie})
        _, _, data = next(events(connection.getresponse()))
        yield data["stream"]


def has_stream(server, cookie, stream):
    """Whether a window can join a stream at a server itself."""
    return post_json(server, "/_/windows", joining(stream), Cookie=cookie).status == 201


def joining(stream):
    return {"stream": stream, "at": "/counter", "navigation": 1}


# Notes when the page begins and ceases to be live.
WATCH = """() => {
  const root = document.documentElement;
  window.lives = [];
  new MutationObserver(() => window.lives.push([performance.now(), root.hasAttribute("data-live")]))
    .observe(root, { attributes: true, attributeFilter: ["data-live"] });
}"""
MOVE = """() => {
  const gone = window.lives.find(([, isLive]) => !isLive);
  const back = window.lives.findLast(([, isLive]) => isLive);
  return gone && back && back[0] > gone[0] ? back[0] - gone[0] : null;
}"""


def test_windows_of_a_killed_server_are_live_at_another_within_three_seconds(cluster, trusting_browser, complaints):
    """A busy machine may delay them, but not each time."""
    proxy, servers = cluster
    with contextlib.ExitStack() as ends:
        pages = []
        for _ in range(6):  # each has a session of its own, so they are spread over the servers
            context = ends.enter_context(profile(trusting_browser, complaints))
            pages.append(open_window(context, f"{proxy.url}/counter"))
        slowest = []
        while not slowest or slowest[-1] > 3_000:
            for page in pages:
                page.evaluate(WATCH)
            # Servers count their streams when there is a frame.
            increment(servers[0], f"round-{len(slowest)}")
            wait_until(lambda: sum(map(streams, servers)) == len(pages), "all windows are live")
            owner = max(servers, key=streams)
            count = streams(owner)
            owner.kill()
            wait_until(lambda: len(moves(pages)) == count, lambda: f"{moves(pages)} of {count}", seconds=30)
            slowest.append(max(moves(pages)))
            owner.start()
            assert len(slowest) < 4, slowest
        print(f"the slowest of {count:.0f} windows was live elsewhere after {slowest[-1]:.0f} ms")


def open_window(context, url):
    page = context.new_page()
    page.goto(url)
    expect_live(page)
    return page


def streams(server):
    return metrics(server).get("streams", 0)


def moves(pages):
    """How long those windows were not live that have lost their server, in milliseconds."""
    return [time for page in pages if (time := page.evaluate(MOVE)) is not None]


def test_a_post_to_a_killed_server_can_be_undone_at_another(cluster, context, open_live):
    proxy, servers = cluster
    page = open_live(proxy, MAMMALS)
    names = page.locator("[data-list=animals] a")
    page.get_by_role("button", name="Delete Dog").click()
    undo = page.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    undo.hover()  # so that the toast stays
    (owner,) = [server for server in servers if metrics(server)["streams"] > 0]

    owner.kill()
    undo.click()

    expect(names).to_have_text(["Cat", "Dog", "Red kangaroo", "Southern gibbon"], timeout=RETURN)
    for server in servers:
        if server is not owner:
            wait_until(lambda: has_dog(server), "it is back there too")


def test_a_page_and_its_window_may_be_at_different_servers(cluster, context, open_live):
    """The first request has no cookie, and may reach any server."""
    proxy, servers = cluster
    for _ in range(4):
        context.clear_cookies()
        page = open_live(proxy, "/counter")
        before = counter_value(servers[0])
        page.click(INCREMENT)
        expect_value(page, before + 1)
        page.close()


def test_without_javascript_each_request_may_reach_another_server(cluster, trusting_browser, complaints):
    """The page after a post shows it, with its toast, whichever server answers."""
    proxy, servers = cluster
    with profile(trusting_browser, complaints, java_script_enabled=False) as context:
        page = context.new_page()
        names = page.locator("[data-list=animals] a")
        toast = page.locator("#toast")
        answered_by = set()
        page.goto(proxy.url + MAMMALS)
        for _ in range(6):
            before = [appended(server) for server in servers]

            page.get_by_role("button", name="Delete Dog").click()
            expect(names).to_have_text(["Cat", "Red kangaroo", "Southern gibbon"])
            expect(toast).to_contain_text("Dog deleted.")
            toast.get_by_role("button", name="Undo").click()
            expect(names).to_have_text(["Cat", "Dog", "Red kangaroo", "Southern gibbon"])
            expect(toast).not_to_contain_text("Dog deleted.")
            page.reload()
            expect(toast).to_be_hidden()

            answered_by |= {number for number, server in enumerate(servers) if appended(server) > before[number]}
        assert len(answered_by) > 1


def appended(server):
    return metrics(server)["log_append_seconds_count"]


# MARK: Everything together


@pytest.fixture
def whole(start_server, tmp_path):
    """PostgreSQL with a synchronous standby, three servers, and nginx."""
    with contextlib.ExitStack() as ends:
        primary = PostgreSQL(is_durable=True)
        ends.callback(primary.end)
        standby = PostgreSQL(primary, is_durable=True)
        ends.callback(standby.end)
        url = primary.url.replace(f":{primary.port}/", f":{primary.port},127.0.0.1:{standby.port}/")
        servers = [start_server("--log", url, "--quakes-feed", "sample", "--allowed-hosts", NAME,
                                "--trusted-proxy", "127.0.0.1") for _ in range(3)]
        proxy = NginxForSeveral(servers, tmp_path)
        proxy.start()
        ends.callback(proxy.end)
        yield proxy, servers, primary, standby


def test_a_standby_is_promoted_behind_nginx_while_visitors_post_and_read(whole, context, open_live):
    proxy, servers, primary, standby = whole
    pages = [open_live(proxy, "/counter") for _ in range(2)]
    is_over = threading.Event()

    def visit(number):
        """Posts until it is over, each post until it is answered. Returns the versions in the answers."""
        versions = []
        while not is_over.is_set():
            token = f"visitor-{number}-{len(versions)}-token"
            versions.append(wait_until(lambda: increment_at(proxy, token), "it is answered", seconds=60))
            assert ask(proxy, MAMMALS)[0] == 200  # also while there is no database
        return versions

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        visitors = [pool.submit(visit, number) for number in range(4)]
        try:
            wait_until(lambda: counter_value(servers[0]) > 20, "visitors post")
            pages[0].click(INCREMENT)
            primary.kill()
            for server in servers:
                wait_until(lambda: get(server, "/readyz").status == 503, "it is not ready")
            pages[1].click(INCREMENT)
            standby.query("SELECT pg_promote()")
            before = counter_value(servers[0])
            wait_until(lambda: counter_value(servers[0]) > before + 20, "visitors post again", seconds=60)
        finally:
            is_over.set()
        versions = [version for visitor in visitors for version in visitor.result(60)]

    count = len(versions) + 2
    for page in pages:
        expect_value(page, count)
    assert len(set(versions)) == len(versions)
    entries = set(standby.query("SELECT sequence FROM action_log.entry"
                                " WHERE convert_from(payload, 'UTF8') LIKE '%didTapIncrementButton%'"))
    assert len(entries) == count and set(map(str, versions)) <= entries
    for server in servers:
        wait_until(lambda: counter_value(server) == count, "it has everything")


WAITING = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%action_log.append%'"


@pytest.mark.parametrize("has_it", [True, False], ids=["with it", "without it"])
def test_a_click_counts_once_that_the_primary_has_and_the_promoted_standby_may_have(whole, context, open_live, has_it):
    """Its page is not answered before the primary fails."""
    proxy, servers, primary, standby = whole
    page, other = (open_live(proxy, "/counter") for _ in range(2))
    if has_it:
        primary.set_standby("another")
    else:
        (sender,) = primary.query("SELECT pid FROM pg_stat_replication")
        os.kill(int(sender), signal.SIGSTOP)

    page.click(INCREMENT)
    wait_until(lambda: primary.query(f"SELECT pid {WAITING}"), "it waits for the standby")
    clicks = "SELECT sequence FROM action_log.entry WHERE convert_from(payload, 'UTF8') LIKE '%didTapIncrementButton%'"
    if has_it:
        wait_until(lambda: standby.query(clicks), "the standby has it")
    other.click(INCREMENT)
    primary.kill()
    assert len(standby.query(clicks)) == int(has_it)
    standby.query("SELECT pg_promote()")

    for each in (page, other):
        expect_value(each, 2)
        expect(each.locator("[aria-busy]")).to_have_count(0, timeout=RETURN)
    assert len(standby.query(clicks)) == 2
    for server in servers:
        wait_until(lambda: counter_value(server) == 2, "it has everything")


def test_a_server_that_has_read_what_the_promoted_standby_lacks_ends_and_begins_anew():
    """A commit that waits for the standby counts once its session is ended, so others can read it."""
    with contextlib.ExitStack() as ends, concurrent.futures.ThreadPoolExecutor(1) as pool:
        primary = PostgreSQL()
        ends.callback(primary.end)
        standby = PostgreSQL(primary)
        ends.callback(standby.end)
        address = primary.url.replace(f":{primary.port}/", f":{primary.port},127.0.0.1:{standby.port}/")
        first, other = (product_server("--log", address, "--quakes-feed", "sample") for _ in range(2))
        for server in (first, other):
            ends.callback(server.kill)
            server.start()
        assert increment(first, "answered").status == 200
        (sender,) = primary.query("SELECT pid FROM pg_stat_replication")
        os.kill(int(sender), signal.SIGSTOP)
        post = pool.submit(increment, first, "not-answered")
        wait_until(lambda: primary.query(f"SELECT pid {WAITING}"), "it waits for the standby")
        primary.query(f"SELECT pg_terminate_backend(pid) {WAITING}")
        wait_until(lambda: counter_value(other) == 2, "the other has read it")
        first.kill()
        assert post.exception() is not None

        primary.kill()
        standby.query("SELECT pg_promote()")

        assert other.wait(60) != 0
        assert "was read before" in other.output
        for server in (first, other):
            server.start()
            assert counter_value(server) == 1
        assert increment(other, "not-answered").status == 200
        wait_until(lambda: counter_value(first) == 2, "it counts once")


def increment_at(proxy, token):
    """The version of a post through nginx; None if it was not answered."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        status, _, text = ask(proxy, "/counter", "POST", f"_form=increment&_token={token}",
                              Content_Type=FORM, Accept="application/json")
        assert status in (200, 503), (status, text)
        return json.loads(text)["version"] if status == 200 else None


# MARK: What happens outside


def test_a_leader_that_was_stopped_past_its_lease_writes_nothing_under_it(start_node, log, feed):
    """It has asked the feed while it led, and gets the answer afterwards. It does not find out before that another leads,
    because the lease that it asks for first, its own, is locked."""
    for range in ["day", "week", "month"]:
        feed.features[range] = list(FEATURES)
    feed.hold()
    options = ["--quakes-refresh", "1m", "--quakes-timeout", "60"]
    nodes = [start_node(*options) for _ in "12"]
    assert feed.held.wait(30)
    leader = wait_until(lambda: next(filter(leads, nodes), None), "one leads")
    (other,) = (node for node in nodes if node is not leader)
    (holder,) = log.query("SELECT holder FROM action_log.lease WHERE name = 'leader'")

    with log.locked(f"lease WHERE name = 'node/{holder}'"):
        wait_until(lambda: log.query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"), "it waits")
        with leader.paused():
            wait_until(lambda: leads(other), "another leads")
            feed.release()
        metrics(leader, lambda found: found["log_fenced_total"] > 0)

    metrics(leader, lambda found: found["log_leads"] == 0)
    for node in nodes:
        metrics(node, lambda found: found["quakes"] == len(FEATURES))
    assert metrics(other)["log_fenced_total"] == 0
    assert holder not in log.query(
        "SELECT node FROM action_log.entry WHERE convert_from(payload, 'UTF8') LIKE '%remoteStore%didFetchQuakes%'")


def leads(node):
    return metrics(node).get("log_leads") == 1


def test_scheduled_refreshes_continue_when_the_fetching_server_is_killed(start_node, feed, open_live):
    for range in ["day", "week", "month"]:
        feed.features[range] = [feature for feature in FEATURES if feature["id"] != "ayna"]
    first = start_node("--quakes-refresh", "1m")
    wait_until(lambda: feed.requests, "it refreshes")
    second = start_node("--quakes-refresh", "1m")
    page = open_live(second, QUAKES)
    expect_places(page, *PLACES[1:])
    post(second, QUAKES, "_form=deleteSelected&quakeId=tonga&_token=delete")
    expect_places(page, *PLACES[2:])
    for range in ["day", "week", "month"]:
        feed.features[range] = list(FEATURES)

    first.kill()

    # The other server refreshes soon, and knows which earthquakes were deleted.
    expect(page.get_by_role("link", name=AYNA).first).to_be_visible(timeout=RETURN)
    expect_places(page, AYNA, *PLACES[2:])


# MARK: Options


def test_log_and_animals_api_cannot_be_used_together():
    server = product_server(
        "--log", "postgres://nobody@127.0.0.1:1/none", "--animals-api", "http://127.0.0.1:1")

    with pytest.raises(RuntimeError, match="--log and --animals-api cannot be used together"):
        server.start()


# MARK: Developer pages, recordings and reports


@pytest.fixture
def looked_into(start_node):
    """A server with developer pages, and another server."""
    return [start_node("--developer", "--developer-dispatch"), start_node()]


def newest_entry(page):
    return page.locator("[data-list=entries] > li").first


def test_developers_see_the_actions_of_all_servers(looked_into, open_live, open_page):
    node, other = looked_into
    log = open_live(node, "/developer")
    version = increment(other, "token-of-elsewhere").json["version"]

    expect(newest_entry(log)).to_contain_text("didTapIncrementButton")
    newest_entry(log).get_by_role("link").click()
    entry = log.get_by_role("region", name="Action", exact=True)
    expect(entry.locator("dd", has_text=re.compile(f"^{version}$"))).to_be_visible()
    expect(entry).to_contain_text("another server")


def test_an_action_dispatched_by_hand_reaches_all_servers(looked_into, open_live, open_page):
    pages = [open_live(node, "/counter") for node in looked_into]
    pages[1].click(INCREMENT)
    expect_value(pages[0], 1)
    hand = open_page(looked_into[0], "/developer")

    newest_entry(hand).get_by_role("link").click()
    hand.get_by_role("link", name="Use this one to dispatch by hand").click()
    hand.get_by_role("button", name="Dispatch").click()

    expect(hand.get_by_text("didTapIncrementButton was dispatched.")).to_be_visible()
    for page in pages:
        expect_value(page, 2)


def test_nothing_is_put_back_when_several_servers_share_the_state(looked_into, open_live, open_page):
    page = open_live(looked_into[0], "/counter")
    page.click(INCREMENT)
    expect_value(page, 1)
    developer = open_page(looked_into[0], "/developer")

    newest_entry(developer).get_by_role("link").click()
    developer.get_by_role("button", name="Put everything back to here").click()

    expect(developer.get_by_text("Several servers share this state")).to_be_visible()
    page.click(INCREMENT)
    expect_value(page, 2)


def test_a_recording_of_one_server_replays_the_actions_of_all(nodes, start_node, tmp_path):
    """The recording begins when the server joins. Earlier actions are only in the log."""
    recording, key = tmp_path / "actions.jsonl", tmp_path / "key"
    assert run("recording-key", key)[0] == 0
    first = [increment(nodes[0], f"before-{number}").json["version"] for number in range(5)][0]
    node = start_node("--record", str(recording), "--record-key", f"{key}.pub")
    session = Session(node)
    with session.stream() as stream:
        for at in ["/counter", "/animals?category=Mammal"]:
            assert session.join(stream, at).status == 201
        for number in range(5):
            versions = [increment(each, f"{number}-{each.port}").json["version"] for each in [*nodes, node]]
            stream.wait_for(versions[-1])
    assert node.terminate() == 0

    code, output, error = run("replay", recording, "--key", key)

    assert (code, error) == (0, "")
    actions, pages = map(int, re.fullmatch(
        r"The same: (\d+) actions, (\d+) changes of pages\.\n", output).groups())
    assert 15 <= actions <= versions[-1] - first - 4
    assert pages >= 5


def test_a_report_sent_to_one_server_can_be_replayed(nodes, start_node, open_page, tmp_path):
    increment(nodes[0], "before-it-joins")
    page = open_page(start_node("--reports", str(tmp_path)), "/counter")
    page.click(INCREMENT)
    expect_value(page, 2)
    increment(nodes[0], "meanwhile-elsewhere")

    page.get_by_role("link", name="Report a problem").click()
    page.get_by_label("What was wrong").fill("It counts too much.")
    page.get_by_role("button", name="Send report").click()

    expect(page.get_by_role("status")).to_have_text("Thank you. Your report was sent.")
    (report,) = tmp_path.glob("*.jsonl")
    code, output, error = run("replay", report)
    assert (code, error) == (0, "")
    assert "The same:" in output
