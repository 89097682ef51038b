"""Edits: new values of texts and attributes, without HTML. (docs/PROTOCOL.md, Edits)"""

import pytest
from playwright.sync_api import expect

from raw import Session

ROW = '<li data-key="b" class="x"><a title="t">one <b>two</b> three</a></li>'


@pytest.fixture
def list_bench(bench):
    bench.put(f'<ul data-list="list"><li data-key="a">a</li>{ROW}</ul>')
    return bench


def row(bench):
    return bench.page.locator("[data-key=b]").evaluate("row => row.outerHTML")


@pytest.mark.parametrize("edits, expected", [
    ([[[0, 0], "2"]], ROW.replace("two", "2")),
    ([[0, "1 "], [0, " 3", 1]], ROW.replace("one", "1").replace("three", "3")),
    ([[0, ""], [[0, 0], ""], [0, "", 1]], '<li data-key="b" class="x"><a title="t"><b></b></a></li>'),
    ([[0, "<i>&amp;"]], ROW.replace("one ", "&lt;i&gt;&amp;amp;")),
    ([[[], "y", "class"], [0, None, "title"], [0, "", "hidden"]],
     ROW.replace('"x"', '"y"').replace('title="t"', 'hidden=""')),
    ([[[], "new"]], ROW.replace("<a", "new<a")),
], ids=["an element's", "around an element", "to nothing", "as it is", "attributes", "where none was"])
def test_an_edit_changes_a_text_or_an_attribute(list_bench, edits, expected):
    list_bench.rows(["edit", "b", edits])

    assert row(list_bench) == expected


def test_an_edit_leaves_elements_and_the_focus(list_bench):
    list_bench.page.locator("[data-key=b] a").evaluate("link => { link.tabIndex = 0; link.focus(); }")
    list_bench.remember("[data-key=b] b")

    list_bench.rows(["edit", "b", [[[0, 0], "2"], [0, "new", "title"]]])

    assert list_bench.is_remembered("[data-key=b] b")
    assert list_bench.page.evaluate("document.activeElement.title") == "new"


@pytest.mark.parametrize("edits", [[[1, "x"]], [[[0, 0, 0], "x"]], [[0, "x", 2]], [[5, "x", "class"]]])
def test_an_edit_that_does_not_apply_throws(list_bench, edits):
    with pytest.raises(Exception, match="There is no (element|text)"):
        list_bench.rows(["edit", "b", edits])


# What Chrome and Edge do to a page that they translate: every text is in two more elements.
TRANSLATE = """root => {
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  for (const text of texts) {
    const [outer, inner] = ["font", "font"].map((name) => document.createElement(name));
    text.replaceWith(outer);
    outer.append(inner);
    inner.append(`${text.data.toUpperCase()} `);
  }
}"""


def test_edits_apply_to_a_translated_page(list_bench):
    """A new text came beside the old one, or was refused because there were more elements."""
    list_bench.page.locator("[data-key=b]").evaluate(TRANSLATE)

    list_bench.rows(["edit", "b", [[[0, 0], "2"], [0, " 3", 1]]])

    assert row(list_bench) == ROW.replace("one ", "ONE  ").replace("two", "2").replace(" three", " 3")


def test_a_translated_page_follows_the_state(counter, open_live):
    page = open_live(counter, "/counter")
    page.locator("main").evaluate(TRANSLATE)

    page.get_by_role("button", name="INCREMENT").click()

    expect(page.locator(".value")).to_have_text("Value: 1")
    expect(page.locator(".number")).to_have_text("1")
    expect(page.locator("html[data-live]")).to_be_attached()


def test_links_that_an_edit_changes_get_their_new_href(fake_server, live):
    page = live("/?a=1", '<p><a data-set="b=1">b</a></p>')

    fake_server.frame("/?a=1", {"region": "root", "tag": "T", "edits": [[[0, 0], "b=2", "data-set"]]})

    expect(page.locator("a")).to_have_attribute("href", "/?a=1&b=2")


def test_a_changed_number_is_sent_as_text_edits(counter, open_live):
    window = open_live(counter, "/counter")
    number = window.locator(".number").element_handle()
    with Session(counter).stream("?at=/counter") as stream:
        window.get_by_role("button", name="Increment").click()
        expect(window.locator(".number")).to_have_text("1")

        _, _, frame = stream.next("frame")
    [patch] = frame["regions"]
    name, tag, edits = patch
    assert (name, len(tag), edits) == ("number", 22, [[0, "1"], [1, "Value: 1"]])
    assert number.evaluate("element => element.isConnected")
