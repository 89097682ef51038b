"""Pictures of animals: uploads with and without JavaScript, refused files, and stored pictures."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import resource
import socket
import time
import urllib.parse

import pytest
from playwright.sync_api import expect

from kinds import thorough
from pictures import (
    TYPE, exists, fields, file, from_camera, hash_of, large_png, multipart, png, several,
    upload,
)
from process import RESERVE, descriptors, eventually, limit_descriptors, resident
from raw import get, post, request
from servers import ServerProcess
from test_animals import actor  # noqa: F401  (fixtures)
from waiting import PATIENCE, wait_until

DOG = "/animals/Dog?category=Mammal"
CSP = "default-src 'none'; frame-ancestors 'none'; sandbox"


@pytest.fixture
def animals(start_server):
    """Each test has a Server of its own, which has not yet seen a picture."""
    return start_server()


@pytest.fixture
def directory(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def kept(directory):
    """A server whose data directory the test can read."""
    servers = []

    def start(*options):
        server = ServerProcess(
            "Server",
            lambda port: [
                "--port", str(port), "--data-directory", str(directory), "--quakes-feed", "sample",
                *options,
            ],
        )
        servers.append(server)
        return server.start()

    yield start
    for server in servers:
        server.kill()


def names(directory):
    return sorted(path.name for path in (directory / "pictures").iterdir())


def kept_names(*contents):
    """The files of pictures, including small versions."""
    return sorted(
        hash_of(content) + size for content in contents for size in ("", "-96", "-640"))


def choose(page, content, **options):
    """Chooses a file; without JavaScript, it must also be submitted."""
    page.locator("input[type=file]").set_input_files(file(content, **options))
    send = page.get_by_role("button", name="Upload")
    if send.is_visible():
        send.click()


def image(page):
    return page.get_by_role("img", name="Dog", exact=True)


def expect_refusal(page, text):
    """It is announced, and seen: what is only for screen readers is one pixel high."""
    form = page.locator("form[data-form=setPicture]")
    expect(form.get_by_role("alert")).to_have_text(text)
    shown = form.get_by_text(text, exact=True)
    assert shown.evaluate_all("elements => elements.filter((element) => element.offsetHeight > 10).length") == 1


def thumbnail(page):
    return page.locator("[data-list=animals] > [data-key=Dog] img")


def size(element):
    box = element.bounding_box()
    return box["width"], box["height"]


def expect_picture(page, content):
    expect(image(page)).to_have_attribute("src", f"/pictures/{hash_of(content)}/640")


def expect_size(image, width, height):
    expect(image).to_have_js_property("naturalWidth", width)
    expect(image).to_have_js_property("naturalHeight", height)


def drawn(page, kind, width, height):
    """A picture encoded by the browser; its left half is transparent, if the format supports it."""
    written = page.evaluate(
        """async ([kind, width, height]) => {
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [width, height];
          const context = canvas.getContext("2d");
          for (let x = width / 2; x < width; x += 7) {
            context.fillStyle = `hsl(${x} 70% 50%)`;
            context.fillRect(x, 0, 7, height);
          }
          const blob = await new Promise((resolve) => canvas.toBlob(resolve, kind, 0.9));
          return [blob.type, ...new Uint8Array(await blob.arrayBuffer())];
        }""",
        [kind, width, height],
    )
    if written[0] != kind:
        pytest.skip(f"this browser writes no {kind}")
    return bytes(written[1:])


def decoded(page, path):
    """The size of a picture from the server, and the opacity of its first and last pixels."""
    return page.evaluate(
        """async path => {
          const image = new Image();
          image.src = path;
          await image.decode();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
          return [canvas.width, canvas.height, data[3], data.at(-1)];
        }""",
        path,
    )


@pytest.mark.main_path
def test_a_picture_shows_in_every_window(animals, actor, open_live):
    page, other = actor(DOG), open_live(animals, DOG)
    content = png()

    choose(page, content)

    for window in (page, other):
        expect_picture(window, content)
        expect(thumbnail(window)).to_have_attribute("src", f"/pictures/{hash_of(content)}/96")
    expect_size(image(other), 64, 48)
    expect(page.locator("#toast [role=status]")).to_have_text("Dog has a picture.")
    expect(page.get_by_text("Change picture")).to_be_visible()


@pytest.mark.parametrize("kind", ["image/jpeg", "image/webp", *thorough("image/png")])
def test_pictures_written_by_a_browser_are_shown(animals, open_live, kind):
    page = open_live(animals, DOG)
    content = drawn(page, kind, 1200, 800)

    choose(page, content)

    expect(image(page)).to_be_visible()
    expect_size(image(page), 640, 427)
    expect_size(thumbnail(page), 96, 64)
    whole = image(page).get_attribute("src").removesuffix("/640")
    assert decoded(page, whole)[:2] == [1200, 800]
    opaque = 255 if kind == "image/jpeg" else 0
    for size, expected in ((96, [96, 64]), (640, [640, 427])):
        assert decoded(page, f"{whole}/{size}") == [*expected, opaque, 255]


def test_a_field_for_a_picture_is_not_invalid_before_one_is_chosen(animals, open_live):
    """Because it is required, screen readers called it an invalid entry."""
    page = open_live(animals, DOG)

    expect(page.get_by_label("Add a picture")).to_have_attribute("aria-invalid", "false")


def test_a_row_shows_a_small_picture_and_is_as_high_as_others(animals, actor):
    page = actor(DOG)
    rows = page.locator("[data-list=animals] > li")
    before = [size(row) for row in rows.all()]
    assert thumbnail(page).count() == 0

    choose(page, png(1200, 900))

    expect_size(thumbnail(page), 96, 72)
    assert [size(row) for row in rows.all()] == before
    assert size(thumbnail(page)) == (32, 32)
    # The name beside it says what it shows.
    expect(page.get_by_role("link", name="Dog", exact=True)).to_be_visible()
    expect(page.locator("[data-list=animals] [role=img], [data-list=animals] img:not([alt=''])")
           ).to_have_count(0)


def test_a_picture_is_enlarged_and_its_original_is_a_link(animals, actor):
    page = actor(DOG)
    content = png(1200, 900)
    choose(page, content)

    page.get_by_role("link", name="Enlarge the picture of Dog").click()

    sheet = page.get_by_role("dialog", name="Dog", exact=True)
    expect_size(sheet.get_by_role("img", name="Dog", exact=True), 1200, 900)
    original = sheet.get_by_role("link", name="Original picture of Dog").get_attribute("href")
    assert get(animals, original).body == content
    sheet.get_by_role("link", name="Close").click()
    expect(sheet).to_have_count(0)
    expect(page).to_have_url(animals.url + DOG)


@pytest.mark.parametrize("width, height", [(320, 568), (844, 390), (1440, 900)])
def test_an_enlarged_picture_fits_the_window_and_escape_closes_it(animals, open_live, width, height):
    page = open_live(animals, DOG)
    page.set_viewport_size({"width": width, "height": height})
    choose(page, png(1200, 900))
    link = page.get_by_role("link", name="Enlarge the picture of Dog")
    link.click()
    sheet = page.get_by_role("dialog", name="Dog", exact=True)
    large = sheet.get_by_role("img", name="Dog", exact=True)
    expect_size(large, 1200, 900)

    box = large.bounding_box()
    assert box["width"] / box["height"] == pytest.approx(4 / 3, rel=0.02)
    assert box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
    assert sheet.evaluate("sheet => [sheet.scrollHeight - sheet.clientHeight, sheet.scrollWidth - sheet.clientWidth]"
                          ) == [0, 0]
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(link).to_be_focused()


def test_an_enlarged_picture_closes_when_another_window_removes_it(animals, open_live):
    page, other = (open_live(animals, DOG) for _ in range(2))
    choose(page, png())
    page.get_by_role("link", name="Enlarge the picture of Dog").click()
    expect(page.get_by_role("dialog", name="Dog", exact=True)).to_be_visible()

    other.get_by_role("button", name="Remove picture").click()

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(animals.url + DOG)


@pytest.mark.parametrize("place", [".picture", "dialog > a"])
def test_nothing_moves_when_a_picture_arrives(animals, open_live, place):
    """It took no room until then, and pushed the buttons away from the pointer."""
    page = open_live(animals, DOG)
    choose(page, png(1200, 900))
    expect(image(page)).to_be_visible()
    held = []
    for path in ["**/pictures/*", "**/pictures/*/640"]:
        page.route(path, lambda route: held.append(route))

    path = DOG + ("&sheet=picture" if place.startswith("dialog") else "")
    page.goto(animals.url + path, wait_until="commit")  # it is loaded with its pictures
    # Handlers of routes run only while the page is asked for something.
    wait_until(lambda: page.evaluate("true") and held, "it is asked for the picture")
    before = page.locator(place).bounding_box()
    for route in held:
        route.continue_()

    expect(page.locator(f"{place} img")).to_have_js_property("complete", True)
    assert size(page.locator(f"{place} img"))[0] > 100
    assert page.locator(place).bounding_box() == before


PASTE = """async ([target, bytes, names]) => {
  const clipboardData = new DataTransfer();
  for (const name of names) {
    clipboardData.items.add(new File([new Uint8Array(bytes)], name, { type: "image/png" }));
  }
  const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData });
  return !document.querySelector(target).dispatchEvent(event);
}"""


def paste(page, content, target="body", names=("image.png",)):
    """Returns whether the page takes what is pasted."""
    return page.evaluate(PASTE, [target, list(content), list(names)])


def test_a_pasted_picture_becomes_that_of_the_selected_animal(animals, open_live):
    page = open_live(animals, DOG)
    content = png()

    assert paste(page, content)

    expect_picture(page, content)


def test_what_is_pasted_elsewhere_is_left_alone(animals, open_live):
    """A field takes the text that many programs copy together with a picture."""
    page = open_live(animals, DOG)
    content = png()

    assert not paste(page, content, "[type=search]")
    page.get_by_role("link", name="Edit Dog").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not paste(page, content, "dialog")
    page.goto(animals.url + "/animals")
    expect(page.locator("html[data-live]")).to_be_attached()
    assert not paste(page, content)


def test_several_pasted_pictures_are_refused_with_a_word(animals, open_live):
    page = open_live(animals, DOG)

    assert paste(page, png(), names=("one.png", "two.png"))

    expect_refusal(page, "Add one picture at a time.")
    expect(image(page)).to_have_count(0)


@pytest.mark.parametrize("width, height", [(600, 2), (2, 600)])
def test_a_picture_that_is_a_line_is_a_link_large_enough_for_a_finger(animals, open_live, width, height):
    page = open_live(animals, DOG)

    choose(page, png(width, height))

    link = page.get_by_role("link", name="Enlarge the picture of Dog").bounding_box()
    assert link["width"] >= 44 and link["height"] >= 44
    width_of_image = "image => image.decode().then(() => image.getBoundingClientRect().width)"
    assert image(page).evaluate(width_of_image) == pytest.approx(
        page.locator(".picture").bounding_box()["width"] if width > height else 2, abs=2)


def test_a_picture_is_shown_upright_and_without_its_location(kept, open_live):
    server = kept()
    page = open_live(server, DOG)
    content = from_camera(drawn(page, "image/jpeg", 200, 100), 6, b"52.5200N 13.4050E")
    assert b"52.5200N" in content

    choose(page, content)

    expect(image(page)).to_be_visible()
    expect_size(image(page), 100, 200)
    expect_size(thumbnail(page), 48, 96)
    whole = image(page).get_attribute("src").removesuffix("/640")
    for path in (whole, whole + "/96", whole + "/640"):
        body = get(server, path).body
        assert b"52.5200N" not in body and len(body) > 100


def test_a_damaged_picture_is_refused_with_a_message_in_the_form(kept, actor, directory, open_live, plain):
    server = kept()
    whole = png()
    content = whole[:60] + bytes(200) + whole[260:]
    live = open_live(server, DOG)
    plain.goto(server.url + DOG)

    for page in (live, plain):
        choose(page, content)

        expect_refusal(page, "This picture cannot be read. It may be damaged. Choose another one.")
        expect(image(page)).to_have_count(0)
    assert names(directory) == []


def test_a_picture_with_very_many_pixels_uses_little_server_memory(kept, directory):
    server = kept()
    upload(server, png(), token="first")
    before = resident(server)
    content = large_png(8_000)
    assert len(content) < 1 << 20  # its pixels are 256 MB

    answer = upload(server, content, token="second")

    assert answer.status == 200
    assert names(directory) == kept_names(png(), content)
    assert resident(server) - before < 15 << 20


def test_an_older_upload_gets_small_pictures(kept, directory, open_live):
    server = kept()
    content = png(1200, 900)
    assert upload(server, content).status == 200
    wait_until(lambda: hash_of(content) in get(server, DOG).text, "the animal has the picture")
    server.kill()
    for size in (96, 640):
        (directory / "pictures" / f"{hash_of(content)}-{size}").unlink()
    server.start()

    page = open_live(server, DOG)

    expect_size(thumbnail(page), 96, 72)
    expect_size(image(page), 640, 480)
    assert names(directory) == kept_names(content)


def test_an_older_upload_that_is_damaged_is_served_in_full_size(kept, directory):
    server = kept()
    server.kill()
    whole = png()
    content = whole[:60] + bytes(200) + whole[260:]
    (directory / "pictures" / hash_of(content)).write_bytes(content)
    server.start()

    for _ in range(2):
        answer = request(server, "GET", f"/pictures/{hash_of(content)}/96")

        assert answer.status == 307
        assert answer.headers["Location"] == f"/pictures/{hash_of(content)}"
        assert answer.headers["Cache-Control"] == "no-cache"
    assert get(server, answer.headers["Location"]).body == content


def test_a_removed_picture_can_be_restored(animals, actor):
    page = actor(DOG)
    content = png()
    choose(page, content)
    expect(image(page)).to_be_visible()

    page.get_by_role("button", name="Remove picture").click()
    expect(image(page)).to_have_count(0)
    expect(page.locator("#toast [role=status]")).to_have_text("Picture of Dog removed.")
    page.locator("#toast").get_by_role("button", name="Undo").click()

    expect_picture(page, content)
    expect(page.locator("#toast [role=status]")).to_have_text("Dog has a picture.")  # it was not added


def test_any_other_file_is_refused_and_the_form_says_what_is_accepted(animals, actor):
    page = actor(DOG)
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"

    choose(page, svg, name="dog.png")

    expect_refusal(page, "This is not a picture that can be shown. Choose a JPEG, PNG, GIF or WebP file.")
    expect(image(page)).to_have_count(0)
    choose(page, png())
    expect(image(page)).to_be_visible()
    expect(page.locator("form[data-form=setPicture] [data-error]")).to_have_text("")


def test_an_oversized_picture_is_refused_with_a_message_in_the_form(kept, open_live, plain, directory):
    server = kept("--picture-bytes", "10000")
    live = open_live(server, DOG)
    plain.goto(server.url + DOG)

    for page in (live, plain):
        choose(page, png(padding=20_000))

        expect_refusal(page, "This picture has more than 10000 bytes. Choose a smaller one.")
        choose(page, png())
        expect(image(page)).to_be_visible()
        page.get_by_role("button", name="Remove picture").click()
        expect(image(page)).to_have_count(0)
    assert names(directory) == kept_names(png())


def test_a_far_oversized_picture_is_not_sent(animals, open_live):
    page = open_live(animals, DOG)
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request))

    # Longer than Playwright carries in one piece.
    page.evaluate(
        """() => {
          const files = new DataTransfer();
          files.items.add(new File([new Uint8Array(9 << 20)], "large.png"));
          const field = document.querySelector("input[type=file]");
          field.files = files.files;
          field.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )

    expect_refusal(page, "This picture has more than 8 MB. Choose a smaller one.")
    assert [post for post in posts if "/animals" in post.url] == []


def transfer(page, content, address=None):
    """A dragged picture; one of a page has an address."""
    return page.evaluate_handle(
        """([bytes, address]) => {
          const files = new DataTransfer();
          files.items.add(new File([new Uint8Array(bytes)], "dog.png", { type: "image/png" }));
          if (address) files.setData("text/uri-list", address);
          return files;
        }""",
        [list(content), address],
    )


# Whether a drag is prevented from leaving the page, and what a drop would do.
DRAG = """(element, dataTransfer) => {
  const event = new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer });
  return [!element.dispatchEvent(event), document.querySelectorAll("form[data-over]").length];
}"""


@pytest.mark.parametrize("place", [
    "form[data-upload] .choose", "section[data-pane=detail]", *thorough("[data-pane=detail] .fields")])
def test_a_picture_can_be_dropped_on_the_form_and_its_pane(animals, open_live, place):
    page = open_live(animals, DOG)
    content = png()
    dragged = transfer(page, content)

    assert page.locator(place).evaluate(DRAG, dragged) == [True, 1]
    page.locator(place).dispatch_event("drop", {"dataTransfer": dragged})

    expect_picture(page, content)
    expect(page.locator("form[data-over]")).to_have_count(0)


def test_a_file_dropped_beside_the_pane_does_not_leave_the_page(animals, open_live):
    """The browser showed the file instead, and the page was gone."""
    page = open_live(animals, DOG)
    dragged = transfer(page, png())

    for place in ["[data-list=animals]", ".animals > .search", "body"]:
        assert page.locator(place).evaluate(DRAG, dragged) == [True, 0], place
    text = page.evaluate_handle("() => { const text = new DataTransfer(); text.setData('text/plain', 'a'); return text; }")
    assert page.locator("body").evaluate(DRAG, text) == [False, 0]


def test_the_picture_itself_dropped_on_its_pane_is_not_sent_again(animals, open_live):
    """Browsers drag a picture of a page as a file."""
    page = open_live(animals, DOG)
    content = png()
    form = page.locator("form[data-upload]")
    place = page.locator("[data-pane=detail] .fields")

    place.dispatch_event("drop", {"dataTransfer": transfer(page, content, animals.url + "/pictures/a")})

    expect(form).not_to_have_attribute("aria-busy", "true")
    place.dispatch_event("drop", {"dataTransfer": transfer(page, content, "https://example.org/a.png")})
    expect_picture(page, content)


def test_progress_shows_while_a_picture_is_sent(animals, open_live):
    page = open_live(animals, DOG)
    page.evaluate(
        """() => {
          window.seen = [];
          const observer = new MutationObserver(() => {
            const bar = document.querySelector("form[data-upload] progress");
            if (bar) window.seen.push(bar.value);
          });
          observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        }"""
    )

    choose(page, png(padding=1_000_000))

    expect(image(page)).to_be_visible()
    expect(page.locator("progress")).to_have_count(0)
    assert page.evaluate("window.seen").pop() == 1


def test_readers_of_pictures_leave_descriptors_to_the_server(kept):
    """Each stalled reader held a file besides its connection, until the process could open nothing more."""
    server, picture = kept("--write-timeout", "60"), png(padding=7 << 20)
    assert upload(server, picture).status == 200
    limit = limit_descriptors(server, 60)

    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(stalled_reader(server)) for _ in range(40)]
        eventually(lambda: limit - descriptors(server) <= 42, "they are connected")
        for reader in readers:
            reader.sendall(f"GET /pictures/{hash_of(picture)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        answers = {reader.recv(12) for reader in readers}

        assert answers == {b"HTTP/1.1 200", b"HTTP/1.1 503"}
        assert limit - descriptors(server) in range(5, 20)

    assert get(server, "/readyz").status == 200


def test_a_picture_that_gets_no_descriptor_leaves_no_file(kept, directory):
    server = kept()
    body = multipart(fields(), png())
    with stalled_reader(server) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(4_096).startswith(b"HTTP/1.1 200")
        limit_descriptors(server, 5 - RESERVE.stop)  # pictures leave eight

        client.sendall(
            f"POST /animals HTTP/1.1\r\nHost: localhost\r\nContent-Type: {TYPE}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

        assert client.recv(4_096).startswith(b"HTTP/1.1 503")
    assert names(directory) == []


def test_a_picture_that_gets_no_descriptor_is_sent_again(kept, open_live):
    server = kept()
    page, content = open_live(server, DOG), png()
    limit = limit_descriptors(server, 5 - RESERVE.stop)  # pictures leave eight

    choose(page, content)
    expect(page.locator("[data-queued]")).to_be_visible()
    resource.prlimit(server.process_id, resource.RLIMIT_NOFILE, (limit + 100, limit + 100))

    expect_picture(page, content)


@contextlib.contextmanager
def stalled_reader(server):
    """A client that takes next to nothing of what it is sent."""
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader.settimeout(60)
        reader.connect(("127.0.0.1", server.port))
        yield reader


def test_a_picture_survives_a_restart(kept, open_live):
    server = kept()
    content = png()
    assert upload(server, content).status == 200
    wait_until(lambda: hash_of(content) in get(server, DOG).text, "the animal has the picture")

    server.kill()
    server.start()

    page = open_live(server, DOG)
    expect_picture(page, content)
    expect_size(image(page), 64, 48)
    expect_size(thumbnail(page), 64, 48)


def test_a_server_killed_during_an_upload_leaves_no_file(kept, directory):
    server = kept()
    whole = multipart(fields(), png(padding=500_000))
    with half(server, whole[:300_000], len(whole)):
        eventually(lambda: any(name.endswith(".part") for name in names(directory)))
        server.kill()

    server.start()

    assert names(directory) == []


def test_a_client_that_disconnects_during_an_upload_leaves_no_file(kept, directory):
    server = kept()
    whole = multipart(fields(), png(padding=500_000))

    with half(server, whole[:300_000], len(whole)):
        eventually(lambda: any(name.endswith(".part") for name in names(directory)))

    eventually(lambda: names(directory) == [])


def half(server, body, length):
    """A connection on which a part of an upload has been sent."""
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.sendall(
        f"POST /animals HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: {TYPE}\r\n"
        f"Content-Length: {length}\r\n\r\n".encode() + body
    )
    return connection


def test_an_upload_that_is_too_slow_times_out(kept, directory):
    server = kept("--read-timeout", "1")
    whole = multipart(fields(), png(padding=500_000))

    with half(server, whole[:100_000], len(whole)) as connection:
        connection.settimeout(20)
        answer = connection.recv(1000)

    assert answer.startswith(b"HTTP/1.1 408")
    eventually(lambda: names(directory) == [])


def test_an_upload_sent_along_with_a_request_has_the_deadline_of_uploads(kept, directory):
    server = kept("--read-timeout", "2")
    body = multipart(fields(), png(padding=400_000))
    # One write has a whole request, and the beginning of the upload.
    start = (
        f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        f"POST /animals HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: {TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body[:100]
    )

    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.settimeout(20)
        connection.sendall(start)
        # A slow network: the upload takes longer than the read timeout of a request.
        for index in range(100, len(body), 20_000):
            connection.sendall(body[index:index + 20_000])
            time.sleep(0.15)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))

    assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200", b"303"]


def test_an_endless_upload_is_ended(kept, directory):
    server = kept("--picture-bytes", "10000")
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.settimeout(20)
    connection.sendall(
        f"POST /animals HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: {TYPE}\r\n"
        "Transfer-Encoding: chunked\r\n\r\n".encode()
    )
    start = multipart(fields(), png())[:-100]
    connection.sendall(b"%x\r\n%s\r\n" % (len(start), start))
    answer = b""
    piece = b"4000\r\n" + bytes(0x4000) + b"\r\n"

    # To avoid a deadlock, the server still reads a refused body for a while.
    for _ in range(1000):
        try:
            connection.sendall(piece)
        except OSError:
            break
        connection.setblocking(False)
        try:
            answer += connection.recv(1000)
        except BlockingIOError:
            pass
        except OSError:
            break
        connection.setblocking(True)
        if answer:
            break
    connection.close()

    assert answer.startswith(b"HTTP/1.1 413")
    eventually(lambda: names(directory) == [])


def test_thirty_concurrent_uploads_use_little_memory(kept, directory):
    server = kept("--uploads-per-network", "30")
    contents = [png(seed=seed, padding=1 << 20) for seed in range(30)]
    upload(server, contents[0], token="first")
    before = resident(server)

    # The last one waits for the small pictures of all others.
    with concurrent.futures.ThreadPoolExecutor(30) as pool:
        answers = list(pool.map(
            lambda number: upload(server, contents[number], token=f"t{number}", timeout=4 * PATIENCE),
            range(30)))

    # Another window may be saving the same animal.
    assert {answer.status for answer in answers} <= {200, 409}
    accepted = [contents[0]] + [
        content for content, answer in zip(contents, answers) if answer.status == 200]
    assert names(directory) == kept_names(*set(accepted))
    assert resident(server) - before < 15 << 20  # of 30 MB


def test_a_resent_upload_is_the_same_submission(kept):
    server = kept()

    first, second = upload(server, png(), token="same"), upload(server, png(seed=9), token="same")

    assert (first.status, second.status) == (200, 200)
    page = get(server, "/animals/Dog").text
    assert hash_of(png()) in page and hash_of(png(seed=9)) not in page


def test_no_other_file_is_served(kept):
    server = kept()

    for name in [
        "", "..%2Fanimals.store", "../animals.store", "a" * 64, "a" * 64 + "/96", "a" * 64 + "/97", "a" * 64 + "-96",
        "a" * 63, "%2e%2e%2fanimals.store",
    ]:
        answer = request(server, "GET", f"/pictures/{name}", headers={"Accept": "text/html"})

        assert answer.status in (400, 404), name
        assert b"SQLite" not in answer.body, name


@pytest.mark.parametrize("size, kind", [("", "png"), ("/96", "webp"), ("/640", "webp")])
def test_a_picture_may_be_cached_and_can_do_nothing(kept, size, kind):
    server = kept()
    content = png()
    upload(server, content)
    path = f"/pictures/{hash_of(content)}{size}"

    answer = get(server, path)
    again = get(server, path, If_None_Match=answer.headers["ETag"])
    head = request(server, "HEAD", path)

    assert answer.status == 200
    assert answer.headers["ETag"] == f'"{hash_of(content)}{size.replace("/", "-")}"'
    assert size or answer.body == content
    for known in (answer, head):
        assert known.headers["Content-Type"] == f"image/{kind}"
        assert known.headers["Content-Length"] == str(len(answer.body))
        assert known.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert known.headers["X-Content-Type-Options"] == "nosniff"
        assert known.headers["Content-Security-Policy"] == CSP
    assert (head.body, again.status, again.body) == (b"", 304, b"")
    assert post(server, path, "").status == 405


MALFORMED = {
    "no picture": (multipart(fields()), 422),
    "an empty picture": (multipart(fields(), b""), 422),
    "a picture that was not sent": (multipart(fields() | {"picture": "a" * 64 + "~image/png~1~1"}), 422),
    "no image": (multipart(fields(), b"hello"), 422),
    "no form": (multipart({"_token": "t"}, png()), 404),
    "a long text": (multipart(fields() | {"x": "y" * 70_000}, png()), 413),
    "many fields": (multipart({f"f{n}": "" for n in range(300)}), 413),
    "long names": (multipart({"x" * 1_000 + str(n): "" for n in range(100)}), 413),
    "cut off": (multipart(fields(), png())[:-30], 400),
    "a long text after a picture": (several(multipart(fields(), png()), multipart({"x": "y" * 70_000})), 413),
    "no parts": (b"hello", 400),
    "nothing": (b"", 400),
}


@pytest.mark.parametrize("body, status", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_upload_is_refused_and_leaves_no_file(kept, directory, body, status):
    server = kept()
    get(server, "/animals")

    answer = post(server, "/animals", body, Content_Type=TYPE)

    assert answer.status == status
    eventually(lambda: names(directory) == [])
    assert upload(server, png(), token="next").status == 200


def test_what_a_refused_request_has_uploaded_is_removed_before_its_answer(kept, directory):
    """It was removed soon afterwards. That depends on which thread comes first."""
    server = kept()
    get(server, "/animals")
    incomplete = multipart(fields(), png(padding=400_000))[:-30]

    for _ in range(20):
        answer = post(server, "/animals", incomplete, Content_Type=TYPE)

        assert (answer.status, names(directory)) == (400, [])


def test_an_upload_that_names_an_unknown_window_leaves_no_file(kept, directory):
    server = kept()
    get(server, "/animals")

    answer = post(server, "/animals", multipart(fields(), png()), Content_Type=TYPE, X_Window="A" * 22)

    assert answer.status == 404
    eventually(lambda: names(directory) == [])


def test_of_several_files_for_one_field_the_first_is_kept(kept, directory):
    """A later one replaced it, and it stayed until the server ended."""
    server = kept()
    get(server, "/animals")
    body = several(multipart(fields(), png()), multipart({}, png(seed=1)))

    assert post(server, "/animals", body, Content_Type=TYPE).status == 200

    assert names(directory) == kept_names(png())


def test_metadata_of_a_picture_is_not_kept(kept):
    server, content = kept(), png()
    secret = b"\0\0\0\x0ctEXtplace\0Berlin" + bytes(4)

    assert upload(server, content[:33] + secret + content[33:]).status == 200

    assert get(server, f"/pictures/{hash_of(content)}").body == content


def test_a_page_without_pictures_accepts_no_files(kept):
    server = kept()

    answer = post(server, "/counter", multipart(fields(), png()), Content_Type=TYPE)

    assert answer.status == 415


def test_the_total_size_of_pictures_is_limited(kept, open_live):
    server = kept("--picture-megabytes", "1")
    assert upload(server, png(padding=400_000), token="1").status == 200
    page = open_live(server, DOG)

    choose(page, png(seed=1, padding=400_000))

    expect_refusal(page, "There is no room for more pictures. Remove some that are not needed.")


def test_a_refused_upload_leaves_no_file(kept, directory):
    server = kept()

    assert upload(server, png(), animal="Nobody").status == 404
    assert names(directory) == []
    assert upload(server, png(), token="").status == 200
    assert names(directory) == kept_names(png())


def test_a_refused_upload_of_a_picture_that_an_animal_has_leaves_it(kept, directory):
    server = kept()
    assert upload(server, png()).status == 200
    wait_until(lambda: hash_of(png()) in get(server, DOG).text, "the animal has the picture")

    assert upload(server, png(), animal="Nobody", token="2").status == 404

    assert names(directory) == kept_names(png())
    assert exists(server, png())


def test_refused_uploads_leave_room_for_others(kept, directory):
    server = kept("--picture-megabytes", "1")

    for seed in range(5):
        answer = upload(server, png(seed=seed, padding=400_000), animal="Nobody", token=f"{seed}")
        assert answer.status == 404

    assert upload(server, png(padding=400_000)).status == 200
    assert names(directory) == kept_names(png(padding=400_000))


def test_without_room_pictures_unused_for_twenty_minutes_make_some(kept, directory):
    server = kept("--picture-megabytes", "1")
    first, second = (png(seed=seed, padding=400_000) for seed in range(2))
    assert upload(server, first, token="1").status == 200
    wait_until(lambda: hash_of(first) in get(server, DOG).text, "the animal has the picture")
    removal = urllib.parse.urlencode(
        {"_form": "removePicture", "_token": "2", "animalId": "Dog"})
    assert post(server, "/animals", removal).status == 200
    wait_until(lambda: hash_of(first) not in get(server, DOG).text, "it has no picture")

    # An upload and what is kept of it are there at the same time.
    young = upload(server, second, token="3")
    for path in (directory / "pictures").iterdir():
        os.utime(path, (time.time() - 1_201,) * 2)
    # There was an attempt to make room a moment ago.
    eventually(lambda: upload(server, second, token="4").status == 200)

    assert young.status == 500
    assert names(directory) == kept_names(second)


def test_a_folder_that_cannot_be_opened_is_opened_later_and_leaves_the_rest_working(kept, directory, plain):
    """There were no pictures until a restart, and only the log said so."""
    directory.mkdir()
    folder = directory / "pictures"
    folder.write_text("in the way")

    server = kept()

    ready = get(server, "/readyz")
    assert ready.status == 503
    assert ready.text.startswith(f"Pictures cannot be used. The folder {folder}")
    plain.goto(server.url + DOG)
    choose(plain, png())
    expect(plain.get_by_text("The picture could not be saved. Try again.")).to_be_visible()
    assert request(server, "GET", f"/pictures/{hash_of(png())}").status == 503
    assert folder.read_text() == "in the way"

    folder.unlink()
    choose(plain, png())

    expect_picture(plain, png())
    assert get(server, "/readyz").text == "ready\n"
