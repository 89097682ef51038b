"""What a log leads to, by a second and simpler reducer: the answer to each post, and the fish."""

import base64
import json
import re
import struct

SAMPLES = ["Dog", "Cat", "Kangaroo", "Bibbon", "Sparrow", "Newt"]  # the animals before the first entry
MASK = 2**64 - 1


class Folded:
    """The state after some entries, and what became of each of them."""

    def __init__(self, lines, limit):
        """`lines`: sequence, id and payload of each entry, separated by `|`. `limit`: that of the animals."""
        self.value = 0
        self.outcomes = {}  # by id: the sequence, and the status of the refusal or None
        self.posted = set()  # the ids of entries that visitors have posted
        self.counts = {}  # of actions, by name
        self._limit = limit
        self._animals = dict.fromkeys(SAMPLES)  # names, by id
        self.waiting = set()  # ids of animals that are being changed, or placeholders of new ones
        for line in lines:
            sequence, id, payload = line.split("|", 2)
            if not payload:
                assert id.startswith("barrier/"), line
                continue
            contents = json.loads(payload)
            name, values = event(contents["action"])
            self.counts[name] = self.counts.get(name, 0) + 1
            self.outcomes[id] = (int(sequence), self._reduce(name, values))
            if "post" in contents:
                self.posted.add(id)

    @property
    def fish(self):
        """Their names."""
        return sorted(filter(None, self._animals.values()))

    @property
    def refused(self):
        """The ids of posts that are refused."""
        return {id for id in self.posted if self.outcomes[id][1]}

    def _reduce(self, name, values):
        match name:
            case "didTapIncrementButton":
                self.value += 1
            case "onTapAddAnimalButton":
                added = self.waiting - self._animals.keys()
                if values["id"] in added or len(self._animals) + len(added) >= self._limit:
                    return 409
                self.waiting.add(values["id"])
            case "onTapDeleteSelectedAnimalButton" | "onTapSaveChangesButton":
                if values["animalId"] not in self._animals:
                    return 404
                if values["animalId"] in self.waiting:
                    return 409
                self.waiting.add(values["animalId"])
            case "didAddAnimal" | "didUpdateAnimal" | "didDeleteAnimal":
                return self._end(name, values)
            case _:
                raise AssertionError(f"{name} is not expected")

    def _end(self, name, values):
        id = values["id"] if name == "didAddAnimal" else values["animalId"]
        if name != "didAddAnimal" and id not in self._animals and id not in self.waiting:
            return 404
        self.waiting.discard(id)
        if success := values["result"].get("success"):
            animal = success["animal"]
            if name == "didDeleteAnimal":
                self._animals.pop(animal["animalId"], None)
            else:
                self._animals[animal["animalId"]] = animal["name"]


def event(action):
    """The name of what has happened, without that of its product, and its values."""
    ((name, values),) = action.items()
    return (name, values) if re.match("(on|did)[A-Z]", name) else event(values["_0"])


def post_id(path, token):
    """The id of a post in the log. `path` is that of its page, as it is declared.

    SipHash-2-4 with 128 bits and a key of zeros (Sources/ImmutableUI/Rendering/Tag.swift).
    """
    v0, v1, v2, v3 = 0x736f6d6570736575, 0x646f72616e646f6d ^ 0xee, 0x6c7967656e657261, 0x7465646279746573

    def rotated(word, count):
        return (word << count | word >> 64 - count) & MASK

    def rounds(count):
        nonlocal v0, v1, v2, v3
        for _ in range(count):
            v0 = v0 + v1 & MASK
            v1, v0 = rotated(v1, 13) ^ v0, rotated(v0, 32)
            v2 = v2 + v3 & MASK
            v3 = rotated(v3, 16) ^ v2
            v0 = v0 + v3 & MASK
            v3 = rotated(v3, 21) ^ v0
            v2 = v2 + v1 & MASK
            v1, v2 = rotated(v1, 17) ^ v2, rotated(v2, 32)

    for text in (path.encode(), token.encode()):
        padded = text + bytes(8 - len(text) % 8)
        for word in [*struct.unpack(f"<{len(padded) // 8}Q", padded), len(text)]:
            v3 ^= word
            rounds(2)
            v0 ^= word
    v2 ^= 0xee
    rounds(4)
    high = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    rounds(4)
    words = struct.pack(">2Q", high, v0 ^ v1 ^ v2 ^ v3)
    return base64.urlsafe_b64encode(words).decode().rstrip("=")
