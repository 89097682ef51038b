"""The server behind nginx and Caddy, as docs/operations has them: TLS, HTTP/2, streams."""

import json
import re
import zlib

import pytest
from playwright.sync_api import expect

from clients import connected
from kinds import thorough
from profiles import profile
from proxies import NAME, Caddy, Nginx, is_installed
from raw import events, get, metrics
from servers import product_server

INCREMENT = "[data-form=increment] button"
BURST = 1_000  # connections that come at once
RETURN = 30_000  # a reconnection waits up to 15 s
TABS = {Nginx: 12, Caddy: 8}  # more than a browser has connections without HTTP/2


@pytest.fixture(scope="module")
def trusting_browser(launch):
    """A browser to which the proxy's name is this machine, with whatever certificate."""
    return launch(trusted_name=NAME)


@pytest.fixture
def context(trusting_browser, complaints):
    with profile(trusting_browser, complaints) as context:
        yield context


@pytest.fixture
def server():
    """With the options that matter of docs/operations/immutable-data.service."""
    server = product_server(
        "--allowed-hosts", NAME, "--trusted-proxy", "127.0.0.1,::1",
        "--log-level", "info", "--log-format", "json",
    )
    yield server.start()
    server.kill()


@pytest.fixture(params=[Nginx, *thorough(Caddy)], ids=["nginx", "caddy"])
def proxy(request, server, tmp_path):
    if request.param is Caddy and not is_installed(Caddy):
        pytest.skip("scripts/install could not install caddy")
    proxy = request.param(server, tmp_path)
    yield proxy.start()
    proxy.end()


def ask(proxy, path, method="GET", body=None, source="127.0.0.1", **headers):
    """Status, headers and text of one request to a proxy."""
    with proxy.connection(source) as connection:
        connection.request(method, path, body,
                           {"Host": f"{NAME}:{proxy.port}"}
                           | {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read().decode()


def expect_value(page, value):
    expect(page.locator(".value")).to_have_text(f"Value: {value}", timeout=RETURN)


def expect_live(page):
    expect(page.locator("html[data-live]")).to_be_attached(timeout=RETURN)


def watch(page):
    """Counts how often a page loses its server."""
    page.evaluate("""() => {
      window.losses = 0;
      new MutationObserver(() => document.documentElement.hasAttribute("data-live")
                                 || (window.losses += 1))
        .observe(document.documentElement, { attributeFilter: ["data-live"] });
    }""")


def expect_lost(page):
    page.wait_for_function("() => window.losses > 0", timeout=RETURN)


# MARK: Live windows


def test_no_connection_of_a_burst_is_dropped_while_the_proxy_is_busy(proxy):
    with proxy.paused():
        assert connected(proxy.port, BURST) == BURST


@pytest.mark.parametrize("shares", [True, False], ids=["one stream", "a stream for each tab"])
def test_many_tabs_of_a_browser_get_a_push(shares, server, proxy, context, open_live):
    if not shares:
        context.add_init_script("delete window.SharedWorker")
    tabs = TABS[type(proxy)]
    pages = [open_live(proxy, "/counter") for _ in range(tabs)]
    now = metrics(server)
    assert (now["windows"], now["streams"]) == (tabs, 1 if shares else tabs)

    pages[0].click(INCREMENT)

    for page in pages:
        expect(page.locator(".value")).to_have_text("Value: 1")
    protocols = {page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
                 for page in pages}
    assert protocols == {"h2"}
    assert metrics(server)["frames_total"] == now["frames_total"] + 1


def test_closing_a_browser_leaves_no_stream(server, proxy, context, open_live):
    open_live(proxy, "/counter")
    assert metrics(server)["streams"] == 1

    context.close()

    metrics(server, until=lambda values: values["streams"] == 0)


def test_cookies_are_secure(proxy, context, open_live):
    open_live(proxy, "/counter")

    (cookie,) = [each for each in context.cookies() if each["name"] == "session"]
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax")


def test_a_page_works_without_javascript(proxy, trusting_browser):
    context = trusting_browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(proxy.url + "/counter")

    page.click(INCREMENT)

    expect(page.locator(".value")).to_have_text("Value: 1")
    expect(page).to_have_url(proxy.url + "/counter")
    context.close()


# MARK: The stream


def test_the_stream_is_not_buffered(server, proxy):
    _, headers, _ = ask(proxy, "/counter")
    cookie = headers["Set-Cookie"].split(";")[0]
    with proxy.connection() as connection:
        connection.request("GET", "/_/stream?at=/counter", headers={
            "Host": f"{NAME}:{proxy.port}", "Cookie": cookie, "Accept-Encoding": "gzip"})
        stream = connection.getresponse()
        assert stream.status == 200
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.headers["Content-Encoding"] == "gzip"  # the server's own
        events = names(stream)
        assert next(events) == "open"
        assert next(events) == "show"
        for _ in range(3):
            status, _, _ = ask(proxy, "/counter", "POST", "_form=increment", Cookie=cookie,
                               Content_Type="application/x-www-form-urlencoded",
                               Accept="application/json")
            assert status == 200
            assert next(events) == "frame"


def names(stream):
    """
    The names of a compressed stream's events, except `presence`, which comes at any time. Reading gives up
    after 10 s.
    """
    unpacker = zlib.decompressobj(31)

    def unpacked():
        text = b""
        while piece := stream.read1():
            *lines, text = (text + unpacker.decompress(piece)).split(b"\n")
            yield from lines

    return (name for _, name, _ in events(unpacked()) if name != "presence")


# MARK: Forwarded headers


def test_the_log_has_the_clients_real_address(server, proxy):
    ask(proxy, "/counter", source="127.0.0.2")
    status, headers, _ = ask(
        proxy, "/counter", source="127.0.0.3", X_Forwarded_For="203.0.113.7",
        X_Forwarded_Proto="http", X_Forwarded_Host="evil.example", X_Real_IP="203.0.113.7",
        Forwarded="for=203.0.113.7;proto=http",
    )
    assert status == 200
    assert headers["Set-Cookie"].endswith("; Secure")

    assert server.terminate() == 0
    lines = [json.loads(line) for line in server.output.splitlines()
             if not line.startswith("Listening")]
    assert [line["client"] for line in lines if line["message"] == "request"] == [
        "127.0.0.2", "127.0.0.3"]


def test_internal_paths_are_not_forwarded(server, proxy):
    for path in ["/metrics", "/healthz", "/readyz"]:
        for headers in ({}, {"X_Forwarded_For": "127.0.0.1"}):
            status, _, text = ask(proxy, path, **headers)
            assert status == 404, (path, headers)
            assert "windows" not in text, (path, headers)
        assert get(server, path).status == 200, path


def test_an_unknown_host_is_not_served(proxy):
    status, _, text = ask(proxy, "/counter", Host="evil.example")

    assert status == 421 or (status, text) == (200, "")  # Caddy has no site of that name


def test_a_cross_site_post_is_forbidden(proxy):
    for headers in ({"Sec_Fetch_Site": "cross-site"}, {"Origin": "https://evil.example"}):
        status, _, _ = ask(proxy, "/counter", "POST", "_form=increment",
                           Content_Type="application/x-www-form-urlencoded", **headers)
        assert status == 403
    assert "Value: 0" in re.sub(r"<[^>]*>", "", ask(proxy, "/counter")[2])


def test_a_same_origin_post_from_an_old_browser_is_accepted(proxy):
    """One that says its origin and no more: the port is in it."""
    status, _, _ = ask(proxy, "/counter", "POST", "_form=increment",
                       Content_Type="application/x-www-form-urlencoded",
                       Accept="application/json", Origin=proxy.url)

    assert status == 200


def test_an_oversized_body_is_refused(proxy):
    status, _, _ = ask(proxy, "/counter", "POST", "x" * 70_000,
                       Content_Type="application/x-www-form-urlencoded")

    assert status == 413


def test_plain_http_redirects_to_https(proxy):
    with proxy.plain_connection() as connection:
        connection.request("GET", "/counter?a=b", headers={
            "Host": NAME, "X-Forwarded-Proto": "https"})
        response = connection.getresponse()

        assert response.status in (301, 308)
        assert re.fullmatch(rf"https://{NAME}(:{proxy.port})?/counter\?a=b",
                            response.headers["Location"])
    assert ask(proxy, "/counter")[1]["Strict-Transport-Security"] == "max-age=31536000"


# MARK: Restarts


def test_windows_return_when_the_proxy_restarts(proxy, context, open_live):
    pages = [open_live(proxy, "/counter") for _ in range(3)]
    pages[0].click(INCREMENT)
    for page in pages:
        expect_value(page, 1)
        watch(page)

    proxy.end()
    for page in pages:
        expect_lost(page)
    proxy.start()

    for page in pages:
        expect_live(page)
    pages[1].click(INCREMENT)
    for page in pages:
        expect_value(page, 2)


def test_windows_stay_or_return_when_the_proxy_reloads(proxy, context, open_live):
    pages = [open_live(proxy, "/counter") for _ in range(3)]
    for page in pages:
        watch(page)

    proxy.reload()

    if proxy.ends_streams:
        expect_lost(pages[0])
    for page in pages:
        expect_live(page)
    pages[0].click(INCREMENT)
    for page in pages:
        expect_value(page, 1)


def test_a_post_during_a_restart_counts(server, proxy, context, open_live):
    page = open_live(proxy, "/counter")
    watch(page)
    server.kill()
    expect_lost(page)

    page.click(INCREMENT)  # the proxy answers 502
    expect(page.locator("[data-form=increment][data-resending]")).to_be_attached()
    server.start()

    expect_value(page, 1)
    expect_live(page)
    expect(page.locator("[data-form=increment][aria-busy]")).to_have_count(0)
