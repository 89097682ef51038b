"""Animals with a star, and the list of them."""

import pytest
from playwright.sync_api import expect

from test_animals import actor, expect_names, names  # noqa: F401  (fixtures)


@pytest.fixture
def animals(start_server):
    return start_server()


def star(page, name):
    """The star in the row."""
    return page.locator("[data-list=animals]").get_by_role("button", name=f"Favorite {name}")


def expect_count(page, number):
    row = page.locator("[data-list=categories] li", has_text="Favorites")
    expect(row.locator(".count")).to_have_text(f"{number} in Favorites")


@pytest.mark.main_path
def test_a_star_shows_in_every_window(animals, actor, open_live):
    page = actor("/animals?category=Mammal")
    other = open_live(animals, "/animals/Dog?category=Mammal")
    favorites = open_live(animals, "/animals?favorites=true")
    expect(favorites.get_by_text("No favorites yet.")).to_be_visible()

    star(page, "Dog").click()

    expect(star(page, "Dog")).to_have_attribute("aria-pressed", "true")
    expect(star(other, "Dog")).to_have_attribute("aria-pressed", "true")
    detail = other.get_by_role("region", name="Details")
    expect(detail.get_by_role("button", name="Favorite Dog")).to_have_attribute("aria-pressed", "true")
    expect_names(favorites, "Dog Mammal")
    for window in (page, other, favorites):
        expect_count(window, 1)


def test_removing_a_star_in_the_detail_can_be_undone(animals, actor):
    page = actor("/animals/Dog?category=Mammal")
    detail = page.get_by_role("region", name="Details").get_by_role("button", name="Favorite Dog")

    detail.click()
    expect(detail).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Dog is a favorite.")).to_be_visible()
    detail.click()
    expect(detail).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("Dog is no longer a favorite.")).to_be_visible()
    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(detail).to_have_attribute("aria-pressed", "true")
    expect_count(page, 1)


def test_a_star_that_is_set_and_removed_has_one_toast(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    for text in ["Cat is a favorite.", "Cat is no longer a favorite."]:
        page.get_by_role("button", name="Favorite Cat").click()
        expect(page.locator(".toast:visible [role=status]")).to_have_text([text])

    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect(page.get_by_role("button", name="Favorite Cat")).to_have_attribute("aria-pressed", "true")


def test_a_star_pressed_while_the_server_is_away_looks_pressed_and_lands_once(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    look = lambda name: star(page, name).evaluate(
        "star => [getComputedStyle(star, '::before').content, getComputedStyle(star).opacity]")
    animals.kill()

    star(page, "Dog").click()
    star(page, "Dog").click()

    expect(star(page, "Dog")).to_have_attribute("data-resending", "true")
    assert look("Dog") == ['"★"', "0.5"]
    assert look("Cat")[0] == '"☆"'
    animals.start()
    expect(star(page, "Dog")).to_have_attribute("aria-pressed", "true", timeout=30_000)
    expect(page.locator("[data-list=animals] [data-resending]")).to_have_count(0, timeout=30_000)
    expect_count(page, 1)


def test_the_list_of_favorites_is_in_the_url_and_live(animals, actor):
    page = actor("/animals?all=true")
    star(page, "Newt").click()
    expect_count(page, 1)
    star(page, "Cat").click()
    expect_count(page, 2)

    page.get_by_role("link", name="Favorites").click()
    expect(page).to_have_url(animals.url + "/animals?favorites=true")
    expect_names(page, "Cat Mammal", "Newt Amphibian")
    page.reload()
    expect_names(page, "Cat Mammal", "Newt Amphibian")
    star(page, "Cat").click()

    expect_names(page, "Newt Amphibian")
    expect(page.get_by_text("1 animal", exact=True)).to_be_visible()


def test_a_key_puts_the_star_on_the_row_with_the_focus_and_keeps_the_focus(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    names(page).nth(1).focus()

    page.keyboard.press("f")

    expect(star(page, "Dog")).to_have_attribute("aria-pressed", "true")
    expect(names(page).nth(1)).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("Favorite Dog")).to_be_visible()
    page.keyboard.press("Escape")
    star(page, "Dog").focus()
    page.keyboard.press("Enter")
    expect(star(page, "Dog")).to_have_attribute("aria-pressed", "false")
    expect(star(page, "Dog")).to_be_focused()


def test_stars_pressed_at_the_same_time_are_all_saved(animals, open_live):
    page, other = (open_live(animals, "/animals?category=Mammal") for _ in range(2))

    page.evaluate("""() => {
      for (const button of document.querySelectorAll("[data-list=animals] .star")) button.click();
    }""")

    expect(other.locator("[data-list=animals] .star[aria-pressed=true]")).to_have_count(4)
    expect_count(other, 4)


def test_a_star_survives_a_restart(animals, open_live):
    page = open_live(animals, "/animals?category=Mammal")
    star(page, "Dog").click()
    expect_count(page, 1)

    animals.terminate()
    animals.start()

    expect(star(page, "Dog")).to_have_attribute("aria-pressed", "true")
    again = open_live(animals, "/animals?favorites=true")
    expect_names(again, "Dog Mammal")
