"""The previews: each component on its own, in every appearance, with fields for its values."""

import functools
import http.server
import itertools
import pathlib
import re
import subprocess
import sys
import threading

import pytest
from playwright.sync_api import expect

import previews
import raw
from kinds import thorough
from previews import VIEWS
from servers import ROOT, product_server

SCRIPT = "() => {" + pathlib.Path(__file__).with_name("accessibility.js").read_text() + "}"
MODULES = ["AnimalsUI", "CounterUI", "DeveloperTools", "QuakesUI"]
LIST = "/previews/AnimalsUI/AnimalList/a-category"
EDITOR = "/previews/AnimalsUI/AnimalEditor/new"
NARROW = {"width": 320, "height": 640}
WIDE = {"width": 1100, "height": 720}


@pytest.fixture(scope="module")
def server():
    server = product_server("--developer").start()
    yield server
    server.kill()


@pytest.fixture
def show(browser, server):
    """Opens pages with options of their context, one after another."""
    contexts = []

    def opener(**options):
        contexts.append(browser.new_context(reduced_motion="reduce", **options))
        page = contexts[-1].new_page()

        def goto(path):
            page.goto(server.url + path)
            page.evaluate(SCRIPT)
            return page

        return goto

    yield opener
    for context in contexts:
        context.close()


def paths(server, module):
    """The paths of the previews of a module."""
    paths = [path for path in previews.paths(raw.get(server, "/previews").text) if f"/{module}/" in path]
    assert len(paths) > 3
    return paths


# Every preview by itself.


NAMES = dict(zip(["light", "dark", "wide", "phone"], VIEWS))
SOME = [("AnimalsUI", "light"), ("CounterUI", "wide"), ("DeveloperTools", "light"), ("QuakesUI", "wide")]


# The pages that have them are tested in all four views (test_accessibility.py).
@pytest.mark.parametrize("module, view", [*SOME, *thorough(
    *(each for each in itertools.product(MODULES, NAMES) if each not in SOME))])
def test_every_preview_can_be_seen_and_fits_and_has_structure_and_names(server, browser, module, view):
    found = previews.problems(browser, server.url, paths(server, module), [NAMES[view]])
    # A day may be small, because the date field does the same.
    problems = [p for p in found if not ("/QuakeDays/" in p[0] and p[1] == "targets")]
    assert not problems, "\n".join(map(str, problems))


class Files(http.server.SimpleHTTPRequestHandler):
    def guess_type(self, path):
        return "text/html; charset=utf-8"

    def log_message(self, *_):
        pass


@pytest.fixture
def two_modules(tmp_path):
    """The address of a server with a preview in each of two modules, one of which is hard to read."""
    paths = {"/previews/Fine/Note/short": "black", "/previews/Pale/Note/short": "#949494"}
    for path, color in paths.items():
        folder = tmp_path / path[1:]
        folder.mkdir(parents=True)
        for appearance in {view[0] for view in VIEWS}:
            (folder / appearance).write_text(f"""<!doctype html>
                <html lang="en"><title>Note</title><body style="background: white; color: {color}">
                <a class="skip" href="#text">Skip</a> <main id="text"><h1>Note</h1> <p>Buy milk</p></main>""")
    (tmp_path / "previews" / "index.html").write_text("".join(f'<a href="{path}">Short</a>' for path in paths))
    handler = functools.partial(Files, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as files:
        threading.Thread(target=files.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{files.server_address[1]}"
        files.shutdown()


def check(url, *module):
    """Runs the command; returns its exit code, output and errors."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "accessibility.py"), url, *module], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_command_names_what_is_wrong_with_the_previews_of_a_server(two_modules):
    """For products: their previews are accessible, or it says what is not."""
    path, problem = "/previews/Pale/Note/short", "“Buy milk” has a contrast of 3.03"  # enough for a heading

    assert check(two_modules) == (
        1, f"{path}/light: {problem}\n{path}/dark: {problem}\n2 previews, 2 problems\n", "")


def test_a_command_checks_the_previews_of_one_module(server, two_modules):
    assert check(two_modules, "Fine") == (0, "1 previews, 0 problems\n", "")
    assert check(server.url, "CounterUI") == (0, f"{len(paths(server, 'CounterUI'))} previews, 0 problems\n", "")


def test_the_command_knows_a_server_without_such_previews(server):
    assert check(server.url, "Unknown") == (1, "", f"There are no previews at {server.url}/previews/Unknown.\n")


# Their pages.


@pytest.mark.parametrize("path", ["/previews", LIST, "/previews/QuakesUI/Content/a-day"])
def test_preview_pages_are_accessible(show, path):
    for scheme in ["light", "dark"]:
        page = show(color_scheme=scheme)(path)
        assert page.evaluate("accessibility.contrast()") == []
        assert page.evaluate("accessibility.shapes()") == []
        assert page.evaluate("accessibility.structure()") == []
    for view in [{"viewport": NARROW, "has_touch": True}, {"viewport": WIDE}]:
        page = show(**view)(path)
        assert page.evaluate("accessibility.overflow()") == []
        assert page.evaluate("accessibility.targets()") == []
    page = show(viewport={"width": 640, "height": 900})(path)
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    assert page.evaluate("accessibility.overflow()") == []


def test_the_list_links_to_a_preview_in_every_appearance(server, plain):
    """There are no scripts in it, with JavaScript or without."""
    plain.goto(server.url + "/previews")
    plain.get_by_role("region", name="AnimalsUI").get_by_role("link", name="A category", exact=True).first.click()

    expect(plain).to_have_url(re.compile(LIST + "$"))
    for name in ["Light", "Dark", "320 pixels wide", "Text twice as large", "Forced colors", "Right to left"]:
        frame = plain.frame_locator(f"iframe[title='{name}']")
        expect(frame.get_by_role("link", name="Red kangaroo", exact=True)).to_be_attached()
    assert plain.locator("script").count() == 0


def test_each_appearance_matches_its_name(server, plain):
    plain.goto(server.url + LIST)

    def style(name, selector, what):
        body = plain.frame_locator(f"iframe[title='{name}']").locator(selector).first
        return body.evaluate(f"(element) => getComputedStyle(element).{what}")

    assert style("Light", "body", "backgroundColor") == "rgb(245, 245, 247)"
    assert style("Dark", "body", "backgroundColor") == "rgb(23, 23, 26)"
    assert style("Text twice as large", "html", "fontSize") == "32px"
    assert style("Right to left", "body", "direction") == "rtl"
    assert style("320 pixels wide", "html", "width") == "320px"
    assert style("Forced colors", "h2", "color") == "rgb(0, 0, 0)"


def test_fields_change_the_preview(server, plain):
    plain.goto(server.url + LIST)
    light = plain.frame_locator("iframe[title='Light']")
    dark = plain.frame_locator("iframe[title='Dark']")
    expect(plain.get_by_label("category")).to_have_value("Mammal")

    plain.get_by_label("category").fill("Bird")
    plain.get_by_label("order").select_option("own")
    plain.get_by_role("button", name="Show").click()

    for frame in [light, dark]:
        expect(frame.get_by_role("link", name="House sparrow", exact=True)).to_be_attached()
        expect(frame.get_by_role("link", name="My order")).to_have_attribute("aria-current", "true")
    plain.get_by_role("link", name="As declared").click()
    expect(light.get_by_role("link", name="Red kangaroo", exact=True)).to_be_attached()


def test_links_and_searches_work_inside_a_preview(server, plain):
    plain.goto(server.url + EDITOR + "/bare")
    plain.get_by_role("link", name="Cancel").click()
    expect(plain.get_by_text("With these inputs nothing shows.")).to_be_visible()

    plain.goto(server.url + "/previews/AnimalsUI/Content/nothing-selected/bare")
    plain.get_by_label("Search all animals").fill("cat")
    plain.keyboard.press("Enter")
    expect(plain.locator("[data-list=animals] > li")).to_have_count(1)
    plain.locator("[data-list=animals] a").first.click()
    expect(plain.get_by_role("heading", name="Cat", exact=True)).to_be_visible()


def test_a_button_in_a_preview_changes_nothing_and_shows_a_message(server, plain):
    plain.goto(server.url + "/previews/CounterUI/Content/zero/bare")
    plain.get_by_role("button", name="Increment").click()

    expect(plain.get_by_text("its buttons do nothing")).to_be_visible()
    plain.goto(server.url + "/counter")
    expect(plain.get_by_text("Value: 0", exact=True)).to_be_attached()


def test_a_preview_has_no_scripts_and_a_policy_that_forbids_them(server):
    answer = raw.get(server, EDITOR + "/bare")
    assert "<script" not in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src" not in policy
    assert "frame-ancestors 'self'" in policy


@pytest.mark.parametrize("path", ["/previews", LIST, LIST + "/bare", "/previews/nothing"])
def test_previews_are_missing_for_remote_clients(server, path):
    forwarded = {"X-Forwarded-For": "203.0.113.7"}
    answer = raw.get(server, path, **forwarded)
    assert answer.status == 404
    assert answer.text.count("The address may be wrong") == 1
    assert raw.get(server, "/_/stream?at=/previews", **forwarded).status == 404


def test_previews_need_their_option(start_server):
    server = start_server()
    for path in ["/previews", LIST, LIST + "/bare"]:
        assert raw.get(server, path).status == 404
