"""Posts: once and in order, sent again until they are answered, and shown in their form."""

import time

import pytest
from playwright.sync_api import expect

from kinds import thorough

HOURS = 3_660_000  # a bit more than one, in milliseconds
UNKNOWN = "It is not known whether this arrived. Look before you send it again."
ONCE = """<form method="post" data-form="save">
  <input type="hidden" name="_form" value="save">
  <input type="hidden" name="_token" value="page" autocomplete="off">
  <label>Name <input name="name" value="old"></label>
  <button name="kind" value="draft">Draft</button><button id="go">Save</button>
  <p data-error role="alert"></p></form>"""
COUNT = """<form method="post" data-form="increment" data-policy="repeatable">
  <input type="hidden" name="_form" value="increment"><button>Increment</button></form>"""
IDLE = "form:not([aria-busy])"
# Buttons keep the focus during a post, so they have no `disabled`.
DISABLED = "button:is(:disabled, [aria-disabled=true])"
ENABLED = "button:enabled:not([aria-disabled])"
TOAST = """<div class="toasts"><div id="toast" hidden><p role="status"></p>
  <form method="post" data-form="_undo"><input type="hidden" name="_form" value="_undo">
    <input type="hidden" name="_submission"><button>Undo</button></form>
  <button type="button" hidden>Dismiss</button></div></div>"""


def tokens(fake_server):
    return [post["fields"]["_token"] for post in fake_server.posts]


def test_a_post_has_the_fields_the_submitter_a_token_and_the_window(fake_server, live):
    page = live("/a?b=c", ONCE)

    page.fill("[name=name]", "new & ü")
    page.click("text=Draft")

    expect(page.locator(IDLE)).to_be_attached()
    [post] = fake_server.posts
    token = post["fields"].pop("_token")
    assert len(token) == 22 and token != "page"
    assert post == {
        "path": "/a?b=c",
        "accept": "application/json",
        "window": next(iter(fake_server.windows)),
        "fields": {"_form": "save", "name": "new & ü", "kind": "draft"},
    }
    assert fake_server.page_loads == ["/a?b=c"]


def test_a_double_click_on_a_form_of_policy_once_is_one_post(fake_server, live, gate):
    page = live("/", ONCE)

    page.evaluate("() => { for (const _ of 'ab') document.querySelector('#go').click(); }")
    page.evaluate("document.querySelector('form').requestSubmit()")
    expect(page.locator("form[aria-busy=true]").locator(DISABLED)).to_have_count(2)
    gate.set()

    expect(page.locator(IDLE)).to_be_attached()
    expect(page.locator("form").locator(ENABLED)).to_have_count(2)
    assert len(fake_server.posts) == 1


def test_five_clicks_on_a_repeatable_form_are_five_posts_in_order(fake_server, live, gate):
    page = live("/", COUNT.replace("<button>", '<input name="n" value="0"><button>'))

    page.evaluate(
        """() => {
          for (const n of [1, 2, 3, 4, 5]) {
            document.querySelector("[name=n]").value = n;
            document.querySelector("button").click();
          }
        }"""
    )
    fake_server.wait(lambda: fake_server.posts, "the first post")
    expect(page.locator("form").locator(ENABLED)).to_be_attached()
    assert len(fake_server.posts) == 1
    gate.set()

    fake_server.wait(lambda: len(fake_server.posts) == 5, "five posts")
    assert [post["fields"]["n"] for post in fake_server.posts] == list("12345")
    assert len(set(tokens(fake_server))) == 5
    expect(page.locator(IDLE)).to_be_attached()


def test_a_refusal_stays_when_posts_that_were_queued_behind_it_are_accepted(fake_server, live, gate):
    """A post that is sent later, by somebody who could read it, takes it away."""
    page = live("/", COUNT)
    wait = fake_server.answer
    answers = iter([(422, {"version": 0, "message": "It has been deleted."})])
    accepted = (200, {"version": 0})
    fake_server.answer = lambda post: (wait(post), next(answers, accepted))[1]
    button = page.get_by_role("button", name="Increment")

    button.click()
    button.click()
    button.click()
    gate.set()
    expect(page.locator(IDLE)).to_be_attached()

    assert len(fake_server.posts) == 3
    expect(page.get_by_text("It has been deleted.")).to_be_visible()
    button.click()
    expect(page.get_by_text("It has been deleted.")).to_have_count(0)


def test_a_lost_answer_and_a_gateway_error_are_followed_by_the_same_post(fake_server, live):
    page = live("/", ONCE)
    answers = iter([None, (503, {}), (502, {}), (408, {}), (429, {}), (200, {"version": 0})])
    fake_server.answer = lambda post: next(answers)

    page.click("#go")

    fake_server.wait(lambda: len(fake_server.posts) == 6, "six tries")
    expect(page.locator(IDLE)).to_be_attached()
    expect(page.locator("[data-resending]")).to_have_count(0)
    assert len(set(tokens(fake_server))) == 1


@pytest.mark.parametrize("body", ["<h1>Internal Server Error</h1>", {}], ids=["page", "json"])
def test_an_error_of_a_proxy_does_not_say_that_nothing_has_changed(fake_server, live, body):
    """The server may have answered the proxy. Whoever believed that, and clicked again, clicked twice."""
    answers = iter([(500, body), (520, body), (200, {"version": 0})])
    fake_server.answer = lambda post: next(answers)
    page = live("/", ONCE)

    page.click("#go")

    fake_server.wait(lambda: len(fake_server.posts) == 3, "three tries")
    expect(page.locator(IDLE)).to_be_attached()
    expect(page.locator("[data-error]:not(:empty)")).to_have_count(0)
    assert len(set(tokens(fake_server))) == 1


def test_a_failure_of_the_server_is_shown(fake_server, live):
    page = live("/", COUNT)
    fake_server.answer = lambda post: (500, {"message": "Something went wrong here."})

    page.click("button")

    expect(page.locator("[data-error]")).to_have_text("Something went wrong here.")
    expect(page.locator(IDLE)).to_be_attached()
    assert len(fake_server.posts) == 1


@pytest.mark.usefixtures("loads_modules_again")
def test_a_form_with_files_is_sent_once_its_module_can_be_loaded(fake_server, live, context):
    """Otherwise it was in progress forever."""
    context.route("**/editing.js", lambda route: route.abort())
    page = live("/")
    page.evaluate("html => document.querySelector('main').innerHTML = html",
                  ONCE.replace("<form", '<form enctype="multipart/form-data"'))

    page.click("#go")
    expect(page.locator("form[data-resending]")).to_be_attached()
    context.unroute("**/editing.js")

    fake_server.wait(lambda: fake_server.posts, "the post")
    expect(page.locator(IDLE)).to_be_attached()


def test_an_upload_waits_longer_for_its_answer_than_for_progress(bench):
    """It was sent again while the server still made the small versions of the picture."""
    limits = bench.page.evaluate(
        """async () => {
          const { upload } = await import("/public/uploads.js");
          const limits = [];
          globalThis.setTimeout = (_, limit) => limits.push(limit);
          XMLHttpRequest.prototype.send = function () {
            for (const loaded of [1, 2]) {
              this.upload.dispatchEvent(new ProgressEvent("progress", { loaded, total: 2 }));
            }
            this.dispatchEvent(new Event("load"));
          };
          await upload("/", { headers: {}, body: new FormData() }, () => {});
          return limits;
        }"""
    )

    assert limits == [20_000, 20_000, 60_000]


def test_a_file_that_can_no_longer_be_read_is_refused(fake_server, live, tmp_path):
    """The user was told for an hour that the server does not answer."""
    page = live("/", ONCE.replace("<form", '<form enctype="multipart/form-data"')
                .replace("<label>", '<input type="file" name="picture"><label>'))
    file = tmp_path / "picture.png"
    file.write_bytes(b"a" * 1_000)
    page.set_input_files("[name=picture]", file)
    file.unlink()

    page.click("#go")

    expect(page.locator("[data-error]")).to_have_text("This file can no longer be read. Choose it again.")
    expect(page.locator(IDLE)).to_be_attached()
    assert not any(post["fields"] for post in fake_server.posts)  # Firefox begins to send it


def test_the_page_of_a_network_in_between_is_no_answer(fake_server, live):
    """A sign-in page of a hotel answers with 200; the input was lost."""
    page = live("/", ONCE.replace('data-form="save"', 'data-form="save" data-reset'))
    page.fill("[name=name]", "typed")
    answers = iter([(200, "Welcome to our hotel!"), (200, {"greeting": "hello"}), (200, {"version": 0})])
    fake_server.answer = lambda post: next(answers)

    page.click("#go")

    fake_server.wait(lambda: len(fake_server.posts) == 3, "three tries")
    expect(page.locator(IDLE)).to_be_attached()
    assert {post["fields"]["name"] for post in fake_server.posts} == {"typed"}
    assert len(set(tokens(fake_server))) == 1


def test_a_post_while_the_server_is_away_is_sent_when_it_returns(fake_server, live):
    page = live("/", COUNT)
    fake_server.go_down()
    page.click("button")
    page.click("button")
    expect(page.locator("form[aria-busy=true][data-resending]")).to_be_attached()

    fake_server.come_up()

    fake_server.wait(lambda: len(set(tokens(fake_server))) == 2, "two posts")
    expect(page.locator(IDLE)).to_be_attached()


def leave_while_away(page, fake_server, press, to="/"):
    """Leaves a page whose posts cannot be answered; the server is there when another is loaded."""
    fake_server.go_down()
    press()
    expect(page.locator("form[aria-busy=true][data-resending]")).to_be_attached()
    page.goto("about:blank")
    fake_server.come_up()
    page.goto(fake_server.url + to)


def test_a_post_while_the_server_is_away_survives_a_reload(fake_server, live, gate):
    page = live("/a?b=c", ONCE)
    page.fill("[name=name]", "new & ü")

    leave_while_away(page, fake_server, lambda: page.click("#go"), "/a?b=c")

    fake_server.wait(lambda: fake_server.posts, "the post")
    expect(page.locator("form[aria-busy=true]").locator(DISABLED)).to_have_count(2)
    gate.set()
    expect(page.locator(IDLE)).to_be_attached()
    assert {post["path"] for post in fake_server.posts} == {"/a?b=c"}
    assert {post["fields"]["name"] for post in fake_server.posts} == {"new & ü"}
    assert len(set(tokens(fake_server))) == 1
    assert page.evaluate("sessionStorage.getItem('posts')") is None


def test_another_page_of_the_tab_sends_what_was_not_answered_in_order(fake_server, live):
    page = live("/", COUNT.replace("<button>", '<input name="n" value="0"><button>'))

    def press():
        for number in "123":
            page.fill("[name=n]", number)
            page.click("button")

    leave_while_away(page, fake_server, press, "/other")

    # One whose answer was lost is sent again, with the same token.
    sent = lambda: {post["fields"]["_token"]: post["fields"]["n"] for post in fake_server.posts}
    fake_server.wait(lambda: len(sent()) == 3, "three posts")
    assert list(sent().values()) == list("123")
    assert {post["path"] for post in fake_server.posts} == {"/"}
    page.wait_for_function("() => sessionStorage.getItem('posts') === null")
    assert page.url == fake_server.url + "/other"


def test_a_toast_tells_that_a_post_of_an_earlier_page_was_refused(fake_server, live):
    page = live("/", ONCE)
    fake_server.content["/other"] = TOAST
    fake_server.answer = lambda post: (422, {"version": 0, "message": "It is too late."})

    leave_while_away(page, fake_server, lambda: page.click("#go"), "/other")

    expect(page.locator("#toast [role=status]")).to_have_text(
        "Something that you sent earlier was not accepted. It is too late.")


def test_the_toast_of_a_post_of_an_earlier_page_is_awaited_on_a_page_without_its_form(fake_server, live):
    page = live("/", ONCE)
    fake_server.content["/other"] = TOAST

    leave_while_away(page, fake_server, lambda: page.click("#go"), "/other")

    page.wait_for_function("() => sessionStorage.getItem('awaited') !== null")
    fake_server.wait(lambda: fake_server.posts, "the post")
    assert tokens(fake_server)[-1] in page.evaluate("sessionStorage.getItem('awaited')")


def test_a_toast_that_overtakes_the_answer_to_its_post_is_not_awaited(fake_server, live, gate):
    """A later page of the tab would be told it again."""
    page = live("/", ONCE + TOAST)
    [window] = fake_server.windows
    page.click("#go")
    fake_server.wait(lambda: fake_server.posts, "the post")

    [token] = tokens(fake_server)
    fake_server.push("toast", {"window": window, "token": token, "message": "Saved."})
    expect(page.locator("#toast [role=status]")).to_have_text("Saved.")
    gate.set()

    expect(page.locator("form[data-form=save]:not([aria-busy])")).to_be_attached()
    assert page.evaluate("sessionStorage.getItem('awaited')") is None


def test_a_toast_that_does_not_come_is_awaited_for_ten_minutes(fake_server, live):
    page = live("/", ONCE + TOAST)
    page.clock.install()
    page.click("#go")
    page.wait_for_function("() => sessionStorage.getItem('awaited') !== null")

    page.clock.fast_forward(600_000)

    page.wait_for_function("() => sessionStorage.getItem('awaited') === null")


def test_a_post_is_not_sent_again_after_an_hour(fake_server, live):
    """The server may have forgotten its token, and it would take effect twice."""
    page = live("/", ONCE)
    page.clock.install()
    fake_server.answer = lambda post: None
    page.click("#go")
    fake_server.wait(lambda: fake_server.posts, "the post")
    expect(page.locator("[data-resending]")).to_be_attached()
    fake_server.go_down()

    page.clock.fast_forward(HOURS)

    expect(page.locator("[data-error]")).to_have_text(UNKNOWN)
    count = len(fake_server.posts)
    fake_server.come_up()
    expect(page.locator(IDLE)).to_be_attached(timeout=30_000)
    expect(page.locator("form").locator(ENABLED)).to_have_count(2)
    assert len(fake_server.posts) == count
    assert page.evaluate("sessionStorage.getItem('posts')") is None


@pytest.mark.parametrize("path, place", [("/", "[data-error]"), ("/other", "#toast [role=status]")])
def test_the_next_page_tells_of_a_post_that_was_not_answered_for_an_hour(fake_server, live, path, place):
    page = live("/", ONCE)
    fake_server.content["/other"] = TOAST
    fake_server.go_down()
    # Another attempt, which outlives the page, could arrive when the server is back.
    page.clock.install()
    page.clock.pause_at(time.time() + 1)
    with page.expect_event("requestfailed", lambda request: request.url == fake_server.url + "/"):
        page.click("#go")
        expect(page.locator("[data-resending]")).to_be_attached()
        page.clock.run_for(2000)  # while it waits for the connection
    page.goto("about:blank")
    fake_server.come_up()

    page.clock.pause_at(time.time() + HOURS / 1000)
    page.clock.resume()
    page.goto(fake_server.url + path)

    expect(page.locator(place)).to_contain_text(UNKNOWN)
    assert fake_server.posts == []
    assert page.evaluate("sessionStorage.getItem('posts')") is None


def test_a_toast_tells_of_a_refusal_in_a_menu_that_has_closed(fake_server, live):
    menu = f'<details class="menu"><summary>More</summary>{COUNT}</details>'
    page = live("/", menu + TOAST)
    fake_server.answer = lambda post: (422, {"version": 0, "message": "It is too late."})

    page.click("summary")
    page.click("text=Increment")

    expect(page.locator("#toast [role=status]")).to_contain_text("It is too late.")
    page.click("summary")
    expect(page.locator(".menu [data-error]")).to_have_text("It is too late.")


def test_no_toast_repeats_a_refusal_that_its_form_shows(fake_server, live):
    page = live("/", ONCE + TOAST)
    fake_server.answer = lambda post: (422, {"version": 0, "message": "Not so."})

    page.click("#go")

    expect(page.locator("form[data-form=save] [data-error]")).to_have_text("Not so.")
    expect(page.locator(IDLE + "[data-form=save]")).to_be_attached()
    page.evaluate("fetch('/blank')")
    expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.parametrize("form", [
    ONCE.replace("<form", '<form enctype="multipart/form-data"'),
    ONCE.replace("<button ", '<input type="password" name="secret"><button ', 1),
    ONCE.replace('name="name" value="old"', f'name="name" value="{"x" * 120_000}"'),
])
def test_the_browser_asks_before_it_leaves_a_page_whose_post_cannot_be_kept(
    fake_server, live, form
):
    page = live("/", form)
    fake_server.go_down()
    page.click("#go")
    expect(page.locator("[data-queued]")).to_be_attached(timeout=30_000)

    with page.expect_event("dialog") as asked:
        page.evaluate("() => void setTimeout(() => location.reload())")

    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    assert page.evaluate("sessionStorage.getItem('posts')") is None
    fake_server.come_up()
    expect(page.locator(IDLE)).to_be_attached(timeout=30_000)


def test_a_refusal_is_shown_beside_the_fields_and_keeps_the_input(fake_server, live):
    page = live("/", ONCE)
    fake_server.answer = lambda post: (
        422, {"version": 0, "message": "Not so.", "fields": {"name": "Too short."}})
    page.fill("[name=name]", "x")
    page.click("#go")

    expect(page.locator("[data-error]")).to_have_text("Not so.")
    name = page.locator("[name=name]")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description("Too short.")
    expect(name).to_have_accessible_name("Name")
    expect(name).to_have_value("x")
    expect(name).to_be_focused()

    # A patch changes nothing of this, and the next success ends it.
    fake_server.frame("/", {"region": "root", "tag": "T", "frame": "<hr>" + ONCE})
    expect(page.locator("hr")).to_be_attached()
    expect(page.locator("[data-error]")).to_have_text("Not so.")
    expect(name).to_have_accessible_description("Too short.")
    expect(name).to_have_value("x")
    fake_server.answer = lambda post: (200, {"version": 1})
    page.click("#go")
    expect(page.locator("[data-error]")).to_be_empty()
    expect(page.locator("[aria-invalid], [data-field-error], [aria-describedby]")).to_have_count(0)


@pytest.mark.parametrize("message, is_beside", [
    ("Too short.", True), ("Too short. Choose a shop.", False), ("Not so.", False),
])
def test_a_message_that_shows_beside_its_field_does_not_show_twice(
    fake_server, live, message, is_beside
):
    page = live("/", ONCE)
    fake_server.answer = lambda post: (
        422, {"version": 0, "message": message, "fields": {"name": "Too short."}})

    page.click("#go")

    expect(page.locator("[data-field-error]")).to_have_text("Too short.")
    expect(page.locator("[data-error]")).to_have_text(message)  # it is announced
    expect(page.locator("[data-error].hidden")).to_have_count(int(is_beside))


@pytest.fixture
def paste(context, pytestconfig):
    if pytestconfig.option.engine == "webkit":
        pytest.skip("WebKit lets no test write to its clipboard")
    context.grant_permissions(["clipboard-read", "clipboard-write"])

    def paste(field, text):
        field.evaluate("""async (_, text) => {
          await import("/public/editing.js"); // it is loaded after the page
          await navigator.clipboard.writeText(text);
        }""", text)
        field.press("ControlOrMeta+v")

    return paste


TWO = """<form method="post" data-form="save" data-policy="once">
  <input name="name" maxlength="5"><input name="place" maxlength="5"><button id="go">Save</button>
  <p data-error role="alert"></p></form>"""
CUT = "Only 5 characters fit here. The end of what you pasted is missing."


def refuse_both(post):
    fields = {"name": "Name too short.", "place": "Place unknown."}
    return 422, {"version": 0, "message": " ".join(fields.values()), "fields": fields, "isWarning": True}


def test_a_cut_paste_changes_only_the_error_of_its_field(fake_server, live, paste):
    page = live("/", TWO)
    fake_server.answer = refuse_both
    name, place = page.locator("[name=name]"), page.locator("[name=place]")
    page.click("#go")
    expect(name).to_have_accessible_description("Name too short.")

    paste(place, "Lion" * 2)

    expect(place).to_have_accessible_description(CUT)
    expect(place).to_be_focused()
    expect(name).to_have_accessible_description("Name too short.")
    expect(page.locator("[data-error][data-warning]")).to_have_text(f"Name too short. {CUT}")
    place.press("Backspace")
    expect(place).to_have_accessible_description("")
    expect(place).not_to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description("Name too short.")
    expect(page.locator("[data-error][data-warning]")).to_have_text("Name too short.")

    paste(name, "Lion" * 2)
    expect(page.locator("[data-error]:not([data-warning])")).to_have_text(CUT)  # of which nothing is left
    name.press("Backspace")
    expect(page.locator("[data-error]")).to_be_empty()


def test_typing_after_a_cut_paste_was_posted_leaves_the_errors_of_the_server(fake_server, live, paste):
    page = live("/", TWO)
    fake_server.answer = refuse_both
    name, place = page.locator("[name=name]"), page.locator("[name=place]")
    paste(name, "Lion" * 2)
    expect(name).to_have_accessible_description(CUT)
    page.click("#go")
    expect(name).to_have_accessible_description("Name too short.")

    name.press("End")
    name.press("Backspace")

    expect(name).to_have_value("Lion")
    expect(name).to_have_accessible_description("Name too short.")
    expect(place).to_have_accessible_description("Place unknown.")
    expect(page.locator("[data-error][data-warning]")).to_have_text("Name too short. Place unknown.")


@pytest.mark.parametrize("is_early", [True, False])
def test_a_form_with_reset_is_emptied_when_its_effect_has_succeeded(
    fake_server, live, gate, is_early
):
    page = live("/", ONCE.replace('data-form="save"', 'data-form="save" data-reset'))
    fake_server.answer = lambda post, answer=fake_server.answer: answer(post) and (
        200, {"version": 0, "pending": True})
    page.fill("[name=name]", "posted")
    page.click("#go")
    fake_server.wait(lambda: fake_server.posts, "the post")
    ended = {"window": next(iter(fake_server.windows)), "token": tokens(fake_server)[0]}

    if not is_early:
        gate.set()
        expect(page.locator(IDLE)).to_be_attached()
        expect(page.locator("[name=name]")).to_have_value("posted")
    fake_server.push("ended", ended)
    fake_server.push("ended", ended | {"token": "another"})
    gate.set()

    expect(page.locator("[name=name]")).to_have_value("old")


@pytest.mark.parametrize("status", [403, *thorough(400, 409, 413)])
def test_a_refusal_without_a_message_is_shown_too(fake_server, live, status):
    page = live("/", COUNT)
    fake_server.answer = lambda post: (status, "no object")

    page.click("button")

    expect(page.locator("[data-error]")).to_have_text(
        "The server did not accept this. Nothing has changed.")
    expect(page.locator(IDLE)).to_be_attached()
    assert len(fake_server.posts) == 1


def test_a_form_does_not_wait_for_the_version_of_another_product(fake_server, live):
    """After the Undo of an animal, each post of Quakes seemed to have been shown already, or took two seconds longer."""
    page = live("/", COUNT.replace("<form", '<form data-url="/other"'))
    fake_server.answer = lambda post: (200, {"version": 1000})
    page.clock.install()
    page.clock.pause_at(time.time() + 1)

    page.click("button")

    fake_server.wait(lambda: fake_server.posts, "the post")
    expect(page.locator(IDLE)).to_be_attached()


def test_a_form_is_busy_until_its_window_has_reached_the_version(fake_server, live):
    page = live("/", ONCE)
    fake_server.answer = lambda post: (200, {"version": 5})

    with page.expect_response("**/"):
        page.click("#go")
    (window,) = fake_server.windows
    # Versions of other windows may be those of another product, so they do not count.
    for data in [{"window": window, "version": 4}, {"window": "w-of-another-tab", "version": 6}]:
        fake_server.push("version", data)
    page.evaluate("fetch('/blank')")
    expect(page.locator("form[aria-busy=true]")).to_be_attached()
    fake_server.push("version", {"window": window, "version": 5})

    expect(page.locator(IDLE)).to_be_attached()


def test_a_form_does_not_wait_for_a_version_of_a_server_that_has_ended(fake_server, live):
    """Versions of different boots cannot be compared."""
    page = live("/", ONCE)
    page.clock.install()
    page.clock.pause_at(time.time() + 1)  # it stops waiting after two seconds
    fake_server.answer = lambda post: (200, {"version": 5})
    with page.expect_response("**/"):
        page.click("#go")
    expect(page.locator("form[aria-busy=true]")).to_be_attached()

    fake_server.kill()

    expect(page.locator(IDLE)).to_be_attached()


def test_a_form_is_busy_until_its_newest_post_is_shown(fake_server, live):
    """It was idle as soon as the window had reached the version of an earlier post."""
    page = live("/", COUNT)
    answers = iter([5, 6])
    fake_server.answer = lambda post: (200, {"version": next(answers)})
    page.clock.install()
    page.clock.pause_at(time.time() + 1)  # it stops waiting after two seconds
    page.evaluate("""async () => {
      const { tab } = await import("/public/window.js");
      tab.addEventListener("version", () => (window.versions = (window.versions ?? 0) + 1));
    }""")
    for _ in range(2):
        with page.expect_response("**/"):
            page.click("button")
        page.evaluate("fetch('/blank')")
    (window,) = fake_server.windows

    fake_server.push("version", {"window": window, "version": 5})

    page.wait_for_function("() => window.versions === 1")
    expect(page.locator("form[aria-busy=true]")).to_be_attached()
    fake_server.push("version", {"window": window, "version": 6})
    expect(page.locator(IDLE)).to_be_attached()


def test_an_accepted_submit_makes_fields_clean(fake_server, live):
    page = live("/", ONCE)
    page.fill("[name=name]", "typed")
    page.click("#go")
    expect(page.locator(IDLE)).to_be_attached()
    expect(page.locator("[name=name]")).to_have_value("typed")

    fake_server.frame("/", {"region": "root", "tag": "T", "frame": ONCE.replace("old", "newer")})

    expect(page.locator("[name=name]")).to_have_value("newer")


def test_a_patch_that_arrived_before_the_answer_wins(fake_server, live, gate):
    page = live("/", ONCE)
    page.fill("[name=name]", "  typed")
    page.click("#go")
    fake_server.wait(lambda: fake_server.posts, "the post")

    frame = "<hr>" + ONCE.replace("old", "typed")
    fake_server.frame("/", {"region": "root", "tag": "T", "frame": frame})
    expect(page.locator("hr")).to_be_attached()
    expect(page.locator("form").locator(DISABLED)).to_have_count(2)
    expect(page.locator("[name=name]")).to_have_value("  typed")
    gate.set()

    expect(page.locator("[name=name]")).to_have_value("typed")
    expect(page.locator("form").locator(ENABLED)).to_have_count(2)


@pytest.mark.parametrize("status, event", [(200, "accepted"), (422, "declined")])
def test_a_form_that_has_replaced_the_posted_one_is_told_the_result(
    fake_server, live, gate, status, event
):
    page = live("/", ONCE)
    page.evaluate(
        """name => document.addEventListener(name, ({ target }) => (window.told = target))""", event)
    wait = fake_server.answer

    def answer(post):
        wait(post)
        return status, {"version": 0}

    fake_server.answer = answer
    page.click("#go")
    fake_server.wait(lambda: fake_server.posts, "the post")

    frame = f"<section>{ONCE}</section>"
    fake_server.frame("/", {"region": "root", "tag": "T", "frame": frame})
    expect(page.locator("section form[aria-busy=true]")).to_be_attached()
    gate.set()

    expect(page.locator(IDLE)).to_be_attached()
    assert page.evaluate("told === document.querySelector('section form')")


def test_a_button_that_the_server_disabled_meanwhile_stays_disabled(fake_server, live, gate):
    page = live("/", ONCE)
    page.click("#go")
    fake_server.wait(lambda: fake_server.posts, "the post")

    frame = "<hr>" + ONCE.replace('id="go"', 'id="go" disabled')
    fake_server.frame("/", {"region": "root", "tag": "T", "frame": frame})
    expect(page.locator("hr")).to_be_attached()
    gate.set()

    expect(page.locator("form").locator(ENABLED)).to_have_text(["Draft"])
    expect(page.locator("#go")).to_be_disabled()


def test_typing_during_a_post_is_kept(fake_server, live, gate):
    page = live("/", ONCE.replace('data-form="save"', 'data-form="save" data-reset'))
    page.fill("[name=name]", "posted")
    page.click("#go")
    page.fill("[name=name]", "the next")
    gate.set()

    expect(page.locator(IDLE)).to_be_attached()
    expect(page.locator("[name=name]")).to_have_value("the next")


def test_a_form_with_reset_takes_its_defaults(fake_server, live):
    page = live("/", ONCE.replace('data-form="save"', 'data-form="save" data-reset'))
    page.fill("[name=name]", "posted")

    page.click("#go")

    expect(page.locator("[name=name]")).to_have_value("old")


def test_a_location_is_followed_in_place_and_resets_the_form(fake_server, live):
    page = live("/", ONCE)
    fake_server.answer = lambda post: (200, {"version": 0, "location": "/?id=7"})
    page.fill("[name=name]", "posted")

    page.click("#go")

    expect(page).to_have_url(fake_server.url + "/?id=7")
    expect(page.locator("[name=name]")).to_have_value("old")
    expect(page.locator("html[data-live]")).to_be_attached()
    assert fake_server.page_loads == ["/"]
    assert fake_server.moves[-1]["at"] == "/?id=7"


def test_the_pressed_button_keeps_the_focus_and_does_nothing_until_the_answer(fake_server, live, gate):
    """A disabled button lost it: Tab began elsewhere, and a screen reader said nothing."""
    page = live("/", ONCE)
    page.focus("#go")
    page.keyboard.press("Enter")
    expect(page.locator("#go")).to_be_disabled()
    settle(page)

    expect(page.locator("#go")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    gate.set()

    expect(page.locator(IDLE)).to_be_attached()
    expect(page.locator("form").locator(ENABLED)).to_have_count(2)
    expect(page.locator("#go")).to_be_focused()
    assert len(fake_server.posts) == 1
    page.keyboard.press("Enter")
    fake_server.wait(lambda: len(fake_server.posts) == 2, "the second post")


def test_a_focused_button_that_the_server_disables_keeps_the_focus_and_does_nothing(fake_server, live):
    page = live("/", ONCE)
    page.focus("#go")
    frame = ONCE.replace('id="go"', 'id="go" disabled')

    fake_server.frame("/", {"region": "root", "tag": "T", "frame": "<hr>" + frame})
    expect(page.locator("#go")).to_be_disabled()
    settle(page)
    expect(page.locator("#go")).to_be_focused()
    page.keyboard.press("Enter")
    page.evaluate("document.querySelector('[value=draft]').click()")
    expect(page.locator(IDLE)).to_be_attached()
    fake_server.wait(lambda: fake_server.posts, "the other button's post")
    page.focus("[name=name]")
    fake_server.frame("/", {"region": "root", "tag": "U", "frame": frame})
    expect(page.locator("hr")).to_have_count(0)

    assert [post["fields"].get("kind") for post in fake_server.posts] == ["draft"]
    assert page.locator("#go").evaluate("button => button.disabled && !button.ariaDisabled")
    fake_server.frame("/", {"region": "root", "tag": "V", "frame": ONCE})
    expect(page.locator("form").locator(ENABLED)).to_have_count(2)


def settle(page):
    """A browser takes the focus from a disabled element when it next renders."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_content_gets_the_focus_of_a_pressed_button_that_is_gone(fake_server, live, gate):
    page = live("/", f'<div id="content" tabindex="-1"><p>{ONCE}</p></div>')
    page.focus("#go")
    page.keyboard.press("Enter")
    expect(page.locator("#go")).to_be_disabled()

    fake_server.frame("/", {"region": "root", "tag": "T", "frame": '<div id="content" tabindex="-1"></div>'})
    expect(page.locator("form")).to_have_count(0)
    gate.set()

    expect(page.locator("#content")).to_be_focused()


@pytest.mark.parametrize("attributes", [
    'method="post"',
    'method="post" data-form="f" enctype="text/plain"',
    'method="post" data-form="f" action="/other"',
])
def test_other_forms_are_left_to_the_browser(fake_server, live, attributes):
    page = live("/", f"<form {attributes}><input name=a><button>Go</button></form>")

    page.click("button")

    fake_server.wait(lambda: fake_server.posts, "the post")
    assert "application/json" not in fake_server.posts[0]["accept"].split(",")
    page.wait_for_load_state()


def test_numbers_are_written_as_in_the_language_of_the_page(browser, live):
    """They were written as in that of the browser: 1.000 in an English sentence."""
    html = '<form method="post" data-form="note"><textarea name="text" maxlength="1000"></textarea></form>'
    german = browser.new_context(locale="de-DE")
    page = live(html=html, page=german.new_page())
    expect(page.locator("textarea")).to_be_attached()

    page.evaluate("""async () => {
      await import("/public/editing.js");
      const event = new Event("paste", { bubbles: true }); // Firefox gives a clipboard event of a script no data
      event.clipboardData = { files: [], getData: () => "x".repeat(1001) };
      document.querySelector("textarea").dispatchEvent(event);
    }""")

    expect(page.locator("[data-field-error]")).to_have_text(
        "Only 1,000 characters fit here. The end of what you pasted is missing.")
    german.close()
