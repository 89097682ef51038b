"""Requests that browsers do not send, or not on their own: whether they are refused, and with which status."""

import gzip
import json
import re
import shutil
import socket

import pytest

from raw import (
    FORM, STREAM, Session, counter_value, exchange, first_answer, get, post, post_json, request, statuses,
    tags_of,
)
from servers import ROOT, fixture_server, product_server

INCREMENT = "_form=increment"


@pytest.fixture(scope="module")
def shared():
    """A Server that all tests of this module share: none may rely on its value."""
    server = product_server().start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def shared_app():
    server = fixture_server().start()
    yield server
    server.kill()


@pytest.fixture
def unchanged(shared):
    """Fails a test that changes the Counter."""
    before = counter_value(shared)
    yield
    assert counter_value(shared) == before


@pytest.fixture
def counted(shared):
    """Fails a test that does not count exactly one up."""
    before = counter_value(shared)
    yield
    assert counter_value(shared) == before + 1


# MARK: Where a post comes from


def test_a_post_from_a_program_is_accepted(shared, counted):
    answer = post(shared, "/counter", INCREMENT)

    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert set(answer.json) == {"version"}


def test_a_same_origin_post_without_sec_fetch_site_is_accepted(shared, counted):
    origin = f"http://127.0.0.1:{shared.port}"

    assert post(shared, "/counter", INCREMENT, Origin=origin).status == 200


def test_a_same_origin_post_under_another_host_name_is_accepted(shared, counted):
    host = f"LocalHost:{shared.port}"

    answer = post(shared, "/counter", INCREMENT, Host=host, Origin=f"http://{host.lower()}")

    assert answer.status == 200


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_a_same_origin_post_is_accepted(shared, counted, site):
    answer = post(shared, "/counter", INCREMENT, Sec_Fetch_Site=site)

    assert answer.status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "Same-Origin, cross-site"])
def test_a_cross_site_post_is_forbidden(shared, unchanged, site):
    # Its Origin does not help it.
    answer = post(shared, "/counter", INCREMENT, Sec_Fetch_Site=site,
                  Origin=f"http://127.0.0.1:{shared.port}")

    assert answer.status == 403
    assert answer.json["message"].startswith("This came from another site.")


@pytest.mark.parametrize("origin", [
    "http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1", "https://localhost",
    "http://127.0.0.1:{port}.evil.example", "http://127.0.0.1:{port}@evil.example", "nonsense",
    "http://evil.example/127.0.0.1:{port}", "http://evil.example#127.0.0.1:{port}",
])
def test_a_post_from_a_foreign_origin_is_forbidden(shared, unchanged, origin):
    answer = post(shared, "/counter", INCREMENT, Origin=origin.format(port=shared.port))

    assert answer.status == 403


@pytest.mark.parametrize("path", ["/_/windows", "/_/windows/AAAAAAAAAAAAAAAAAAAAAA/leave"])
def test_other_sites_reach_no_window(shared, path):
    assert post_json(shared, path, {}, Sec_Fetch_Site="cross-site").status == 403


@pytest.mark.parametrize("headers", [
    {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Origin": "http://evil.example"},
])
def test_other_sites_open_no_stream(shared, headers):
    assert get(shared, "/_/stream?at=/counter", **headers).status == 403


def test_a_refused_browser_without_javascript_gets_an_error_page(shared, unchanged):
    answer = post(shared, "/counter", INCREMENT, Accept="text/html", Sec_Fetch_Site="cross-site")

    assert answer.status == 403
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "This came from another site." in answer.text


def test_other_sites_may_link_here(shared):
    assert get(shared, "/counter", Sec_Fetch_Site="cross-site").status == 200


# MARK: Sessions and windows


def test_a_window_of_another_session_cannot_be_used(shared, unchanged):
    mine, theirs = Session(shared), Session(shared)
    with mine.stream() as stream:
        window = mine.join(stream, "/counter").json["window"]

        answers = [
            theirs.post("/counter", INCREMENT, X_Window=window),
            post_json(shared, f"/_/windows/{window}", {"at": "/", "navigation": 2},
                      Cookie=theirs.cookie),
            post_json(shared, f"/_/windows/{window}/leave", None, Cookie=theirs.cookie),
            post_json(shared, f"/_/windows/{window}/leave", None),
            theirs.join(stream, "/counter"),
        ]

    assert [answer.status for answer in answers] == [404] * 5
    assert [answer.json.get("code") for answer in answers] == ["unknownWindow"] * 4 + ["unknownStream"]


def test_a_window_of_the_same_session_can_be_used(shared, counted):
    session = Session(shared)
    with session.stream() as stream:
        window = session.join(stream, "/counter").json["window"]

        posted = session.post("/counter", INCREMENT, X_Window=window)
        moved = post_json(shared, f"/_/windows/{window}", {"at": "/", "navigation": 2},
                          Cookie=session.cookie)
        left = post_json(shared, f"/_/windows/{window}/leave", None, Cookie=session.cookie)
        again = post_json(shared, f"/_/windows/{window}/leave", None, Cookie=session.cookie)

    assert [answer.status for answer in (posted, moved, left, again)] == [200, 204, 204, 404]


@pytest.mark.parametrize("window", [
    "x", "", "A" * 22, "A" * 21, "A" * 23, "../../counter", "%00", "A" * 5000, "=" * 22,
])
def test_a_malformed_window_is_not_found(shared, unchanged, window):
    session = Session(shared)

    assert session.post("/counter", INCREMENT, X_Window=window).status == 404


@pytest.mark.parametrize("stream", ["x", "", "A" * 22, "\0", "🦊" * 22])
def test_an_unknown_stream_is_not_found(shared, stream):
    session = Session(shared)

    answer = post_json(shared, "/_/windows", {"stream": stream, "at": "/", "navigation": 1},
                       Cookie=session.cookie)

    assert (answer.status, answer.json["code"]) == (404, "unknownStream")


@pytest.mark.parametrize("at", ["/nowhere", "", "counter", "//counter", "http://evil.example/"])
def test_a_window_cannot_be_where_there_is_no_page(shared, at):
    session = Session(shared)
    with session.stream() as stream:
        window = session.join(stream, "/").json["window"]
        answers = [
            session.join(stream, at),
            post_json(shared, f"/_/windows/{window}", {"at": at, "navigation": 2}, Cookie=session.cookie),
        ]
    # 404 would say that another server may know the stream or the window.
    assert [(answer.status, answer.json["code"]) for answer in answers] == [(410, "unknownPage")] * 2


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"stream": 1}', "\xff", "[" * 20_000])
def test_a_join_with_invalid_json_is_a_bad_request(shared, body):
    answer = request(shared, "POST", "/_/windows", body.encode("latin-1"),
                     {"Content-Type": "application/json"})

    assert answer.status == 400
    assert set(answer.json) == {"message"}


@pytest.mark.parametrize("forge", [
    lambda cookie: "session=A", lambda cookie: cookie[:-1] + ("A" if cookie[-1] != "A" else "B"),
    lambda cookie: cookie.split(".")[0], lambda cookie: "session=" + "A" * 22 + "." + "A" * 22,
    lambda cookie: "session=", lambda cookie: "session",
])
def test_a_forged_session_is_renewed(shared, forge):
    answer = get(shared, "/counter", Cookie=forge(Session(shared).cookie))

    assert answer.status == 200
    assert answer.headers["Set-Cookie"].startswith("session=")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]


def test_a_known_session_is_not_renewed(shared):
    session = Session(shared)

    assert get(shared, "/counter", Cookie=f"a=b; {session.cookie}; c")\
        .headers["Set-Cookie"] is None


# MARK: Forms


@pytest.mark.parametrize("form", [
    "_form=didTapIncrementButton", "_form=onTapX", "_form=Increment", "_form=increment%20",
    "_form=", "other=increment", "",
])
def test_an_unknown_form_is_not_found(shared, unchanged, form):
    answer = post(shared, "/counter", form)

    assert answer.status == 404
    assert "There is no form" in answer.json["message"]


@pytest.mark.parametrize("form", ["didLoad", "didRename", "data.didLoad", "delete.data", "data"])
def test_a_data_action_cannot_be_posted(shared_app, form):
    answer = post(shared_app, "/fixture", f"_form={form}&id=item-0&name=Stolen&items=")

    page = get(shared_app, "/fixture").text
    assert answer.status == 404
    assert "Item 1000" in page and "Stolen" not in page and "3 items" in page


def test_a_form_of_another_page_is_not_found(shared_app):
    assert post(shared_app, "/fixture", INCREMENT).status == 404


def test_a_refusal_names_its_fields(shared_app):
    answer = post(shared_app, "/fixture", "_form=add&name=+")

    assert answer.status == 422
    assert answer.json["fields"] == {"name": "Enter a name."}
    assert answer.json["version"] == 0


def test_a_form_of_exactly_the_maximum_size_is_accepted(shared, counted):
    body = INCREMENT + "&x="

    assert post(shared, "/counter", body + "x" * (65_536 - len(body))).status == 200


@pytest.mark.parametrize("size", [65_537, 100_000, 3_000_000])
def test_an_oversized_body_is_refused(shared, unchanged, size):
    body = INCREMENT + "&x="

    answer = post(shared, "/counter", body + "x" * (size - len(body)))

    assert answer.status == 413
    assert "64 kB" in answer.json["message"]
    assert answer.headers["Connection"] == "close"


def test_an_oversized_chunked_body_is_refused(shared, unchanged):
    chunk = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"

    answer = first_answer(
        shared,
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n",
        *([chunk] * 5),
    )

    assert answer.status == 413


POST = (
    b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n%b"
)


def test_a_refused_body_is_not_parsed_as_requests(shared, unchanged):
    smuggled = POST % (15, b"_form=increment")

    answer = first_answer(shared, POST % (150_000, smuggled * 1000))

    assert answer.status == 413


def test_a_connection_accepts_no_request_after_a_refused_body(shared, unchanged):
    received = exchange(shared, POST % (70_000, b"x" * 70_000), POST % (15, b"_form=increment"))

    assert received.startswith(b"HTTP/1.1 413 ")
    assert received.count(b"HTTP/1.1 ") == 1


def test_a_closing_connection_accepts_no_other_request(shared):
    received = exchange(
        shared,
        b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    )

    assert received.count(b"HTTP/1.1 200 OK\r\n") == 1


@pytest.mark.parametrize("body", [
    b"%", b"x=%", b"x=%4", b"x=%zz", b"x=%4g", b"x=%ff", b"x=%c3", b"x=\xff", b"x=\xc3\x28",
    b"x=%ed%a0%80", b"x=\0", b"x=%00", b"%ff=x",
])
def test_a_malformed_form_is_a_bad_request(shared, unchanged, body):
    answer = post(shared, "/counter", b"_form=increment&" + body)

    assert answer.status == 400
    assert answer.json["message"].startswith("The form is malformed")


@pytest.mark.parametrize("content_type", [
    None, "", "application/json", "text/plain", "multipart/form-data; boundary=x",
    "application/x-www-form-urlencodedx",
])
def test_a_form_with_another_content_type_is_unsupported(shared, unchanged, content_type):
    answer = post(shared, "/counter", INCREMENT, Content_Type=content_type)

    assert answer.status == 415


@pytest.mark.parametrize("content_type", [
    f"{FORM}; charset=utf-8", FORM.upper(), f"{FORM};charset=UTF-8",
])
def test_a_form_content_type_may_have_parameters_or_capitals(shared, counted, content_type):
    assert post(shared, "/counter", INCREMENT, Content_Type=content_type).status == 200


@pytest.mark.parametrize("token", ["x", "x" * 60_000])
def test_any_text_can_be_a_token_and_counts_once(shared, counted, token):
    answers = [post(shared, "/counter", f"{INCREMENT}&_token={token}") for _ in range(3)]

    assert [answer.status for answer in answers] == [200, 200, 200]
    assert len({answer.json["version"] for answer in answers}) == 1


@pytest.mark.parametrize("body", [
    "_form=add&_token=one&name=a%2Bb+c%26d%C3%BC", "name=a%2Bb+c%26d%C3%BC&_form=add&_token=two",
])
def test_a_form_is_decoded(app, body):
    assert post(app, "/fixture", body).status == 200

    assert "a+b c&amp;dü" in get(app, "/fixture").text


# MARK: Heads


@pytest.mark.parametrize("head", [
    b"X-Large: " + b"x" * 40_000 + b"\r\n",
    b"".join(b"X-%d: %s\r\n" % (number, b"x" * 1000) for number in range(40)),
    b"".join(b"X-%d: x\r\n" % number for number in range(300)),
], ids=["one large field", "many large fields", "many fields"])
def test_an_oversized_head_is_refused(shared, head):
    received = exchange(shared, b"GET /counter HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n")

    assert received.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("size", [40_000, 1_000_000])
def test_a_target_that_is_too_long_is_refused(shared, size):
    received = exchange(
        shared, b"GET /counter?" + b"x" * size + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )

    assert received[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 414")


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example",
    "localhost@evil.example", "evil.example#localhost",
    "[::1].evil.example",
])
def test_an_unknown_host_is_misdirected(shared, unchanged, host):
    host = host.format(port=shared.port)

    assert get(shared, "/counter", Host=host).status == 421
    assert get(shared, "/public/window.js", Host=host).status == 421
    assert get(shared, "/_/stream", Host=host).status == 421
    assert post(shared, "/counter", INCREMENT, Host=host, Origin=f"http://{host}").status == 421


@pytest.mark.parametrize("host", [
    "localhost", "LOCALHOST:1", "app.localhost", "127.0.0.1", "[::1]:8080", "192.168.1.2:80",
])
def test_loopback_names_and_addresses_are_known(shared, host):
    assert get(shared, "/counter", Host=host).status == 200


def test_an_allowed_host_is_known(start_server):
    server = start_server("--allowed-hosts", "app.example, Other.example")

    assert get(server, "/counter", Host="app.example").status == 200
    assert get(server, "/counter", Host="OTHER.example:443").status == 200
    assert get(server, "/counter", Host="x.app.example").status == 421


@pytest.mark.parametrize("host", [None, ""])
def test_a_request_without_a_host_is_bad(shared, host):
    assert get(shared, "/counter", Host=host).status == 400


def test_a_target_in_absolute_form_does_not_bypass_the_host_check(shared):
    received = exchange(
        shared,
        b"GET http://evil.example/counter HTTP/1.1\r\nHost: evil.example\r\n"
        b"Connection: close\r\n\r\n",
    )

    assert received[9:12] in (b"400", b"404", b"421")


@pytest.mark.parametrize("target, host, status", [
    (b"evil.example", b"localhost", b"421"), (b"localhost", b"evil.example", b"200"),
])
def test_the_host_in_a_target_in_absolute_form_takes_precedence(shared, target, host, status):
    received = exchange(
        shared,
        b"GET http://%b/counter HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n" % (target, host),
    )

    assert received[9:12] == status


@pytest.mark.parametrize("head", [
    b"Content-Length: 15\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 15\r\n",
    b"Content-Length: 15\r\nContent-Length: 0\r\n",
    b"Content-Length: 0, 15\r\n",
    b"Content-Length: +15\r\n",
    b"Content-Length: -15\r\n",
    b"Content-Length: 0x0f\r\n",
    b"Content-Length : 15\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding: chunked, identity\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    b"Transfer-Encoding : chunked\r\n",
    b"Transfer-Encoding:\x0bchunked\r\n",
    b" Transfer-Encoding: chunked\r\n",
])
def test_a_request_with_an_ambiguous_length_cannot_smuggle_another(shared, unchanged, head):
    smuggled = (
        b"0\r\n\r\nPOST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n"
        b"_form=increment"
    )

    received = exchange(
        shared,
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n" + head + b"\r\n" + smuggled,
    )

    assert received.count(b"HTTP/1.1 ") <= 1
    assert b" 200 " not in received and b" 303 " not in received


@pytest.mark.parametrize("line", [
    b"GET /counter", b"GET /counter HTTP/9.9", b"GET", b"\x16\x03\x01\x02\x00", b"GET\t/\tHTTP/1.1",
    b"PRI * HTTP/2.0",
])
def test_a_malformed_request_line_is_refused_and_the_connection_closed(shared, line):
    received = exchange(shared, line + b"\r\nHost: localhost\r\n\r\n")

    assert received == b"" or received[9:10] == b"4" or received[9:12] in (b"505", b"501")


def test_requests_on_one_connection_are_answered_in_order(shared):
    received = exchange(
        shared,
        b"GET /counter HTTP/1.1\r\nHost: localhost\r\n\r\n"
        b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
        b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    )

    statuses = [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"200", b"404", b"200"]


def test_pipelined_posts_all_count_in_order(counter):
    one = (
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n%b"
        b"Accept: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
        b"_form=increment"
    )

    received = exchange(counter, one % b"" * 99 + one % b"Connection: close\r\n")

    versions = [int(part.split(b"}")[0]) for part in received.split(b'"version":')[1:]]
    assert versions == list(range(1, 101))


def test_a_half_closed_client_is_answered(shared):
    with socket.create_connection(("127.0.0.1", shared.port), timeout=10) as connection:
        connection.sendall(b"GET /counter HTTP/1.1\r\nHost: localhost\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)

        assert b" 200 OK" in connection.recv(4096)


def test_a_client_that_expects_100_continue_gets_it(shared):
    with socket.create_connection(("127.0.0.1", shared.port), timeout=10) as connection:
        connection.sendall(
            b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n"
            b"Expect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
        )

        assert connection.recv(4096).startswith(b"HTTP/1.1 100 ")


def test_a_client_is_not_told_to_continue_before_the_answer_to_an_earlier_request(shared):
    received = exchange(
        shared,
        b"GET /counter HTTP/1.1\r\nHost: localhost\r\n\r\n"
        b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\nConnection: close\r\n"
        b"Expect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n",
        b"_form=decrement",
    )

    assert statuses(received).split() == ["200", "303"]


def test_an_http_1_0_answer_ends_with_its_connection(shared):
    received = exchange(shared, b"GET /counter HTTP/1.0\r\nHost: localhost\r\n\r\n")

    assert b" 200 OK\r\n" in received
    assert received.endswith(b"</html>\n")


# MARK: Paths and methods


@pytest.mark.parametrize("path", [
    "/nowhere", "/counter/", "/Counter", "//counter", "/counter/..", "/.", "/_/", "/_/nowhere",
    "/%63ounter%2f", "/counter%00", "/public", "/%ff", "/index.html",
])
def test_a_missing_page_is_not_found(shared, path):
    assert get(shared, path).status == 404


def test_a_browser_gets_an_error_page_for_a_missing_page(shared):
    answer = get(shared, "/no<b>where", Accept="text/html")

    assert answer.status == 404
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "The address may be wrong" in answer.text and "no&lt;" not in answer.text
    assert "<b>" not in answer.text
    assert "<script" not in answer.text  # nothing to be live


def test_a_program_gets_a_json_error_for_a_missing_page(shared):
    answer = get(shared, "/nowhere", Accept="application/json")

    assert answer.status == 404
    assert answer.json == {"message": "There is no page at /nowhere.", "code": "unknownPage"}


@pytest.mark.parametrize("method, path, allowed", [
    ("PUT", "/counter", "GET, HEAD, POST"),
    ("DELETE", "/counter", "GET, HEAD, POST"),
    ("PATCH", "/", "GET, HEAD, POST"),
    ("OPTIONS", "/counter", "GET, HEAD, POST"),
    ("TRACE", "/counter", "GET, HEAD, POST"),
    ("PROPFIND", "/counter", "GET, HEAD, POST"),
    ("POST", "/public/window.js", "GET, HEAD"),
    ("POST", "/favicon.ico", "GET, HEAD"),
    ("PUT", "/_/stream", "GET, POST"),
    ("GET", "/_/windows", "POST"),
    ("PUT", "/_/windows/AAAAAAAAAAAAAAAAAAAAAA", "POST"),
])
def test_a_method_that_is_not_allowed_gets_the_allowed_ones(
    shared, unchanged, method, path, allowed
):
    answer = request(shared, method, path)

    assert answer.status == 405
    assert answer.headers["Allow"] == allowed


@pytest.mark.parametrize("path", [
    "/", "/counter", "/nowhere", "/public/window.js", "/public/icon.svg", "/public/nowhere",
    "/favicon.ico",
])
@pytest.mark.parametrize("encoding", [None, "gzip"])
def test_head_has_the_headers_of_get_and_no_body(shared, path, encoding):
    headers = {"Cookie": Session(shared).cookie, "Accept-Encoding": encoding}

    head = request(shared, "HEAD", path, headers=headers)

    answer = request(shared, "GET", path, headers=headers)
    del head.headers["Date"], answer.headers["Date"]
    assert head.status == answer.status
    assert head.body == b""
    if path in ("/", "/counter"):  # its tokens compress each time differently
        head.headers.replace_header("Content-Length", answer.headers["Content-Length"])
    assert sorted(head.headers.items()) == sorted(answer.headers.items())


def test_the_answer_to_head_is_followed_directly_by_the_next_answer(shared):
    received = exchange(
        shared,
        b"HEAD /counter HTTP/1.1\r\nHost: localhost\r\n\r\n"
        b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    )

    assert received.count(b"HTTP/1.1 200 OK\r\n") == 2
    assert b"<" not in received


# MARK: Files


def test_a_file_has_a_validator_and_is_not_sent_again(shared):
    first = get(shared, "/public/window.js")
    tag = first.headers["ETag"]

    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = get(shared, "/public/window.js", If_None_Match=known)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == tag
    changed = get(shared, "/public/window.js", If_None_Match='"other"')

    assert get(shared, "/public/icon.svg").body == (ROOT / "Public/icon.svg").read_bytes()
    assert changed.status == 200 and changed.body == first.body
    assert first.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert first.headers["Cache-Control"] == "no-cache"


def test_a_file_is_compressed_for_clients_that_accept_it(shared):
    plain = get(shared, "/public/window.js")
    zipped = get(shared, "/public/window.js", Accept_Encoding="br, gzip;q=0.5")
    refused = get(shared, "/public/window.js", Accept_Encoding="gzip;q=0")

    assert "Content-Encoding" not in plain.headers
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.body) == plain.body
    assert len(zipped.body) < len(plain.body)
    assert refused.body == plain.body
    for answer in (plain, zipped, refused):
        assert answer.headers["Vary"] == "Accept-Encoding"


def test_a_compressed_file_has_its_own_validator(shared):
    """A strong validator stands for the same bytes. RFC 9110, section 8.8.1."""
    def get_(coding, **headers):
        return get(shared, "/public/window.js", Accept_Encoding=coding, **headers)

    plain, zipped = get_("identity").headers["ETag"], get_("gzip").headers["ETag"]

    assert plain != zipped
    for known in (zipped, f"W/{zipped}", f"{plain}, {zipped}"):
        again = get_("gzip", If_None_Match=known)
        assert (again.status, again.headers["ETag"], again.body) == (304, zipped, b"")
    assert get_("identity", If_None_Match=plain).status == 304
    assert get_("identity", If_None_Match=zipped).status == 200
    assert get_("gzip", If_None_Match=plain).status == 200


@pytest.mark.parametrize("refusal", [
    "gzip; q=0", "GZIP;Q=0", "identity", "gzip;q=0.0", "gzip;q=0.000",
])
def test_a_refused_encoding_is_not_used(shared, refusal):
    answer = get(shared, "/public/window.js", Accept_Encoding=refusal)

    assert "Content-Encoding" not in answer.headers


def test_a_page_is_compressed_for_clients_that_accept_it(shared):
    answer = get(shared, "/counter", Accept_Encoding="gzip")

    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"Increment" in gzip.decompress(answer.body)


@pytest.mark.parametrize("path", ["/counter", "/nowhere"])
def test_caches_know_what_a_page_depends_on(shared, path):
    """Firefox showed a page in a frame as it had it without, and refused to."""
    page, framed = get(shared, path), get(shared, path, Sec_Fetch_Dest="iframe")

    assert page.headers["Content-Security-Policy"] != framed.headers["Content-Security-Policy"]
    for answer in (page, framed):
        assert answer.headers["Vary"] == "Accept-Encoding, Sec-Fetch-Dest"


def test_the_versioned_urls_of_a_page_never_change_and_all_exist(shared):
    page = get(shared, "/counter").text
    urls = [part.split('"')[0] for part in page.split('"') if part.startswith("/public/")]
    assert len(urls) >= 3

    for url in urls:
        answer = get(shared, url)
        assert answer.status == 200, url
        is_versioned = url.count("/") >= 3
        assert answer.headers["Cache-Control"] == (
            "public, max-age=31536000, immutable" if is_versioned else "no-cache"
        )
    assert sum(url.count("/") >= 3 for url in urls) >= 3


def test_file_urls_of_another_release_get_the_newest_files(shared):
    answer = get(shared, "/public/AAAAAAAAAAAAAAAAAAAAAA/window.js")

    assert answer.status == 200
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.body == get(shared, "/public/window.js").body


@pytest.mark.parametrize("path", [
    "/public/../Package.swift", "/public/%2e%2e/Package.swift", "/public/%2E%2E/Package.swift",
    "/public/..%2fPackage.swift", "/public/%2e%2e%2fPackage.swift", "/public/..%5cPackage.swift",
    "/public/%252e%252e/Package.swift", "/public/.%2e/Package.swift", "/public//../Package.swift",
    "/public/%c0%ae%c0%ae/Package.swift", "/public/....//Package.swift", "/public//etc/passwd",
    "/public/%2fetc/passwd", "/public/%00", "/public/window.js%00.css", "/public/./window.js",
    "/public/", "/public/..", "/public/%2e", "/..%2fPublic/window.js", "/../Package.swift",
    "/public/x/../window.js", "/public/AAAAAAAAAAAAAAAAAAAAAA/../window.js",
    "/public/AAAAAAAAAAAAAAAAAAAAAA/%2e%2e/%2e%2e/Package.swift", "/public/..;/Package.swift",
    "/public/window.js/",
])
def test_no_path_escapes_the_public_folder(shared, path):
    received = exchange(
        shared,
        b"GET " + path.encode() + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    )

    assert received[9:12] == b"404"
    assert b"swift-tools-version" not in received and b"root:" not in received


@pytest.fixture(scope="module")
def linked_public(tmp_path_factory):
    """A public folder with links out of it and other things that must not be served."""
    folder = tmp_path_factory.mktemp("public")
    shutil.copytree(ROOT / "Public", folder / "Public")
    public = folder / "Public"
    (folder / "secret.txt").write_text("secret")
    (folder / "secrets").mkdir()
    (folder / "secrets" / "secret.txt").write_text("secret")
    (public / "link.txt").symlink_to(folder / "secret.txt")
    (public / "inside.js").symlink_to(public / "window.js")
    (public / "links").symlink_to(folder / "secrets", target_is_directory=True)
    (public / "folder.js").mkdir()
    (public / "secret").write_text("secret")
    (public / "secret.pem").write_text("secret")
    (public / "below").mkdir()
    (public / "below" / "plain.txt").write_text("plain")
    server = product_server("--public", str(public)).start()
    yield server
    server.kill()


@pytest.mark.parametrize("name", [
    "link.txt", "inside.js", "links/secret.txt", "links", "folder.js", "secret", "secret.pem",
])
def test_links_folders_and_unknown_types_are_not_served(linked_public, name):
    answer = get(linked_public, f"/public/{name}")

    assert answer.status == 404
    assert b"secret\n" not in answer.body


def test_files_in_folders_are_served(linked_public):
    answer = get(linked_public, "/public/below/plain.txt")

    assert (answer.status, answer.body) == (200, b"plain")


# MARK: Headers of every answer


@pytest.mark.parametrize("method, path, body", [
    ("GET", "/counter", None), ("GET", "/", None), ("GET", "/nowhere", None),
    ("GET", "/public/window.js", None), ("GET", "/public/nowhere", None), ("PUT", "/", None),
    ("POST", "/counter", "_form=unknown"), ("POST", "/_/windows", "{"),
])
def test_every_answer_has_security_headers(shared, method, path, body):
    headers = request(shared, method, path, body, {"Content-Type": FORM}).headers

    policy = headers["Content-Security-Policy"].split("; ")
    assert set(policy) == {
        "default-src 'self'", "form-action 'self'", "base-uri 'none'", "object-src 'none'",
        "frame-ancestors 'none'",
    }
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/counter", "/counter?a=b", "/nowhere"])
def test_a_page_is_not_stored_by_shared_caches(shared, path):
    assert get(shared, path).headers["Cache-Control"] == "private, no-cache"


def test_a_page_has_no_inline_script_or_style(shared):
    page = get(shared, "/counter").text

    assert "<style" not in page and " style=" not in page
    assert page.count("<script") == page.count("<script type=\"module\" src=\"/public/")
    assert " on" not in "".join(part.split(">")[0] for part in page.split("<")[1:])


def test_a_redirect_after_a_post_stays_on_this_site(shared_app):
    for target, location in [
        ("/fixture?order=reverse", "/fixture?order=reverse"),
        ("/fixture?next=//evil.example", "/fixture"),
    ]:
        answer = post(shared_app, target, "_form=tick", Accept="text/html")

        assert (answer.status, answer.headers["Location"]) == (303, location)


# MARK: The stream


def test_the_stream_has_valid_event_stream_headers_and_events(shared):
    with Session(shared).stream() as stream:
        assert stream.status == 200
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.headers["Cache-Control"] == "no-store"
        assert stream.headers["X-Accel-Buffering"] == "no"
        assert "Content-Encoding" not in stream.headers
        assert sum(line.startswith("retry: ") for line in stream.lines) == 1


def test_a_stream_without_a_session_gets_one(shared):
    with Session(shared).stream() as known:
        assert known.headers["Set-Cookie"] is None
    with socket.create_connection(("127.0.0.1", shared.port), timeout=10) as connection:
        connection.sendall(b"GET /_/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        head = connection.recv(4096)

    assert b"\r\nset-cookie: session=" in head.lower()


def test_a_stream_with_a_place_shows_it_and_its_changes(counter):
    session = Session(counter)
    with session.stream("?at=/counter") as stream:
        _, _, show = stream.next("show")
        session.post("/counter", INCREMENT)
        identifier, _, frame = stream.next("frame")

    assert show["url"] == "/counter" and show["title"] == "Counter"
    assert [edits for _, _, edits in frame["regions"]] == [[[0, "1"], [1, "Value: 1"]]]
    assert frame["place"] == show["place"]
    assert identifier == "1"
    assert not any("session" in line for line in stream.lines)


def test_a_window_with_current_tags_is_sent_no_region(counter):
    session = Session(counter)
    page = get(counter, "/counter").text
    with session.stream() as stream:
        session.join(stream, "/counter", tags=tags_of(page))
        _, _, show = stream.next("show")

    assert f'data-stream="{STREAM}&amp;files=' in page
    assert show["regions"] == []
    assert "outdated" not in show


def test_a_window_with_other_files_is_told_that_it_is_outdated(counter):
    session = Session(counter)
    first = {"at": "/counter", "navigation": 1, "tags": tags_of(get(counter, "/counter").text)}
    with session.stream("?protocol=4&files=other", first=first) as stream:
        shown = [stream.next("show")]
        path = f"/_/windows/{stream.window}"
        assert post_json(counter, path, first | {"navigation": 2}, Cookie=session.cookie).status == 204
        shown.append(stream.next("show"))

    for _, _, show in shown:
        assert (show["outdated"], show["regions"]) == (True, [])


@pytest.mark.parametrize("query", ["?", "?protocol=2"], ids=["no protocol", "another protocol"])
def test_a_window_of_another_release_is_sent_everything(counter, query):
    """Its tags may well be current. Only a patch that it cannot apply makes it reload its page."""
    session = Session(counter)
    tags = tags_of(get(counter, "/counter").text)
    first = {"at": "/counter", "navigation": 1, "tags": tags}
    with session.stream(query, first=first) as stream:
        shown = [stream.next("show")]
        path = f"/_/windows/{stream.window}"
        assert post_json(counter, path, first | {"navigation": 2}, Cookie=session.cookie).status == 204
        shown.append(stream.next("show"))
        assert session.join(stream, "/counter", tags=tags).status == 201
        shown.append(stream.next("show"))

    for _, _, show in shown:
        regions = show["regions"] if query == "?" else show["regions"][:-1]
        assert [(name, tag) for name, tag, *_ in regions] == list(tags.items())
        assert all(isinstance(content, str) for _, _, content, *_ in regions)
        assert query == "?" or show["regions"][-1] == ["", ""]


def test_a_window_joins_with_the_request_for_a_stream(counter):
    first = {"at": "/counter", "navigation": 3, "tags": tags_of(get(counter, "/counter").text)}
    session = Session(counter)
    with session.stream(first=first) as stream:
        _, _, show = stream.next("show")
        assert session.post("/counter", INCREMENT, X_Window=stream.window).status == 200
        stream.next("frame")

    assert (show["window"], show["navigation"], show["regions"]) == (stream.window, 3, [])


def test_a_stream_opens_for_a_window_without_a_page_too(counter):
    session = Session(counter)
    with session.stream(first={"at": "/nowhere", "navigation": 1}) as stream:
        assert (stream.status, stream.window) == (200, None)
        assert session.join(stream, "/counter").status == 201


@pytest.mark.parametrize("body, site, status", [("{", "same-origin", 400), ('{"at": "/counter", "navigation": 1}', "cross-site", 403)])
def test_a_stream_for_a_window_is_refused_as_its_join_would_be(shared, body, site, status):
    assert request(shared, "POST", "/_/stream", body, {"Sec-Fetch-Site": site}).status == status


def test_a_window_that_posts_gets_the_version_even_if_nothing_changes(app):
    session = Session(app)
    with session.stream() as stream:
        window = session.join(stream, "/fixture").json["window"]
        stream.next("show")

        # A deleted animal cannot be deleted again: nothing changes.
        version = session.post("/fixture", "_form=delete&id=nobody", X_Window=window)\
            .json["version"]
        identifier, name, data = stream.next()

    assert int(identifier) == version
    assert name in ("version", "frame")
    assert name == "frame" or data["window"] == window


def test_everything_on_the_wire_is_readable_by_hand(counter):
    received = b""
    with socket.create_connection(("127.0.0.1", counter.port), timeout=10) as connection:
        connection.sendall(
            b"GET /_/stream?at=/counter HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        while b"event: show" not in received or not received.endswith(b"\n\n\r\n"):
            received += connection.recv(4096)

    head, _, body = received.partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head.lower()
    chunks = []
    while body:
        size, _, body = body.partition(b"\r\n")
        chunks.append(body[:int(size, 16)])
        body = body[int(size, 16) + 2:]
    for event in b"".join(chunks).decode().split("\n\n"):
        fields = [line.split(":")[0] for line in event.splitlines()]
        assert set(fields) <= {"id", "event", "data", "retry"}
        assert fields.count("data") == (1 if "event" in fields else 0)


def test_a_stream_over_http_1_0_is_refused_with_advice(shared):
    received = exchange(shared, b"GET /_/stream?at=/counter HTTP/1.0\r\nHost: localhost\r\n\r\n")

    assert b" 505 " in received.splitlines()[0]
    assert b"proxy_http_version 1.1" in received


def test_a_stream_says_goodbye_when_the_server_ends(start_server):
    server = start_server()
    with Session(server).stream() as stream:
        code = server.terminate(limit=5)
        _, _, goodbye = stream.next("goodbye")
        rest = stream.next()

    assert code == 0
    assert goodbye["retry"] == 2000
    assert rest is None  # and the response ended as it should, or reading would have failed


def test_every_event_has_an_id(start_server):
    server = start_server()
    session = Session(server)
    events = []
    with session.stream("?at=/counter") as stream:
        events.append(stream.next("show"))
        session.post("/counter", INCREMENT)
        events.append(stream.next("frame"))
        server.terminate(limit=5)
        events.append(stream.next("goodbye"))

    assert all(identifier is not None for identifier, _, _ in events)
