"""Per-window values: links, fields, the overlay, relative times."""

import re

import pytest
from playwright.sync_api import expect

SEARCH = '<form method="get" data-local><input name="search" data-parameter="search"></form>'


def test_links_get_their_href_from_the_windows_query(live):
    page = live("/quakes?sort=time&select=b", '<a data-set="sort=magnitude&amp;order=up">a</a>'
                '<a data-set="select=">b</a><a data-set="sort=&amp;select=">c</a>')

    hrefs = [link.get_attribute("href") for link in page.locator("a").all()]

    assert hrefs == ["/quakes?select=b&sort=magnitude&order=up", "/quakes?sort=time", "/quakes"]


def test_links_that_a_patch_adds_or_changes_get_their_href(fake_server, live):
    page = live("/?a=1", '<a data-set="b=1">b</a>')

    fake_server.frame("/?a=1", {"region": "root", "tag": "T",
                                "frame": '<a data-set="b=2">b</a><p><a data-set="a=">a</a></p>'})

    expect(page.locator("p a")).to_have_attribute("href", "/")
    expect(page.locator("a").first).to_have_attribute("href", "/?a=1&b=2")


def test_fields_show_the_windows_parameters(live):
    page = live("/?q=one&flag=2&flag=3&size=l&sort=b", """
      <input name="q" data-parameter="q">
      <input name="other" data-parameter="other" data-default="d">
      <input type="checkbox" name="flag" value="1" data-parameter="flag">
      <input type="checkbox" name="flag" value="3" data-parameter="flag">
      <input type="radio" name="size" value="s" data-parameter="size">
      <input type="radio" name="size" value="l" data-parameter="size">
      <select name="sort" data-parameter="sort"><option>a</option><option>b</option></select>""")

    assert page.evaluate(
        "[...document.querySelectorAll('input, select')].map(f => f.type.match(/check|radio/)"
        " ? f.checked : f.value)"
    ) == ["one", "d", False, True, False, True, "b"]


def test_a_field_takes_the_value_of_a_new_url_only_when_the_user_has_left_it(live):
    page = live("/?search=one", SEARCH + '<a data-set="search=two">two</a>')
    page.focus("input")

    page.evaluate("document.querySelector('a').click()")

    expect(page).to_have_url(re.compile(r"search=two$"))
    expect(page.locator("input")).to_have_value("one")
    page.evaluate("document.querySelector('input').blur()")
    expect(page.locator("input")).to_have_value("two")


@pytest.mark.parametrize("leaves", [False, True])
def test_a_patch_keeps_a_fields_parameter_and_typed_text(fake_server, live, leaves):
    page = live("/?search=one", SEARCH + '<p></p>')
    page.evaluate("document.querySelector('form').removeAttribute('data-local')")
    page.fill("input", "typed")
    if leaves:
        page.locator("input").blur()

    fake_server.frame("/?search=one", {
        "region": "root", "tag": "T",
        "frame": SEARCH.replace(" data-local", "") + "<p>new</p>"})

    expect(page.locator("p").last).to_have_text("new")
    assert page.evaluate("(f => [f.value, f.defaultValue])(document.querySelector('input'))") == [
        "typed", "one"]


DRAFT = """<p>page</p><input name="name" value="typed" data-default-value="old">
  <textarea name="notes" data-default-value="old">typed</textarea>
  <input type="checkbox" name="urgent" value="true" data-default-checked="true">
  <input type="radio" name="size" value="s" data-default-checked="true">
  <input type="radio" name="size" value="l" checked data-default-checked="false">
  <select name="color" data-draft><option>red</option><option data-default-selected>green</option>
    <option selected>blue</option></select>
  <select name="tags" multiple data-draft><option data-default-selected>one</option>
    <option selected>two</option></select>"""
PATCHED = """<p>patched</p><input name="name" value="new"><textarea name="notes">new</textarea>
  <input type="checkbox" name="urgent" value="true" checked>
  <input type="radio" name="size" value="s" checked><input type="radio" name="size" value="l">
  <select name="color"><option selected>red</option><option>green</option><option>blue</option></select>
  <select name="tags" multiple><option selected>one</option><option>two</option></select>"""
STATES = """() => [...document.querySelector("form").elements].map((field) =>
  field.localName === "select" ? [...field.selectedOptions].map((option) => option.value)
  : /check|radio/.test(field.type) ? field.checked : field.value)"""


@pytest.mark.parametrize("patch, text, color", [(None, "old", "green"), (PATCHED, "new", "red")],
                         ids=["as loaded", "patched"])
def test_what_a_page_has_as_a_draft_is_input_and_not_its_default(fake_server, live, patch, text, color):
    """After a refusal, or an effect that has failed."""
    page = live("/", f"<form>{DRAFT}</form>")

    if patch:
        fake_server.frame("/", {"region": "root", "tag": "T", "frame": f"<form>{patch}</form>"})
        expect(page.locator("main p")).to_have_text("patched")

    assert page.evaluate(STATES) == ["typed", "typed", False, False, True, ["blue"], ["two"]]
    marks = "[data-default-value], [data-default-checked], [data-default-selected], [data-draft]"
    expect(page.locator(marks)).to_have_count(0)
    page.evaluate("document.querySelector('form').reset()")
    assert page.evaluate(STATES) == [text, text, True, True, False, [color], ["one"]]


def test_late_inputs_are_removed(live):
    page = live("/?a=1", '<form method="get" data-local><input name="q">'
                '<input type="hidden" name="a" value="1" data-late></form>')

    expect(page.locator("[data-late]")).to_have_count(0)


ROWS = """<ul data-list="list">
  <li data-key="1">1</li><li data-key="2" data-overlay="aria-current" aria-current="true">2</li></ul>"""


def test_the_overlay_moves_with_the_selection(fake_server, live):
    fake_server.show = lambda window: {"overlay": {
        "list": {window["at"][-1]: {"aria-current": "true", "class": "here"}}}}
    page = live("/?select=2", ROWS + '<a data-set="select=1">1</a>')
    expect(page.locator("[aria-current].here")).to_have_text("2")

    page.click("a")

    expect(page.locator(".here[aria-current]")).to_have_text("1")
    assert page.locator("[aria-current], [class]").count() == 1


def test_the_overlay_of_a_page_is_removed_even_if_its_show_is_overtaken(fake_server, page):
    fake_server.content["/"] = ROWS + '<a data-set="select=">none</a>'
    fake_server.show = lambda window: None
    page.goto(fake_server.url + "/?select=2")
    fake_server.wait(lambda: fake_server.windows, "the join")
    page.click("a")
    [window] = fake_server.windows
    selected = {"list": {"2": {"aria-current": "true"}}}

    fake_server.show = lambda window: {"overlay": selected if window["navigation"] == 1 else {}}
    fake_server.send_show(window)

    fake_server.wait(lambda: fake_server.moves, "the move")
    expect(page.locator("[aria-current]")).to_have_count(0)


def test_rows_added_later_get_their_overlay_too(fake_server, live):
    overlay = {"list": {"3": {"aria-current": "true"}, "1": {"title": "t"}}}
    fake_server.show = lambda window: {"overlay": overlay}
    page = live("/", ROWS)

    fake_server.frame("/", {"region": "root", "tag": "T", "lists": {"list": [
        ["put", "3", '<li data-key="3">3</li>', None], ["set", "1", '<li data-key="1">one</li>']]}})

    expect(page.locator("[data-key='3']")).to_have_attribute("aria-current", "true")
    expect(page.locator("[title=t]")).to_have_text("one")


def test_times_are_relative_and_their_title_is_absolute(fake_server, live):
    html = '<time datetime="{}" data-relative>{}</time>'
    page = live("/")
    page.clock.install(time="2024-05-06T12:00:00Z")

    live("/", html.format("2024-05-06T11:58:30Z", "11:58"), page=page)

    time = page.locator("time")
    expect(time).to_have_text("1 minute ago")
    expect(time).to_have_attribute("title", "11:58")
    page.clock.fast_forward("03:00:00")
    expect(time).to_have_text("3 hours ago")
    expect(time).to_have_attribute("title", "11:58")
    fake_server.frame("/", {"region": "root", "tag": "T",
                            "frame": html.format("2024-05-04T23:30:00Z", "May 4, 23:30")})
    expect(time).to_have_attribute("title", "May 4, 23:30")
    expect(time).to_have_text("1 day ago")  # "yesterday" would be wrong: it is the sixth
