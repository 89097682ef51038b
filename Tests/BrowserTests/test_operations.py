"""Requests of monitoring systems, and the server's logs."""

import concurrent.futures
import json
import re
import sqlite3
import time

import pytest
from playwright.sync_api import expect

from fake_animals import FakeAnimals
from quakes_page import YESTERDAY
from raw import Session, exchange, get, metrics, post, post_json, request, with_dashes
from waiting import wait_until
from servers import product_server

INCREMENT = "[data-form=increment] button"


def logged(server):
    """Ends a server; returns its JSON log."""
    assert server.terminate() == 0
    return [json.loads(line) for line in server.output.splitlines()
            if not line.startswith("Listening")]


def requests_logged(server):
    return [line for line in logged(server) if line["message"] == "request"]


# MARK: Health and readiness


@pytest.mark.parametrize("path, text", [("/healthz", "ok\n"), ("/readyz", "ready\n")])
def test_a_server_that_runs_is_healthy_and_ready(counter, path, text):
    answer = get(counter, path)

    assert (answer.status, answer.text) == (200, text)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Set-Cookie"] is None
    head = request(counter, "HEAD", path)
    assert (head.status, head.body) == (200, b"")
    assert post(counter, path, "").status == 405


@pytest.mark.parametrize("product", ["animals", "quakes"])
def test_a_server_with_a_locked_database_is_not_ready_until_it_can_be_opened(product, start_server):
    server = start_server()
    server.kill()
    other = sqlite3.connect(server.data / f"{product}.store", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    server.start()

    answer = get(server, "/readyz")
    assert answer.status == 503
    (reason,) = answer.text.splitlines()
    assert "locked" in reason
    assert {"animals": "animals", "quakes": "earthquakes"}[product] in reason
    assert get(server, "/healthz").status == 200
    assert get(server, "/counter").status == 200

    other.execute("ROLLBACK")
    other.close()

    assert get(server, "/readyz").text == "ready\n"
    assert get(server, "/readyz").status == 200


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_while_a_file_of_an_open_database_is_away_nothing_is_said_to_be_saved(start_server, suffix):
    server = start_server()
    get(server, "/animals?category=Mammal")
    file, away = (server.data / f"{name}{suffix}" for name in ["animals.store", "away"])

    def add(name):
        fields = f"_form=save&_token={name}&anyway=yes&name={name}&category=Mammal&diet=Carnivore"
        return post(server, "/animals", fields, Accept="text/html").status

    assert add("Otter") == 303
    file.rename(away)

    assert add("Badger") == 500
    answer = get(server, "/readyz")
    assert (answer.status, str(file) in answer.text) == (503, True)
    wait_until(lambda: str(file) in server.output, "it is logged")
    away.rename(file)
    assert add("Marten") == 303
    assert get(server, "/readyz").status == 200
    assert server.restart() and get(server, "/animals?category=Mammal").status == 200
    wait_until(lambda: "Marten" in get(server, "/animals?category=Mammal").text, "it is read")
    page = get(server, "/animals?category=Mammal").text
    assert ("Otter" in page, "Badger" in page) == (True, False)


def test_a_server_that_is_shutting_down_is_healthy_but_not_ready(start_server):
    remote = FakeAnimals()
    server = start_server("--animals-api", remote.url, "--animals-timeout", "60")
    session = Session(server)
    assert "Cat" in get(server, "/animals?category=Mammal").text
    with session.stream(), concurrent.futures.ThreadPoolExecutor() as pool:
        remote.hold_answers()
        adding = pool.submit(
            session.post, "/animals?category=Mammal&sheet=add",
            "_form=save&_token=one&name=Otter&diet=Omnivore&category=Mammal",
        )
        assert remote.held.wait(10)
        with server.connection(timeout=20) as connection:
            connection.request("GET", "/readyz")
            assert connection.getresponse().read() == b"ready\n"

            ended = pool.submit(server.terminate)
            # Its answers tell when the signal has arrived; the connection is there already.
            status = 200
            while status == 200:
                connection.request("GET", "/readyz")
                answer = connection.getresponse()
                status, text = answer.status, answer.read()

            assert (status, text) == (503, b"The server is shutting down.\n")
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200
            connection.close()
            remote.release()
        assert ended.result() == 0
        adding.exception()  # whatever it came to, it has come to its end
    remote.stop()


# MARK: Metrics


def test_metrics_count_effects_by_their_result(start_server):
    server = start_server()
    fields = "_form=save&_token=one&name=Otter&diet=Omnivore&category=Mammal"
    assert Session(server).post("/animals?category=Mammal&sheet=add", fields).status == 200
    counted = metrics(
        server, lambda found: found.get('effect_seconds_count{effect="add",result="success"}') == 1)
    assert counted['effect_seconds_sum{effect="add",result="success"}'] > 0
    assert 'effect_seconds_count{effect="add",result="failure"}' not in counted

    cut_off = start_server("--animals-api", "http://127.0.0.1:1")
    get(cut_off, "/animals")
    metrics(
        cut_off,
        lambda found: found.get('effect_seconds_count{effect="fetch",result="failure"}', 0) > 0)


def test_metrics_move_as_windows_open_act_and_close(counter, context, open_live):
    before = metrics(counter)
    assert [before[name] for name in ("windows", "streams", "places", "frames_total",
                                      "frames_dropped_total")] == [0] * 5

    page, other = open_live(counter, "/counter"), open_live(counter, "/counter")
    opened = metrics(counter)
    assert (opened["windows"], opened["streams"], opened["places"]) == (2, 1, 1)
    assert opened["selector_runs_total"] == before["selector_runs_total"] + 1
    assert opened["region_renders_total"] == before["region_renders_total"] + 2
    assert opened["http_requests_total{status=\"2xx\"}"] > 4
    assert opened["dispatch_to_push_seconds_count"] == 0

    for count in (1, 2):
        page.click(INCREMENT)
        expect(other.locator(".value")).to_have_text(f"Value: {count}")
    acted = metrics(counter)
    assert acted["frames_total"] == opened["frames_total"] + 2
    assert acted["selector_runs_total"] == opened["selector_runs_total"] + 2
    assert acted["region_renders_total"] == opened["region_renders_total"] + 2
    assert acted["region_differences_total"] == opened["region_differences_total"] + 2
    assert acted["dispatch_to_push_seconds_count"] == 2
    assert acted["dispatch_to_push_seconds_bucket{le=\"+Inf\"}"] == 2
    assert 0 < acted["dispatch_to_push_seconds_sum"] < 10
    assert acted["frames_dropped_total"] == 0

    other.close()
    metrics(counter, until=lambda values: (values["windows"], values["streams"]) == (1, 1))
    context.close()
    # Its place goes with the window, but not in the same moment.
    left = lambda values: [values[name] for name in ("windows", "streams", "places")]
    metrics(counter, until=lambda values: left(values) == [0, 0, 0])


def test_rendered_rows_and_selector_hits_are_counted(counter):
    before = metrics(counter)
    get(counter, "/animals?category=Mammal")
    first = metrics(counter)
    get(counter, "/animals?category=Bird")
    second = metrics(counter)

    assert before["row_renders_total"] == 0
    assert first["row_renders_total"] > 0
    assert second["selector_hits_total"] > first["selector_hits_total"]


def test_a_frame_that_a_stalled_reader_misses_is_counted_as_dropped(start_server):
    # The default timeout would close the stalled reader before it has frames to drop.
    server = start_server("--write-timeout", "60")
    session = Session(server)
    session.post("/quakes", "_form=sample")
    with session.stream() as stream:
        assert session.join(stream, "/counter").status == 201
        deadline = time.monotonic() + 60
        while metrics(server)["frames_dropped_total"] == 0:
            assert time.monotonic() < deadline
            session.join(stream, YESTERDAY)  # of which nothing is read
            session.post("/counter", "_form=increment")


def test_a_failure_is_counted_by_its_kind(counter):
    get(counter, "/nowhere")
    get(counter, "/counter", Host="evil.example")

    after = metrics(counter)
    assert after["http_requests_total{status=\"4xx\"}"] == 2
    assert after["http_requests_total{status=\"5xx\"}"] == 0
    assert after["http_request_seconds_count"] >= 2


def test_metrics_are_prometheus_text(counter):
    answer = get(counter, "/metrics")

    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.text.endswith("\n")
    assert request(counter, "HEAD", "/metrics").body == b""
    assert post(counter, "/metrics", "").status == 405


# MARK: Whom metrics are for


@pytest.fixture(scope="module")
def proxied():
    """A server behind a proxy on this machine, by a name."""
    server = product_server("--trusted-proxy", "127.0.0.1", "--allowed-hosts", "app.example")
    yield server.start()
    server.kill()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server with a token for its metrics."""
    token = tmp_path_factory.mktemp("token") / "token"
    token.write_text("open-sesame\n")
    server = product_server("--metrics-token-file", str(token), "--allowed-hosts", "app.example")
    yield server.start()
    server.kill()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:80", "[::1]", "app.localhost"])
def test_metrics_are_served_to_this_machine(proxied, host):
    assert get(proxied, "/metrics", Host=host).status == 200


@pytest.mark.parametrize("name, value", [
    ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-For", ""), ("X-Forwarded-Proto", "http"),
    ("X-Forwarded-Host", "localhost"), ("X-Real-IP", "127.0.0.1"), ("Forwarded", "for=127.0.0.1"),
    ("Via", "1.1 proxy"),
])
def test_metrics_are_not_served_to_forwarded_clients(proxied, name, value):
    answer = request(proxied, "GET", "/metrics", headers={name: value})

    assert answer.status == 403
    assert "only for this machine" in answer.text
    assert "windows" not in re.sub("<[^>]*>", "", answer.text)


@pytest.mark.parametrize("host", ["app.example", "192.168.1.7", "[2001:db8::1]"])
def test_metrics_are_not_served_under_another_host_name(proxied, host):
    assert get(proxied, "/counter", Host=host).status == 200
    assert get(proxied, "/metrics", Host=host).status == 403


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_the_token_gives_access_to_metrics_from_anywhere(guarded, scheme):
    answer = get(guarded, "/metrics", Host="app.example", Authorization=f"{scheme} open-sesame",
                 X_Forwarded_For="203.0.113.7")

    assert answer.status == 200
    assert "# TYPE windows gauge" in answer.text


@pytest.mark.parametrize("authorization", [
    None, "", "Bearer", "Bearer ", "Bearer open-sesam", "Bearer open-sesame2", "Bearer OPEN-SESAME",
    "Basic open-sesame", "open-sesame", "Bearer open-sesame\t2",
])
def test_nothing_else_gives_access_to_metrics(guarded, authorization):
    answer = get(guarded, "/metrics", Authorization=authorization)

    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert "# TYPE" not in answer.text


@pytest.mark.parametrize("content", [None, "", " \n", "two words"])
def test_a_token_file_without_a_token_stops_the_start(content, tmp_path):
    token = tmp_path / "token"
    if content is not None:
        token.write_text(content)

    with pytest.raises(RuntimeError, match="The token file .*token"):
        product_server("--metrics-token-file", str(token)).start()


# MARK: Behind a proxy


def cookies(server, path, **headers):
    with server.connection() as connection:
        connection.request("GET", path, headers=with_dashes(headers))
        return connection.getresponse().headers.get_all("Set-Cookie")


@pytest.mark.parametrize("path", ["/counter", "/_/stream"])
def test_a_cookie_is_secure_if_a_trusted_proxy_says_https(proxied, path):
    (cookie,) = cookies(proxied, path, X_Forwarded_Proto="https")
    assert cookie.endswith("; Path=/; HttpOnly; SameSite=Lax; Secure")

    for headers in ({}, {"X_Forwarded_Proto": "http"}, {"X_Forwarded_Proto": "https, http"}):
        (cookie,) = cookies(proxied, path, **headers)
        assert cookie.endswith("; Path=/; HttpOnly; SameSite=Lax")


@pytest.mark.parametrize("options", [[], ["--trusted-proxy", "10.0.0.0/8,::1"]])
def test_untrusted_clients_do_not_make_a_cookie_secure(options, start_server):
    (cookie,) = cookies(start_server(*options), "/counter", X_Forwarded_Proto="https",
                        X_Forwarded_For="10.0.0.1", Forwarded="proto=https")

    assert cookie.endswith("; SameSite=Lax")


@pytest.mark.parametrize("options, client", [
    ([], "127.0.0.1"),
    (["--trusted-proxy", "10.0.0.0/8"], "127.0.0.1"),
    (["--trusted-proxy", "127.0.0.0/8"], "203.0.113.7"),
])
def test_the_log_has_the_clients_address(options, client, start_server):
    server = start_server("--log-level", "info", "--log-format", "json", *options)
    get(server, "/counter", X_Forwarded_For="198.51.100.1, 203.0.113.7")

    assert [line["client"] for line in requests_logged(server)] == [client]


# MARK: The log


def test_the_log_in_json_has_requests_with_their_ids_and_windows(start_server):
    server = start_server("--log-level", "info", "--log-format", "json")
    session = Session(server)
    with session.stream() as stream:
        window = session.join(stream, "/counter").json["window"]
        session.post("/counter?a=b", "_form=increment", X_Window=window)
        there = {"at": "/counter?c=d", "navigation": 2, "tags": {}}
        post_json(server, f"/_/windows/{window}", there, Cookie=session.cookie)
        post_json(server, f"/_/windows/{window}/leave", None, Cookie=session.cookie)

    lines = requests_logged(server)
    facts = [(line["method"], line["path"], line["status"], line["window"]) for line in lines
             if line["path"] != "/_/stream"]
    assert facts == [
        ("GET", "/counter", "200", "none"),
        ("POST", "/_/windows", "201", "none"),
        ("POST", "/counter", "200", window),
        ("POST", f"/_/windows/{window}", "204", window),
        ("POST", f"/_/windows/{window}/leave", "204", window),
    ]
    assert len({line["hb.request.id"] for line in lines}) == len(lines) == 6
    for line in lines:
        assert (line["level"], line["label"], line["client"]) == ("info", "server", "127.0.0.1")
        assert float(line["milliseconds"]) > 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])


@pytest.mark.parametrize("path", ["/%0A%22%7D", "/\"}{\"level\":\"debug\"", "/\u00e9"])
def test_a_hostile_path_is_one_line_of_the_log(path, start_server):
    server = start_server("--log-level", "info", "--log-format", "json")
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    exchange(server, head.encode())
    get(server, "/counter", X_Window="\"},{\"", X_Forwarded_For="\"\\")

    lines = requests_logged(server)

    assert [line["path"] for line in lines][-1] == "/counter"
    assert len(lines) <= 2
    assert {line["window"] for line in lines} == {"none"}
    assert {line["client"] for line in lines} == {"127.0.0.1"}


def test_a_failed_effect_is_in_the_same_log(start_server):
    server = start_server("--log-format", "json", "--quakes-feed", "http://127.0.0.1:1/feeds")
    session = Session(server)
    assert session.post("/quakes", "_form=refresh&range=allHour").status == 200

    (line,) = logged(server)  # it waits for effects

    assert (line["level"], line["label"]) == ("error", "QuakesData")
    assert line["message"] == "An effect has failed"
    assert "127.0.0.1:1/feeds" in line["error"]
    assert (line["effect"], line["version"].isdigit()) == ("quakes.refresh", True)
    assert line["action"] == "quakes.ui.quakeList.onTapRefreshQuakesButton"


def test_a_level_holds_for_all_of_the_log(start_server):
    server = start_server("--log-level", "critical", "--quakes-feed", "http://127.0.0.1:1/feeds")
    assert Session(server).post("/quakes", "_form=refresh&range=allHour").status == 200

    assert server.terminate() == 0
    assert server.output == f"Listening on {server.url}\n"


def test_the_text_log_has_the_same_fields(start_server):
    server = start_server("--log-level", "info")
    get(server, "/counter")

    assert server.terminate() == 0
    (line,) = [line for line in server.output.splitlines() if " request" in line]
    for fact in ("hb.request.id=", "method=GET", "path=/counter", "status=200", "window=none",
                 "client=127.0.0.1"):
        assert fact in line


def test_metrics_follow_the_state_of_products(start_server):
    server = start_server()
    before = metrics(server)
    assert (before["animals"], before["quakes"]) == (0, 0)

    get(server, "/animals?category=Mammal")
    post(server, "/quakes", "_form=sample")

    metrics(server, until=lambda values: values["animals"] == 6 and values["quakes"] > 5_000)
