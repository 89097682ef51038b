"""Tools for developers: templates that reload, logs, messages, and the portable stream."""

import shutil

import pytest
from playwright.sync_api import expect

from raw import events
from servers import ROOT, ServerProcess, launch, product_server
from waiting import PATIENCE, wait_until


@pytest.fixture
def edited(tmp_path):
    """A server with its own reloading templates, and their folder."""
    templates = tmp_path / "Templates"
    shutil.copytree(ROOT / "Templates", templates)
    server = product_server("--templates", str(templates), "--reload-templates").start()
    yield server, templates / "CounterUI" / "CounterNumber.mustache"
    server.kill()


def test_an_edited_template_shows_in_open_windows(context, edited):
    server, template = edited
    page = context.new_page()
    page.goto(server.url + "/counter")
    page.locator("html[data-live]").wait_for(state="attached")

    template.write_text(template.read_text().replace("Value:", "Total:"))

    expect(page.get_by_text("Total: 0")).to_be_visible()


def test_a_broken_template_shows_its_error_and_a_fixed_one_the_page(context, edited):
    server, template = edited
    good = template.read_text()
    page = context.new_page()
    page.goto(server.url + "/counter")
    page.locator("html[data-live]").wait_for(state="attached")

    template.write_text(good.replace("{{value}}", "{{valu}}"))
    line = 1 + good[: good.index("{{value}}")].count("\n")

    alert = page.get_by_role("alert").filter(has_text='"valu"')
    expect(alert).to_contain_text(f"CounterUI/CounterNumber.mustache:{line}:")
    expect(alert).to_contain_text('did you mean "value"?')
    template.write_text(good)
    expect(page.get_by_text("Value: 0")).to_be_visible()


def test_a_broken_template_stops_the_start(tmp_path):
    templates = tmp_path / "Templates"
    shutil.copytree(ROOT / "Templates", templates)
    template = templates / "CounterUI" / "Content.mustache"
    template.write_text("{{#increment}}\n<p>{{value}}</p>\n")
    binary = product_server().binary

    process = launch(binary, "--port", "0", "--templates", str(templates))
    _, errors = process.communicate(timeout=PATIENCE)

    assert process.returncode == 1
    assert errors == (
        'Error: CounterUI/Content.mustache:1:1: "increment" is opened here and never closed: '
        "expected {{/increment}}\n"
    )


def test_a_port_in_use_is_reported(tmp_path):
    server = product_server().start()
    try:
        process = launch(server.binary, "--port", str(server.port))
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        server.kill()

    assert process.returncode == 1
    assert f"127.0.0.1:{server.port} is in use." in errors


def test_selectors_and_actions_are_logged_when_asked():
    server = product_server("--log-selectors", "--log-actions").start()
    try:
        with server.connection() as connection:
            connection.request("GET", "/counter")
            connection.getresponse().read()
            connection.request(
                "POST",
                "/counter",
                "_form=increment",
                {"Content-Type": "application/x-www-form-urlencoded"},
            )
            connection.getresponse().read()
            connection.request("GET", "/counter")
            connection.getresponse().read()
        assert server.terminate() == 0
    finally:
        server.kill()

    wait_until(lambda: "Update Output: SelectValue" in server.output, "it is logged")
    wait_until(lambda: "didTapIncrementButton" in server.output, "it is logged")
    wait_until(lambda: "changes=/counter/value: 0 → 1" in server.output, "it is logged")


@pytest.mark.parametrize("options", [[], ["portable"]])
def test_a_stream_sends_whole_chunks_with_and_without_the_portable_option(options):
    server = ServerProcess("FixtureServer", lambda port: [str(port), "3", *options]).start()
    try:
        with server.connection() as stream, server.connection() as posting:
            stream.request("GET", "/_/stream?at=/fixture")
            response = stream.getresponse()
            assert response.headers["Transfer-Encoding"] == "chunked"
            assert event(response) == "open"
            assert event(response) == "show"
            for _ in range(3):
                posting.request(
                    "POST",
                    "/fixture",
                    "_form=tick",
                    {"Content-Type": "application/x-www-form-urlencoded"},
                )
                posting.getresponse().read()
                assert event(response) == "frame"
            server._process.terminate()
            assert event(response) == "goodbye"
            assert response.read() == b""
    finally:
        server.kill()


def event(response):
    """Reads to the end of the next event, past comments; returns its name."""
    found = next(events(iter(response.readline, b"")), None)
    assert found, "the stream ended in the middle of an event"
    _, name, _ = found
    return name
