"""How long it takes until the windows of a killed server are live at another one, with several servers behind nginx as
docs/operations shows it. Prints the milliseconds as JSON: a list for each kill.

cluster.py runs this with the Python that has a browser, and passes the path of the Server.
"""

import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests" / "BrowserTests"))

from playwright.sync_api import sync_playwright

from engines import chromium
from postgresql import PostgreSQL
from proxies import NAME, NginxForSeveral
from raw import metrics, post
from servers import product_server
from waiting import wait_until

KILLS = 10
# Between two kills, in seconds. nginx avoids a server for 5 s after a failure, and a window whose stream has lasted for less
# than 5 s waits longer before it connects again.
REST = 7
VISITS = 30  # of pages after that, as there always are. The first shows nginx that the server is back.
WINDOWS = 12  # Each has a session of its own, so they are spread over the servers.

# Notes when the page begins and ceases to be live.
WATCH = """() => {
  const root = document.documentElement;
  window.lives = [];
  new MutationObserver(() => window.lives.push([Date.now(), root.hasAttribute("data-live")]))
    .observe(root, { attributes: true, attributeFilter: ["data-live"] });
}"""
# When it is live again; null if it has not been lost, or is not live.
RETURN = """() => {
  const lives = window.lives;
  return lives.length > 0 && lives.at(-1)[1] ? lives.at(-1)[0] : null;
}"""


def measure(binary):
    with contextlib.ExitStack() as ends:
        folder = ends.enter_context(tempfile.TemporaryDirectory())
        database = PostgreSQL(is_durable=True)
        ends.callback(database.end)
        servers = []
        for _ in range(3):
            server = product_server("--log", database.url, "--allowed-hosts", NAME, "--trusted-proxy", "127.0.0.1")
            server.binary = binary
            ends.callback(server.kill)
            servers.append(server.start())
        proxy = NginxForSeveral(servers, folder).start()
        ends.callback(proxy.end)
        browser = chromium.launch(ends.enter_context(sync_playwright()), trusted_name=NAME)
        ends.callback(browser.close)
        pages = [opened(browser, f"{proxy.url}/counter") for _ in range(WINDOWS)]
        return [kill(servers, proxy, pages, number) for number in range(KILLS)]


def opened(browser, url):
    page = browser.new_context().new_page()
    page.goto(url)
    page.wait_for_selector("html[data-live]", state="attached")
    page.evaluate(WATCH)
    return page


def kill(servers, proxy, pages, number):
    """Kills the server with the most windows, and starts it again. Returns how long each window took."""
    # Servers count their streams when there is a frame.
    post(servers[0], "/counter", f"_form=increment&_token=kill-{number}-is-a-token")
    wait_until(lambda: sum(map(streams, servers)) == len(pages), "all windows are live")
    owner = max(servers, key=streams)
    count = streams(owner)
    for page in pages:
        page.evaluate("window.lives = []")
    begun = time.time() * 1_000
    owner.kill()
    wait_until(lambda: len(returns(pages)) == count, "its windows are live")
    times = [end - begun for end in returns(pages)]
    owner.start()
    time.sleep(REST)
    for _ in range(VISITS):
        visit(proxy)
    return times


def visit(proxy):
    with proxy.connection() as connection:
        connection.request("GET", "/counter", headers={"Host": f"{NAME}:{proxy.port}"})
        assert connection.getresponse().status == 200


def streams(server):
    return metrics(server).get("streams", 0)


def returns(pages):
    return [end for page in pages if (end := page.evaluate(RETURN)) is not None]


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
