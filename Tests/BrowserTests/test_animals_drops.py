"""Rows of animals that are dragged to a category, or to the favorites."""

import pytest
from playwright.sync_api import expect

from pictures import file, png
from test_animals import actor, expect_names, names  # noqa: F401  (fixtures)

MAMMALS = "/animals?category=Mammal"


def category(page, name):
    return page.locator("[data-list=categories] > li").filter(has_text=name)


def animal(page, name):
    return page.locator("[data-list=animals] > li", has=page.get_by_role("link", name=name))


def middle(element):
    box = element.bounding_box()
    return box["x"] + min(box["width"] / 2, 40), box["y"] + box["height"] / 2


def drag(page, name, goal):
    """Drags a row by its name. It is not dropped yet."""
    page.mouse.move(*middle(animal(page, name)))
    page.mouse.down()
    over(page, goal)


def over(page, goal):
    """The first event on an element only says that the pointer has entered it."""
    x, y = middle(category(page, goal))
    page.mouse.move(x, y - 5, steps=4)
    page.mouse.move(x, y, steps=2)


def toast(page):
    return page.locator("#toast").get_by_role("status")


def test_a_row_is_dropped_on_a_category_and_the_move_can_be_undone(animals, open_live):
    page, other = open_live(animals, MAMMALS), open_live(animals, "/animals?category=Bird")

    drag(page, "Dog", "Bird")
    expect(page.locator("[data-receives]")).to_have_text(["Bird1 in Bird"])
    page.mouse.up()

    expect_names(other, "Dog", "House sparrow")
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")
    expect(toast(page)).to_have_text("Dog moved to Bird.")
    expect(page.locator("[data-receives]")).to_have_count(0)
    expect(page).to_have_url(animals.url + MAMMALS)
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect_names(other, "House sparrow")
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Southern gibbon")


def test_a_row_with_a_picture_is_dragged_by_it(animals, open_live):
    page = open_live(animals, "/animals/Cat?category=Mammal")
    page.locator("input[type=file]").set_input_files(file(png()))
    expect(animal(page, "Cat").locator(".thumbnail")).to_be_visible()

    drag(page, "Cat", "Reptile")
    page.mouse.up()

    expect(toast(page)).to_have_text("Cat moved to Reptile.")
    expect(page.locator(".fields")).to_contain_text("Reptile")


def test_a_row_is_dropped_on_the_favorites(animals, open_live):
    page, other = open_live(animals, MAMMALS), open_live(animals, "/animals?favorites=true")

    drag(page, "Dog", "Favorites")
    page.mouse.up()

    expect(names(other)).to_have_text(["Dog Mammal"])
    expect(toast(page)).to_have_text("Dog is a favorite.")


@pytest.mark.parametrize("path, name, goal", [
    (MAMMALS, "Dog", "Mammal"), (MAMMALS, "Dog", "All animals"),
    ("/animals", "Dog", "Mammal"), ("/animals", "Dog", "All animals"),
])
def test_a_drop_that_would_change_nothing_is_not_offered(animals, open_live, path, name, goal):
    page = open_live(animals, path)

    drag(page, name, goal)

    expect(category(page, goal)).not_to_have_attribute("data-receives", "")
    over(page, "Fish")
    expect(category(page, "Fish")).to_have_attribute("data-receives", "")
    page.keyboard.press("Escape")
    page.mouse.up()


def test_a_favorite_cannot_be_dropped_on_the_favorites_again(animals, open_live):
    page = open_live(animals, MAMMALS)
    page.get_by_role("button", name="Favorite Dog").click()
    expect(toast(page)).to_have_text("Dog is a favorite.")

    drag(page, "Dog", "Favorites")

    expect(page.locator("[data-receives]")).to_have_count(0)
    page.mouse.up()


def test_a_row_that_is_deleted_while_it_is_dragged_is_not_dropped(animals, open_live):
    page, other = (open_live(animals, MAMMALS) for _ in range(2))
    drag(page, "Dog", "Bird")
    expect(category(page, "Bird")).to_have_attribute("data-receives", "")

    other.get_by_role("button", name="Delete Dog").click()
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")
    over(page, "Fish")
    page.mouse.up()

    expect(page.locator("[data-receives]")).to_have_count(0)
    expect(page.locator("#toast")).to_be_hidden()
    expect(category(page, "Fish")).to_have_text("Fish0 in Fish")


def test_rows_in_custom_order_are_dragged_to_categories_too(animals, open_live):
    page = open_live(animals, MAMMALS + "&order=own")

    drag(page, "Dog", "Fish")
    page.mouse.up()

    expect(toast(page)).to_have_text("Dog moved to Fish.")
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")
