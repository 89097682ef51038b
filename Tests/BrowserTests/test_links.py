"""In-place navigation: links, history, and forms for local state."""

import pytest
from playwright.sync_api import expect

LINKS = '<a data-set="page=1">1</a> <a data-set="page=2">2</a> <a data-set="page=3">3</a><p></p>'
SEARCH = """
  <form method="get" data-local>
    <input type="search" name="search" data-parameter="search">
    <select name="sort" data-parameter="sort"><option>time</option><option>size</option></select>
    <button>Go</button>
  </form>
  <a data-set="search=">all</a><p></p>"""


@pytest.fixture
def echo(fake_server):
    """Shows each window its location, in the region's only paragraph."""

    def show(window):
        html = fake_server.content[window["at"].split("?")[0]]
        return {"regions": [{"region": "root", "tag": window["at"],
                             "frame": html.replace("<p></p>", f"<p>{window['at']}</p>")}]}

    fake_server.show = show
    return show


def history(page):
    return page.evaluate("history.length")


def test_a_link_changes_url_content_and_title_without_a_page_load(fake_server, live, echo):
    fake_server.show = lambda window: echo(window) | {"title": "T " + window["at"]}
    page = live("/", LINKS)
    length = history(page)

    page.click("text=2")

    expect(page.locator("p").last).to_have_text("/?page=2")
    expect(page).to_have_title("T /?page=2")
    assert page.url == fake_server.url + "/?page=2"
    assert history(page) == length + 1
    assert fake_server.page_loads == ["/"]
    assert fake_server.moves[0]["tags"] == {"root": "/"}
    assert fake_server.moves[0]["navigation"] > fake_server.joins[0]["navigation"]


def test_the_server_is_asked_before_links_are_filled_in(fake_server, live, echo):
    """A page can have thousands of links. Filling them in takes as long as the server needs."""
    page = live("/", LINKS)
    page.evaluate("""() => {
      window.steps = [];
      const noting = (owner, name, step) => {
        const method = owner.prototype[name];
        owner.prototype[name] = function (...rest) {
          if (step(...rest)) window.steps.push(step(...rest));
          return method.apply(this, rest);
        };
      };
      noting(MessagePort, "postMessage", ({ kind }) => kind);
      noting(Element, "setAttribute", (name) => name === "href" && name);
    }""")

    page.click("text=2")

    expect(page.locator("main p")).to_have_text("/?page=2")
    assert page.evaluate("window.steps")[:4] == ["here", "href", "href", "href"]


def test_back_and_forward_go_in_place(fake_server, live, echo):
    page = live("/", LINKS)
    for number in "12":
        page.click(f"a >> text={number}")
        expect(page.locator("main p")).to_have_text(f"/?page={number}")

    page.evaluate("history.back()")
    expect(page.locator("main p")).to_have_text("/?page=1")
    page.evaluate("history.back()")
    expect(page.locator("main p")).to_have_text("/")
    page.evaluate("history.go(2)")
    expect(page.locator("main p")).to_have_text("/?page=2")
    assert fake_server.page_loads == ["/"]


def test_navigating_to_the_current_place_adds_no_history_entry(fake_server, live, echo):
    fake_server.show = echo
    page = live("/?a=1&b=2", '<a data-set="a=1">same</a><a data-set="a=2">other</a>')
    length = page.evaluate("history.length")

    page.click("text=same")
    expect(page).to_have_url(fake_server.url + "/?b=2&a=1")
    page.click("text=other")

    expect(page).to_have_url(fake_server.url + "/?b=2&a=2")
    assert page.evaluate("history.length") == length + 1


def test_a_click_with_a_modifier_is_left_to_the_browser(fake_server, live, context):
    page = live("/", LINKS)

    with context.expect_page() as opened:
        page.click("text=1", modifiers=["Control"])

    expect(opened.value).to_have_url(fake_server.url + "/?page=1")
    expect(page).to_have_url(fake_server.url + "/")


def test_other_links_are_left_to_the_browser(fake_server, live, context):
    others = '<a id="b" href="/other">o</a><a id="t" target="_blank" href="/?x">t</a>'
    page = live("/", others)

    with context.expect_page() as opened:
        page.click("#t")
    expect(opened.value).to_have_url(fake_server.url + "/?x")
    page.click("#b")

    expect(page).to_have_url(fake_server.url + "/other")
    expect(page.locator("html[data-live]")).to_be_attached()
    assert "/other" in fake_server.page_loads


def test_a_fragment_link_is_left_to_the_browser(fake_server, live):
    page = live("/?a=1", '<a href="#end">end</a><h2 id="end">End</h2>')

    page.click("a")

    expect(page).to_have_url(fake_server.url + "/?a=1#end")
    page.evaluate("history.back()")
    expect(page).to_have_url(fake_server.url + "/?a=1")
    assert fake_server.moves == []


def test_the_latest_navigation_wins(fake_server, live, echo):
    page = live("/", LINKS)
    fake_server.show = lambda window: None
    page.click("text=1")
    fake_server.wait(lambda: len(fake_server.moves) == 1, "the first move")
    page.click("text=3")
    fake_server.wait(lambda: len(fake_server.moves) == 2, "the second move")
    window = fake_server.moves[0]["window"]

    # The stale one arrives only now, then the one that was asked for.
    fake_server.show = lambda _: echo({"at": "/?stale"}) | {
        "navigation": fake_server.moves[0]["navigation"], "url": "/?stale"}
    fake_server.send_show(window)
    fake_server.frame("/?page=3", {"region": "root", "tag": "T", "html": "a foreign frame"})
    fake_server.show = echo
    fake_server.send_show(window)

    expect(page.locator("main p")).to_have_text("/?page=3")
    assert page.url == fake_server.url + "/?page=3"


def test_a_frame_for_another_place_is_dropped(fake_server, live):
    page = live("/", "<p>mine</p>")

    fake_server.frame("/other", {"region": "root", "tag": "T1", "html": "<p>foreign</p>"})
    fake_server.frame("/", {"region": "root", "tag": "T2", "html": "<p>new</p><hr>"})

    expect(page.locator("hr")).to_be_attached()
    expect(page.locator("main p")).to_have_text("new")


def test_a_frame_before_the_answer_does_not_change_the_tags(fake_server, live, echo):
    page = live("/", LINKS)
    fake_server.show = lambda window: None
    page.click("text=1")
    fake_server.wait(lambda: fake_server.moves, "the move")

    fake_server.frame("/", {"region": "root", "tag": "late", "frame": "<b>late</b>"})
    page.click("text=2")
    fake_server.wait(lambda: len(fake_server.moves) == 2, "the second move")

    assert fake_server.moves[1]["tags"] == {"root": "/"}


def test_a_show_that_arrives_twice_is_applied_once(fake_server, live):
    page = live("/", '<ul data-list="list"></ul>')
    put = {"list": [["put", "a", '<li data-key="a">a</li>', None]]}
    fake_server.show = lambda window: {"regions": [{"region": "root", "tag": "T", "lists": put}]}
    [window] = fake_server.windows

    fake_server.send_show(window)
    fake_server.frame("/", {"region": "root", "tag": "T", "frame": '<hr><ul data-list="list"></ul>'})

    expect(page.locator("hr")).to_be_attached()
    expect(page.locator("li")).to_have_count(0)
    assert len(fake_server.joins) == 1 and fake_server.moves == []


PICTURE = '<i data-late-parameter="camera"></i>'
PICTURE_LINKS = ('<a data-set="picture=1&amp;camera=1_2_3">picture</a> <a data-set="picture=">close</a>'
                 ' <a data-set="page=2">2</a>')


@pytest.fixture
def picture(fake_server):
    """Shows a picture, which has a late parameter, if the URL asks for it; says each URL without that."""

    def show(window):
        path, _, query = window["at"].partition("?")
        items = [item for item in query.split("&") if not item.startswith("camera=")]
        url = "?".join(filter(None, [path, "&".join(items)]))
        html = f"{PICTURE_LINKS}{PICTURE if 'picture=1' in items else ''}<p>{url}</p>"
        return {"url": url, "regions": [{"region": "root", "tag": url, "frame": html}]}

    fake_server.show = show


def test_a_late_parameter_stays_when_its_declaration_arrives_with_the_page(
        fake_server, live, picture):
    page = live("/", PICTURE_LINKS)

    page.click("text=picture")

    expect(page.locator("i")).to_be_attached()
    assert page.url == fake_server.url + "/?picture=1&camera=1_2_3"


def test_a_late_parameter_stays_while_its_declaration_is_away(fake_server, live, picture):
    page = live("/?picture=1&camera=1_2_3", PICTURE_LINKS + PICTURE)

    page.click("text=close")
    expect(page.locator("main p")).to_have_text("/")
    page.click("text=2")
    expect(page.locator("main p")).to_have_text("/?page=2")

    assert page.url == fake_server.url + "/?page=2&camera=1_2_3"


def test_a_show_of_another_place_replaces_a_missed_move(fake_server, live, echo):
    page = live("/", LINKS)
    page.click("text=2")
    expect(page.locator("main p")).to_have_text("/?page=2")
    [window] = fake_server.windows

    fake_server.show = lambda _: echo({"at": "/?page=1"}) | {
        "place": fake_server.place("/?page=1"), "url": "/?page=1"}
    fake_server.send_show(window)
    expect(page.locator("main p")).to_have_text("/?page=1")
    fake_server.frame("/?page=1", {"region": "root", "tag": "T", "frame": LINKS + "<hr>"})

    expect(page.locator("hr")).to_be_attached()
    assert page.url == fake_server.url + "/?page=1"


def test_a_move_replaces_the_url_and_stays_in_history(fake_server, live, echo):
    page = live("/", LINKS)
    page.click("text=2")
    expect(page.locator("main p")).to_have_text("/?page=2")
    length = history(page)

    fake_server.push("move", {
        "place": fake_server.place("/?page=2"), "to": fake_server.place("/?page=1"), "version": 3,
        "url": "/?page=1", "title": "Moved", "overlay": {}, "regions": []})
    expect(page).to_have_title("Moved")
    fake_server.frame("/?page=1", {"region": "root", "tag": "T", "frame": LINKS + "<hr>"})

    expect(page.locator("hr")).to_be_attached()
    assert page.url == fake_server.url + "/?page=1"
    assert history(page) == length
    page.evaluate("history.back()")
    expect(page.locator("main p")).to_have_text("/")


def test_a_show_may_give_the_url_its_normal_form(fake_server, live, echo):
    page = live("/", LINKS)
    fake_server.show = lambda window: echo(window) | {"url": "/?page=1"}

    page.click("text=3")

    expect(page).to_have_url(fake_server.url + "/?page=1")


def test_main_is_busy_while_an_answer_is_late(fake_server, live, echo):
    page = live("/", LINKS)
    fake_server.show = lambda window: None
    page.click("text=1")
    expect(page.locator("main[aria-busy=true]")).to_be_attached()
    expect(page.locator("html[data-waiting]")).to_be_attached()

    fake_server.show = echo
    fake_server.send_show(*fake_server.windows)

    expect(page.locator("main:not([aria-busy])")).to_be_attached()
    expect(page.locator("html:not([data-waiting])")).to_be_attached()


def test_a_navigation_without_an_answer_loads_the_page(fake_server, live, echo):
    page = live("/", LINKS)
    length = history(page)
    fake_server.show = lambda window: None

    page.click("text=1")
    fake_server.wait(lambda: fake_server.page_loads == ["/", "/?page=1"], "the page load")

    page.wait_for_function("length => history.length === length", arg=length + 1)
    assert page.url == fake_server.url + "/?page=1"


def test_a_navigation_that_is_refused_loads_the_page(fake_server, live):
    page = live("/", LINKS)
    fake_server.answer_window = lambda body: (400, {}) if "window" in body else None

    page.click("text=1")

    fake_server.wait(lambda: fake_server.page_loads == ["/", "/?page=1"], "the page load")
    expect(page.locator("html[data-live]")).to_be_attached()


@pytest.mark.parametrize("status", [408, 425, 429])
def test_a_navigation_that_is_refused_for_now_is_tried_again(fake_server, live, echo, status):
    """The limit of a proxy was taken for an answer, so the page was loaded."""
    page = live("/", LINKS)
    refusals = iter([(status, {}, {"Retry-After": "1"})])
    fake_server.answer_window = lambda body: next(refusals, None)

    page.click("text=1")

    expect(page.locator("main p")).to_have_text("/?page=1")
    assert len(fake_server.moves) == 2
    assert fake_server.page_loads == ["/"]


def test_a_page_that_would_be_refused_for_now_is_not_loaded(fake_server, live, echo):
    """The visitor saw the refusal instead of the page."""
    page = live("/", LINKS)
    fake_server.show = lambda window: None
    fake_server.answer_head = (429, {"Retry-After": "3"})
    page.click("text=1")
    fake_server.wait(lambda: fake_server.heads, "the question whether the page can be loaded")
    page.evaluate("fetch('/blank')")

    fake_server.show = echo
    fake_server.send_show(next(iter(fake_server.windows)))

    expect(page.locator("main p")).to_have_text("/?page=1")
    assert fake_server.page_loads == ["/"]


def test_without_a_server_the_page_stays_and_later_catches_up(fake_server, live, echo):
    page = live("/", LINKS)
    fake_server.go_down()
    expect(page.locator("html[data-live]")).not_to_be_attached()

    page.click("text=2")
    expect(page.locator("#connection")).to_contain_text("Connection lost")
    assert page.url == fake_server.url + "/?page=2"
    expect(page.locator("html[data-waiting]")).to_be_attached()
    expect(page.locator("main:not([aria-busy])")).to_be_attached()  # it can be read
    fake_server.come_up()

    expect(page.locator("main p")).to_have_text("/?page=2")
    expect(page.locator("html:not([data-waiting])")).to_be_attached()
    assert fake_server.page_loads == ["/"]


def test_a_window_that_the_server_forgot_joins_again_to_navigate(fake_server, live, echo):
    page = live("/", LINKS)
    fake_server.windows.clear()

    page.click("text=2")

    expect(page.locator("main p")).to_have_text("/?page=2")
    assert len(fake_server.joins) == 2
    assert fake_server.page_loads == ["/"]


def test_a_search_is_one_history_entry(fake_server, live, echo):
    page = live("/", SEARCH)
    length = history(page)

    page.locator("input").press_sequentially("shak", delay=30)
    expect(page.locator("main p")).to_have_text("/?search=shak")
    page.locator("input").press_sequentially("ing", delay=200)
    expect(page.locator("main p")).to_have_text("/?search=shaking")
    page.press("input", "Enter")
    page.locator("a").focus()

    assert history(page) == length + 1
    assert page.url == fake_server.url + "/?search=shaking"
    page.evaluate("history.back()")
    expect(page.locator("main p")).to_have_text("/")
    assert page.input_value("input") == ""
    assert fake_server.page_loads == ["/"]


def test_typing_during_a_search_keeps_focus_caret_and_text(fake_server, live, echo):
    page = live("/", SEARCH)
    page.locator("input").press_sequentially("ab")
    page.press("input", "ArrowLeft")
    expect(page.locator("main p")).to_have_text("/?search=ab")
    fake_server.show = lambda window: None
    page.keyboard.type("x")
    fake_server.wait(lambda: fake_server.moves[-1]["at"] == "/?search=axb", "the move")
    page.keyboard.type("y")
    fake_server.show = echo
    fake_server.send_show(*fake_server.windows)

    expect(page.locator("main p")).to_have_text("/?search=axyb")
    assert page.input_value("input") == "axyb"
    assert page.evaluate("document.activeElement.selectionStart") == 3


def test_two_searches_are_two_history_entries(fake_server, live, echo):
    page = live("/", SEARCH)
    for text in ["one", "two"]:
        page.fill("input", text)
        page.press("input", "Enter")
        expect(page.locator("main p")).to_have_text(f"/?search={text}")

    page.evaluate("history.back()")

    expect(page.locator("main p")).to_have_text("/?search=one")
    assert page.input_value("input") == "one"


def test_a_search_replaces_only_its_own_history_entry(fake_server, live, echo):
    page = live("/", SEARCH.replace("<p>", '<a data-set="page=2">2</a><p>'))
    page.locator("input").press_sequentially("a")
    expect(page.locator("main p")).to_have_text("/?search=a")
    page.press("input", "Backspace")  # so the field has not changed when it is left
    expect(page.locator("main p")).to_have_text("/")
    page.click("text=2")
    expect(page.locator("main p")).to_have_text("/?page=2")

    page.locator("input").press_sequentially("b")
    expect(page.locator("main p")).to_have_text("/?page=2&search=b")

    page.evaluate("history.back()")
    expect(page.locator("main p")).to_have_text("/?page=2")


DATE = '<form method="get" data-local><input type="date" name="day" data-parameter="day"></form><p></p>'


def test_each_chosen_date_is_a_history_entry(fake_server, live, echo):
    page = live("/", DATE)
    for day in ["2018-02-06", "2018-02-07"]:  # the focus stays in the field, as with a calendar
        page.fill("input", day)
        expect(page.locator("main p")).to_have_text(f"/?day={day}")

    page.evaluate("history.back()")

    expect(page.locator("main p")).to_have_text("/?day=2018-02-06")
    assert page.input_value("input") == "2018-02-06"


def test_a_chosen_date_after_a_typed_one_is_a_history_entry(fake_server, live, echo):
    page = live("/", DATE)
    page.focus("input")
    # Neither digit is taken for a whole part, after which some engines go on to the next one.
    for key in ["1", "ArrowRight", "2", "ArrowRight", *"2018"]:
        page.keyboard.press(key)
    expect(page.locator("main p")).to_have_text("/?day=2018-01-02")
    page.fill("input", "2018-02-07")
    expect(page.locator("main p")).to_have_text("/?day=2018-02-07")

    for at in ["/?day=2018-01-02", "/"]:
        page.evaluate("history.back()")
        expect(page.locator("main p")).to_have_text(at)


def test_enter_takes_effect_before_the_pause_ends(fake_server, live, echo):
    page = live("/", SEARCH)
    length = history(page)

    page.fill("input", "now")
    page.press("input", "Enter")

    expect(page.locator("main p")).to_have_text("/?search=now")
    assert history(page) == length + 1
    assert len(fake_server.moves) == 1


def test_a_choice_is_a_history_entry_and_a_default_leaves_the_url(fake_server, live, echo):
    html = SEARCH.replace('data-parameter="sort"', 'data-parameter="sort" data-default="time"')
    page = live("/?search=a&other=1", html)
    length = history(page)

    page.select_option("select", "size")
    expect(page.locator("main p")).to_have_text("/?search=a&other=1&sort=size")
    page.select_option("select", "time")
    expect(page.locator("main p")).to_have_text("/?search=a&other=1")

    assert history(page) == length + 2


def test_the_submitting_button_is_in_the_url(fake_server, live, echo):
    page = live("/", SEARCH.replace("<button", '<button name="go" value="now"'))

    page.click("text=Go")

    expect(page.locator("main p")).to_have_text("/?go=now")


def test_an_autofocus_field_gets_the_focus_after_a_navigation(fake_server, live, echo):
    page = live("/", LINKS)
    fake_server.show = lambda window: {"regions": [
        {"region": "root", "tag": "T", "frame": '<input name="edit" autofocus>'}]}

    page.click("text=1")

    expect(page.locator("input")).to_be_focused()


def test_a_slow_navigation_loads_no_page_for_the_next_one(fake_server, live, echo):
    """The answer that the first could be loaded came when the second had begun, and loaded that."""
    page, held = live("/", LINKS), []
    page.route("**/?page=1", lambda route: held.append(route))
    show, fake_server.show = fake_server.show, lambda window: None
    page.click("a >> text=1")
    with page.expect_request("**/?page=1"):
        pass

    page.click("a >> text=2")
    fake_server.wait(lambda: len(fake_server.moves) == 2, "the second move")
    held[0].fulfill(status=200)
    page.evaluate("fetch('/blank')")
    fake_server.show = show
    fake_server.send_show(*fake_server.windows)

    expect(page.locator("main p")).to_have_text("/?page=2")
    assert fake_server.page_loads == ["/"]


def test_a_navigation_that_nothing_answers_doubts_the_connection(fake_server, live, echo):
    """Where packets vanish, as in a tunnel, the page said that it was live for forty seconds."""
    page = live("/", LINKS)
    page.evaluate("""() => {
      window.kinds = [];
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (message) {
        window.kinds.push(message.kind);
        return postMessage.call(this, message);
      };
    }""")
    page.route("**/?page=1", lambda route: route.abort())
    fake_server.show = lambda window: None

    page.click("a >> text=1")

    page.wait_for_function("() => window.kinds.includes('hurry')")
    assert fake_server.page_loads == ["/"]
