"""
What is submitted while the server is away takes effect once, however the outage goes, and nobody is
offered to submit it again before it shows. `ROUNDS=20 SEED=1` for others.
"""

import contextlib
import time

import pytest
from playwright.sync_api import expect

from faults import Cutter, Proxy, rounds
from kinds import one_of_each_kind
from quakes_page import QUAKES, summary
from waiting import wait_until

MAMMALS = "/animals?category=Mammal"
RETURN = 40_000  # a reconnection waits up to 15 s, and a post too

# Presses a form's buttons whenever it lets itself be pressed, and Enter.
PRESS = """form => {
  const seen = [];
  const look = () => {
    const submits = document.querySelectorAll(`form[data-form="${form}"] [type=submit]`);
    for (const submit of submits) {
      if (!submit.disabled && !submit.ariaDisabled) seen.push(document.body.innerHTML);
      submit.click();
      submit.form.requestSubmit();
    }
    requestAnimationFrame(look);
  };
  look();
  window.pressed = seen;
}"""


def away(server, chance, press):
    """The server is away, by one of the ways to be, while something is pressed."""
    with contextlib.ExitStack() as stack:
        if chance.random() < 0.7:
            server.kill()
            stack.callback(server.start)
        else:
            stack.enter_context(server.paused())  # a request is taken, and answered late
        time.sleep(chance.choice([0, 0, 0.2, 1.2]))  # the notice may be there, or not yet
        press()
        time.sleep(chance.choice([0, 0.1, 0.6, 2.2]))  # so may the second try


def test_a_save_during_an_outage_adds_one(start_server, open_live, tokens):
    server = start_server()
    for number, chance in enumerate(rounds("save")):
        name = f"Otter {number}"
        tokens.clear()
        page = open_live(server, MAMMALS + "&sheet=add")
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Diet", exact=True).select_option("Carnivore")

        away(server, chance, lambda: page.evaluate(PRESS, "save"))

        expect(page.get_by_role("dialog")).to_have_count(0, timeout=RETURN)
        expect(page.locator("html[data-live]")).to_be_attached(timeout=RETURN)
        assert len(set(tokens)) == 1
        expect(page.locator("[data-list=animals] > li", has_text=name)).to_have_count(1)
        page.close()


def test_leaving_a_field_during_a_save_does_not_keep_the_sheet_open(start_server, open_live):
    server = start_server()
    page = open_live(server, MAMMALS + "&sheet=add")
    name = page.get_by_label("Name", exact=True)
    name.fill("Otter")
    page.get_by_label("Diet", exact=True).select_option("Carnivore")

    with server.paused():
        name.press("Enter")
        expect(page.locator("form[data-form=save][aria-busy=true]")).to_be_attached()
        name.dispatch_event("focusout")
        page.wait_for_function("() => new Promise((resolve) => setTimeout(resolve, 0, true))")

    expect(page.get_by_role("dialog")).to_have_count(0, timeout=RETURN)
    assert "typed" not in page.url
    expect(page.locator("[data-list=animals] > li", has_text="Otter")).to_have_count(1)


def test_delete_all_during_an_outage_is_posted_once(start_quakes, open_live, tokens):
    quakes = start_quakes()
    for chance in rounds("delete all"):
        quakes.load()
        tokens.clear()
        page = open_live(quakes, QUAKES + "&camera=-74_12_8")
        summary(page, "Delete").click()

        away(quakes.server, chance, lambda: page.evaluate(PRESS, "deleteAll"))

        expect(page.locator("html[data-live]")).to_be_attached(timeout=RETURN)
        assert len(set(tokens)) == 1
        expect(page.get_by_text("Load them from")).to_be_visible()
        assert "camera=-74_12_8" in page.url
        page.close()


def test_each_click_during_outages_counts_once(counter, open_live, tokens):
    proxy = Proxy(counter)
    page = open_live(proxy, "/counter")
    count = 0
    for chance in rounds("clicks"):
        tokens.clear()
        before = count
        for _ in range(12):
            page.get_by_role("button", name="Increment").click(no_wait_after=True)
            count += 1
            happening = chance.choice(["nothing", "nothing", "reset", "pause"])
            if happening == "reset":
                proxy.reset()
            elif happening == "pause":
                with counter.paused():
                    time.sleep(chance.choice([0, 0.1]))
        with counter.paused():
            time.sleep(chance.choice([0, 0.3, 2.2]))

        expect(page.get_by_text(f"Value: {count}", exact=True)).to_be_visible(timeout=RETURN)
        expect(page.locator("[aria-busy], [data-resending]")).to_have_count(0, timeout=RETURN)
        # One after the other: none is sent again after the next one was sent.
        order = list(dict.fromkeys(tokens))
        assert len(order) == count - before
        assert tokens == sorted(tokens, key=order.index)
    proxy.close()


CUTS = {f"{way} {step}": (step, way) for step in Cutter.STEPS for way in Cutter.WAYS}


@pytest.mark.parametrize("is_reloaded", [False, True], ids=["stays", "reloads"])
@pytest.mark.parametrize("cut", one_of_each_kind(CUTS, [
    "reset before it is sent on", "silence before its answer", "end within its answer",
]))
def test_a_click_counts_once_wherever_its_connection_is_cut(counter, open_live, cut, is_reloaded):
    proxy = Cutter(counter, *CUTS[cut], cuts=2)  # browsers may send a request again by themselves
    page, other = open_live(proxy, "/counter"), open_live(counter, "/counter")

    page.get_by_role("button", name="Increment").click(no_wait_after=True)
    if is_reloaded:
        wait_until(lambda: proxy.posts > 0, "it is posted")
        page.reload()
    page.get_by_role("button", name="Increment").click(no_wait_after=True)

    for each in (page, other):
        expect(each.get_by_text("Value: 2", exact=True)).to_be_visible(timeout=RETURN)
    expect(page.locator("[aria-busy], [data-resending]")).to_have_count(0, timeout=RETURN)
    assert proxy.posts >= 4
    proxy.close()


SAVE = '<form method="post" data-form="save" data-policy="once"><button>Save</button></form>'


def test_a_form_says_that_its_post_waits_for_the_server(fake_server, live):
    page = live("/", """<form method="post" data-form="save" data-policy="once">
      <input name="name">
      <button name="as" value="one">One</button> <button name="as" value="two">Two</button>
      </form>""")
    fake_server.go_down()

    page.fill("input", "x")
    page.click("text=One")

    expect(page.get_by_text("is sent automatically when the connection is back")).to_be_visible()
    page.press("input", "Enter")
    page.evaluate("document.forms[0].requestSubmit()")
    for name in ["One", "Two"]:
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    fake_server.come_up()
    expect(page.get_by_role("button", name="Two")).to_be_enabled(timeout=RETURN)
    expect(page.locator("[data-queued]")).to_have_count(0)
    assert len({post["fields"]["_token"] for post in fake_server.posts}) == 1


def test_a_form_waits_for_the_outcome_of_its_post_while_the_stream_is_down(
    fake_server, live, page
):
    page.clock.install()
    live("/", f"{SAVE}<p></p>", page)
    fake_server.refuse_streams = (503, {"Retry-After": "1"})
    fake_server.push("hang up", {})
    expect(page.locator("html:not([data-live])")).to_be_attached()

    page.evaluate("addEventListener('accepted', () => { document.documentElement.dataset.accepted = '' })")
    page.click("button")
    # Until the page has read the answer. Otherwise the clock would pass the post's time limit before.
    expect(page.locator("html[data-accepted]")).to_be_attached()
    page.clock.run_for(60_000)

    assert page.locator("form button").is_disabled()
    fake_server.show = lambda window: {"regions": [
        {"region": "root", "tag": "new", "frame": f"{SAVE}<p>new</p>"}]}
    fake_server.refuse_streams = None
    expect(page.locator("form button")).to_be_enabled(timeout=RETURN)
    expect(page.locator("main p").last).to_have_text("new")
    assert len(fake_server.posts) == 1


def test_a_form_replaced_during_its_post_accepts_no_other_post(fake_server, live):
    page = live("/", f"<section>{SAVE}</section>")
    gate = []
    fake_server.answer = lambda post: (200, {"version": fake_server.version}) if gate else None
    page.click("button")
    fake_server.wait(lambda: fake_server.posts, "the post")
    page.evaluate("document.forms[0].old = true")

    fake_server.frame("/", {"region": "root", "tag": "new", "frame": f"<article>{SAVE}</article>"})

    expect(page.locator("article button")).to_be_disabled()
    assert page.evaluate("document.forms[0].old") is None
    page.evaluate("document.forms[0].requestSubmit()")
    gate.append(True)
    expect(page.locator("article button")).to_be_enabled(timeout=RETURN)
    assert len({post["fields"]["_token"] for post in fake_server.posts}) == 1


def test_a_button_of_a_form_under_way_stays_disabled_when_its_form_is_completed(fake_server, live):
    html = """<form method="post" data-form="save" data-policy="once">
      <input name="name" required><button data-complete>Save</button></form><p></p>"""
    page = live("/", html)
    fake_server.answer = lambda post: None
    page.fill("input", "x")
    page.click("button")
    fake_server.wait(lambda: fake_server.posts, "the post")

    page.fill("input", "")
    fake_server.frame("/", {"region": "root", "tag": "new", "frame": html.replace("<p>", "<p>new")})
    expect(page.locator("main p").last).to_have_text("new")
    page.fill("input", "y")

    assert page.locator("form button").is_disabled()
    fake_server.answer = lambda post: (200, {"version": 0})
    expect(page.locator("form button")).to_be_enabled(timeout=RETURN)
