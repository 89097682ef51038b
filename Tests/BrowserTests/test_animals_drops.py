"""Rows of animals that are dragged to a category, or to the favorites."""

import pytest
from playwright.sync_api import expect

from pictures import file, png
from test_animals import actor, expect_names, names  # noqa: F401  (fixtures)
from waiting import wait_until

MAMMALS = "/animals?category=Mammal"


def category(page, name):
    return page.locator("[data-list=categories] > li").filter(has_text=name)


def animal(page, name):
    return page.locator("[data-list=animals] > li", has=page.get_by_role("link", name=name))


def middle(element):
    box = element.bounding_box()
    return box["x"] + min(box["width"] / 2, 40), box["y"] + box["height"] / 2


@pytest.fixture(scope="module")
def browser(launch):
    """One that a native drag can be ended in."""
    return launch(visible=True)


@pytest.fixture
def drag(pointer):
    """Drags a row by its name. It is not dropped yet."""

    def begin(page, name, goal):
        drag = Drag(page, pointer(page))
        drag.begin(animal(page, name))
        drag.over(goal)
        return drag

    return begin


TELL_OVER = """(place) => {
  window.isOver = false;
  place.addEventListener("dragover", () => setTimeout(() => (window.isOver = true)), { once: true });
}"""


class Drag:
    def __init__(self, page, pointer):
        self._page = page
        self._pointer = pointer
        self.drop, self.cancel = pointer.up, pointer.cancel

    def begin(self, row):
        self._pointer.move(*middle(row))
        self._pointer.down()

    def over(self, goal):
        """Moves on until the page has heard of it, because a native drag begins some time after the pointer moves."""
        place = category(self._page, goal)
        place.evaluate(TELL_OVER)
        x, y = middle(place)

        def is_over():
            self._pointer.move(x, y - 5, steps=4)
            self._pointer.move(x, y, steps=2)
            return self._page.evaluate("window.isOver")

        wait_until(is_over, f"the row is over {goal}")


def toast(page):
    return page.locator("#toast").get_by_role("status")


def test_a_row_is_dropped_on_a_category_and_the_move_can_be_undone(animals, open_live, drag):
    other, page = open_live(animals, "/animals?category=Bird"), open_live(animals, MAMMALS)

    dragged = drag(page, "Dog", "Bird")
    expect(page.locator("[data-receives]")).to_have_text(["Bird1 in Bird"])
    dragged.drop()

    expect_names(other, "Dog", "House sparrow")
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")
    expect(toast(page)).to_have_text("Dog moved to Bird.")
    expect(page.locator("[data-receives]")).to_have_count(0)
    expect(page).to_have_url(animals.url + MAMMALS)
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect_names(other, "House sparrow")
    expect_names(page, "Cat", "Dog", "Red kangaroo", "Southern gibbon")


def test_a_row_with_a_picture_is_dragged_by_it(animals, open_live, drag):
    page = open_live(animals, "/animals/Cat?category=Mammal")
    page.locator("input[type=file]").set_input_files(file(png()))
    expect(animal(page, "Cat").locator(".thumbnail")).to_be_visible()

    dragged = drag(page, "Cat", "Reptile")
    dragged.drop()

    expect(toast(page)).to_have_text("Cat moved to Reptile.")
    expect(page.locator(".fields")).to_contain_text("Reptile")


def test_a_row_is_dropped_on_the_favorites(animals, open_live, drag):
    other, page = open_live(animals, "/animals?favorites=true"), open_live(animals, MAMMALS)

    dragged = drag(page, "Dog", "Favorites")
    dragged.drop()

    expect(names(other)).to_have_text(["Dog Mammal"])
    expect(toast(page)).to_have_text("Dog is a favorite.")


@pytest.mark.parametrize("path, name, goal", [
    (MAMMALS, "Dog", "Mammal"), (MAMMALS, "Dog", "All animals"),
    ("/animals", "Dog", "Mammal"), ("/animals", "Dog", "All animals"),
])
def test_a_drop_that_would_change_nothing_is_not_offered(animals, open_live, drag, path, name, goal):
    page = open_live(animals, path)

    dragged = drag(page, name, goal)

    expect(category(page, goal)).not_to_have_attribute("data-receives", "")
    dragged.over("Fish")
    expect(category(page, "Fish")).to_have_attribute("data-receives", "")
    dragged.cancel()
    dragged.drop()


def test_a_favorite_cannot_be_dropped_on_the_favorites_again(animals, open_live, drag):
    page = open_live(animals, MAMMALS)
    page.get_by_role("button", name="Favorite Dog").click()
    expect(toast(page)).to_have_text("Dog is a favorite.")

    dragged = drag(page, "Dog", "Favorites")

    expect(page.locator("[data-receives]")).to_have_count(0)
    dragged.drop()


def test_a_row_that_is_deleted_while_it_is_dragged_is_not_dropped(animals, open_live, drag):
    other, page = (open_live(animals, MAMMALS) for _ in range(2))
    dragged = drag(page, "Dog", "Bird")
    expect(category(page, "Bird")).to_have_attribute("data-receives", "")

    other.get_by_role("button", name="Delete Dog").click()
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")
    dragged.over("Fish")
    dragged.drop()

    expect(page.locator("[data-receives]")).to_have_count(0)
    expect(page.locator("#toast")).to_be_hidden()
    expect(category(page, "Fish")).to_have_text("Fish0 in Fish")


def test_rows_in_custom_order_are_dragged_to_categories_too(animals, open_live, drag):
    page = open_live(animals, MAMMALS + "&order=own")

    dragged = drag(page, "Dog", "Fish")
    dragged.drop()

    expect(toast(page)).to_have_text("Dog moved to Fish.")
    expect_names(page, "Cat", "Red kangaroo", "Southern gibbon")
