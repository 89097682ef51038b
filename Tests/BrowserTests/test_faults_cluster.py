"""Several Servers with one log, and faults while visitors post: no answered post is lost, nothing happens
twice, all have the same state after each entry, and every window shows it in the end."""

import concurrent.futures
import contextlib
import http.client
import itertools
import json
import pathlib
import re
import tempfile
import threading
import time
import urllib.parse

import pytest

from faults import ROUNDS, SEED, Network, Proxy, needs_root, on_own_network, rounds
from following import Follower
from postgresql import PostgreSQL
from raw import FORM, Session, counter_value, get, parts_of_list, post, request
from releases import newer_release, reducer
from servers import product_server, run
from test_faults_connections import join, open_stream
from waiting import wait_until

pytestmark = [pytest.mark.long, pytest.mark.timeout(60 + 150 * ROUNDS)]

CLIENTS = 6
PAUSE = 0.2  # seconds at most between two posts of a visitor, because a replay renders the pages after each
FOLLOWERS = 3
SECONDS = 6  # of posts in each round
FISH = "/animals?category=Fish"
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
        options = ["--quakes-feed", "sample", "--record", self._new_recording, "--record-key", f"{self._key}.pub"]
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

    def pause_a_server(self, chance):
        """Stops it for longer than its lease, so that others finish its effects, and then continues it."""
        with chance.choice(self.servers).paused():
            time.sleep(chance.uniform(LEASE, 2 * LEASE))

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
        standby = PostgreSQL(database) if has_standby else None
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


def send(server, path, fields):
    """Whether a post was executed, and its version; None if unknown."""
    headers = {"Content-Type": FORM, "Accept": "application/json"}
    try:
        answer = request(server, "POST", path, urllib.parse.urlencode(fields), headers, timeout=3)
    except (OSError, http.client.HTTPException):
        return None
    if answer.status == 503:
        return None
    assert answer.status == 200, (answer.status, answer.text)
    return answer.json["version"]


def post_until_answered(servers, path, fields, chance):
    """As browsers do: again until there is an answer, and perhaps to another server. A double click
    reaches two at once."""
    while True:
        if chance.random() < 0.2:
            both = chance.sample(servers, 2)
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                versions = set(pool.map(lambda server: send(server, path, fields), both)) - {None}
            assert len(versions) <= 1, (fields, versions)
            if versions:
                return versions.pop()
        elif (version := send(chance.choice(servers), path, fields)) is not None:
            return version
        time.sleep(0.05)


def visit(servers, name, chance, is_over):
    """Posts until it is over. Returns the posts, with versions."""
    increments, animals = [], {}
    while not is_over.wait(chance.uniform(0, PAUSE)):
        token = f"{name}-{len(increments)}-{len(animals)}-token"
        if chance.random() < 0.7:
            increments.append(post_until_answered(
                servers, "/counter", {"_form": "increment", "_token": token}, chance))
        else:
            animals[f"Fish {token}"] = post_until_answered(
                servers, FISH + "&sheet=add",
                {"_form": "save", "_token": token, "name": f"Fish {token}", "diet": "Carnivore",
                 "category": "Fish"}, chance)
    return increments, animals


def names(server):
    pages = "".join(parts_of_list(server, FISH))
    return re.findall(r'<a [^>]*href="/animals/[^"]*"[^>]*><bdi>(Fish [^<]*)</bdi>', pages)


FAULTS = ["kill_a_server", "pause_a_server", "cut_a_server_off", "break_all_connections",
          "kill_the_database", "promote_the_standby"]


@pytest.mark.parametrize("fault", FAULTS)
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


@needs_root
@on_own_network
def test_no_answered_post_is_lost_or_repeated_while_packets_vanish():
    for chance in rounds("cluster, partition_a_server"):
        with running_on_two_machines() as cluster:
            expect_nothing_lost(cluster, "partition_a_server", chance)


@needs_root
@on_own_network
def test_a_server_whose_packets_vanish_reports_it_and_the_others_continue():
    def increment(server, token):
        return post(server, "/counter", f"_form=increment&_token={token}-is-a-token")

    with running_on_two_machines() as cluster:
        server, other, _ = cluster.servers
        session = Session(server)
        window = cluster.network.connect(server.port, "127.0.0.1", timeout=30)
        join(server, session, open_stream(window, session), "/counter")
        assert increment(other, "before").status == 200
        wait_until(lambda: counter_value(server) == 1, "it follows")

        cluster.network.pull_here()

        cluster.wait_until_the_first_is_not_ready()
        received = b""
        while not received.endswith(b"\r\n0\r\n\r\n"):  # its windows know that their content is outdated
            received += window.recv(4096)
        window.close()
        assert counter_value(server) == 1  # it can be read
        refused = increment(server, "meanwhile")
        assert refused.status == 503
        assert "Nothing is lost" in refused.json["message"]
        for number in range(10):  # it has left nothing locked
            assert increment(other, number).status == 200
        cluster.network.plug()

        wait_until(lambda: get(server, "/readyz").status == 200, "it is ready again", seconds=30)
        wait_until(lambda: counter_value(server) == 11, "it has what happened meanwhile")
        assert increment(server, "meanwhile").status == 200
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
        posted = [visitor.result(60) for visitor in visitors]
        increments = [version for versions, _ in posted for version in versions]
        animals = {name: version for _, each in posted for name, version in each.items()}
        print(f"{len(increments)} increments and {len(animals)} animals")
        assert increments and animals
        expect_answers_in_log(cluster.database, increments, animals)

        # All have the same state, which contains each answered post once.
        for server in cluster.servers:
            wait_until(lambda: get(server, "/readyz").status == 200, f"{server} is ready", seconds=30)
            wait_until(lambda: counter_value(server) == len(increments), "the value is there", seconds=30)
            wait_until(lambda: sorted(names(server)) == sorted(animals), "the animals are there", seconds=30)
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


def expect_answers_in_log(database, increments, animals):
    """Every answer is an entry of its own."""
    entries = dict(line.split("|", 1) for line in database.query(
        "SELECT sequence, convert_from(payload, 'UTF8') FROM action_log.entry"))
    answered = [*increments, *animals.values()]
    assert len(set(answered)) == len(answered)
    assert all("didTapIncrementButton" in entries[str(version)] for version in increments)
    assert all(name in entries[str(version)] for name, version in animals.items())


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
