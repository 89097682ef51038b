"""Patches of whole regions and of their frames."""

import pytest


def test_html_replaces_the_content_and_the_tag(bench):
    bench.put("<p>one</p>")

    bench.patch({"html": "<p class=\"a\">two</p><hr>", "tag": "T2"})

    assert bench.content() == '<p class="a">two</p><hr>'
    assert bench.page.get_attribute("[data-region=root]", "data-tag") == "T2"


def test_an_element_keeps_its_identity_by_id_when_others_are_inserted_before_it(bench):
    bench.put('<p>a</p><p id="b">b</p>')
    bench.remember("#b")

    bench.frame('<p>new</p><div></div><p id="b" title="t">c</p><p>a</p>')

    assert bench.is_remembered("#b")
    assert bench.content() == '<p>new</p><div></div><p id="b" title="t">c</p><p>a</p>'


def test_an_element_without_a_key_is_matched_by_a_keyed_descendant(bench):
    bench.put('<label>Name <input name="name"></label>')
    bench.remember("label")
    bench.page.fill("input", "typed")

    bench.frame('<label>x</label><label>Age <input name="age"></label>'
                '<label>Name <input name="name"></label>')

    assert bench.is_remembered("label:nth-of-type(3)")
    assert bench.page.input_value("[name=name]") == "typed"
    assert bench.page.input_value("[name=age]") == ""


def test_focus_caret_and_selection_stay(bench):
    bench.put('<input name="a" value="hello world"><p>x</p>')
    bench.page.evaluate(
        """() => {
          const input = document.querySelector("input");
          input.focus();
          input.setSelectionRange(2, 5, "backward");
        }"""
    )

    bench.html('<h1>new</h1><p>y</p><div><b>z</b></div><input name="a" value="hello world!">')

    assert bench.page.evaluate(
        "(({name, value, selectionStart: a, selectionEnd: b, selectionDirection: c}) =>"
        " [name, value, a, b, c])(document.activeElement)"
    ) == ["a", "hello world!", 2, 5, "backward"]


def test_focus_moves_to_the_element_that_replaced_the_focused_one(bench):
    bench.put('<div><button id="save">Save</button></div>')
    bench.page.focus("#save")

    bench.html('<section><button id="save">Save</button></section>')

    assert bench.page.evaluate("document.activeElement.id") == "save"


def test_an_open_dialog_and_details_stay_open(bench):
    html = "<dialog id=d><p>{0}</p></dialog><details><summary>s</summary>{0}</details>"
    bench.put(html.format("one"))
    bench.page.evaluate("document.querySelector('dialog').showModal()")
    bench.page.evaluate("document.querySelector('details').open = true")

    bench.frame(html.format("two"))

    assert bench.page.locator("dialog:modal").text_content() == "two"
    assert bench.page.evaluate("document.querySelector('details').open")


def test_scroll_positions_stay(bench):
    tall = "<p>line</p>" * 200
    bench.put(f'<div id="box">{tall}</div>{tall}')
    bench.page.evaluate(
        """() => {
          const box = document.getElementById("box");
          box.style.overflow = "scroll";
          box.style.height = "100px";
          box.style.display = "block";
          box.scrollTop = 333;
          scrollTo(0, 444);
        }"""
    )
    style = bench.page.get_attribute("#box", "style")

    bench.frame(f'<div id="box" style="{style}">{tall.replace("line", "row")}</div>{tall}')

    assert bench.page.evaluate("[document.getElementById('box').scrollTop, scrollY]") == [333, 444]


def test_a_video_is_left_unchanged(bench):
    bench.put('<video id="v" src="/a.mp4"></video>')

    bench.frame('<video id="v" src="/b.mp4" autoplay></video>')

    assert bench.content() == '<video id="v" src="/a.mp4"></video>'


def test_a_nested_region_keeps_its_children_and_its_tag(bench):
    bench.put('<p>a</p><div data-region="inner" data-tag="I1"><b>inside</b></div>')
    bench.remember("b")

    bench.frame('<div data-region="inner" class="c"></div><p>a</p>')

    assert bench.content() == (
        '<div data-region="inner" data-tag="I1" class="c"><b>inside</b></div><p>a</p>'
    )
    assert bench.is_remembered("b")


def test_a_nested_region_and_a_list_are_found_wherever_a_patch_puts_them(bench):
    bench.put(
        '<div data-region="inner" data-tag="I1"><b>inside</b></div>'
        '<ul data-list="list"><li data-key="1">one</li></ul>'
    )
    bench.remember("b")
    bench.remember("li")

    bench.frame(
        '<section><h1>h</h1><div><ul data-list="list"></ul></div></section>'
        '<section><div data-region="inner"></div></section>'
    )

    assert bench.content() == (
        '<section><h1>h</h1><div><ul data-list="list"><li data-key="1">one</li></ul></div>'
        "</section>"
        '<section><div data-region="inner" data-tag="I1"><b>inside</b></div></section>'
    )
    assert bench.is_remembered("b") and bench.is_remembered("li")


@pytest.mark.parametrize("first, second", [("a", "b"), ("b", "a")])
def test_a_nested_region_moves_to_another_region(bench, first, second):
    def nested(name, html=""):
        return f'<div data-region="{name}" data-tag="{name}1">{html}</div>'

    inner = '<div data-region="inner" data-tag="I1"><b>inside</b></div>'
    bench.put(nested(first, inner if first == "a" else "") + nested(second, inner if second == "a" else ""))
    bench.remember("b")

    frames = {"a": "<p>gone</p>", "b": '<section><div data-region="inner"></div></section>'}
    bench.patch(*({"region": name, "tag": f"{name}2", "frame": frames[name]} for name in [first, second]))

    assert bench.page.inner_html("[data-region=a]") == "<p>gone</p>"
    assert bench.page.inner_html("[data-region=b]") == f"<section>{inner}</section>"
    assert bench.is_remembered("b")


def test_a_nested_region_stays_when_the_region_around_it_goes(bench):
    inner = '<div data-region="inner" data-tag="I1"><b>inside</b></div>'
    bench.put(f'<div data-region="outer" data-tag="O1">{inner}</div>')

    bench.frame('<p>a</p><div data-region="inner"></div>')

    assert bench.content() == f"<p>a</p>{inner}"


def test_a_nested_region_that_went_and_comes_back_is_new(bench):
    bench.put('<div data-region="inner" data-tag="I1"><input></div>')
    bench.patch({"region": "inner", "tag": "I2", "html": "<input>"})
    bench.page.fill("input", "typed")
    bench.frame("<p>a</p>")

    bench.patch(
        {"frame": '<div data-region="inner"></div>'}, {"region": "inner", "tag": "I2", "html": "<input>"})

    assert bench.page.input_value("input") == ""


def test_a_new_nested_region_is_patched_after_its_parent(bench):
    bench.put("<p>a</p>")

    bench.patch(
        {"frame": '<p>a</p><div data-region="inner"></div>', "tag": "R2"},
        {"region": "inner", "tag": "I2", "html": "<i>new</i>"},
    )

    assert bench.content() == '<p>a</p><div data-region="inner" data-tag="I2"><i>new</i></div>'


def test_html_adds_rows_and_keeps_existing_ones(bench):
    bench.put('<ul data-list="list"><li data-key="1">one</li><li data-key="2">two</li></ul>')
    bench.remember("[data-key='2']")

    bench.html('<ul data-list="list"><li data-key="3">three</li><li data-key="2">2</li></ul>')

    assert bench.content() == (
        '<ul data-list="list"><li data-key="3">three</li><li data-key="2">2</li></ul>'
    )
    assert bench.is_remembered("[data-key='2']")


def test_content_inside_svg_is_svg(bench):
    bench.put('<svg><g data-region="map" data-tag="M"></g></svg>')

    bench.patch({"region": "map", "html": '<circle r="2"/><a href="#"><text>t</text></a>'})

    names = bench.page.evaluate(
        "[...document.querySelectorAll('g *')].map(e => [e.localName, e.namespaceURI.slice(-3)])"
    )
    assert names == [["circle", "svg"], ["a", "svg"], ["text", "svg"]]


def test_a_patch_for_a_missing_region_throws(bench):
    bench.put("")

    message = bench.page.evaluate(
        """async () => {
          const { applyPatches } = await import("/public/patch.js");
          try { applyPatches([["none", "T", ""]]); }
          catch (error) { return error.message; }
        }"""
    )

    assert message == "There is no region none."
