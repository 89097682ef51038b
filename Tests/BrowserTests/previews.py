"""The accessibility of previews, each on its own page: contrast, structure, names, targets, and room."""

import pathlib
import re

SCRIPT = "() => {" + pathlib.Path(__file__).with_name("accessibility.js").read_text() + "}"
WIDE = {"viewport": {"width": 1100, "height": 720}}
NARROW = {"viewport": {"width": 320, "height": 640}, "has_touch": True}
# The appearance of the preview, the options of its window, and what is checked.
VIEWS = [
    ("light", {"color_scheme": "light"}, ["contrast", "shapes"]),
    ("dark", {"color_scheme": "dark"}, ["contrast", "shapes"]),
    ("bare", WIDE, ["overflow", "targets", "structure"]),
    ("bare", NARROW, ["overflow", "targets"]),
]
# A preview has no navigation of the site.
ALONE = "no header nav[aria-label]"


def nameless(page):
    """What can be focused and has no role or name."""
    session = page.context.new_cdp_session(page)
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        focusable = any(
            p["name"] == "focusable" and p["value"].get("value") for p in node.get("properties", []))
        if node.get("ignored") or not focusable or role in ("RootWebArea", "main", "navigation"):
            continue
        if role == "generic" or not node.get("name", {}).get("value", "").strip():
            yield f"a {role} has no name"
    session.detach()


def paths(html):
    """The paths of the previews that their list, /previews, links to."""
    return sorted(set(re.findall(r'href="(/previews/[^"/]+/[^"/]+/[^"/]+)"', html)))


def problems(browser, url, paths, views=VIEWS):
    """What is wrong with each preview: its path, the check that found it, and a sentence."""
    for appearance, options, checks in views:
        context = browser.new_context(reduced_motion="reduce", **options)
        page = context.new_page()
        for path in paths:
            page.goto(f"{url}{path}/{appearance}")
            page.evaluate(SCRIPT)
            if "contrast" in checks:
                page.evaluate("document.querySelectorAll('details').forEach((menu) => (menu.open = true))")
            found = [(check, text) for check in checks for text in page.evaluate(f"accessibility.{check}()")]
            if "structure" in checks:
                found += [("names", text) for text in nameless(page)]
            for check, text in found:
                if text != ALONE:
                    yield f"{path}/{appearance}", check, text
        context.close()
