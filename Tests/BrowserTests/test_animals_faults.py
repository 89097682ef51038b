"""Animals when something fails: the window says what and offers to try again, the rest works."""

import concurrent.futures
import json
import os
import resource
import sqlite3

import pytest
from playwright.sync_api import expect

from answers import answering, begin, cut, hang_up, redirect
from fake_animals import FakeAnimals
from servers import product_server
from test_animals import MAMMALS, SAMPLES, button, expect_names, fill, names, save
from waiting import wait_until


NOBODY = 65534


@pytest.fixture
def remote():
    remote = FakeAnimals()
    yield remote
    remote.release()
    remote.stop()


@pytest.fixture
def animals(start_server, remote):
    """A Server on the fake remote."""
    return start_server("--animals-api", remote.url, "--animals-timeout", "1")


@pytest.fixture
def patient(start_server, remote):
    """A Server that waits for the remote as long as it takes."""
    return start_server("--animals-api", remote.url, "--animals-timeout", "60")


def fail_with_500(remote):
    remote.fault = lambda handler: handler.answer(500, json.dumps({"error": "the disk is full"}))


JSON = '{"query": [], "mutation": []}'
LIMIT = 16 * 1024 * 1024  # bytes of an answer

FAULTS = {
    "down": (lambda remote: remote.stop(), "could not be reached: nothing listens there"),
    "slow": (lambda remote: remote.hold(), "did not answer in time"),
    "trickling": (lambda remote: remote.trickle(), "did not answer in time"),
    "401": (begin(answering(401, "<p>Who is it?</p>", "text/html")), "401"),
    "403": (begin(answering(403, '{"error": "not you"}')), "answered 403: not you"),
    "404": (begin(answering(404, "<p>Not here</p>", "text/html")), "404"),
    "500": (fail_with_500, "answered 500: the disk is full"),
    "503": (begin(answering(503, "", "text/plain", **{"Retry-After": "60"})), "503"),
    "empty": (begin(answering(200, "")), "incomplete"),
    "truncated": (begin(answering(200, '{"query": [{"categories": {"cat')), "incomplete"),
    "cut off": (begin(cut), "could not be reached"),
    "hung up": (begin(hang_up), "could not be reached"),
    "redirecting": (begin(redirect), "could not be reached: too many HTTP redirects"),
    "HTML": (begin(answering(200, "<h1>Welcome</h1>", "text/html")), "answered HTML"),
    "of another type": (begin(answering(200, JSON, "text/plain")), "answered plain text"),
    "of no type": (begin(answering(200, JSON, None)), "something without a type"),
    "other data": (begin(answering(200, JSON)), ""),
    "an array": (begin(answering(200, "[]")), "not what was expected"),
    "too large": (begin(answering(200, JSON, length=LIMIT + 1)), f"larger than {LIMIT} bytes"),
}
# One of each kind.
KINDS = ["down", "slow", "trickling", "500", "cut off", "redirecting", "HTML", "other data"]


@pytest.fixture(params=FAULTS, ids=lambda name: name.replace(" ", "_"))
def fault(request, remote):
    """Makes the remote fail, and mends it."""
    fail, words = FAULTS[request.param]

    class Fault:
        @staticmethod
        def begin():
            fail(remote)

        @staticmethod
        def end():
            if request.param == "down":
                remote.start()
            remote.release()

    Fault.words = words
    return Fault


def expect_failure(page, words):
    failure = page.locator(".failure").first
    expect(failure).to_be_visible()
    expect(failure).to_contain_text(words)


def test_a_fetch_that_fails_can_be_tried_again(animals, open_live, fault):
    fault.begin()
    page = open_live(animals, MAMMALS)
    expect_failure(page, fault.words)
    counter = open_live(animals, "/counter")
    button(counter, "Increment").click()
    expect(counter.locator(".value")).to_have_text("Value: 1")

    fault.end()
    button(page, "Retry").first.click()

    expect_names(page, "Cat", "Dog")
    expect(page.locator(".failure")).to_have_count(0)


@pytest.mark.parametrize("fault", KINDS, indirect=True)
def test_a_fetch_that_fails_can_be_tried_again_without_javascript(animals, plain, fault):
    fault.begin()
    plain.goto(animals.url + MAMMALS)
    expect_failure(plain, fault.words)

    fault.end()
    button(plain, "Retry").first.click()

    expect_names(plain, "Cat", "Dog")


def test_a_save_that_fails_keeps_the_editor_and_its_input(animals, open_live, fault):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    fault.begin()
    save(page)

    expect_failure(page, fault.words)

    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    expect(page.get_by_label("Diet", exact=True)).to_have_value("Omnivore")
    fault.end()
    save(page)
    expect_names(page, "Cat", "Dog", "Otter")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("fault", KINDS, indirect=True)
def test_a_save_that_fails_keeps_the_input_without_javascript(animals, plain, fault):
    plain.goto(animals.url + MAMMALS + "&sheet=add")
    fill(plain, "Otter", diet="Omnivore")
    fault.begin()
    save(plain)

    expect_failure(plain, fault.words)

    expect(plain.get_by_label("Name", exact=True)).to_have_value("Otter")
    expect(plain.get_by_label("Diet", exact=True)).to_have_value("Omnivore")
    fault.end()
    save(plain)
    expect_names(plain, "Cat", "Dog", "Otter")


def test_an_edit_and_a_deletion_that_fail_can_be_tried_again(animals, open_live, remote):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    fail_with_500(remote)
    button(page, "Edit Dog").click()
    fill(page, "Wolf")
    save(page)
    expect_failure(page, "the disk is full")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Wolf")
    remote.release()
    save(page)
    expect_names(page, "Cat", "Wolf")

    fail_with_500(remote)
    delete = page.locator("section[data-pane=detail]").get_by_role("button", name="Delete Wolf")
    delete.click()
    expect_failure(page, "the disk is full")
    remote.release()
    delete.click()

    expect_names(page, "Cat")


def test_a_failed_reload_leaves_what_was_there(animals, open_live, remote):
    page = open_live(animals, MAMMALS + "&sheet=reload")
    fail_with_500(remote)

    button(page, "Yes, reload sample data").click()

    expect_failure(page, "the disk is full")
    expect_names(page, "Cat", "Dog")


# What is slow.


def test_while_a_save_is_slow_nobody_else_can_change_the_animal(patient, open_live, remote):
    page = open_live(patient, "/animals/Dog?category=Mammal")
    other = open_live(patient, "/animals/Dog?category=Mammal&sheet=edit")
    button(page, "Edit Dog").click()
    fill(page, "Wolf")
    remote.hold_answers()
    save(page)

    expect(page.get_by_text("Saving…")).to_be_visible()
    for window in [page, other]:
        expect(window.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    detail = page.locator("section[data-pane=detail]")
    for name in ["Edit Dog", "Delete Dog"]:
        expect(detail.get_by_text(name)).to_be_disabled()
    reload = open_live(patient, MAMMALS + "&sheet=reload")
    expect(button(reload, "Yes, reload sample data")).to_be_disabled()
    third = open_live(patient, MAMMALS)
    expect_names(third, "Cat", "Dog")
    delete = third.locator("[data-list=animals]").get_by_role("button", name="Delete Dog")
    expect(delete).to_be_disabled()
    delete.click(force=True)
    expect_names(third, "Cat", "Dog")
    expect(third.get_by_role("button", name="Delete Cat")).to_be_enabled()
    remote.release()

    for window in [page, other, third]:
        expect_names(window, "Cat", "Wolf")
    expect(third.get_by_role("button", name="Delete Wolf")).to_be_enabled()


def test_a_slow_fetch_blocks_no_save(patient, open_live, remote):
    page = open_live(patient, MAMMALS)
    remote.hold_answers()
    button(page, "Refresh").click()
    expect(button(page, "Refresh")).to_be_disabled()
    assert remote.held.wait(10)
    slow, remote.answer = remote.answer, type(remote).answer.__get__(remote)

    page.get_by_role("link", name="Dog", exact=True).click()
    button(page, "Edit Dog").click()
    fill(page, "Wolf")
    save(page)

    expect_names(page, "Cat", "Wolf")
    remote.answer = slow
    remote.release()
    expect(button(page, "Refresh")).to_be_enabled()
    expect_names(page, "Cat", "Wolf")


def test_without_javascript_a_slow_save_is_waited_for_page_by_page(patient, plain, remote):
    plain.goto(patient.url + MAMMALS + "&sheet=add")
    fill(plain, "Otter", diet="Omnivore")
    remote.hold_answers()
    save(plain)
    expect(plain.get_by_text("Saving…")).to_be_visible()
    expect(plain.get_by_label("Name", exact=True)).to_have_value("Otter")

    remote.release()

    expect_names(plain, "Cat", "Dog", "Otter")
    expect(plain.get_by_role("dialog")).to_have_count(0)


def test_without_javascript_a_slow_first_fetch_is_waited_for(patient, plain, remote):
    remote.hold_answers()
    plain.goto(patient.url + MAMMALS)
    expect(plain.get_by_text("Loading…").first).to_be_visible()

    remote.release()

    expect_names(plain, "Cat", "Dog")


def test_sigterm_waits_for_a_save_that_is_under_way(patient, open_live, remote):
    page = open_live(patient, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    remote.hold_answers()
    save(page)
    assert remote.held.wait(10)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        ended = pool.submit(patient.terminate)
        expect(page.locator("#connection")).to_be_hidden()
        remote.release()
        assert ended.result() == 0

    assert "Otter" in [animal["name"] for animal in remote.animals.values()]


def test_what_others_changed_shows_after_a_refresh(animals, open_live, remote):
    page, other = open_live(animals, MAMMALS), open_live(animals, "/animals/Dog?category=Mammal")
    remote.animals["Cat"]["name"] = "Tomcat"
    del remote.animals["Dog"]

    button(page, "Refresh").click()

    for window in [page, other]:
        expect_names(window, "Tomcat")
    expect(other).to_have_url(animals.url + MAMMALS)


# The database of this machine.


def test_a_locked_database(start_server, open_live):
    animals = start_server()
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Carnivore")
    other = sqlite3.connect(animals.data / "animals.store", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    save(page)

    expect_failure(page, "Another program has locked the database")

    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    other.execute("ROLLBACK")
    other.close()
    save(page)
    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")


def test_a_full_disk(start_server, open_live):
    animals = start_server()
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Carnivore")
    limit = resource.prlimit(animals.process_id, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    save(page)

    expect_failure(page, "could not be saved")

    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    counter = open_live(animals, "/counter")
    button(counter, "Increment").click()
    expect(counter.locator(".value")).to_have_text("Value: 1")
    resource.prlimit(animals.process_id, resource.RLIMIT_FSIZE, limit)
    save(page)
    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")


def test_a_row_that_does_not_parse(open_live):
    animals = product_server().start()
    animals.kill()
    with sqlite3.connect(animals.data / "animals.store") as database:
        database.execute("UPDATE animal SET diet = 'Fish' WHERE animalId = 'Dog'")
    animals.start()
    page = open_live(animals, MAMMALS)

    expect_failure(page, "Dog")
    button(page, "Retry").click()
    wait_until(lambda: animals.output.count("“Dog” has a diet that is not known") == 2, "it is read again")
    expect_failure(page, "Dog")

    with sqlite3.connect(animals.data / "animals.store") as database:
        database.execute("UPDATE animal SET diet = 'Carnivore' WHERE animalId = 'Dog'")

    expect_names(page, *SAMPLES)  # without Retry: the server follows what others commit
    expect(page.locator(".failure")).to_have_count(0)
    animals.kill()


def test_a_read_only_data_folder_stops_nothing_else(open_live):
    animals = product_server()
    animals.user = NOBODY if os.getuid() == 0 else None  # root may write anywhere
    animals.data.chmod(0o555)
    animals.start()
    page = open_live(animals, MAMMALS)
    expect_failure(page, "cannot be written to")
    counter = open_live(animals, "/counter")
    button(counter, "Increment").click()
    expect(counter.locator(".value")).to_have_text("Value: 1")

    animals.data.chmod(0o777)
    button(page, "Retry").first.click()

    expect_names(page, *SAMPLES)
    animals.kill()


def test_a_second_server_is_told_that_the_database_is_in_use(start_server):
    first = start_server()

    with pytest.raises(RuntimeError, match="in use by the process") as error:
        start_server("--data-directory", str(first.data))

    assert "ended with 1" in str(error.value)


@pytest.mark.parametrize("folder", ["/proc/none/such", "/dev/null/data"])
def test_a_data_directory_that_cannot_be_is_said_at_start(start_server, folder):
    with pytest.raises(RuntimeError, match="Choose another") as error:
        start_server("--data-directory", folder)

    assert folder in str(error.value)


def test_a_file_that_is_no_database_is_left_as_it_is(start_server, tmp_path):
    file = tmp_path / "animals.store"
    file.write_bytes(b"This is a letter, and no database." * 100)
    before = file.read_bytes()

    with pytest.raises(RuntimeError, match="is no database"):
        start_server("--data-directory", str(tmp_path))

    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["animals.store", "pictures"]


# What the fault must not cost.


def test_a_draft_outlives_a_reload_and_the_next_failure(patient, open_live, remote):
    page = open_live(patient, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    remote.hold()
    save(page)
    expect(page.get_by_text("Saving…")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    expect(page.locator("html[data-live]")).to_be_attached()

    remote.release()

    expect_failure(page, "could not be saved")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    expect(page.get_by_label("Diet", exact=True)).to_have_value("Omnivore")
    fail_with_500(remote)
    save(page)
    expect_failure(page, "the disk is full")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    remote.release()
    save(page)
    expect_names(page, "Cat", "Dog", "Otter")


def test_without_javascript_a_slow_edit_that_fails_keeps_the_input(patient, plain, remote):
    plain.goto(patient.url + "/animals/Cat?category=Mammal&sheet=edit")
    fill(plain, "Tomcat", diet="Omnivore")
    remote.hold()
    save(plain)
    expect(plain.get_by_text("Saving…")).to_be_visible()
    expect(plain.get_by_label("Name", exact=True)).to_have_value("Tomcat")

    remote.release()

    expect_failure(plain, "could not be saved")
    expect(plain.get_by_label("Name", exact=True)).to_have_value("Tomcat")
    expect(plain.get_by_label("Diet", exact=True)).to_have_value("Omnivore")


def test_a_form_is_not_lost_to_a_page_that_looks_again(patient, plain, open_live, remote):
    open_live(patient, MAMMALS)
    plain.goto(patient.url + MAMMALS)
    remote.hold()
    button(plain, "Refresh").click()
    plain.goto(patient.url + MAMMALS + "&sheet=add")

    assert "http-equiv" not in plain.content()


def test_the_focus_is_where_it_was_after_a_failure(animals, open_live, remote):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    fail_with_500(remote)

    save(page)

    expect_failure(page, "the disk is full")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_focused()


def test_a_late_answer_takes_nobody_back(start_server, open_live):
    animals = start_server()
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    with animals.paused():
        save(page)
        page.get_by_role("link", name="Cancel").click()
        expect(page).to_have_url(animals.url + MAMMALS)

    expect_names(page, "Cat", "Dog", "Otter", "Red kangaroo", "Southern gibbon")
    expect(page).to_have_url(animals.url + MAMMALS)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_save_of_unknown_outcome_says_so(animals, open_live, remote):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    remote.hold_answers()

    save(page)

    expect_failure(page, "It may have been done all the same")
    remote.release()
    page.get_by_role("link", name="Cancel").click()
    button(page, "Refresh").click()
    expect_names(page, "Cat", "Dog", "Otter")


def test_a_database_that_is_locked_at_start_stops_nothing_else(open_live):
    animals = product_server().start()
    animals.kill()
    other = sqlite3.connect(animals.data / "animals.store", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    animals.start()
    counter = open_live(animals, "/counter")
    button(counter, "Increment").click()
    expect(counter.locator(".value")).to_have_text("Value: 1")
    page = open_live(animals, MAMMALS)
    expect_failure(page, "locked")

    other.execute("ROLLBACK")
    other.close()
    button(page, "Retry").first.click()

    expect_names(page, *SAMPLES)
    animals.kill()
