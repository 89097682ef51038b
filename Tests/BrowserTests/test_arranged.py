"""Rows that visitors arrange, and countdowns, of a product that brings no scripts of its own."""

import re

import pytest
from playwright.sync_api import expect


def expect_order(page, *names):
    expect(page.locator("[data-list=songs] > li > p")).to_have_text(list(names))


def drag(page, name, target, offset):
    """Drags a row to an offset from the middle of another."""
    row, goal = (page.locator("[data-list=songs] > li").filter(has_text=text) for text in (name, target))
    grip, box = row.locator("[data-grip]").bounding_box(), goal.bounding_box()
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(grip["x"] + 5, box["y"] + box["height"] / 2 + offset, steps=4)
    page.mouse.up()


@pytest.mark.main_path
def test_a_row_is_dragged(app, open_live):
    page, other = open_live(app, "/songs"), open_live(app, "/songs")
    expect_order(page, "A", "B~1", "C 50%")

    drag(page, "A", "C 50%", -5)

    expect_order(other, "B~1", "A", "C 50%")
    expect(page.get_by_role("status").filter(has_text="Position")).to_have_text("Position 2 of 3")
    drag(page, "C 50%", "B~1", -5)
    expect_order(other, "C 50%", "B~1", "A")


def test_the_move_of_a_button_is_announced(app, open_live):
    page = open_live(app, "/songs")

    page.get_by_role("button", name="Down: A").click()

    expect_order(page, "B~1", "A", "C 50%")
    expect(page.get_by_role("status").filter(has_text="Position")).to_have_text("Position 2 of 3")


def test_a_narrow_row_breaks_no_word_of_its_name(app, open_live):
    """Its buttons left the name so little room that it was written from letter to letter."""
    page = open_live(app, "/songs")
    page.set_viewport_size({"width": 320, "height": 640})
    name = page.locator("[data-list=songs] > li > p").nth(1)

    broken = name.evaluate("""name => {
      name.textContent = "Bohemian Rhapsody Remastered";
      const range = new Range();
      return [0, 9, 18].filter((at) => {
        range.setStart(name.firstChild, at);
        range.setEnd(name.firstChild, at + 8);
        return range.getClientRects().length > 1;
      });
    }""")

    assert broken == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    # The buttons are at the end, as in other rows.
    row = name.locator("..").bounding_box()
    last = page.locator("[data-list=songs] > li").nth(1).get_by_role("button").last.bounding_box()
    assert last["x"] + last["width"] == pytest.approx(row["x"] + row["width"], abs=1)


def test_without_javascript_rows_are_moved_by_buttons_alone(app, plain):
    plain.goto(app.url + "/songs")
    expect(plain.locator("[data-grip]").first).to_be_hidden()

    plain.get_by_role("button", name="Up: C 50%").click()

    expect_order(plain, "A", "C 50%", "B~1")
    expect(plain.locator("time").first).to_have_text("At 2030-01-01T00:00:30Z")


def test_a_countdown_counts_seconds(app, page):
    page.clock.install(time="2030-01-01T00:00:00Z")
    page.goto(app.url + "/songs")
    expect(page.locator("html[data-live]")).to_be_attached()
    times = page.locator("time")

    page.clock.pause_at("2030-01-01T00:00:20Z")
    expect(times).to_have_text([re.compile("^0:1[01]$"), re.compile("^59:4[01]$"), re.compile("^59:4[01]$")])
    page.clock.run_for(60_000)

    expect(times.first).to_have_text("0:00")
    expect(times.last).to_have_text(re.compile("^58:4[01]$"))
    expect(times.first).to_have_attribute("title", "At 2030-01-01T00:00:30Z")
