"""What a log leads to, by a second and simpler reducer: the answer to each post, what each state would refuse, and the
fish."""

import base64
import bisect
import json
import re
import struct

SAMPLES = ["Dog", "Cat", "Kangaroo", "Bibbon", "Sparrow", "Newt"]  # the animals before the first entry
MASK = 2**64 - 1


class Folded:
    """The state after some entries, and what became of each of them."""

    def __init__(self, lines, limit):
        """`lines`: sequence, seconds, id and payload of each entry, separated by `|`. `limit`: that of the animals."""
        self.value = 0
        self.outcomes = {}  # by id: the sequence, and the status of the refusal or None
        self.posted = set()  # the ids of entries that visitors have posted
        self.counts = {}  # of actions, by name
        self._limit = limit
        self._animals = dict.fromkeys(SAMPLES)  # names, by id
        self.waiting = set()  # ids of animals that are being changed, or placeholders of new ones
        self._times = []  # when each entry was appended, in seconds since 1970
        self._states = [self._shown()]  # before the first entry, and after each
        for number, line in enumerate(lines, 1):
            sequence, seconds, id, payload = line.split("|", 3)
            assert int(sequence) == number, line
            if payload:
                self._fold(number, id, json.loads(payload))
            else:
                assert id.startswith("barrier/"), line
            self._times.append(float(seconds))
            self._states.append(self._shown())

    def newest(self, seconds):
        """The sequence of the newest entry that can have been read at a time."""
        return bisect.bisect(self._times, seconds)

    def refusal(self, action, sequence):
        """With which status the state after an entry refuses a visitor's action; None if it accepts it."""
        return self._refusal(*action, *self._states[sequence])

    @property
    def fish(self):
        """Their names."""
        return sorted(filter(None, self._animals.values()))

    @property
    def refused(self):
        """The ids of posts that are refused."""
        return {id for id in self.posted if self.outcomes[id][1]}

    def _shown(self):
        """What decides about visitors' actions."""
        return frozenset(self._animals), frozenset(self.waiting)

    def _fold(self, sequence, id, contents):
        name, values = event(contents["action"])
        self.counts[name] = self.counts.get(name, 0) + 1
        self.outcomes[id] = (sequence, self._reduce(name, values))
        if "post" in contents:
            self.posted.add(id)

    def _reduce(self, name, values):
        if name.startswith("did") and name != "didTapIncrementButton":
            return self._end(name, values)
        if refusal := self._refusal(name, values, *self._shown()):
            return refusal
        if name == "didTapIncrementButton":
            self.value += 1
        else:
            self.waiting.add(values["id" if name == "onTapAddAnimalButton" else "animalId"])

    def _refusal(self, name, values, animals, waiting):
        """The status with which a visitor's action is refused; None if it is accepted."""
        match name:
            case "didTapIncrementButton":
                return None
            case "onTapAddAnimalButton":
                added = waiting - animals
                return 409 if values["id"] in added or len(animals) + len(added) >= self._limit else None
            case "onTapDeleteSelectedAnimalButton" | "onTapSaveChangesButton":
                if values["animalId"] not in animals:
                    return 404
                return 409 if values["animalId"] in waiting else None
            case _:
                raise AssertionError(f"{name} is not expected")

    def _end(self, name, values):
        assert name in ("didAddAnimal", "didUpdateAnimal", "didDeleteAnimal"), f"{name} is not expected"
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
