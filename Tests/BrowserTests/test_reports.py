"""Visitors report problems, and a replay shows what they saw."""

import json
import re

import pytest
from playwright.sync_api import expect

import raw
from servers import BINARIES, launch, run
from waiting import PATIENCE, wait_until


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "reports"


@pytest.fixture
def server(start_server, folder):
    return start_server("--reports", str(folder))


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


def reports(folder):
    return sorted(folder.glob("*.jsonl"))


def replay(file):
    return run("Server", "replay", file, timeout=120)


def lines_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def done(page):
    """What is sent, in words."""
    return page.locator("form > .done li")


def add_animal(page, server, name):
    page.goto(server.url + "/animals?all=true&sheet=add")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Category", exact=True).select_option("Mammal")
    page.get_by_label("Diet", exact=True).select_option("Carnivore")
    press(page, "Save")
    expect(page.get_by_text(f"{name} added.")).to_be_visible()


def send(page, description):
    page.get_by_label("What was wrong").fill(description)
    press(page, "Send report")


def span_of(server):
    """What a visitor without a session is shown now."""
    return re.search(r'name="span" value="([^"]+)"', raw.get(server, "/report", Accept="text/html").text)[1]


def test_a_visitors_report_can_be_replayed(open_page, server, folder):
    page = open_page(server, "/counter")
    press(page, "Increment")
    expect(page.locator(".value")).to_have_text("Value: 1")
    add_animal(page, server, "Zebrafinch")
    page.goto(server.url + "/animals?all=true&search=zebrafinch")
    expect(page.get_by_text("Zebrafinch").first).to_be_visible()
    # Another visitor does something too.
    raw.Session(server).post("/counter", "_form=decrement")

    page.get_by_role("link", name="Report a problem").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Report a problem")
    shown = done(page).all_inner_texts()
    assert any("You opened Counter." in line for line in shown)
    assert any("You pressed a button on Counter." in line for line in shown)
    assert any("You pressed a button on Animals. It carries: id, name, diet, category id." in line for line in shown)
    assert not any("/" in line or "onTap" in line for line in shown)
    exact = page.locator("details .done li")
    expect(exact.first).to_be_hidden()
    page.get_by_text("Exactly as it is sent").click()
    expect(exact).to_have_count(len(shown))
    sent = exact.all_inner_texts()
    assert any("/counter" in line and "didTapIncrementButton" in line for line in sent)
    assert any("onTapAddAnimalButton" in line for line in sent)
    assert not any("Decrement" in line or "ebrafinch" in line for line in shown + sent)
    assert "more things that happened on this site are sent too" in page.locator("main").inner_text()
    send(page, "The finch is too\nsmall.")
    expect(page.get_by_role("status")).to_have_text("Thank you. Your report was sent.")

    (file,) = reports(folder)
    assert file.stat().st_mode & 0o777 == 0o600
    assert "ebrafinch" not in file.read_text()
    lines = lines_of(file)
    assert lines[0]["report"]["description"] == "The finch is too\nsmall."
    # The stored report is the one that was shown.
    (pseudonym,) = {re.search(r'name: "(\w+)"', line)[1] for line in sent if "onTapAddAnimalButton" in line}
    assert len(pseudonym) == len("Zebrafinch") and pseudonym in file.read_text()
    decrement = next(line for line in lines if "didTapDecrementButton" in json.dumps(line))
    assert "origin" not in decrement
    code, output, error = replay(file)
    assert (code, error) == (0, "")
    assert "Reported: The finch is too" in output
    actions, pages = map(int, re.search(r"The same: (\d+) actions, (\d+) changes", output).groups())
    assert actions >= 4 and pages >= 4
    wait_until(lambda: "A visitor has reported a problem" in server.output, "it is logged")


def test_replaying_a_report_of_another_build_shows_the_difference(server, folder, plain):
    plain.goto(server.url + "/counter")
    press(plain, "Increment")
    plain.goto(server.url + "/report")
    send(plain, "It counts.")
    expect(plain.get_by_role("status")).to_be_visible()
    (file,) = reports(folder)
    file.write_text(file.read_text().replace("didTapIncrementButton", "didTapDecrementButton"))

    code, output, error = replay(file)

    assert code == 1
    assert "/counter/value: 0 → -1" in output


def test_a_report_shows_only_the_visitors_own_actions(server, plain):
    other = raw.Session(server)
    with other.stream() as stream:
        assert other.join(stream, "/animals?all=true&search=secret").status == 201
        other.post("/counter", "_form=increment")

    plain.goto(server.url + "/report")

    expect(plain.get_by_text("You did nothing here in the last minute.")).to_be_visible()
    expect(plain.get_by_text("happened on this site are sent too")).to_be_visible()
    assert done(plain).count() == 0


def test_a_report_that_cannot_be_sent_shows_why_and_keeps_the_input(server, folder, plain):
    plain.goto(server.url + "/report")
    plain.eval_on_selector("textarea", "field => field.required = false")
    send(plain, "   ")
    expect(plain.get_by_role("alert")).to_have_text("Say what was wrong.")
    expect(plain.get_by_label("What was wrong")).to_have_attribute("aria-invalid", "true")
    send(plain, "<b>One</b> & two")
    expect(plain.get_by_role("status")).to_be_visible()

    plain.goto(server.url + "/report")
    send(plain, "<b>Two</b>")
    expect(plain.get_by_role("alert")).to_contain_text("Wait a minute")
    expect(plain.get_by_label("What was wrong")).to_have_value("<b>Two</b>")
    assert len(reports(folder)) == 1


FORGED = {
    "no span": ("description=x", 409, "That was a while ago"),
    "another span": ("description=x&span={journal}.1.99", 409, "That was a while ago"),
    "another process": ("description=x&span=AAAAAAAAAAAAAAAAAAAAAA.1.0", 409, "That was a while ago"),
    "no such span": ("description=x&span=nonsense", 409, "That was a while ago"),
    "no description": ("span={journal}.1.0", 422, "Say what was wrong."),
    "a long description": ("span={journal}.1.0&description=" + "x" * 2_001, 422, "2000 characters"),
}


def test_forged_reports_are_refused(server, folder):
    journal = span_of(server).split(".")[0]

    for case, (fields, status, said) in FORGED.items():
        fields = fields.replace("{journal}", journal)
        answer = raw.post(server, "/report", f"_form=report&{fields}", Accept="text/html")

        assert answer.status == status, case
        assert said in answer.text, case
        assert reports(folder) == [], case


def test_a_report_that_is_sent_twice_is_saved_once(server, folder):
    session = raw.Session(server)
    answers = [
        session.post("/report", f"_form=report&_token=one&description=x&span={span_of(server)}")
        for _ in range(2)
    ]

    assert [answer.status for answer in answers] == [303, 303]
    assert len(reports(folder)) == 1


def test_reports_of_one_address_are_limited(server, folder):
    span = span_of(server)
    statuses = [
        raw.post(server, "/report", f"description=x&span={span}", Accept="text/html").status
        for _ in range(7)
    ]

    # Not 503: a proxy would send it to another server.
    assert statuses == [303] * 5 + [409] * 2
    assert len(reports(folder)) == 5


def test_addresses_of_one_ipv6_network_share_a_limit(start_server, folder):
    server = start_server("--reports", str(folder), "--trusted-proxy", "127.0.0.1")
    span = span_of(server)
    statuses = [
        raw.post(server, "/report", f"description=x&span={span}", Accept="text/html",
                 X_Forwarded_For=f"2001:db8:0:{network}::{number}").status
        for network, number in [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 1)]
    ]

    assert statuses == [303] * 5 + [409, 303]


def test_a_cross_site_report_is_refused(server, folder):
    answer = raw.post(server, "/report", f"description=x&span={span_of(server)}", Sec_Fetch_Site="cross-site")

    assert answer.status == 403
    assert reports(folder) == []


def test_without_the_option_there_is_no_report_page(counter, plain):
    assert raw.get(counter, "/report").status == 404
    plain.goto(counter.url + "/counter")
    assert plain.get_by_role("link", name="Report a problem").count() == 0


def test_the_report_page_is_not_cached(server):
    assert raw.get(server, "/report").headers["Cache-Control"] == "no-store"
    assert raw.request(server, "PUT", "/report").status == 405


def test_the_error_names_a_folder_that_cannot_be_created(tmp_path):
    (tmp_path / "file").write_text("")
    process = launch(BINARIES / "Server", "--port", "0", "--data-directory", str(tmp_path / "data"),
                     "--reports", str(tmp_path / "file"))
    _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert f"{tmp_path / 'file'} cannot be made" in error


def test_the_link_to_the_form_is_not_printed(server, page):
    page.goto(server.url + "/counter")
    link = page.get_by_role("link", name="Report a problem")
    expect(link).to_be_visible()

    page.emulate_media(media="print")

    expect(link).to_be_hidden()
