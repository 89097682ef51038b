"""Several Servers with one log, and faults while visitors post: no answered post is lost, nothing happens
twice, every answer is what the log says, all have the same state after each entry, and every window shows it in the
end.

A post that is refused at once has no entry. Its answer must be what a state says that was the newest one at some moment
between the post and its answer."""

import bisect
import concurrent.futures
import contextlib
import dataclasses
import http.client
import itertools
import json
import math
import pathlib
import random
import re
import tempfile
import threading
import time
import urllib.parse

import pytest

from faults import ROUNDS, SEED, Network, Proxy, needs_networks, on_own_network, rounds
from folding import Folded, post_id
from following import Follower
from kinds import one_of_each_kind
from postgresql import PostgreSQL
from raw import FORM, Session, counter_value, get, metrics, parts_of_list, post, request
from releases import newer_release, reducer
from servers import product_server, run
from test_faults_connections import join, open_stream
from waiting import wait_until

pytestmark = [pytest.mark.long, pytest.mark.timeout(60 + 150 * ROUNDS)]

CLIENTS = 6
PAUSE = 0.2  # seconds at most between two posts of a visitor, because a replay renders the pages after each
FOLLOWERS = 3
SECONDS = 6 if ROUNDS > 1 else 3  # of posts in each round
FISH = "/animals?category=Fish"
LIMIT = 20  # animals; the reducer refuses more
RESENT = 20  # accepted posts of each round
LEASE = 3  # seconds


class Cluster:
    """Three Servers, of which the first reaches the log through a proxy, or is on another machine."""

    def __init__(self, database, standby=None, network=None):
        self.database, self.standby, self.network = database, standby, network
        self.proxy = Proxy(database)
        self._folder = tempfile.TemporaryDirectory()
        self._key = pathlib.Path(self._folder.name) / "key"
        self._play("recording-key", self._key)
        self._recordings = []
        port = f":{database.port}/"
        urls = [database.url.replace(port, f":{self.proxy.port}/"), database.url, database.url]
        if standby:
            urls = 3 * [database.url.replace(port, f"{port[:-1]},127.0.0.1:{standby.port}/")]
        if network:
            urls[0] = database.url.replace("127.0.0.1", network.address)
        options = ["--quakes-feed", "sample", "--animals-limit", str(LIMIT),
                   "--record", self._new_recording, "--record-key", f"{self._key}.pub"]
        self.servers = [product_server("--log", url, *options) for url in urls]
        self.servers[0].network = network
        for server in self.servers:
            server.start()

    def kill_a_server(self, chance):
        """Kills one at a random time, before or after a commit."""
        server = chance.choice(self.servers)
        server.kill()
        time.sleep(chance.uniform(0, 2 * LEASE))  # others may have taken over by then
        server.start()

    def pause_the_leader(self, chance):
        """Stops it for longer than its leases, so that others lead and finish its effects, and then continues it."""
        leader = wait_until(lambda: next(filter(leads, self.servers), None), "one leads")
        others = [server for server in self.servers if server is not leader]
        with leader.paused():
            wait_until(lambda: any(map(leads, others)), "another leads")
            time.sleep(chance.uniform(0, LEASE))

    def cut_a_server_off(self, chance):
        """Silently stops all data from the database."""
        self.proxy.freeze()
        self.wait_until_the_first_is_not_ready()
        time.sleep(chance.uniform(0, LEASE))
        self.proxy.thaw()
        self.proxy.reset()

    def partition_a_server(self, chance):
        """Packets vanish between it and the database, for about a lease or for much longer."""
        self.network.pull_here()
        self.wait_until_the_first_is_not_ready()
        time.sleep(chance.choice([0, chance.uniform(0, LEASE), 5 * LEASE]))
        self.network.plug()

    def wait_until_the_first_is_not_ready(self):
        wait_until(lambda: get(self.servers[0], "/readyz").status == 503, "it says so", seconds=LEASE + 2)

    def break_all_connections(self, chance):
        """Those that listen too, and perhaps between a commit and its answer."""
        for _ in range(chance.randint(1, 20)):
            self.database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                " WHERE application_name = 'ImmutableData'")
            time.sleep(chance.uniform(0, 0.2))

    def kill_the_database(self, chance):
        self.database.kill()
        time.sleep(chance.uniform(0, 2))
        self.database.start()

    def promote_the_standby(self, chance):
        self.database.kill()
        time.sleep(chance.uniform(0, 1))
        self.standby.query("SELECT pg_promote()")
        self.database = self.standby

    def deploy_a_newer_release(self, chance):
        """One server after another: the first of the newer release ends the others, whose supervisors restart them."""
        newer = newer_release(self._folder.name)
        first, *others = chance.sample(self.servers, len(self.servers))
        assert first.terminate() == 0, first.output
        first.binary = newer
        first.start()
        for server in others:
            server.wait()
            wait_until(lambda: "A newer release continues the log" in server.output, "it is logged")
            assert "could not be saved" not in server.output
            server.binary = newer
            server.start()

    def _new_recording(self):
        """Each process has its own."""
        self._recordings.append(pathlib.Path(self._folder.name) / f"{len(self._recordings)}.jsonl")
        return self._recordings[-1]

    def digests(self):
        """The digests of the state after each entry, by sequence, from each process. Each must be what its actions lead
        to, and what its windows were sent must be what such a state shows."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(self._digests, [each for each in self._recordings if each.exists()]))

    def _digests(self, recording):
        output = self._play("replay", recording, "--key", self._key)
        assert "The same:" in output, output
        lines = map(json.loads, self._play("replay", recording, "--key", self._key, "--play").splitlines())
        return {line["version"]: line["digest"] for line in lines if line["version"] > 0}

    @staticmethod
    def _play(*arguments):
        """Runs a command of the Server; returns its output."""
        code, output, error = run("Server", *arguments, timeout=300)
        assert code == 0, (output, error)
        return output

    def end(self):
        for server in self.servers:
            server.kill()
        self.proxy.close()
        self._folder.cleanup()


@contextlib.contextmanager
def running_cluster(has_standby=False, network=None, is_durable=False):
    """With a database, and perhaps a standby."""
    with contextlib.ExitStack() as ends:
        database = PostgreSQL(network=network, is_durable=is_durable)
        ends.callback(database.end)
        standby = PostgreSQL(database, is_durable=is_durable) if has_standby else None
        if standby:
            ends.callback(standby.end)
        cluster = Cluster(database, standby, network)
        ends.callback(cluster.end)
        yield cluster


@contextlib.contextmanager
def running_on_two_machines():
    """The first server is on a machine without the others and the database."""
    with contextlib.closing(Network()) as network, running_cluster(network=network) as cluster:
        yield cluster


def leads(server):
    return metrics(server).get("log_leads") == 1


@dataclasses.dataclass
class Post:
    page: str  # its path as it is declared
    path: str
    token: str
    fields: dict

    @property
    def id(self):
        """Its id in the log."""
        return post_id(self.page, self.token)

    @property
    def action(self):
        """The name and the values of what it leads to."""
        match self.fields:
            case {"_form": "increment"}:
                return "didTapIncrementButton", {}
            case {"row": row}:
                return "onTapDeleteSelectedAnimalButton", {"animalId": row.removeprefix("delete~")}
            case {"animalId": id}:
                return "onTapSaveChangesButton", {"animalId": id}
            case _:
                return "onTapAddAnimalButton", {"id": None}


@dataclasses.dataclass
class Answer:
    status: int
    version: int | None  # None if it was refused
    message: str | None
    begun: float  # when it was asked for, in seconds since 1970
    ended: float


def increment(token):
    return Post("/counter", "/counter", token, {"_form": "increment"})


def change(token, **fields):
    return Post("/animals/:animal?", FISH, token, fields)


def add(token):
    return change(token, _form="save", name=f"Fish {token}", diet="Carnivore", category="Fish")


def rename(token, fish):
    return change(token, _form="save", animalId=fish, name=f"Fish {token}", diet="Carnivore", category="Fish")


def delete(token, fish):
    return change(token, _form="rows", row=f"delete~{fish}")


def send(server, post):
    """The answer; None if it is unknown whether it was executed."""
    headers = {"Content-Type": FORM, "Accept": "application/json"}
    body = urllib.parse.urlencode(post.fields | {"_token": post.token})
    begun = time.time()
    try:
        answer = request(server, "POST", post.path, body, headers, timeout=3)
    except (OSError, http.client.HTTPException):
        return None
    if answer.status == 503:
        return None
    assert answer.status in (200, 404, 409) and "isWarning" not in answer.json, (answer.status, answer.text)
    is_accepted = answer.status == 200
    version = answer.json["version"] if is_accepted else None
    return Answer(answer.status, version, answer.json.get("message"), begun, time.time())


def post_until_answered(servers, post, chance):
    """As browsers do: again until there is an answer, and perhaps to another server. A double click
    reaches two at once. Returns the post with each of its answers."""
    while True:
        chosen = chance.sample(servers, 2 if chance.random() < 0.2 else 1)
        with concurrent.futures.ThreadPoolExecutor(len(chosen)) as pool:
            answers = [(post, answer) for answer in pool.map(lambda server: send(server, post), chosen) if answer]
        if answers:
            return answers
        time.sleep(0.05)


def visit(servers, name, chance, is_over):
    """Posts until it is over. Returns the posts with their answers."""
    answered = []
    for number in itertools.count():
        if is_over.wait(chance.uniform(0, PAUSE)):
            return answered
        posts = choose(servers, f"{name}-{number}-token", chance)
        chances = [random.Random(chance.random()) for _ in posts]
        with concurrent.futures.ThreadPoolExecutor(len(posts)) as pool:
            answers = pool.map(lambda post, chance: post_until_answered(servers, post, chance), posts, chances)
            answered += itertools.chain.from_iterable(answers)


def choose(servers, token, chance):
    """An increment, a new fish, or two changes of one fish at the same moment: most of the time, the second is refused,
    because the fish is being changed or has been deleted."""
    kind = chance.random()
    if kind < 0.45:
        return [increment(token)]
    if kind < 0.7:
        return [add(token)]
    if not (found := fish(chance.choice(servers))):
        return [add(token)]
    id = chance.choice(found)
    return [delete(each, id) if chance.random() < 1 / 3 else rename(each, id)
            for each in (f"{token}-a", f"{token}-b")]


def post_something_of_each(servers, chance):
    """However little visitors have posted. The second deletion is always refused, and at once."""
    def answers(post):
        return post_until_answered(servers, post, chance)

    answered = answers(increment("the last increment")) + answers(add("the last"))
    id, *_ = wait_until(lambda: fish(chance.choice(servers)), "there is a fish")
    answered += answers(delete("the last deletion", id))
    wait_until(lambda: all(id not in fish(server) for server in servers), "it is deleted everywhere")
    return answered + answers(delete("and another", id))


def fish(server):
    """The ids of those that a server shows; none if it does not answer."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        return [id for id, _ in links(request(server, "GET", FISH, timeout=3).text)]


def names(server):
    return [name for part in parts_of_list(server, FISH) for _, name in links(part)]


def links(page):
    """The ids and names of fish."""
    return re.findall(r'<a [^>]*href="/animals/([^"?]*)[^"]*"[^>]*><bdi>(Fish [^<]*)</bdi>', page)


FAULTS = ["kill_a_server", "pause_the_leader", "cut_a_server_off", "break_all_connections",
          "kill_the_database", "promote_the_standby"]


@pytest.mark.parametrize("fault", one_of_each_kind(FAULTS, [
    "kill_a_server", "kill_the_database",
]))
def test_no_answered_post_is_lost_or_repeated(fault):
    for chance in rounds(f"cluster, {fault}"):
        with running_cluster(
                has_standby=fault == "promote_the_standby", is_durable=fault.endswith(("database", "standby"))) as cluster:
            expect_nothing_lost(cluster, fault, chance)


def test_a_release_reduces_only_the_entries_on_its_side_of_the_barrier():
    for chance in rounds("cluster, two releases"):
        with running_cluster() as cluster:
            expect_nothing_lost(cluster, "deploy_a_newer_release", chance)
            entries = cluster.database.query("SELECT reducer, action_id FROM action_log.entry ORDER BY sequence")
            older, newer = reducer(), reducer() + 1
            numbers = [int(entry.split("|")[0]) for entry in entries]
            barrier = numbers.index(newer)

            assert entries[barrier] == f"{newer}|barrier/app/{newer}"
            assert set(numbers[:barrier]) == {older} and set(numbers[barrier:]) == {newer}


@needs_networks
@on_own_network
def test_no_answered_post_is_lost_or_repeated_while_packets_vanish():
    for chance in rounds("cluster, partition_a_server"):
        with running_on_two_machines() as cluster:
            expect_nothing_lost(cluster, "partition_a_server", chance)


@needs_networks
@on_own_network
def test_a_server_whose_packets_vanish_reports_it_and_the_others_continue():
    def press(server, token):
        return post(server, "/counter", f"_form=increment&_token={token}-is-a-token")

    with running_on_two_machines() as cluster:
        server, other, _ = cluster.servers
        session = Session(server)
        window = cluster.network.connect(server.port, "127.0.0.1", timeout=30)
        join(server, session, open_stream(window, session), "/counter")
        assert press(other, "before").status == 200
        wait_until(lambda: counter_value(server) == 1, "it follows")

        cluster.network.pull_here()

        cluster.wait_until_the_first_is_not_ready()
        received = b""
        while not received.endswith(b"\r\n0\r\n\r\n"):  # its windows know that their content is outdated
            received += window.recv(4096)
        window.close()
        assert counter_value(server) == 1  # it can be read
        refused = press(server, "meanwhile")
        assert refused.status == 503
        assert "Nothing is lost" in refused.json["message"]
        for number in range(10):  # it has left nothing locked
            assert press(other, number).status == 200
        cluster.network.plug()

        wait_until(lambda: get(server, "/readyz").status == 200, "it is ready again", seconds=30)
        wait_until(lambda: counter_value(server) == 11, "it has what happened meanwhile")
        assert press(server, "meanwhile").status == 200
        wait_until(lambda: counter_value(other) == 12, "it happened once")


def expect_nothing_lost(cluster, fault, chance):
    def randomness(name):
        return type(chance)(f"{SEED} {fault} {name}")

    is_over = threading.Event()
    with contextlib.ExitStack() as ends, concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        followers = [ends.enter_context(Follower(cluster.servers, ["/counter", FISH], randomness(f"follower {number}")))
                     for number in range(FOLLOWERS)]
        visitors = [
            pool.submit(visit, cluster.servers, f"visitor-{number}", randomness(number), is_over)
            for number in range(CLIENTS)]
        try:
            time.sleep(chance.uniform(0.5, SECONDS / 2))
            getattr(cluster, fault)(chance)
            time.sleep(SECONDS / 2)
        finally:
            is_over.set()
        answered = [each for visitor in visitors for each in visitor.result(60)]
        for server in cluster.servers:
            wait_until(lambda: get(server, "/readyz").status == 200, f"{server} is ready", seconds=30)
        answered += post_something_of_each(cluster.servers, chance)
        log = expect_the_answers_of_the_log(cluster, answered, chance)

        # All have the same state, which contains each answered post once.
        for server in cluster.servers:
            wait_until(lambda: counter_value(server) == log.value, "the value is there", seconds=30)
            wait_until(lambda: sorted(names(server)) == log.fish, "the animals are there", seconds=30)
        for follower in followers:
            wait_until(lambda: not follower.staleness(), lambda: f"not {follower.staleness()}", seconds=30)
        moves = sum(len(follower.arrivals) - len(follower.windows) for follower in followers)
        print(f"{moves} windows have moved, and all show what fresh pages show")

    # Each ends with the digest of the others, or says that it differs.
    for server in cluster.servers:
        assert server.terminate() == 0, server.output
        assert "No snapshot was kept" not in server.output
        assert "state differs" not in server.output
        assert "has a different state" not in server.output
    expect_equal_digests(cluster)


def expect_the_answers_of_the_log(cluster, answered, chance):
    """Every post that was not refused at once is one entry, and was answered with what the log says of it, also when it
    is sent again, by all servers. Returns what the log leads to."""
    accepted = [post for post, answer in answered if answer.status == 200]
    refused = [post for post, answer in answered if answer.status != 200]
    again = refused + chance.sample(accepted, min(RESENT, len(accepted)))
    answered += [(post, wait_until(lambda: send(server, post), f"{server} answers again"))
                 for server in cluster.servers for post in again]
    log = wait_until(lambda: settled(cluster.database), "all operations have ended", seconds=60)
    assert log.posted <= {post.id for post, _ in answered}
    # What was answered before a post was sent, its server had to know.
    known = sorted((answer.ended, answer.version) for _, answer in answered if answer.version)
    newest = list(itertools.accumulate((version for _, version in known), max, initial=0))
    at_once = 0
    for post, answer in answered:
        if not is_of_its_entry(log, post, answer):
            oldest = newest[bisect.bisect_left(known, (answer.begun,))]
            assert was_refused_at_once(log, post, answer, oldest), (post, answer, oldest, log.outcomes.get(post.id))
            at_once += 1
    print(f"{len(answered)} answers, of which {at_once} were refusals at once, and {len(log.refused)} refused entries: "
          f"{log.counts}")
    assert accepted and at_once and log.value
    return log


def is_of_its_entry(log, post, answer):
    """Whether the log has a post, and its answer is what the log says of it."""
    if post.id not in log.outcomes:
        return False
    sequence, refusal = log.outcomes[post.id]
    # A server that has begun with a snapshot knows only that it was refused.
    is_old = refusal and (answer.message or "").startswith("This was refused before")
    return is_old or (answer.status, answer.version) == ((refusal, None) if refusal else (200, sequence))


def was_refused_at_once(log, post, answer, oldest):
    """Whether a state refuses it that was the newest one at some moment between the post and its answer, and before its
    entry, if it was accepted later. `oldest`: the sequence of the newest entry that was known before."""
    sequence, _ = log.outcomes.get(post.id, (math.inf, None))
    newest = min(log.newest(answer.ended), sequence - 1)
    return any(log.refusal(post.action, number) == answer.status for number in range(oldest, newest + 1))


def settled(database):
    """What the log leads to; None while an operation waits."""
    entries = database.query("SELECT sequence, extract(epoch FROM appended), action_id, convert_from(payload, 'UTF8')"
                             " FROM action_log.entry ORDER BY sequence")
    log = Folded(entries, LIMIT)
    return None if log.waiting else log


def expect_equal_digests(cluster):
    """Every process had the same state after each entry that it reduced."""
    digests = cluster.digests()
    compared = set()
    for one, other in itertools.combinations(digests, 2):
        shared = one.keys() & other.keys()
        compared |= shared
        different = sorted(version for version in shared if one[version] != other[version])
        assert not different, f"the states after {different[:5]} differ"
    print(f"{len(compared)} states were equal on several servers")
    assert len(compared) > max(map(len, digests)) / 2
