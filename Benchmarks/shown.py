"""Computes the content of a window from the events of its stream, as described in docs/PROTOCOL.md, and
compares it with a page.

Windows at one place get the same bytes, so results are computed once for all of them.
"""

import functools
import html
import json
import re
from typing import NamedTuple

TAG = re.compile(r"""<(/?)([a-zA-Z][\w-]*)((?:[^>"']|"[^"]*"|'[^']*')*?)(/?)>""")
ATTRIBUTE = re.compile(r"""([^\s=/]+)(?:\s*=\s*"([^"]*)")?""")
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
# Attributes that the server writes into a page, and that the browser's modules write after a patch.
LATE = {"href", "value", "selected", "checked", "viewBox", "aria-current", "data-overlay", "data-tag",
        "data-default-value", "data-default-selected"}


class Region(NamedTuple):
    tag: str
    frame: str  # Its HTML, without the rows of lists.
    lists: tuple  # Pairs of a name and of rows, which are pairs of a key and HTML.


class Misfit(Exception):
    """A patch that does not fit the content of the window."""


def attributes_of(text):
    return {match[1]: html.unescape(match[2] or "") for match in ATTRIBUTE.finditer(text)}


@functools.cache
def split(text):
    """Returns a region's HTML without the rows of its lists, and the lists."""
    frame, lists, last = [], [], 0
    depth, container, rows, row_start, row_key = 0, None, [], 0, None
    for match in TAG.finditer(text):
        closes, name, attributes, closes_itself = match.groups()
        if closes:
            depth -= 1
            if container is not None and depth == container:
                frame.append(text[last:match.start()] if not rows else "")
                last = match.start()
                lists.append((list_name, tuple(rows)))
                container = None
            elif container is not None and depth == container + 1:
                rows.append((row_key, text[row_start:match.end()]))
            continue
        is_void = closes_itself or name in VOID
        values = attributes_of(attributes)
        if container is not None and depth == container + 1:
            row_start, row_key = match.start(), values.get("data-key")
            if is_void:
                rows.append((row_key, text[row_start:match.end()]))
        elif container is None and "data-list" in values:
            frame.append(text[last:match.end()])
            last, container, rows, list_name = match.end(), depth, [], values["data-list"]
        if not is_void:
            depth += 1
    if depth != 0:
        raise Misfit(f"HTML with elements that do not end: {text[:200]}")
    return "".join([*frame, text[last:]]), tuple(lists)


@functools.lru_cache(200_000)
def operate(rows, operations):
    """Returns the rows after operations, which are JSON."""
    rows = list(rows)

    def index(key):
        for position, row in enumerate(rows):
            if row[0] == key:
                return position
        raise Misfit(f"there is no row {key}")

    def insert(row, before):
        rows.insert(len(rows) if before is None else index(before), row)

    for operation in json.loads(operations):
        match operation:
            case ["set", key, text]:
                rows[index(key)] = (key, text)
            case ["edit", key, edits]:
                row = rows[index(key)][1]
                rows[index(key)] = (key, edited(row, [[[0, *indices(path)], *rest] for path, *rest in edits]))
            case ["put", key, text, before]:
                insert((key, text), before)
            case ["cut", key]:
                del rows[index(key)]
            case ["move", key, before]:
                insert(rows.pop(index(key)), before)
            case ["order", keys]:
                if sorted(keys) != sorted(key for key, _ in rows):
                    raise Misfit(f"an order of other rows: {keys}")
                rows.sort(key=lambda row: keys.index(row[0]))
            case _:
                raise Misfit(f"what is {operation}?")
    return tuple(rows)


def edited(text, edits):
    """Returns the HTML after edits, whose paths start outside it."""
    for path, value, *target in edits:
        target = target[0] if target else 0
        start, end = place(text, indices(path), target)
        if isinstance(target, int):
            text = text[:start] + html.escape(value) + text[end:]
            continue
        kept = [attribute[0] for attribute in ATTRIBUTE.finditer(text[start:end])
                if attribute[1] != target]
        new = [] if value is None else [f'{target}="{html.escape(value)}"']
        text = text[:start] + " " + " ".join(kept + new) + text[end:]
    return text


def indices(path):
    """Returns the indices of an edit's path, which is a number if it has only one."""
    return path if isinstance(path, list) else [path]


def place(text, path, target):
    """Returns the position of an edit's text in HTML, or of the attributes of its element."""
    way, children, last = [], [0], 0
    for match in TAG.finditer(text):
        if way == path and children[-1] == target:
            return last, match.start()
        last = match.end()
        closes, name, _, closes_itself = match.groups()
        if closes:
            way.pop()
            children.pop()
            continue
        way.append(children[-1])
        children[-1] += 1
        if way == path and isinstance(target, str):
            return match.span(3)
        if closes_itself or name in VOID:
            way.pop()
        else:
            children.append(0)
    if way == path and children[-1] == target:
        return last, len(text)
    raise Misfit(f"there is no {target} of {path} in {text[:200]}")


def patched(regions, patches):
    """Returns regions, by name, after the patches of an event."""
    regions = dict(regions)
    for name, tag, content, *changed in patches:
        if isinstance(content, str) and not changed:
            regions[name] = Region(tag, *split(content))
            continue
        if name not in regions:
            raise Misfit(f"a difference for the region {name}, which is not there")
        old = regions[name]
        lists = dict(old.lists)
        frame = old.frame
        if isinstance(content, str):
            frame, empty = split(content)
            lists = {name: lists.get(name, ()) for name, _ in empty}
        elif content:
            frame = edited(frame, content)
        for list_name, operations in (changed[0] if changed else {}).items():
            lists[list_name] = operate(lists[list_name], json.dumps(operations))
        regions[name] = Region(tag, frame, tuple(lists.items()))
    return regions


def document(regions, name="root"):
    """Returns the content of a window as `tokens` does, with the tags of its regions."""
    tags, result = {}, []

    def write(name):
        region = regions[name]
        tags[name] = region.tag
        lists = dict(region.lists)
        for token in tokens(region.frame):
            result.append(token)
            attributes = dict(token[1:]) if token[0] != "text" else {}
            if "data-list" in attributes:
                for _, row in lists[attributes["data-list"]]:
                    result.extend(tokens(row))
            if "data-region" in attributes:
                write(attributes["data-region"])

    write(name)
    return result, tags


@functools.cache
def tokens(text):
    """Returns elements with their attributes, and texts, without late values."""
    result, last = [], 0

    def add_text(text):
        text = " ".join(html.unescape(text).split())
        if text and result and result[-1][0] == "text":
            result[-1] = ("text", f"{result[-1][1]} {text}")
        elif text:
            result.append(("text", text))

    for match in TAG.finditer(text):
        add_text(text[last:match.start()])
        last = match.end()
        closes, name, attributes, _ = match.groups()
        values = attributes_of(attributes)
        if name == "input" and values.get("type") == "hidden":
            continue
        # Attributes that the page declares as kept belong to its scripts.
        theirs = LATE.union(values.get("data-keeps", "").split())
        kept = sorted((key, value) for key, value in values.items() if key not in theirs)
        result.append((f"/{name}",) if closes else (name, *kept))
    add_text(text[last:])
    return result


def page(text):
    """Returns the content of a page's outermost region as `document` does."""
    start = re.search(r'<div data-region="root"[^>]*>', text)
    if start is None:
        raise Misfit(f"a page without a region: {text[:200]}")
    depth, end = 1, None
    for match in TAG.finditer(text, start.end()):
        closes, name, _, closes_itself = match.groups()
        if name in VOID or closes_itself:
            continue
        depth += -1 if closes else 1
        if depth == 0:
            end = match.start()
            break
    content = text[start.end():end]
    tags = {}
    for match in TAG.finditer(text):
        values = attributes_of(match[3])
        if "data-region" in values:
            tags[values["data-region"]] = values["data-tag"]
    return tokens.__wrapped__(content), tags


def difference(shown, fresh):
    """Describes the first difference of two documents; `None` if they are equal."""
    for what, old, new in [("content", shown[0], fresh[0]),
                           ("tags", sorted(shown[1].items()), sorted(fresh[1].items()))]:
        if old == new:
            continue
        for index, pair in enumerate(zip(old, new)):
            if pair[0] != pair[1]:
                return f"{what}: the window has {old[index:index + 3]}, the page {new[index:index + 3]}"
        return f"{what}: the window has {len(old)} pieces, the page {len(new)}"
    return None
