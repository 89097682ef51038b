"""Servers that go away and come back: what windows say meanwhile, and that they catch up."""

import os
import re
import shutil
import signal

import pytest
from playwright.sync_api import expect

from kinds import thorough
from raw import get
from servers import ROOT
from waiting import wait_until

NOTICE = "#connection"
INCREMENT = "[data-form=increment] button"
TICK = "[data-form=tick] button"
RETURN = 30_000  # a reconnection waits up to 15 s


@pytest.fixture(params=["kill", *thorough("terminate")])
def end(request):
    """Ends a server, suddenly or in good order."""
    return lambda server: getattr(server, request.param)()


def expect_value(page, value):
    expect(page.locator(".value")).to_have_text(f"Value: {value}", timeout=RETURN)
    expect_answered(page)


def expect_answered(page):
    """A post whose answer a killed server took with it is sent again, and counts on the next."""
    expect(page.locator("form[aria-busy]")).to_have_count(0, timeout=RETURN)


def expect_live(page):
    expect(page.locator("html[data-live]")).to_be_attached(timeout=RETURN)


@pytest.mark.main_path
def test_every_tab_shows_a_notice_reconnects_and_is_up_to_date(counter, open_live, end):
    pages = [open_live(counter, "/counter") for _ in range(3)]
    pages[0].click(INCREMENT, click_count=3)
    for page in pages:
        expect_value(page, 3)

    end(counter)
    for page in pages:
        expect(page.locator(NOTICE)).to_be_visible()
        expect(page.locator(NOTICE)).to_contain_text("Connection lost.")
        expect_value(page, 3)
    counter.start()

    for page in pages:
        expect_value(page, 0)  # the Counter is in memory
        expect_live(page)
        expect(page.locator(NOTICE)).to_be_hidden()
    pages[2].click(INCREMENT)
    for page in pages:
        expect_value(page, 1)


def test_a_quick_restart_shows_no_notice(counter, open_live):
    page = open_live(counter, "/counter")
    page.click(INCREMENT)
    expect_value(page, 1)

    counter.restart()

    expect_value(page, 0)
    expect_live(page)
    expect(page.locator(NOTICE)).to_be_hidden()


@pytest.mark.main_path
def test_text_typed_during_a_restart_is_kept_with_local_state(app, open_live, end):
    page = open_live(app, "/fixture?order=reverse&selected=item-1")
    page.click(TICK)
    expect(page.locator("#ticks")).to_have_text("Ticks: 1")
    page.fill("#draft", "typed before")
    page.click("#details summary")
    page.focus("#notes")

    end(app)
    expect(page.locator(NOTICE)).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("typed meanwhile")
    app.start()

    expect(page.locator("#ticks")).to_have_text("Ticks: 0", timeout=RETURN)
    expect_live(page)
    expect(page.locator("#draft")).to_have_value("typed before")
    expect(page.locator("#notes")).to_have_value("typed meanwhile")
    expect(page.locator("#notes")).to_be_focused()
    expect(page.locator("#details p")).to_be_visible()
    expect(page.locator("#items li").first).to_contain_text("Item 1002")
    expect(page.locator("#items [aria-current]")).to_contain_text("Item 1001")
    expect(page).to_have_url(app.url + "/fixture?order=reverse&selected=item-1")


def test_posts_made_during_a_restart_are_sent_when_the_server_is_back(counter, open_live, end):
    page = open_live(counter, "/counter")
    end(counter)
    expect(page.locator(NOTICE)).to_be_visible()

    page.click(INCREMENT, click_count=3)
    expect(page.locator("[data-form=increment][data-resending]")).to_be_attached()
    counter.start()

    expect_value(page, 3)
    expect(page.locator("[data-form=increment][aria-busy]")).to_have_count(0)
    expect(page.locator(INCREMENT)).to_be_enabled()


def test_a_link_followed_during_a_restart_takes_effect_when_the_server_is_back(app, open_live):
    page = open_live(app, "/fixture")
    app.kill()
    expect(page.locator(NOTICE)).to_be_visible()

    page.click("#reverse")
    expect(page).to_have_url(app.url + "/fixture?order=reverse")
    expect(page.locator("#items li").first).to_contain_text("Item 1000")
    app.start()

    expect(page.locator("#items li").first).to_contain_text("Item 1002", timeout=RETURN)
    expect_live(page)
    expect(page).to_have_url(app.url + "/fixture?order=reverse")


def test_a_selection_that_a_restart_lost_is_dropped(app, open_live):
    page = open_live(app, "/fixture")
    page.fill("[data-form=add] [name=name]", "A fox")
    page.click("[data-form=add] button")
    page.click("#items a >> text=A fox")
    expect(page.locator("#detail")).to_have_text("A fox")
    expect_answered(page)

    app.restart()

    expect(page.locator("#detail")).to_have_text("Select an item", timeout=RETURN)
    expect(page).to_have_url(app.url + "/fixture")
    expect(page.locator("#items [aria-current]")).to_have_count(0)


def test_after_a_restart_unchanged_content_is_not_sent_again(app, open_live):
    page = open_live(app, "/fixture")
    page.evaluate("""() => {
      window.changes = [];
      new MutationObserver((records) => window.changes.push(...records.map((r) => r.target.id)))
        .observe(document.querySelector("main"),
                 { subtree: true, childList: true, characterData: true });
    }""")

    app.restart()

    page.wait_for_function("() => !document.documentElement.hasAttribute('data-live')")
    expect_live(page)
    assert page.evaluate("window.changes") == []


def test_after_a_restart_a_list_keeps_its_rows_and_the_focus(counter, open_live, end):
    """It was empty until its animals were loaded, so the focus went to the top of the page, and a long list scrolled there."""
    page = open_live(counter, "/animals?category=Mammal")
    rows = page.locator("[data-list=animals] > li")
    row = rows.last.get_by_role("link")
    row.focus()
    page.evaluate("""() => {
      window.fewest = document.querySelectorAll("[data-list=animals] > li").length;
      new MutationObserver(() => {
        window.fewest = Math.min(window.fewest, document.querySelectorAll("[data-list=animals] > li").length);
      }).observe(document.querySelector("main"), { subtree: true, childList: true });
    }""")
    count = rows.count()
    assert count > 1

    end(counter)
    expect(page.locator(NOTICE)).to_be_visible()
    counter.start()

    expect_live(page)
    expect(page.locator(NOTICE)).to_be_hidden()
    assert page.evaluate("window.fewest") == count
    expect(row).to_be_focused()


def test_a_server_that_restarts_again_and_again_is_found_each_time(counter, open_live):
    page = open_live(counter, "/counter")

    for _ in range(3):
        page.click(INCREMENT)
        expect_value(page, 1)
        counter.restart()
        expect_value(page, 0)
        expect_live(page)


def test_a_page_in_the_back_forward_cache_finds_the_new_server(counter, open_live, caching_context):
    page = open_live(counter, "/counter", caching_context)
    page.click(INCREMENT)
    expect_value(page, 1)
    page.evaluate("window.isCached = true")
    page.goto("about:blank")
    counter.restart()

    page.evaluate("() => { setTimeout(() => history.back()); }")

    expect_value(page, 0)
    expect_live(page)
    assert page.evaluate("window.isCached")
    page.click(INCREMENT)
    expect_value(page, 1)


def test_a_tab_opened_after_the_restart_shares_the_session(counter, open_live):
    old = open_live(counter, "/counter")
    counter.restart()
    expect_live(old)

    new = open_live(counter, "/counter")
    new.click(INCREMENT)

    expect_value(old, 1)
    expect_value(new, 1)


def test_without_javascript_a_form_of_an_old_page_still_counts(counter, plain):
    plain.goto(counter.url + "/counter")

    counter.restart()
    plain.click(INCREMENT)

    expect(plain.locator(".value")).to_have_text("Value: 1")


def test_sigterm_ends_the_server_although_a_request_is_unfinished(counter):
    with counter.connection() as unfinished, counter.connection() as idle:
        unfinished.connect()
        unfinished.sock.sendall(b"GET /counter HTTP/1.1\r\nHost: local")
        idle.request("GET", "/counter")
        idle.getresponse().read()

        assert counter.terminate(limit=5) == 0


def is_ending(server):
    try:
        return get(server, "/readyz").status == 503
    except OSError:
        return True


def test_a_post_whose_body_arrives_after_sigterm_is_refused(counter):
    """It could be answered and then lost, because the server did not wait for it."""
    body = b"_form=increment&_token=x"
    with counter.connection() as posting, counter.connection() as asking:
        posting.connect()
        posting.sock.sendall(
            b"POST /counter HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body[:5])
        asking.request("GET", "/counter")
        asking.getresponse().read()

        os.kill(counter.process_id, signal.SIGTERM)
        posting.sock.settimeout(10)
        wait_until(lambda: is_ending(counter), "it is shutting down")
        posting.sock.sendall(body[5:])

        try:
            answer = posting.sock.recv(100)
        except ConnectionResetError:
            answer = b""
    # On a machine that is too busy, the server has closed the connection before. It never accepts the post.
    assert answer == b"" or answer.startswith(b"HTTP/1.1 503 ")
    assert counter.wait() == 0


def test_sigterm_ends_the_server_although_streams_are_open(counter, open_live, other_context):
    for context in (None, other_context):
        open_live(counter, "/counter", *([context] if context else []))

    code = counter.terminate(limit=5)

    assert code == 0, counter.output


def test_a_tab_takes_the_styles_of_a_new_release_and_keeps_its_input(start_server, open_live, tmp_path):
    """They share their protocol, so it kept the old ones until somebody reloaded it."""
    public = tmp_path / "Public"
    shutil.copytree(ROOT / "Public", public)
    server = start_server("--public", str(public))
    page = open_live(server, "/animals/Dog?category=Mammal")
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Name", exact=True).fill("Doggy")
    before = get(server, "/animals").text

    server.kill()
    styles = public / "style.css"
    styles.write_text(styles.read_text() + "body { outline: 7px solid red }")
    server.start()

    expect(page.locator("body")).to_have_css("outline-width", "7px", timeout=RETURN)
    expect_live(page)
    expect(page.get_by_label("Name", exact=True)).to_have_value("Doggy")
    files = re.compile(r"files=([\w-]+)")
    assert files.search(before)[1] != files.search(get(server, "/animals").text)[1]
    expect(page.locator("html")).to_have_attribute("data-stream", re.compile(r"&files=[\w-]+$"))
