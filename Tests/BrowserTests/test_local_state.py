"""Local state in the URL: typing, links, history, deep links, and invalid values."""

import re

from playwright.sync_api import expect

SEARCH = "[type=search]"


def names(page):
    return page.locator("#items li a")


def history(page):
    return page.evaluate("history.length")


def test_a_search_takes_effect_as_it_is_typed_and_is_one_history_entry(app, open_live):
    page = open_live(app, "/fixture")
    length = history(page)
    page.evaluate("window.mine = true")

    page.locator(SEARCH).press_sequentially("10", delay=20)
    expect(page).to_have_url(app.url + "/fixture?search=10")
    page.locator(SEARCH).press_sequentially("01")

    expect(page).to_have_url(app.url + "/fixture?search=1001")
    expect(names(page)).to_have_text(["Item 1001"])
    expect(page.locator(SEARCH)).to_have_value("1001")
    expect(page.locator(SEARCH)).to_be_focused()
    assert history(page) == length + 1
    assert page.evaluate("window.mine")


def test_a_key_after_a_pause_takes_effect_at_once(app, open_live):
    page = open_live(app, "/fixture")
    page.evaluate("globalThis.setTimeout = () => 0")  # nothing that waits ever happens

    page.press(SEARCH, "1")

    expect(page).to_have_url(app.url + "/fixture?search=1")


def test_each_key_of_somebody_who_types_takes_effect_at_once(app, open_live):
    page = open_live(app, "/fixture")
    page.evaluate("globalThis.setTimeout = () => 0")  # nothing that waits ever happens

    page.locator(SEARCH).press_sequentially("1001", delay=90)

    expect(page).to_have_url(app.url + "/fixture?search=1001")


def test_no_key_waits_longer_than_60_ms(app, open_live):
    page = open_live(app, "/fixture")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 60000"))

    page.locator(SEARCH).press_sequentially("10")
    expect(page).to_have_url(app.url + "/fixture?search=1")
    page.clock.run_for(60)

    expect(page).to_have_url(app.url + "/fixture?search=10")


def test_enter_ends_a_search_and_the_next_one_is_a_new_history_entry(app, open_live):
    page = open_live(app, "/fixture")
    length = history(page)

    page.fill(SEARCH, "1001")
    page.press(SEARCH, "Enter")
    expect(page).to_have_url(app.url + "/fixture?search=1001")
    assert history(page) == length + 1
    page.fill(SEARCH, "1002")
    page.press(SEARCH, "Enter")

    expect(names(page)).to_have_text(["Item 1002"])
    assert history(page) == length + 2
    page.go_back()
    expect(names(page)).to_have_text(["Item 1001"])
    expect(page.locator(SEARCH)).to_have_value("1001")


def test_back_leaves_a_search_and_forward_returns_to_it(app, open_live):
    page = open_live(app, "/fixture")
    page.locator(SEARCH).press_sequentially("1002", delay=20)
    expect(names(page)).to_have_text(["Item 1002"])

    page.go_back()
    expect(names(page)).to_have_count(3)
    expect(page.locator(SEARCH)).to_have_value("")
    expect(page).to_have_url(app.url + "/fixture")
    page.go_forward()

    expect(names(page)).to_have_text(["Item 1002"])
    expect(page.locator(SEARCH)).to_have_value("1002")
    expect(page).to_have_url(app.url + "/fixture?search=1002")


def test_a_search_without_a_match_shows_a_message(app, open_live):
    page = open_live(app, "/fixture")

    page.fill(SEARCH, "nothing like this")

    expect(page.get_by_text("No items")).to_be_visible()
    expect(page.locator("#count")).to_have_text("0 items")
    expect(page).to_have_url(app.url + "/fixture?search=nothing+like+this")


def test_a_cleared_search_leaves_the_url(app, open_live):
    page = open_live(app, "/fixture?search=1001")
    expect(names(page)).to_have_text(["Item 1001"])

    page.fill(SEARCH, "")

    expect(names(page)).to_have_count(3)
    expect(page).to_have_url(app.url + "/fixture")


def test_a_search_may_be_any_text(app, open_live):
    text = "a&b=c #d%e+f<g>\"h\" ü 🦊"
    page = open_live(app, "/fixture")
    page.fill("[data-form=add] [name=name]", text)
    page.click("[data-form=add] button")
    expect(names(page)).to_have_count(4)

    page.fill(SEARCH, text)
    expect(names(page)).to_have_text([text])
    page.reload()

    expect(names(page)).to_have_text([text])
    expect(page.locator(SEARCH)).to_have_value(text)
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(names(page)).to_have_text([text])


def test_a_new_item_shows_in_a_search_that_matches_it(app, open_live):
    page = open_live(app, "/fixture")
    other = open_live(app, "/fixture")
    page.fill(SEARCH, "fox")
    expect(page.locator("#count")).to_have_text("0 items")

    other.fill("[data-form=add] [name=name]", "A fox")
    other.click("[data-form=add] button")

    expect(names(page)).to_have_text(["A fox"])
    expect(page.locator(SEARCH)).to_have_value("fox")


def test_a_link_pushes_an_entry_in_place_and_keeps_other_parameters(app, open_live):
    page = open_live(app, "/fixture?search=item&selected=item-1")
    page.evaluate("window.mine = true")
    length = history(page)

    page.click("#reverse")

    expect(names(page)).to_have_text(["Item 1002", "Item 1001", "Item 1000"])
    expect(page).to_have_url(app.url + "/fixture?search=item&order=reverse&selected=item-1")
    expect(page.locator("#detail")).to_have_text("Item 1001")
    assert history(page) == length + 1
    assert page.evaluate("window.mine")
    page.click("#forward")
    expect(names(page)).to_have_text(["Item 1000", "Item 1001", "Item 1002"])
    expect(page).to_have_url(app.url + "/fixture?search=item&selected=item-1")


def test_a_search_keeps_other_parameters(app, open_live):
    page = open_live(app, "/fixture?order=reverse&selected=item-1")

    page.fill(SEARCH, "100")

    expect(page).to_have_url(re.compile("search=100"))
    expect(names(page)).to_have_text(["Item 1002", "Item 1001", "Item 1000"])
    expect(page.locator("#items [aria-current]")).to_have_text(re.compile("Item 1001"))


def test_back_and_forward_through_links_restore_each_state(app, open_live):
    page = open_live(app, "/fixture")
    page.click("#reverse")
    expect(names(page).first).to_have_text("Item 1002")
    page.click("#items li a >> text=Item 1000")
    expect(page.locator("#detail")).to_have_text("Item 1000")

    page.go_back()
    expect(page.locator("#detail")).to_have_text("Select an item")
    expect(page.locator("#items [aria-current]")).to_have_count(0)
    page.go_back()
    expect(names(page).first).to_have_text("Item 1000")
    page.evaluate("history.go(2)")

    expect(page.locator("#detail")).to_have_text("Item 1000")
    expect(names(page).first).to_have_text("Item 1002")
    expect(page.locator("#items [aria-current]")).to_have_count(1)


def test_fast_back_and_forward_end_at_the_content_of_the_url(app, open_live):
    page = open_live(app, "/fixture")
    for number in range(3):
        page.click(f"#items li a >> text=Item 100{number}")
        expect(page.locator("#detail")).to_have_text(f"Item 100{number}")

    page.evaluate("() => { history.back(); history.back(); history.forward(); history.back(); }")

    page.wait_for_function("""() => document.documentElement.hasAttribute("data-live")
      && document.querySelector("#detail").textContent
        === { "?selected=item-0": "Item 1000", "?selected=item-1": "Item 1001",
              "?selected=item-2": "Item 1002", "": "Select an item" }[location.search]""")


def test_a_deep_link_shows_its_state_at_once_and_live(app, open_live, context):
    page = context.new_page()
    url = app.url + "/fixture?search=100&order=reverse&selected=item-0"

    html = page.request.get(url).text()
    page.goto(url)

    assert html.index("Item 1002") < html.index("Item 1001")
    assert 'aria-current="true"' in html
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page).to_have_url(url)
    expect(page.locator(SEARCH)).to_have_value("100")
    expect(page.locator("#detail")).to_have_text("Item 1000")
    expect(names(page).first).to_have_text("Item 1002")


def test_a_reload_restores_the_window(app, open_live):
    page = open_live(app, "/fixture")
    page.fill(SEARCH, "100")
    page.click("#reverse")
    page.click("#items li a >> text=Item 1001")
    expect(page.locator("#detail")).to_have_text("Item 1001")
    url = page.url

    page.reload()

    expect(page).to_have_url(url)
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page.locator("#detail")).to_have_text("Item 1001")
    expect(names(page).first).to_have_text("Item 1002")
    expect(page.locator(SEARCH)).to_have_value("100")


def test_parameters_that_do_not_parse_fall_back(app, open_live):
    page = open_live(
        app, "/fixture?order=sideways&selected=nobody&search=&unknown=%ff%&order=reverse"
    )

    expect(page).to_have_url(app.url + "/fixture")
    expect(names(page)).to_have_text(["Item 1000", "Item 1001", "Item 1002"])
    expect(page.locator("#detail")).to_have_text("Select an item")


def test_a_page_is_live_again_from_the_back_forward_cache(app, open_live, caching_context):
    page = open_live(app, "/fixture?order=reverse", caching_context)
    other = open_live(app, "/fixture")
    page.fill("#draft", "typed before")
    page.evaluate("window.isCached = true")
    page.goto("about:blank")
    other.click("[data-form=tick] button")
    expect(other.locator("#ticks")).to_have_text("Ticks: 1")

    page.evaluate("() => { setTimeout(() => history.back()); }")

    expect(page.locator("#ticks")).to_have_text("Ticks: 1")
    assert page.evaluate("window.isCached")
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(page.locator("#draft")).to_have_value("typed before")
    expect(names(page).first).to_have_text("Item 1002")
    other.click("[data-form=tick] button")
    expect(page.locator("#ticks")).to_have_text("Ticks: 2")


def test_a_page_is_live_again_without_the_back_forward_cache(app, open_live):
    page = open_live(app, "/fixture?order=reverse")
    other = open_live(app, "/fixture")
    page.goto("about:blank")
    other.click("[data-form=tick] button")
    expect(other.locator("#ticks")).to_have_text("Ticks: 1")

    page.go_back()

    expect(page.locator("#ticks")).to_have_text("Ticks: 1")
    expect(page.locator("html[data-live]")).to_be_attached()
    expect(names(page).first).to_have_text("Item 1002")


def test_back_to_a_page_of_this_server_shows_the_present(counter, open_live):
    page, other = (open_live(counter, "/counter") for _ in range(2))
    page.click("nav a[href='/']")
    expect(page).to_have_title("ImmutableData")
    other.click("[data-form=increment] button")
    expect(other.locator(".value")).to_have_text("Value: 1")

    page.go_back()

    expect(page).to_have_title("Counter")
    expect(page.locator(".value")).to_have_text("Value: 1")
    expect(page.locator("html[data-live]")).to_be_attached()
    page.go_forward()
    expect(page).to_have_title("ImmutableData")


def test_the_browser_sends_its_time_zone(browser, counter):
    context = browser.new_context(timezone_id="Asia/Tokyo")
    page = context.new_page()
    page.goto(counter.url + "/counter")
    expect(page.locator("html[data-live]")).to_be_attached()

    cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}

    assert cookies["zone"] == "Asia%2FTokyo"
    context.close()
