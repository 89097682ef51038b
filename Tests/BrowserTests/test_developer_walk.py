"""The walk of two minutes in docs/DEVELOPER.md, step by step."""

import re
import shutil

import pytest
from playwright.sync_api import expect

import servers
from servers import BINARIES, ROOT
from waiting import wait_until


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "reports"


@pytest.fixture
def server(start_server, folder):
    return start_server("--developer", "--reports", str(folder))


@pytest.fixture(autouse=True)
def no_complaints(complaints):
    yield
    assert complaints == []


class Words:
    """The words in italics of the walk. Each has to be used, and no others."""

    def __init__(self):
        text = (ROOT / "docs/DEVELOPER.md").read_text()
        walk = text.split("## A walk of two minutes")[1].split("\n## ")[0]
        # An emphasis is not the name of anything.
        self.all = {" ".join(word.split()) for word in re.findall(r"(?<!\*)\*([^*]+)\*", walk)} - {"not"}
        self.used = set()

    def __call__(self, word):
        assert word in self.all
        self.used.add(word)
        return word


def run(*arguments):
    return servers.run("Server", *arguments, timeout=120)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_walk_works_as_written(server, folder, open_live, tmp_path):
    the = Words()
    counter = open_live(server, "/counter")
    developer = open_live(server, "/developer")

    def press_increment(value):
        counter.get_by_role("button", name=the("Increment"), exact=True).click()
        expect(counter.get_by_text(f"Value: {value}", exact=True)).to_be_visible()

    def click(name):
        developer.get_by_role("link", name=the(name), exact=True).first.click()

    # 1 and 2: the log.
    press_increment(1)
    entry = developer.locator("[data-list=entries] > li.action")
    expect(entry).to_contain_text("form “increment” at /counter")
    entry.get_by_role("link").click()
    action = developer.get_by_role("region", name="Action", exact=True)
    expect(action.get_by_role("heading", name=the("Changes"), exact=True)).to_be_visible()
    expect(action).to_contain_text(re.compile(r"/value\s+0\s+1"))

    # 3: the state.
    click("The state after it")
    expect(developer.get_by_role("row").filter(has_text="value")).to_contain_text("1")
    click("State")
    developer.get_by_role("group", name="Product").get_by_role("link", name=the("Counter"), exact=True).click()
    developer.get_by_role("link", name=re.compile("^" + the("Changes since"))).first.click()
    press_increment(2)
    expect(developer.get_by_role("region", name=re.compile("^What changed from"))).to_contain_text(
        re.compile(r"/value\s+1\s+2"))

    # 4: a page as it was.
    click("Windows")
    developer.locator("[data-list=windows] > li").filter(has_text="/counter").get_by_role(
        "link", name=the("Look back")).click()
    past = developer.frame_locator("iframe")
    expect(past.get_by_text("Value: 2", exact=True)).to_be_attached()
    click("Earlier")
    expect(past.get_by_text("Value: 1", exact=True)).to_be_attached()
    click("Later")
    expect(past.get_by_text("Value: 2", exact=True)).to_be_attached()
    slider = developer.get_by_role("slider", name="Version")
    for key, value in [("Home", 1), ("ArrowRight", 2)]:
        slider.press(key)
        expect(past.get_by_text(f"Value: {value}", exact=True)).to_be_attached()
    expect(counter.get_by_text("Value: 2", exact=True)).to_be_visible()

    # 5: why.
    causes = developer.get_by_role("region", name="What didTapIncrementButton did to this page")
    expect(causes).to_contain_text(re.compile(r"SelectValue:\s+has another output\s+CounterUI/Select\.swift:\d+"))
    past.locator("[data-region=number] > *").first.click()
    expect(developer.get_by_role("region", name="Region “number”")).to_contain_text(
        re.compile(the("Put there by") + r"\s*didTapIncrementButton, form “increment” at /counter"))
    developer.goto(server.url + "/developer")
    entry.first.get_by_role("link").click()
    click("What it did to /counter")
    expect(causes).to_be_visible()

    # 6: a report.
    counter.get_by_role("link", name=the("Report a problem")).click()
    counter.get_by_label("What was wrong").fill("It counts too fast.")
    counter.get_by_role("button", name=the("Send report")).click()
    expect(counter.get_by_role("status")).to_have_text("Thank you. Your report was sent.")
    (report,) = wait_until(lambda: list(folder.glob("*.jsonl")), "the report is there")

    # 7: its replay, here and with another template.
    code, output, error = run("replay", report)
    assert (code, error) == (0, "")
    assert the("The same") in output
    edited = tmp_path / "Templates"
    shutil.copytree(ROOT / "Templates", edited)
    template = edited / "CounterUI" / "CounterNumber.mustache"
    assert "Value:" in template.read_text()
    template.write_text(template.read_text().replace("Value:", "Worth:"))
    code, output, error = run("replay", report, "--templates", edited)
    assert code == 1
    assert "/counter, region number" in error and "Worth: " in output

    # 8: two builds.
    page, least = tmp_path / "differences.html", tmp_path / "least.jsonl"
    code, output, _ = run("replay", report, "--against", BINARIES / "Server", "--templates", edited,
                          "--report", page, "--shrink", least)
    assert code == 1
    assert "- Value: " in output and "+ Worth: " in output
    assert "Worth: " in page.read_text()
    assert run("replay", least)[0] == 0
    assert run("replay", least, "--templates", edited)[0] == 1
    assert "@Test func" in least.with_suffix(".swift").read_text()

    assert the.used == the.all
