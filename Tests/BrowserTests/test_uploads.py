"""Forms whose file is sent as soon as it has been chosen, or dropped on them or their pane."""

from playwright.sync_api import expect

LIMIT = 10
PANE = f"""<section class="pane"><p id="beside">Dog</p>
  <form method="post" enctype="multipart/form-data" data-form="picture" data-upload>
    <input type="hidden" name="_form" value="picture">
    <input type="file" name="picture" data-byte-limit="{LIMIT}" data-too-large="This is too large."
      data-too-many="Add one picture at a time.">
    <p data-error role="alert"></p></form></section>
  <form><input type="file" id="other"></form><p id="elsewhere">Cat</p>"""
FIELD = "[name=picture]"
DRAGGED = """() => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(["a"], "dragged.png"));
  return transfer;
}"""
# Whether a drag event was prevented, and how many forms are marked then.
DRAG = """(element, [name, dataTransfer, to]) => {
  const relatedTarget = to && document.querySelector(to);
  const event = new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer, relatedTarget });
  return [!element.dispatchEvent(event), document.querySelectorAll("[data-over]").length];
}"""


def file(count=LIMIT):
    return {"name": "chosen.png", "mimeType": "image/png", "buffer": b"a" * count}


def chosen(page):
    """The name of the chosen file."""
    return page.locator(FIELD).evaluate("field => field.files[0]?.name")


def test_a_file_as_large_as_its_limit_is_sent(fake_server, live):
    page = live("/", PANE)

    page.set_input_files(FIELD, file(LIMIT))

    fake_server.wait(lambda: fake_server.posts, "the post")
    expect(page.locator("[data-error]")).to_be_empty()


def test_a_larger_file_is_not_sent_and_another_can_be_chosen(fake_server, live):
    page = live("/", PANE)

    page.set_input_files(FIELD, file(LIMIT + 1))

    expect(page.locator("[data-error]")).to_have_text("This is too large.")
    expect(page.locator(FIELD)).to_be_focused()
    assert chosen(page) is None
    assert fake_server.posts == []
    page.set_input_files(FIELD, file())
    fake_server.wait(lambda: fake_server.posts, "the post")
    expect(page.locator("[data-error]")).to_be_empty()


def test_several_files_dropped_together_are_not_sent_and_another_can_be_chosen(fake_server, live):
    """The first of them was sent, without a word about the others."""
    page = live("/", PANE)
    several = page.evaluate_handle(
        """() => {
          const transfer = new DataTransfer();
          for (const name of ["a.png", "b.png"]) transfer.items.add(new File(["a"], name));
          return transfer;
        }"""
    )

    page.locator("#beside").dispatch_event("drop", {"dataTransfer": several})

    expect(page.locator("[data-error]")).to_have_text("Add one picture at a time.")
    expect(page.locator("form[data-over]")).to_have_count(0)
    assert chosen(page) is None
    assert fake_server.posts == []
    page.set_input_files(FIELD, file())
    fake_server.wait(lambda: fake_server.posts, "the post")
    expect(page.locator("[data-error]")).to_be_empty()


def test_nothing_is_sent_if_the_choice_is_cancelled(fake_server, live):
    page = live("/", PANE)

    page.locator(FIELD).dispatch_event("change")
    page.set_input_files(FIELD, file())

    fake_server.wait(lambda: fake_server.posts, "the post")
    assert "chosen.png" in str(fake_server.posts[0]["fields"])


def test_no_other_file_is_taken_while_one_is_sent(fake_server, live, gate):
    page = live("/", PANE)
    page.set_input_files(FIELD, file())
    expect(page.locator("form[data-upload][aria-busy=true]")).to_be_attached()
    fake_server.wait(lambda: fake_server.posts, "the post")

    page.locator("#beside").dispatch_event("drop", {"dataTransfer": page.evaluate_handle(DRAGGED)})
    opens = page.locator(FIELD).evaluate("field => field.dispatchEvent(new MouseEvent('click', {"
                                         " bubbles: true, cancelable: true }))")

    assert chosen(page) == "chosen.png"
    assert not opens
    gate.set()
    expect(page.locator("form[data-upload]:not([aria-busy])")).to_be_attached()
    assert len(fake_server.posts) == 1


def test_a_form_is_marked_while_a_file_is_over_it_or_its_pane(fake_server, live):
    page = live("/", PANE)
    transfer = page.evaluate_handle(DRAGGED)

    def drag(name, place, to=None):
        return page.locator(place).evaluate(DRAG, [name, transfer, to])

    assert drag("dragover", "#beside") == [True, 1]
    assert drag("dragleave", "#beside", "form[data-upload]") == [False, 1]
    assert drag("dragleave", "#beside", "#elsewhere") == [False, 0]
    assert drag("dragover", FIELD) == [True, 1]
    assert drag("dragover", "#elsewhere") == [True, 0]


def test_a_file_can_be_dropped_on_the_field_of_another_form(fake_server, live):
    """It takes the file by itself."""
    page = live("/", PANE)

    assert page.locator("#other").evaluate(DRAG, ["dragover", page.evaluate_handle(DRAGGED), None]) == [False, 0]
