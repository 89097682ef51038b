"""Patches do not change form fields that their user has changed."""

import pytest


def state(bench, selector):
    return bench.page.evaluate(
        """s => {
          const field = document.querySelector(s);
          return [field.value, field.defaultValue];
        }""",
        selector,
    )


def write(bench, text):
    """Types key by key, because in some engines Playwright's `fill` appends to an email field."""
    bench.page.fill("[name=f]", "")
    bench.page.locator("[name=f]").press_sequentially(text)


TEXTS = ['<input name="f" value="{}">', '<input type="search" name="f" value="{}">',
         '<input type="email" name="f" value="{}">', '<textarea name="f">{}</textarea>']


@pytest.mark.parametrize("html", TEXTS)
def test_a_clean_field_takes_the_new_value(bench, html):
    bench.put(html.format("one"))

    bench.frame(html.format("two"))

    assert state(bench, "[name=f]") == ["two", "two"]


@pytest.mark.parametrize("html", TEXTS)
def test_a_dirty_field_keeps_its_value_and_takes_the_new_default(bench, html):
    bench.put(html.format("one"))
    write(bench, "typed")

    bench.frame(html.format("two"))

    assert state(bench, "[name=f]") == ["typed", "two"]


@pytest.mark.parametrize("html", TEXTS)
def test_a_field_whose_typing_was_reverted_is_clean(bench, html):
    bench.put(html.format("one"))
    write(bench, "typed")
    write(bench, "one")

    bench.frame(html.format("two"))

    assert state(bench, "[name=f]") == ["two", "two"]


def test_a_dirty_field_that_equals_its_new_default_is_clean(bench):
    bench.put(TEXTS[0].format("one"))
    bench.page.fill("[name=f]", "two")
    bench.frame(TEXTS[0].format("two"))

    bench.frame(TEXTS[0].format("three"))

    assert state(bench, "[name=f]") == ["three", "three"]


def test_a_file_field_keeps_its_file(bench):
    bench.put('<input type="file" name="f">')
    bench.page.set_input_files("input", {"name": "a", "mimeType": "text/plain", "buffer": b"a"})

    bench.frame('<input type="file" name="f" accept="image/*">')

    assert bench.page.evaluate("document.querySelector('input').files.length") == 1


def test_a_checkbox(bench):
    html = '<input type="checkbox" name="a" {}><input type="checkbox" name="b" {}>'
    bench.put(html.format("", ""))
    bench.page.check("[name=a]")

    bench.frame(html.format("", "checked"))

    assert bench.page.is_checked("[name=a]") and bench.page.is_checked("[name=b]")

    bench.frame(html.format("checked", ""))

    assert bench.page.is_checked("[name=a]") and not bench.page.is_checked("[name=b]")

    bench.frame(html.format("", ""))

    assert not bench.page.is_checked("[name=a]")


def radios(default):
    return "<form>" + "".join(
        f'<label><input type="radio" name="r" value="{value}"'
        f'{" checked" if value == default else ""}>{value}</label>' for value in "abc"
    ) + "</form>"


@pytest.mark.parametrize("default", "abc")
def test_radio_buttons_take_a_new_default_together(bench, default):
    bench.put(radios("b"))

    bench.frame(radios(default))

    assert bench.page.evaluate("document.querySelector('form').r.value") == default


@pytest.mark.parametrize("choice", "abc")
@pytest.mark.parametrize("default", "abc")
def test_radio_buttons_keep_a_choice(bench, choice, default):
    bench.put(radios("b" if choice != "b" else "a"))
    bench.page.check(f"[value={choice}]")

    bench.frame(radios(default))

    assert bench.page.evaluate("document.querySelector('form').r.value") == choice


def select(options, default=None, attributes=""):
    return f'<select name="s" {attributes}>' + "".join(
        f'<option value="{value}"{" selected" if value in (default or "") else ""}>{value}</option>'
        for value in options
    ) + "</select>"


def selected(bench):
    return bench.page.evaluate(
        "[...document.querySelector('select').selectedOptions].map(o => o.value).join('')"
    )


def test_a_clean_select_takes_the_new_default(bench):
    bench.put(select("abc"))

    bench.frame(select("abcd", "d"))
    assert selected(bench) == "d"

    bench.frame(select("xabc"))
    assert selected(bench) == "x"


def test_a_dirty_select_keeps_its_choice_while_the_option_exists(bench):
    bench.put(select("abc", "a"))
    bench.page.select_option("select", "c")

    bench.frame(select("xcab", "b"))
    assert selected(bench) == "c"

    bench.frame(select("ab", "b"))
    assert selected(bench) == "b"


def test_a_dirty_select_of_many_keeps_its_choices(bench):
    bench.put(select("abcd", "a", "multiple"))
    bench.page.select_option("select", ["b", "c"])

    bench.frame(select("dcba", "d", "multiple"))

    assert selected(bench) == "cb"


def test_a_field_with_another_name_is_replaced(bench):
    bench.put('<form><input name="a"></form>')
    bench.page.fill("input", "secret")

    bench.frame('<form><input name="b"></form>')

    assert state(bench, "input") == ["", ""]


def test_a_field_is_patched_only_after_an_input_method_has_finished_composing(bench):
    html = '<p>{0}</p><input name="f" value="{0}" class="{0}">'
    bench.put(html.format("one"))
    bench.page.evaluate("import('/public/patch.js')")
    bench.page.focus("input")
    client = bench.page.context.new_cdp_session(bench.page)
    client.send("Input.imeSetComposition", {"selectionStart": 2, "selectionEnd": 2, "text": "に"})

    bench.frame(html.format("two"))
    bench.frame(html.format("three"))

    assert bench.page.text_content("p") == "three"
    assert state(bench, "input") == ["にone", "one"]
    assert bench.page.get_attribute("input", "class") == "one"

    client.send("Input.insertText", {"text": "日"})

    assert state(bench, "input") == ["日one", "three"]
    assert bench.page.get_attribute("input", "class") == "three"
