"""Animals when something fails: the window reports the failure and offers a retry, and the rest works."""

import concurrent.futures
import json
import os
import re
import resource
import sqlite3

import pytest
from playwright.sync_api import expect

import quakes_page
from answers import answering, begin, cut, hang_up, redirect
from fake_animals import FakeAnimals
from fake_feed import FakeFeed, feature
from kinds import one_of_each_kind, thorough
from raw import get
from servers import product_server
from test_animals import MAMMALS, SAMPLES, button, expect_names, fill, names, save
from test_toasts import STREAM_THAT_ENDS
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
    """A Server that waits for the remote without a time limit."""
    return start_server("--animals-api", remote.url, "--animals-timeout", "60")


def fail_with_500(remote):
    remote.fault = lambda handler: handler.answer(500, json.dumps({"error": "the disk is full"}))


JSON = '{"query": [], "mutation": []}'
LIMIT = 16 * 1024 * 1024  # bytes of an answer

UNREACHED = "The catalog could not be reached."
LATE = "The catalog did not answer in time."
UNUSABLE = "The catalog answered with something that cannot be used."

# What fails, and what visitors read of it.
FAULTS = {
    "down": (lambda remote: remote.stop(), UNREACHED),
    "slow": (lambda remote: remote.hold(), LATE),
    "trickling": (lambda remote: remote.trickle(), LATE),
    "401": (begin(answering(401, "<p>Who is it?</p>", "text/html")), "error (401)."),
    "403": (begin(answering(403, '{"error": "not you"}')), "error (403)."),
    "404": (begin(answering(404, "<p>Not here</p>", "text/html")), "error (404)."),
    "500": (fail_with_500, "The catalog answered with an error (500)."),
    "503": (begin(answering(503, "", "text/plain", **{"Retry-After": "60"})), "error (503)."),
    "empty": (begin(answering(200, "")), UNUSABLE),
    "truncated": (begin(answering(200, '{"query": [{"categories": {"cat')), UNUSABLE),
    "cut off": (begin(cut), UNREACHED),
    "hung up": (begin(hang_up), UNREACHED),
    "redirecting": (begin(redirect), UNREACHED),
    "HTML": (begin(answering(200, "<h1>Welcome</h1>", "text/html")), UNUSABLE),
    "of another type": (begin(answering(200, JSON, "text/plain")), UNUSABLE),
    "of no type": (begin(answering(200, JSON, None)), UNUSABLE),
    "other data": (begin(answering(200, JSON)), ""),
    "an array": (begin(answering(200, "[]")), UNUSABLE),
    "too large": (begin(answering(200, JSON, length=LIMIT + 1)), UNUSABLE),
}
# One of each kind.
KINDS = ["down", "slow", "trickling", "500", "cut off", "redirecting", "HTML", "other data"]


@pytest.fixture(params=one_of_each_kind(FAULTS, KINDS), ids=lambda name: name.replace(" ", "_"))
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


@pytest.mark.parametrize("fault", one_of_each_kind(FAULTS, KINDS[::2]), indirect=True)
def test_a_failed_fetch_can_be_retried(animals, open_live, fault):
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


@pytest.mark.parametrize("fault", one_of_each_kind(KINDS, ["slow", "500"]), indirect=True)
def test_a_failed_fetch_can_be_retried_without_javascript(animals, plain, fault):
    fault.begin()
    plain.goto(animals.url + MAMMALS)
    expect_failure(plain, fault.words)

    fault.end()
    button(plain, "Retry").first.click()

    expect_names(plain, "Cat", "Dog")


@pytest.mark.parametrize("fault", one_of_each_kind(FAULTS, KINDS[1::2]), indirect=True)
def test_a_failed_save_keeps_the_editor_and_its_input(animals, open_live, fault):
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


@pytest.mark.parametrize("fault", one_of_each_kind(KINDS, ["slow", "500"]), indirect=True)
def test_a_failed_save_keeps_the_input_without_javascript(animals, plain, fault):
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


def test_a_failed_edit_and_a_failed_deletion_can_be_retried(animals, open_live, remote):
    page = open_live(animals, "/animals/Dog?category=Mammal")
    fail_with_500(remote)
    button(page, "Edit Dog").click()
    fill(page, "Wolf")
    save(page)
    expect_failure(page, "error (500)")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Wolf")
    remote.release()
    save(page)
    expect_names(page, "Cat", "Wolf")

    fail_with_500(remote)
    delete = page.locator("section[data-pane=detail]").get_by_role("button", name="Delete Wolf")
    delete.click()
    expect_failure(page, "error (500)")
    remote.release()
    delete.click()

    expect_names(page, "Cat")


def test_a_failed_star_can_be_dismissed_in_every_window(animals, open_page, open_live, remote):
    page, other = open_page(animals, MAMMALS), open_live(animals, MAMMALS)
    fail_with_500(remote)
    page.get_by_role("button", name="Favorite Cat").click()
    for window in [page, other]:
        expect_failure(window, "Cat could not be saved: The catalog answered with an error (500).")
    assert "answered 500: the disk is full" in animals.output

    page.locator("main").get_by_role("button", name="Dismiss").click()

    for window in [page, other]:
        expect(window.locator(".failure")).to_have_count(0)


def test_a_failed_refresh_can_be_dismissed_in_every_window(animals, open_page, open_live, remote):
    page, other = open_page(animals, MAMMALS), open_live(animals, MAMMALS)
    fail_with_500(remote)
    button(page, "Refresh").click()
    for window in [page, other]:
        expect(window.locator(".failure")).to_have_count(2)

    page.locator("main").get_by_role("button", name="Dismiss").first.click()

    for window in [page, other]:
        expect(window.locator(".failure")).to_have_count(0)
        expect_names(window, "Cat", "Dog")
    # The catalog is still known, so a search can say that it has found nothing.
    other.goto(animals.url + "/animals?all=true&search=unicorn")
    expect(other.get_by_text("No animals match “unicorn”")).to_be_visible()


def test_a_failed_reload_keeps_the_existing_animals(animals, open_live, remote):
    page = open_live(animals, MAMMALS + "&sheet=reload")
    fail_with_500(remote)

    button(page, "Yes, reload sample data").click()

    expect_failure(page, "error (500)")
    expect_names(page, "Cat", "Dog")


# Slow operations.


def test_nobody_else_can_change_an_animal_during_a_slow_save(patient, open_live, remote):
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
    expect(detail.get_by_label("Add a picture")).to_have_js_property("disabled", True)
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


def save_slowly(patient, open_live, remote, name, new):
    """Renames an animal in another window; it is being saved until `release`."""
    window = open_live(patient, f"/animals/{name}?category=Mammal&sheet=edit")
    fill(window, new)
    remote.hold_answers()
    save(window)
    expect(window.get_by_text("Saving…")).to_be_visible()


def test_a_key_for_a_row_that_is_being_saved_does_nothing_to_another(patient, open_live, remote):
    page = open_live(patient, "/animals/Cat?category=Mammal&order=own")
    page.get_by_role("link", name="Dog", exact=True).focus()
    save_slowly(patient, open_live, remote, "Dog", "Wolf")
    expect(page.locator("[data-list=animals]").get_by_role("button", name="Favorite Dog")).to_be_disabled()
    posts = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)

    for key in ["f", "Alt+ArrowUp", "Alt+ArrowDown", "Delete"]:
        page.keyboard.press(key)
    remote.release()

    expect_names(page, "Cat", "Wolf")
    assert [url for url in posts if "/animals" in url] == []


def test_a_star_in_the_detail_keeps_the_focus_while_its_animal_is_saved(patient, open_live, remote):
    page = open_live(patient, "/animals/Cat?category=Mammal")
    star = page.locator("section[data-pane=detail] .star")
    star.focus()
    save_slowly(patient, open_live, remote, "Cat", "Lynx")
    expect(star).to_be_disabled()
    expect(star).to_be_focused()

    remote.release()

    expect(page.get_by_role("heading", name="Lynx")).to_be_visible()
    expect(star).to_be_enabled()
    expect(star).to_be_focused()


# What has the focus, without the name that others may change.
FOCUSED = """() => {
  const { activeElement: element } = document;
  if (element === document.body || element.id === "content") return "";
  return (element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText).replace(/Cat|Lynx/, "it").trim();
}"""


@pytest.mark.parametrize("sheet, form", [(None, "Refresh"), *thorough(("edit", "Save"))])
def test_every_control_keeps_the_focus_while_others_wait(patient, open_live, remote, sheet, form):
    """What is disabled meanwhile lost it, and so did what has another element then, like the link *Edit*."""
    page = open_live(patient, "/animals/Cat?category=Mammal&order=own")
    controls = page.locator("main").locator(":is(a[href], button, input[type=file]):visible")
    count = controls.count()
    assert count > 20
    other = open_live(patient, MAMMALS)
    off = page.get_by_role("main").locator(":disabled, [aria-disabled=true]")
    ends = off.count()  # the first row cannot move up, nor the last one down
    kept = {}

    for index in range(count):
        if sheet:
            other.goto(f"{patient.url}/animals/Cat?category=Mammal&sheet={sheet}")
            expect(other.locator("html[data-live]")).to_be_attached()
            fill(other, "Lynx" if index % 2 == 0 else "Cat")
        controls.nth(index).focus()
        before = page.evaluate(FOCUSED)
        remote.hold_answers()
        button(other, form).click()
        assert remote.held.wait(10)
        wait_until(lambda: off.count() > ends, "something is disabled")
        during = page.evaluate(FOCUSED)
        remote.release()
        wait_until(lambda: off.count() == ends, "all is enabled again")
        kept[f"{index} {before}"] = (before, during, page.evaluate(FOCUSED))

    assert {name: texts for name, texts in kept.items() if len(set(texts)) > 1 or "" in texts} == {}


def expect_deleted(page):
    expect(page.locator("#toast [role=status]")).to_have_text("Dog deleted.")
    expect(page.locator("#toast").get_by_role("button", name="Undo")).to_be_visible()


def test_a_page_that_is_reloaded_during_a_slow_deletion_shows_its_toast(patient, open_live, remote):
    page, other = open_live(patient, MAMMALS), open_live(patient, MAMMALS)
    remote.hold_answers()
    page.locator("[data-list=animals]").get_by_role("button", name="Delete Dog").click()
    assert remote.held.wait(10)
    expect(page.locator("form[aria-busy]")).to_have_count(0)

    page.reload()
    expect(page.locator("html[data-live]")).to_be_attached()
    remote.release()

    expect_deleted(page)
    expect_names(other, "Cat")
    expect(other.locator("#toast")).to_be_hidden()


def test_a_deletion_that_ends_while_the_connection_is_lost_shows_its_toast(patient, context, open_live, remote):
    context.add_init_script("delete window.SharedWorker")  # its requests cannot be ended
    context.add_init_script(STREAM_THAT_ENDS)
    page, other = open_live(patient, MAMMALS), open_live(patient, MAMMALS)
    remote.hold_answers()
    page.locator("[data-list=animals]").get_by_role("button", name="Delete Dog").click()
    assert remote.held.wait(10)
    expect(page.locator("form[aria-busy]")).to_have_count(0)
    page.evaluate("loseStream()")
    expect(page.locator("#live")).to_have_text(re.compile("^Offline"))

    remote.release()
    expect_names(other, "Cat")
    page.evaluate("dispatchEvent(new Event('online'))")  # it tries again at once

    expect_deleted(page)
    expect(other.locator("#toast")).to_be_hidden()


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


def test_a_narrow_window_has_the_button_that_adds_an_animal_during_a_fetch(patient, open_live, remote):
    page = open_live(patient, "/animals")
    page.set_viewport_size({"width": 390, "height": 844})
    remote.hold_answers()

    button(page, "Refresh").click()

    expect(button(page, "Add an animal")).to_be_disabled()
    remote.release()
    expect(button(page, "Add an animal")).to_be_enabled()


def test_without_javascript_the_page_refreshes_until_a_slow_save_ends(patient, plain, remote):
    plain.goto(patient.url + MAMMALS + "&sheet=add")
    fill(plain, "Otter", diet="Omnivore")
    remote.hold_answers()
    save(plain)
    expect(plain.get_by_text("Saving…")).to_be_visible()
    expect(plain.get_by_label("Name", exact=True)).to_have_value("Otter")
    expect(plain.locator("[type=search]")).to_be_hidden()

    remote.release()

    expect_names(plain, "Cat", "Dog", "Otter")
    expect(plain.get_by_role("dialog")).to_have_count(0)
    expect(plain.locator("[type=search]")).to_be_visible()


def test_without_javascript_the_page_refreshes_until_a_slow_first_fetch_ends(patient, plain, remote):
    remote.hold_answers()
    plain.goto(patient.url + MAMMALS)
    expect(plain.get_by_text("Loading…").first).to_be_visible()
    # The page looks again every second: whatever is typed into it meanwhile would be lost.
    expect(plain.locator("[type=search]")).to_be_hidden()

    remote.release()

    expect_names(plain, "Cat", "Dog")
    expect(plain.locator("[type=search]")).to_be_visible()


def test_without_javascript_nothing_can_be_entered_while_the_page_refreshes(patient, plain, remote):
    plain.goto(patient.url + "/animals/Cat?category=Mammal")
    fields = [plain.locator("[type=search]"), plain.get_by_text("Add a picture"), button(plain, "Upload")]
    for field in fields:
        expect(field).to_be_visible()
    remote.hold_answers()
    plain.get_by_role("button", name="Favorite Cat").first.click()
    expect(plain.locator("html[data-reloads]")).to_be_attached()
    for field in fields:
        expect(field).to_be_hidden()

    remote.release()

    for field in fields:
        expect(field).to_be_visible()


def test_sigterm_waits_for_a_running_save(patient, open_live, remote):
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


def test_windows_see_the_results_of_effects_until_the_server_ends(start_server, open_live, remote):
    feed = FakeFeed(day=[feature("new", 5, "New", quakes_page.NOON)])
    server = start_server("--animals-api", remote.url, "--animals-timeout", "60", "--quakes-feed", feed.url)
    animals, quakes = open_live(server, MAMMALS + "&sheet=add"), open_live(server, quakes_page.QUAKES)
    fill(animals, "Otter", diet="Omnivore")
    remote.hold_answers()
    save(animals)
    feed.hold()
    quakes_page.choose(quakes, "Refresh", "Past day")
    assert remote.held.wait(10) and feed.held.wait(10)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        ended = pool.submit(server.terminate)
        wait_until(lambda: get(server, "/readyz").status == 503, "the server is about to end")
        feed.release()
        quakes_page.expect_names(quakes, "New")
        remote.release()
        assert ended.result() == 0

    # The window did not see it only because the server no longer waited for the save.
    assert "Effects had not ended on shutdown" not in server.output
    feed.stop()


def test_changes_by_others_show_after_a_refresh(animals, open_page, open_live, remote):
    page, other = open_page(animals, MAMMALS), open_live(animals, "/animals/Dog?category=Mammal")
    remote.animals["Cat"]["name"] = "Tomcat"
    del remote.animals["Dog"]

    button(page, "Refresh").click()

    for window in [page, other]:
        expect_names(window, "Tomcat")
    expect(other).to_have_url(animals.url + MAMMALS)


# The database of this machine.


def test_a_save_to_a_locked_database_fails_and_keeps_the_input(start_server, open_live):
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


def test_a_save_on_a_full_disk_fails_and_keeps_the_input(start_server, open_live):
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


def test_an_invalid_row_is_named_in_the_log_and_hides_no_others(open_live):
    animals = product_server().start()
    animals.kill()
    with sqlite3.connect(animals.data / "animals.store") as database:
        database.execute("UPDATE animal SET diet = 'Fish' WHERE animalId = 'Dog'")
    animals.start()
    page = open_live(animals, MAMMALS)

    expect_names(page, *[name for name in SAMPLES if name != "Dog"])
    expect(page.locator(".failure")).to_have_count(0)
    wait_until(lambda: "“Dog” has a diet that is not known" in animals.output, "it is named in the log")

    with sqlite3.connect(animals.data / "animals.store") as database:
        database.execute("UPDATE animal SET diet = 'Carnivore' WHERE animalId = 'Dog'")

    expect_names(page, *SAMPLES)  # the server follows commits by others
    animals.kill()


def test_a_read_only_data_folder_does_not_affect_other_products(open_live):
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


def test_a_second_server_fails_because_the_database_is_in_use(start_server):
    first = start_server()

    with pytest.raises(RuntimeError, match="in use by the process") as error:
        start_server("--data-directory", str(first.data))

    assert "ended with 1" in str(error.value)


@pytest.mark.parametrize("folder", ["/proc/none/such", "/dev/null/data"])
def test_an_unusable_data_directory_is_reported_at_start(start_server, folder):
    with pytest.raises(RuntimeError, match="Choose another") as error:
        start_server("--data-directory", folder)

    assert folder in str(error.value)


def test_a_file_that_is_not_a_database_is_left_unchanged(start_server, tmp_path):
    file = tmp_path / "animals.store"
    file.write_bytes(b"This is a letter, and no database." * 100)
    before = file.read_bytes()

    with pytest.raises(RuntimeError, match="is not a database"):
        start_server("--data-directory", str(tmp_path))

    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["animals.store", "pictures"]


# What must work in spite of the fault.


def test_a_draft_survives_a_reload_and_the_next_failure(patient, open_live, remote):
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
    expect_failure(page, "error (500)")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    remote.release()
    save(page)
    expect_names(page, "Cat", "Dog", "Otter")


def test_an_animal_that_was_added_during_a_reload_is_no_draft(patient, open_live, remote):
    page = open_live(patient, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    remote.hold_answers()
    save(page)
    expect(page.get_by_text("Saving…")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Otter")
    expect(page.locator("html[data-live]")).to_be_attached()
    remote.release()
    expect_names(page, "Cat", "Dog", "Otter")
    expect(page.get_by_role("dialog")).to_have_count(0)

    button(page, "Add an animal").click()

    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    expect(page.locator("[data-restored]")).to_be_empty()


def test_without_javascript_a_slow_failed_edit_keeps_the_input(patient, plain, remote):
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


def test_a_page_with_an_open_form_does_not_refresh_itself(patient, plain, open_live, remote):
    open_live(patient, MAMMALS)
    plain.goto(patient.url + MAMMALS)
    remote.hold()
    refreshes = plain.locator("meta[http-equiv=refresh]")
    button(plain, "Refresh").click()
    expect(refreshes).to_have_count(1)
    plain.goto(patient.url + MAMMALS + "&sheet=add")

    expect(refreshes).to_have_count(0)


def test_a_failure_keeps_the_focus(animals, open_live, remote):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    fail_with_500(remote)

    save(page)

    expect_failure(page, "error (500)")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_focused()


def test_a_late_answer_does_not_navigate_back(start_server, open_live):
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


def test_a_save_with_an_unknown_outcome_is_reported_as_such(animals, open_live, remote):
    page = open_live(animals, MAMMALS + "&sheet=add")
    fill(page, "Otter", diet="Omnivore")
    remote.hold_answers()

    save(page)

    expect_failure(page, "It may have been done anyway")
    remote.release()
    page.get_by_role("link", name="Cancel").click()
    button(page, "Refresh").click()
    expect_names(page, "Cat", "Dog", "Otter")


def test_a_database_locked_at_start_does_not_affect_other_products(open_live):
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
