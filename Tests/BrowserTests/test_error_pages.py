"""What visitors read when a page cannot be shown, or does not accept what they have sent."""

import pytest
from playwright.sync_api import expect

from fake_animals import FakeAnimals
from process import eventually
from raw import exchange, get, post
from servers import product_server

ADD = "/animals?category=Mammal&sheet=add"


def expect_page(page, title, *texts):
    """An error page in the look of the rest, which names no path and no code."""
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    for text in texts:
        expect(page.locator("main")).to_contain_text(text)
    expect(page.locator("main")).not_to_contain_text("/")
    expect(page.get_by_role("link", name="Go to the home page")).to_be_visible()
    expect(page.get_by_role("navigation", name="Products")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('header.site')).borderBlockEndStyle") == "solid"


def test_a_missing_page_says_what_may_be_wrong(counter, plain):
    answer = plain.goto(counter.url + "/animal/Dog")

    assert answer.status == 404
    expect_page(plain, "There’s nothing here.", "The address may be wrong, or what it showed may have been deleted.")


def test_an_address_that_is_too_long_says_so(counter, plain):
    """The answer was empty: Firefox showed a white page."""
    answer = plain.goto(counter.url + "/counter?" + "x" * 40_000)

    assert answer.status == 431
    expect_page(plain, "That didn’t work.", "The address is too long")
    plain.get_by_role("link", name="Go to the home page").click()
    expect(plain).to_have_url(counter.url + "/")


def test_a_form_that_arrives_too_slowly_is_answered_with_a_page(start_server):
    server = start_server("--read-timeout", "1")

    received = exchange(server, b"POST /counter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n"
                        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n_form")

    head, _, body = received.decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 408 ")
    assert "content-type: text/html" in head.lower() and "content-security-policy: " in head.lower()
    assert "took too long to arrive" in body and "Reload this page to send it again." in body
    assert body.endswith("</html>\n")


def test_a_form_that_is_not_accepted_leads_back_to_its_page(start_server, plain):
    server = start_server("--body-limit", "100")
    plain.goto(server.url + ADD)
    plain.get_by_label("Name", exact=True).fill("Zebrafinch " * 10)
    plain.get_by_label("Diet", exact=True).select_option("Herbivore")
    with plain.expect_response(lambda answer: answer.request.method == "POST") as answer:
        plain.get_by_role("button", name="Save", exact=True).click()

    assert answer.value.status == 413
    expect_page(plain, "That didn’t work.", "That is more than 100 bytes.")
    plain.get_by_role("link", name="Back to the page").click()
    expect(plain).to_have_url(server.url + ADD)


@pytest.mark.main_path
def test_without_javascript_a_busy_server_keeps_the_input(plain):
    """*Try again* led to the page without it."""
    remote = FakeAnimals()
    server = product_server("--animals-api", remote.url, "--animals-timeout", "60", "--backlog", "8").start()
    eventually(lambda: "Dog" in get(server, "/animals?category=Mammal").text, "the animals are there")
    remote.hold_answers()
    for name in ["Otter", "Seal"]:  # of one client, a quarter
        post(server, ADD, f"_form=save&_token={name}&name={name}&category=Mammal&diet=Omnivore")
    plain.goto(server.url + ADD)
    plain.get_by_label("Name", exact=True).fill("Zebrafinch")
    plain.get_by_label("Diet", exact=True).select_option("Herbivore")
    try:
        with plain.expect_response(lambda answer: answer.request.method == "POST") as answer:
            plain.get_by_role("button", name="Save", exact=True).click()

        assert answer.value.status == 503
        assert float(answer.value.headers["retry-after"]) > 0
        expect(plain.get_by_role("dialog")).to_contain_text("The server is busy. Nothing has changed")
        expect(plain.get_by_label("Name", exact=True)).to_have_value("Zebrafinch")
        expect(plain.get_by_label("Diet", exact=True)).to_have_value("Herbivore")
        remote.release()
        eventually(lambda: "Seal" in get(server, "/animals?category=Mammal").text, "there is room again")
        plain.get_by_role("button", name="Save", exact=True).click()
        expect(plain.locator("[data-list=animals]")).to_contain_text("Zebrafinch")
    finally:
        remote.release()
        server.kill()
        remote.stop()
