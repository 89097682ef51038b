"""Who posts a form: a pseudonym of the visitor's session."""

import re

import pytest
from playwright.sync_api import expect

import raw
from servers import fixture_server

ALL = "[data-list=guests] li"


def sign(page):
    page.click("[data-form=sign] button")


def signed(page):
    return re.findall("<code>(.*?)</code>( <b>You</b>)?", page)


def visitors(page):
    return page.locator(f"{ALL} code").all_text_contents()


def test_visitors_find_what_is_their_own(app, open_page, other_context, open_live):
    page = open_page(app, "/guests")
    other = open_live(app, "/guests", context=other_context)

    sign(page)
    expect(other.locator(ALL)).to_have_count(1)
    sign(other)
    expect(other.locator(ALL)).to_have_count(2)
    page.reload()

    expect(page.locator(ALL)).to_have_count(2)
    expect(page.locator(ALL).first.locator("b")).to_be_visible()
    expect(page.locator(ALL).last.locator("b")).not_to_be_attached()
    expect(other.locator(ALL).first.locator("b")).not_to_be_attached()
    expect(other.locator(ALL).last.locator("b")).to_be_visible()
    assert len(set(visitors(page))) == 2


def test_a_second_window_of_a_browser_is_the_same_visitor(app, open_live):
    page, second = open_live(app, "/guests"), open_live(app, "/guests")

    sign(page)

    expect(second.locator(f"{ALL} b")).to_be_visible()


def test_the_first_post_of_a_browser_has_the_visitor_of_its_session(app):
    posted = raw.post(app, "/guests", "_form=sign&_token=a", Accept="text/html")
    cookie = posted.headers["Set-Cookie"].split(";")[0]

    page = raw.get(app, "/guests", Cookie=cookie).text

    [(visitor, mine)] = signed(page)
    assert mine
    # Neither part of the cookie can be found in what others see.
    identifier, signature = cookie.removeprefix("session=").split(".")
    assert visitor not in (identifier, signature)
    other = raw.get(app, "/guests").text
    assert identifier not in other and signature not in other
    assert signed(other) == [(visitor, "")]


@pytest.mark.parametrize("form", ["sign", "tick"])
def test_a_post_that_says_who_it_is_from_is_refused(app, form):
    session = raw.Session(app)
    session.post("/guests", "_form=sign&_token=a")
    [(victim, _)] = signed(raw.get(app, "/guests").text)

    answer = raw.post(app, "/guests", f"_form={form}&_token=b&_visitor={victim}")

    assert answer.status == 422
    assert len(signed(raw.get(app, "/guests").text)) == 1


@pytest.mark.parametrize("keeps", [True, False])
def test_after_a_restart_visitors_are_the_same_if_the_key_of_sessions_is_kept(tmp_path, keeps):
    key = tmp_path / "data" / "session.key"
    server = fixture_server(*([f"sessions={key}"] if keeps else [])).start()
    try:
        session = raw.Session(server)
        session.post("/guests", "_form=sign&_token=a")
        before = signed(raw.get(server, "/guests", Cookie=session.cookie).text)
        server.restart()

        session.post("/guests", "_form=sign&_token=a")

        after = signed(raw.get(server, "/guests", Cookie=session.cookie).text)
        assert (after == before) == keeps
        assert not keeps or key.stat().st_mode & 0o777 == 0o600
    finally:
        server.kill()


def test_a_file_that_is_no_key_of_sessions_is_left_alone(tmp_path):
    file = tmp_path / "note.txt"
    file.write_text("Something else")

    server = fixture_server(f"sessions={file}")
    with pytest.raises(Exception, match="is no session key"):
        server.start()

    assert file.read_text() == "Something else"
