"""Row operations."""

import random

import pytest


def rows(*keys, tag="li"):
    return "".join(f'<{tag} data-key="{key}">{key}</{tag}>' for key in keys)


def keys(bench):
    return bench.page.evaluate(
        "[...document.querySelector('[data-list]').children].map(row => row.dataset.key)"
    )


@pytest.fixture
def abc(bench):
    bench.put(f'<ul data-list="list">{rows(*"abc")}</ul>')
    return bench


def test_set_changes_a_row_in_its_place(abc):
    abc.remember("[data-key=b]")

    abc.rows(["set", "b", '<li data-key="b" class="x"><b>B</b></li>'])

    assert abc.content() == (
        '<ul data-list="list"><li data-key="a">a</li>'
        '<li data-key="b" class="x"><b>B</b></li><li data-key="c">c</li></ul>'
    )
    assert abc.is_remembered("[data-key=b]")


def test_set_leaves_what_the_user_has_unfolded_and_checked(bench):
    def row(text):
        return (
            '<li data-key="a"><input type="checkbox" name="chosen" value="a">'
            f"<details><summary>{text}</summary>{text}</details></li>"
        )

    bench.put(f'<form><ul data-list="list">{row("old")}{rows("b")}</ul></form>')
    bench.page.click("summary")
    bench.page.check("input")

    bench.rows(["set", "a", row("new")], ["order", ["b", "a"]])

    assert bench.page.text_content("summary") == "new"
    assert bench.page.locator("details[open]").count() == 1
    assert bench.page.is_checked("input")


def test_put_adds_a_row_before_another_row_or_at_the_end(abc):
    abc.rows(
        ["put", "x", rows("x"), "b"], ["put", "y", rows("y"), None], ["put", "z", rows("z"), "x"]
    )

    assert keys(abc) == ["a", "z", "x", "b", "c", "y"]


def test_cut_removes_a_row(abc):
    abc.rows(["cut", "b"])

    assert keys(abc) == ["a", "c"]


def test_a_row_can_be_cut_and_put_in_one_patch(abc):
    abc.rows(["cut", "a"], ["put", "a", rows("a"), None])

    assert keys(abc) == ["b", "c", "a"]


def test_order_is_applied_after_the_operations_before_it(abc):
    abc.remember("[data-key=a]")

    abc.rows(["cut", "b"], ["put", "d", rows("d"), None], ["order", ["d", "c", "a"]])

    assert keys(abc) == ["d", "c", "a"]
    assert abc.is_remembered("[data-key=a]")


@pytest.mark.parametrize(
    "operation",
    [["set", "x", rows("x")], ["cut", "x"], ["put", "a", rows("a"), None],
     ["put", "x", rows("x"), "y"], ["order", ["a", "b"]], ["order", ["a", "b", "x"]], ["hop", "a"]],
)
def test_an_operation_that_does_not_apply_throws(abc, operation):
    with pytest.raises(Exception, match="row|order|operation"):
        abc.rows(operation)


def test_a_frame_is_applied_before_its_lists(bench):
    bench.put("<p>none</p>")

    bench.patch({
        "frame": '<h1>h</h1><ul data-list="list"></ul>',
        "lists": {"list": [["put", "a", rows("a"), None]]},
    })

    assert bench.content() == (
        '<h1>h</h1><ul data-list="list"><li data-key="a">a</li></ul>'
    )


def test_a_list_in_a_nested_region_does_not_belong_to_its_parent(bench):
    bench.put('<div data-region="inner"><ul data-list="list"></ul></div><ol data-list="list"></ol>')

    bench.rows(["put", "a", rows("a"), None])

    assert bench.page.locator("ol > li").count() == 1


def test_rows_of_tables(bench):
    bench.put('<table><tbody data-list="list"><tr data-key="a"><td>a</td></tr></tbody></table>')

    bench.rows(
        ["set", "a", '<tr data-key="a"><td>A</td><td>1</td></tr>'],
        ["put", "b", '<tr data-key="b"><td>B</td></tr>', "a"],
    )

    assert bench.content() == (
        '<table><tbody data-list="list"><tr data-key="b"><td>B</td></tr>'
        '<tr data-key="a"><td>A</td><td>1</td></tr></tbody></table>'
    )


def test_rows_of_svg(bench):
    bench.put('<svg><g data-list="list"><circle data-key="a" r="1"></circle></g></svg>')

    bench.rows(
        ["put", "b", '<circle data-key="b" r="2"></circle>', None],
        ["set", "a", '<circle data-key="a" r="3"></circle>'],
        ["order", ["b", "a"]],
    )

    assert bench.page.evaluate(
        """[...document.querySelectorAll("circle")]
          .map((e) => [e.namespaceURI.slice(-3), e.r.baseVal.value])"""
    ) == [["svg", 2], ["svg", 3]]


def test_rows_of_a_select(bench):
    bench.put('<select><optgroup data-list="list"></optgroup></select>')

    bench.rows(["put", "a", '<option data-key="a">A</option>', None])

    assert bench.page.locator("option").count() == 1


@pytest.mark.parametrize("has_move_before", [True, False])
def test_order_moves_around_the_focused_row(bench, has_move_before):
    if not has_move_before:
        bench.page.evaluate("delete Element.prototype.moveBefore")
    html = "".join(f'<li data-key="{key}"><input name="i"></li>' for key in range(20))
    bench.put(f'<ul data-list="list">{html}</ul>')
    seed = random.randrange(2**32)
    print("seed", seed)
    generator = random.Random(seed)
    for focused in [0, 7, 19]:
        bench.page.evaluate(
            """key => {
              window.moved = [];
              const list = document.querySelector("[data-list]");
              window.watch?.disconnect();
              window.watch = new MutationObserver((records) => moved.push(
                ...records.flatMap((r) => [...r.removedNodes].map((n) => n.dataset.key))));
              watch.observe(list, { childList: true });
              const input = list.querySelector(`[data-key="${key}"] input`);
              input.value = "typed";
              input.focus();
              input.setSelectionRange(1, 3);
            }""",
            focused,
        )
        order = [str(key) for key in range(20)]
        generator.shuffle(order)

        bench.rows(["order", order])

        assert keys(bench) == order
        assert bench.page.evaluate(
            """(() => {
              const { selectionStart, selectionEnd } = document.activeElement;
              const { key } = document.activeElement.closest("li").dataset;
              return [key, selectionStart, selectionEnd];
            })()"""
        ) == [str(focused), 1, 3]
        assert str(focused) not in bench.page.evaluate("moved")


@pytest.mark.parametrize("before", ["0", "15", None])
def test_a_move_of_the_focused_row_moves_others_around_it(bench, before):
    html = "".join(f'<li data-key="{key}"><input></li>' for key in range(20))
    bench.put(f'<ul data-list="list">{html}</ul>')
    bench.page.evaluate(
        """() => {
          window.moved = [];
          const list = document.querySelector("[data-list]");
          new MutationObserver((records) => moved.push(
            ...records.flatMap((record) => [...record.removedNodes].map((n) => n.dataset.key)))
          ).observe(list, { childList: true });
          list.querySelector("[data-key='7'] input").focus();
        }"""
    )

    bench.rows(["move", "7", before])

    order = [str(key) for key in range(20) if key != 7]
    order.insert(len(order) if before is None else order.index(before), "7")
    assert keys(bench) == order
    assert bench.page.evaluate("document.activeElement.closest('li').dataset.key") == "7"
    assert "7" not in bench.page.evaluate("moved")


def test_order_moves_as_few_rows_as_possible(bench):
    bench.put(f'<ul data-list="list">{rows(*range(100))}</ul>')
    bench.page.evaluate(
        """() => {
          window.moved = [];
          new MutationObserver((records) => moved.push(
            ...records.flatMap((record) => [...record.removedNodes].map((n) => n.dataset.key)))
          ).observe(document.querySelector("[data-list]"), { childList: true });
        }"""
    )
    order = [str(key) for key in [99, *range(0, 50), *range(51, 99), 50]]

    bench.rows(["order", order])

    assert keys(bench) == order
    assert sorted(bench.page.evaluate("moved")) == ["50", "99"]


def test_changing_one_row_of_ten_thousand_touches_only_that_row(bench):
    bench.put(f'<ul data-list="list">{rows(*range(10_000))}</ul>')

    changed = bench.page.evaluate(
        """async () => {
          const { applyPatches } = await import("/public/patch.js");
          const observer = new MutationObserver(() => {});
          observer.observe(document.querySelector("ul"), {
            childList: true, subtree: true, attributes: true, characterData: true });
          const lists = { list: [["set", "5000", '<li data-key="5000">new</li>']] };
          applyPatches([["root", "T", null, lists]]);
          return observer.takeRecords().length;
        }"""
    )

    assert changed == 1
