"""*See inside*: developers choose a region of a live page, and see its details."""

import re
import urllib.parse

import pytest
from playwright.sync_api import expect

import raw

DOG = "/animals/Dog?category=Mammal"


@pytest.fixture
def server(start_server):
    return start_server("--developer")


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


def picker(page):
    return page.get_by_role("button", name="See inside")


def box(page):
    """The outline of the region under the pointer or the focus."""
    return page.locator(".picking > div")


def hint(page):
    return page.locator(".picking > p")


def star(page):
    return page.get_by_role("region", name="Details").get_by_role("button", name="Favorite Dog")


def expect_why(page, url, region):
    """Checks that a developer page explains a region of a page."""
    expect(page.get_by_role("region", name=f"Region “{region}”")).to_be_visible()
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)
    assert query == {"url": [url], "region": [region]}


def increment(page):
    page.get_by_role("button", name="Increment").click()
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()


def test_clicking_a_region_opens_its_details(server, open_live):
    page = open_live(server, "/counter")
    increment(page)
    number = page.locator("[data-region=number] > *").first

    picker(page).click()
    expect(picker(page)).to_have_attribute("aria-pressed", "true")
    number.hover()
    expect(hint(page)).to_contain_text("Region “number”")
    expect(box(page)).to_be_visible()
    with page.expect_popup() as popup:
        number.click()

    why = popup.value
    expect_why(why, "/counter", "number")
    region = why.get_by_role("region", name="Region “number”")
    expect(region).to_contain_text("didTapIncrementButton, form “increment” at /counter")
    expect(region).to_contain_text(re.compile(r"SelectValue: .*CounterUI/Select\.swift:\d+"))
    expect(picker(page)).to_have_attribute("aria-pressed", "false")
    expect(box(page)).to_be_hidden()


def test_links_and_forms_do_nothing_while_the_developer_chooses(server, open_live):
    page = open_live(server, DOG)
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request.url))
    picker(page).click()
    with page.expect_popup() as popup:
        star(page).click()
    popup.value.close()
    picker(page).click()
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Cat", exact=True).click()
    popup.value.close()
    picker(page).click()
    page.get_by_role("searchbox").focus()
    page.keyboard.type("xyz")
    page.keyboard.press("Escape")

    expect(page).to_have_url(server.url + DOG)
    expect(page.get_by_role("searchbox")).to_have_value("")
    assert [url for url in posts if "/animals" in url] == []
    # Afterwards the page works as before.
    page.get_by_role("link", name="Cat", exact=True).click()
    expect(page).to_have_url(re.compile("/animals/Cat"))


def test_a_region_can_be_chosen_with_the_keyboard(server, open_live):
    page = open_live(server, "/counter")
    increment(page)

    page.keyboard.press("Alt+i")
    expect(picker(page)).to_have_attribute("aria-pressed", "true")
    names = set()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        names.add(hint(page).text_content().split("“")[1].split("”")[0])
    assert names == {"root", "number"}
    page.get_by_role("button", name="Decrement").focus()
    expect(hint(page)).to_contain_text("Region “root”")
    with page.expect_popup() as popup:
        page.keyboard.press("Enter")

    expect_why(popup.value, "/counter", "root")
    expect(page.get_by_text("Value: 1", exact=True)).to_be_visible()


def test_the_region_of_a_disabled_button_can_be_chosen(server, open_live):
    page = open_live(server, "/quakes")
    delete = page.get_by_role("button", name="Delete", exact=True)
    expect(delete).to_be_disabled()

    picker(page).click()
    with page.expect_popup() as popup:
        delete.click(force=True)  # Playwright would wait until it is enabled

    expect(popup.value.get_by_role("region", name=re.compile("^Region"))).to_be_visible()
    past = popup.value.frame_locator("iframe")
    expect(past.locator("[data-marked]")).to_be_attached()
    popup.value.goto(server.url + "/developer/time?url=/quakes")
    past.get_by_role("button", name="Delete", exact=True).click(force=True)
    expect(popup.value.get_by_role("region", name=re.compile("^Region"))).to_be_visible()


def test_frames_of_a_page_do_nothing_while_the_developer_chooses(server, open_live):
    page = open_live(server, "/")
    counter = page.frame_locator("iframe").first
    increment = counter.get_by_role("button", name="Increment")
    expect(increment).to_be_visible()

    page.keyboard.press("Alt+i")
    with page.expect_popup() as popup:
        increment.click(force=True)

    expect_why(popup.value, "/", "root")
    expect(counter.get_by_text("Value: 0", exact=True)).to_be_visible()


def test_shortcuts_with_alt_do_nothing_while_the_developer_chooses(server, open_live):
    page = open_live(server, "/animals?category=Mammal&order=own")
    page.get_by_role("link", name="Cat", exact=True).focus()
    page.keyboard.press("Alt+i")

    page.keyboard.press("Alt+ArrowDown")

    expect(picker(page)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(picker(page)).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("status").filter(has_text="Position")).to_have_text("Position 2 of 4")


def test_escape_ends_the_mode_and_leaves_a_dialog_open(server, open_live):
    page = open_live(server, DOG)
    page.get_by_role("link", name="Edit Dog").click()
    dialog = page.get_by_role("dialog", name="Edit animal")
    name = dialog.get_by_label("Name")
    name.fill("Wolf")

    page.keyboard.press("Alt+i")
    expect(hint(page)).to_contain_text("Region")
    page.keyboard.press("Escape")
    expect(hint(page)).to_be_hidden()
    expect(dialog).to_be_visible()
    page.keyboard.press("Alt+i")
    with page.expect_popup() as popup:
        name.click()

    expect(popup.value).to_have_url(re.compile("region="))
    expect(name).to_have_value("Wolf")


def test_the_picker_uses_the_current_page(server, open_live):
    """The page stays live in the mode, and the details are about what the page shows at the click."""
    page, other = open_live(server, "/animals?category=Mammal"), open_live(server, DOG)
    page.get_by_role("link", name="Dog", exact=True).click()
    expect(page).to_have_url(re.compile(r"/animals/Dog\?category=Mammal"))
    page.keyboard.press("Alt+i")

    star(other).click()
    expect(star(page)).to_have_attribute("aria-pressed", "true")
    with page.expect_popup() as popup:
        star(page).click()

    expect_why(popup.value, DOG, "detail")


def test_the_list_of_shortcuts_includes_the_picker(server, open_live):
    page = open_live(server, "/counter")
    page.keyboard.press("?")
    entry = page.get_by_role("dialog", name="Keyboard shortcuts").locator("dl > div")
    expect(entry.filter(has_text="See inside")).to_have_count(1)


def test_without_javascript_a_link_lists_the_regions(server, plain):
    plain.goto(server.url + "/counter")
    plain.get_by_role("button", name="Increment").click()
    plain.goto(server.url + DOG)
    plain.get_by_role("link", name="See inside").click()

    assert urllib.parse.parse_qs(urllib.parse.urlsplit(plain.url).query) == {"url": [DOG]}
    plain.locator(".causes").get_by_role("link", name="detail", exact=True).click()
    expect_why(plain, DOG, "detail")


def test_a_region_has_details_before_the_first_action(server, open_page):
    page = open_page(server, "/developer/time?url=/counter&region=number")

    region = page.get_by_role("region", name="Region “number”")
    expect(region).to_contain_text("no action that is recorded")
    expect(region).to_contain_text("Templates/CounterUI/CounterNumber.mustache")
    expect(region).to_contain_text(re.compile(r"SelectValue: .*CounterUI/Select\.swift:\d+"))
    page.goto(server.url + "/developer/time?url=/counter&region=nothing")
    expect(page.get_by_role("region", name="Region “nothing”")).to_contain_text("the page has no such region")


def picker_in(text):
    return "picker" in text or "See inside" in text or "DeveloperTools" in text


def test_other_visitors_do_not_get_the_picker(start_server, server):
    assert picker_in(raw.get(server, "/counter").text)
    forwarded = {"X-Forwarded-For": "203.0.113.7"}
    for headers in [forwarded, {"Host": "203.0.113.7"}]:
        assert not picker_in(raw.get(server, "/counter", **headers).text)
    # Developer pages, previews and past pages do not have it either.
    for path in ["/developer", "/developer/past?url=/counter", "/previews/CounterUI/CounterNumber/zero/light"]:
        text = raw.get(server, path).text
        assert "See inside" not in text and "picker.js" not in text, path
    other = start_server()
    assert not picker_in(raw.get(other, "/counter").text)
    without = re.sub(r'\s*<[^>]*picker\.(css|js)[^>]*>(</script>)?', "", raw.get(server, "/counter").text)
    assert not picker_in(re.sub(r'\s*<a class="picker".*</a>', "", without))
