"""The work after a patch depends on the size of the patch, not on the length of the page."""

import pytest
from playwright.sync_api import expect

# Counts the elements that scripts look at: those that a query visits, and those in a collection.
COUNT = """() => {
  window.visited = 0;
  const walk = (prototype, name) => {
    const original = prototype[name];
    prototype[name] = function (...parameters) {
      const found = original.apply(this, parameters);
      const all = [...this.getElementsByTagName("*")];
      const isOne = found === null || found instanceof Element;
      window.visited += isOne && found ? all.indexOf(found) + 1 : all.length;
      return found;
    };
  };
  for (const prototype of [Document.prototype, Element.prototype]) {
    walk(prototype, "querySelector");
    walk(prototype, "querySelectorAll");
  }
  const hold = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      get() {
        const held = get.call(this);
        window.visited += held.length;
        return held;
      },
    });
  };
  hold(Element.prototype, "children");
  hold(Node.prototype, "childNodes");
  hold(HTMLFormElement.prototype, "elements");
  for (const name of ["firstElementChild", "nextElementSibling"]) {
    const { get } = Object.getOwnPropertyDescriptor(Element.prototype, name);
    Object.defineProperty(Element.prototype, name, {
      get() {
        window.visited += 1;
        return get.call(this);
      },
    });
  }
}"""


def row(number, text="as it was"):
    return (f'<li data-key="{number}"><a data-set="selected={number}">{text}</a> '
            '<time datetime="2018-02-07T12:00:00Z" data-relative>noon</time></li>')


def content(size, count="all"):
    rows = "".join(row(number) for number in range(size))
    return f"""<form method="post" data-form="save"><input name="name" required>
      <button data-complete>Save</button></form><ul data-list="rows" data-reveal>{rows}</ul>
      <p>{count}</p>"""


FRAME = content(0, "new")
PATCHES = {
    "a row": {"lists": {"rows": [["set", "50", row(50, "new")]]}},
    "a new row": {"lists": {"rows": [["put", "new", row("new", "new"), "50"]]}},
    "a row that goes": {"lists": {"rows": [["cut", "50"]]}},
    "a row that moves": {"lists": {"rows": [["move", "50", "3"]]}},
    "the frame": {"frame": FRAME, "lists": {"rows": [["set", "50", row(50, "new")]]}},
}


@pytest.mark.parametrize("what", PATCHES)
def test_a_patch_visits_the_same_number_of_elements_in_long_and_short_lists(
    fake_server, live, what
):
    visited = []
    for size in [100, 1000]:
        at = f"/{size}?selected=7"
        fake_server.show = lambda window: {"overlay": {"rows": {"7": {"aria-current": "true"}}}}
        page = live(at, content(size))
        # Where the list is, is found out once.
        warm = {"lists": {"rows": [["set", "60", row(60, "warm")]]}}
        fake_server.frame(at, {"region": "root", "tag": "warm"} | warm)
        expect(page.get_by_text("warm")).to_be_visible()
        page.evaluate(COUNT)

        fake_server.frame(at, {"region": "root", "tag": "new"} | PATCHES[what], version=size)

        page.wait_for_function(
            "() => document.getElementsByTagName('div')[0].getAttribute('data-tag') === 'new'")
        visited.append(page.evaluate("window.visited"))  # a patch is applied in one go
        page.close()

    assert visited[0] == visited[1]
