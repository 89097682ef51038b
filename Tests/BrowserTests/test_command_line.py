"""The output of the Server on the command line."""

import contextlib
import os
import re
import signal
import socket
import subprocess

import pytest

import servers
from kinds import thorough
from raw import Session, get, post
from servers import product_server
from waiting import PATIENCE, wait_until

OPTIONS = [
    "--host", "--port", "--allowed-hosts", "--data-directory", "--templates", "--public",
    "--reload-templates", "--frame-interval", "--windows", "--windows-per-session", "--streams",
    "--streams-per-session", "--streams-per-network", "--windows-per-network", "--connections-per-network",
    "--render-memory", "--unread-memory", "--body-limit", "--field-limit", "--head-limit", "--read-timeout", "--write-timeout", "--idle-timeout", "--event-loops", "--backlog", "--log-level",
    "--log-selectors", "--log-actions", "--log-renders", "--animals-api", "--animals-token-file", "--animals-timeout",
    "--picture-bytes", "--picture-megabytes", "--uploads-per-network", "--animals-limit",
    "--quakes-feed", "--quakes-timeout", "--quakes-feed-limit", "--quakes-limit",
    "--quakes-refresh", "--quakes-pace",
    "--trusted-proxy",
    "--metrics-token-file", "--developer", "--developer-dispatch", "--record", "--record-key", "--record-megabytes",
    "--record-until-full", "--reports", "--log",
    "--log-format", "--help",
]


def run(*arguments):
    return servers.run("Server", *arguments, timeout=PATIENCE)


def test_help_lists_and_describes_every_option():
    code, output, _ = run("--help")

    assert code == 0
    listed = {line.split()[0].rstrip(",") if not line.strip().startswith("-h,")
              else line.split()[1] for line in output.splitlines() if line.startswith("  -")}
    assert listed == set(OPTIONS)


@pytest.mark.parametrize("binary, arguments, status", [
    ("Server", ["--port", "many"], 64),
    ("AnimalsDataClient", ["animals", "--remote", "nowhere"], 64),
    ("AnimalsDataServer", ["--token-file", "/nowhere"], 1),
])
def test_a_program_whose_errors_nobody_reads_ends(binary, arguments, status):
    """It waited for room in the pipe for ever."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b"x")
    os.set_blocking(writing, True)
    process = subprocess.Popen([servers.BINARIES / binary, *arguments], stderr=writing)
    try:
        assert process.wait(PATIENCE) == status
    finally:
        process.kill()
        os.close(reading)
        os.close(writing)


def test_the_servers_run_beside_each_other_with_their_defaults():
    ports = []
    for binary in ["Server", "AnimalsDataServer"]:
        _, output, _ = servers.run(binary, "--help", timeout=PATIENCE)
        ports += re.findall(r"The port to listen on.*?\(default:\s*(\d+)\)", output, re.DOTALL)

    assert ports == ["8080", "8081"]


@pytest.mark.parametrize("arguments, complaint", [
    (["--port", "99999"], "--port must be between 0 and 65535, not 99999."),
    (["--allowed-hosts", "https://app.example.org"],
     "--allowed-hosts must have names like app.example.org, without a scheme and a port, not "
     "https://app.example.org."),
    (["--read-timeout", "0"], "--read-timeout must be 1 or more, not 0."),
    (["--log-level", "loud"],
     "--log-level must be one of trace, debug, info, notice, warning, error, critical, not loud."),
    (["--log-format", "xml"], "--log-format must be text or json, not xml."),
    (["--trusted-proxy", "127.0.0.1,nginx"],
     "--trusted-proxy must have IP addresses or networks like 10.0.0.0/8, not 127.0.0.1,nginx."),
    (["--animals-api", "nowhere"],
     "--animals-api must be an address like http://127.0.0.1:8081, not nowhere."),
    (["--animals-token-file", "token"], "--animals-token-file is only for --animals-api."),
    (["--animals-api", "http://127.0.0.1:1", "--animals-timeout", "0"],
     "--animals-timeout must be 1 or more, not 0."),
    (["--picture-bytes", "9000000"],
     "--picture-bytes must be between 1 and 8388608, not 9000000."),
    (["--record-key", "key.pub"], "--record-key needs --record."),
    (["--picture-megabytes", "17592186044416"],
     "--picture-megabytes must be 16777216 or less, not 17592186044416."),
    (["--quakes-pace", "60001"], "--quakes-pace must be 60000 or less, not 60001."),
    (["--uploads-per-network", "0"], "--uploads-per-network must be 1 or more, not 0."),
    (["--quakes-pace=-1"], "--quakes-pace must be 0 or more, not -1."),
    (["--quakes-refresh", "59s"], "--quakes-refresh must be from 1m to 1d, not 59s."),
    (["--quakes-refresh", "25h"], "--quakes-refresh must be from 1m to 1d, not 25h."),
    (["--quakes-refresh", "0s", "--quakes-feed", "/tmp"], "--quakes-refresh must be from 1s to 1d, not 0s."),
    (["--quakes-refresh", "5m", "--quakes-feed", "sample"],
     "--quakes-refresh is not for the sample, which has nothing new. Leave out one of them."),
    *thorough(
        (["--port=-1"], "--port must be between 0 and 65535, not -1."),
        (["--frame-interval=-1"], "--frame-interval must be 0 or more, not -1."),
        (["--streams", "0"], "--streams must be 1 or more, not 0."),
        (["--picture-megabytes", "0"], "--picture-megabytes must be 1 or more, not 0."),
        (["--record-megabytes", "5"], "--record-megabytes needs --record."),
        (["--record-until-full"], "--record-until-full needs --record."),
        (["--animals-timeout", "5"], "--animals-timeout is only for --animals-api."),
        (["--render-memory", "17592186044416"],
         "--render-memory must be 16777216 or less, not 17592186044416."),
        (["--unread-memory", "17592186044416"],
         "--unread-memory must be 16777216 or less, not 17592186044416."),
        (["--record", "x", "--record-megabytes", "17592186044416"],
         "--record-megabytes must be 16777216 or less, not 17592186044416."),
        (["--quakes-timeout", "9223372036854775807"],
         "--quakes-timeout must be 86400 or less, not 9223372036854775807."),
        (["--quakes-pace", "9223372036854775807"],
         "--quakes-pace must be 60000 or less, not 9223372036854775807."),
        (["--frame-interval", "9223372036854775807"],
         "--frame-interval must be 60000 or less, not 9223372036854775807."),
        (["--windows", "9223372036854775807"],
         "--windows must be 1000000000 or less, not 9223372036854775807."),
        (["--animals-limit", "0"], "--animals-limit must be 1 or more, not 0."),
        (["--quakes-limit", "0"], "--quakes-limit must be 1 or more, not 0."),
    ),
])
def test_an_option_out_of_range_is_refused_with_one_line(arguments, complaint):
    code, output, error = run(*arguments)

    assert code == 64
    assert output == ""
    assert error == f"Error: {complaint}\n"


@pytest.mark.parametrize("binary", ["Server", "AnimalsDataServer"])
@pytest.mark.parametrize("limit", [16, 40])
def test_a_server_that_may_open_too_few_files_does_not_start(binary, limit, tmp_path):
    """With 40 it listened, and answered only the first connections. With 16, a template was said to be missing."""
    place = {"Server": "--data-directory", "AnimalsDataServer": "--database"}[binary]

    code, output, error = servers.run(
        "/bin/bash", "-c", f'ulimit -n {limit}; exec "$@"', "bash", servers.BINARIES / binary,
        "--port", "0", place, tmp_path / "data", timeout=PATIENCE)

    assert (code, output) == (1, "")
    match = re.fullmatch(
        rf"Error: This program may have only {limit} files and connections open\. Allow (\d+) at least, which are 52 "
        r"and 6 for each processor \(ulimit -n, or LimitNOFILE in the unit\)\.\n", error)
    assert match, error
    assert int(match[1]) in range(58, 52 + 6 * os.cpu_count() + 1, 6)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("binary", ["Server", "AnimalsDataServer", "FixtureServer"])
@pytest.mark.parametrize("output", ["<&- >&- 2>&-", ">/dev/full 2>/dev/full"])
def test_a_server_runs_whose_output_goes_nowhere(binary, output, tmp_path):
    """On a full disk it crashed when it said where it listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    arguments = {"Server": ["--port", port, "--data-directory", tmp_path / "data"],
                 "AnimalsDataServer": ["--port", port, "--database", tmp_path / "data"],
                 "FixtureServer": [port]}[binary]
    process = servers.launch(
        "/bin/bash", "-c", f'exec "$@" {output}', "bash", servers.BINARIES / binary, *arguments)
    try:
        def answers():
            assert process.poll() is None
            with contextlib.suppress(ConnectionError):
                with socket.create_connection(("127.0.0.1", int(port)), timeout=5) as client:
                    client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    return client.recv(9) == b"HTTP/1.1 "
        wait_until(answers)
        for number in [1, 2]:  # what is printed goes into no file or connection
            with contextlib.suppress(FileNotFoundError):
                link = os.readlink(f"/proc/{process.pid}/fd/{number}")
                assert link.startswith(("anon_inode:", "/dev/")), link
        process.terminate()
        assert process.wait(20) == 0
    finally:
        process.kill()


@pytest.mark.parametrize("arguments", [["--port", "eighty"], ["--quakes-refresh", "5"], ["--port"], ["--nonsense"], ["more"]])
def test_an_unknown_or_invalid_option_is_refused(arguments):
    code, _, error = run(*arguments)

    assert code == 64
    assert error.startswith("Error: ")
    assert arguments[0] in error


@pytest.mark.parametrize("arguments, mention", [
    (["--public", "nowhere"], "nowhere"),
    (["--templates", "nowhere"], "but there is no folder nowhere in "),
    (["--host", "256.0.0.1"], "256.0.0.1 cannot be found. Choose an address of this machine"),
    (["--host", "192.0.2.1"], "192.0.2.1 is not an address of this machine. Choose one that is"),
])
def test_a_server_that_cannot_start_prints_why_in_one_line(arguments, mention, tmp_path):
    code, output, error = run("--port", "0", "--data-directory", str(tmp_path), *arguments)

    assert code not in (0, -signal.SIGILL, -signal.SIGTRAP)
    assert "Listening" not in output
    assert len(error.splitlines()) == 1
    assert mention in error


def test_the_error_names_a_port_in_use(counter):
    code, _, error = run("--port", str(counter.port))

    assert code not in (0, -signal.SIGILL, -signal.SIGTRAP)
    (line,) = error.splitlines()
    assert str(counter.port) in line


@pytest.mark.parametrize("signal_name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_server_shuts_down_cleanly(signal_name, counter):
    assert counter.signal(getattr(signal, signal_name), limit=5) == 0


def test_a_server_that_ignores_hangups_survives_one(tmp_path):
    """As nohup starts it."""
    server = servers.ServerProcess(
        "/bin/bash",
        lambda port: ["-c", 'trap "" HUP; exec "$@"', "bash", str(servers.BINARIES / "Server"),
                      "--port", str(port), "--data-directory", str(tmp_path), "--quakes-feed", "sample",
                      "--log-level", "debug"],
    ).start()
    session = Session(server)
    with session.stream("?at=/counter") as stream:
        stream.next("show")

        server._process.send_signal(signal.SIGHUP)

        assert session.post("/counter", "_form=increment").status == 200
        assert stream.next("frame")
        assert not any("goodbye" in line for line in stream.lines)
        assert get(server, "/readyz").status == 200
    assert server.terminate() == 0
    assert "SIGTERM" in server.output  # which ended it
    assert "SIGHUP" not in server.output


def test_a_restarted_server_can_use_its_port_at_once(counter):
    port = counter.port

    counter.restart()

    assert counter.port == port


def test_actions_are_logged_on_request(start_server):
    server = start_server("--log-actions")
    post(server, "/counter", "_form=increment")

    assert server.terminate() == 0
    wait_until(lambda: "didTapIncrementButton" in server.output, "it is logged")
    wait_until(lambda: "changes=/counter/value: 0 → 1" in server.output, "it is logged")
    wait_until(lambda: "origin=form “increment” at /counter" in server.output, "it is logged")


def test_renders_are_logged_on_request(start_server):
    server = start_server("--log-renders")
    session = Session(server)
    with session.stream() as stream:
        assert session.join(stream, "/counter").status == 201
        version = int(session.post("/counter", "_form=increment").json["version"])
        stream.wait_for(version)

    assert server.terminate() == 0
    lines = [dict(re.findall(r"(\w+)=(\S+)", line)) for line in server.output.splitlines() if "render" in line]
    columns = ["url", "region", "component", "version", "selectors"]
    assert [tuple(line.get(column) for column in columns) for line in lines] == [
        ("/counter", "number", "CounterNumber", "0", "SelectValue"),
        ("/counter", "root", "Content", "0", None),
        ("/counter", "number", "CounterNumber", f"{version}", "SelectValue"),
    ]
    assert all(int(line["bytes"]) > 50 for line in lines)


def test_a_logged_render_names_only_the_selectors_that_changed(start_server):
    server = start_server("--log-renders")
    session = Session(server)
    get(server, "/animals/Dog?category=Mammal")

    def selectors():
        """Those of each render of the detail."""
        lines = [line for line in server.output.splitlines() if "region=detail" in line]
        return [re.findall(r"Select\w+|AnimalDetail\.swift", line) for line in lines]

    with session.stream() as stream:
        assert session.join(stream, "/animals/Dog?category=Mammal").status == 201
        session.post("/animals/Dog?category=Mammal", "_form=rows&row=star~Dog", Accept="text/html")
        wait_until(lambda: sum("SelectAnimal" in names for names in selectors()) == 2, "the star is shown")

    first, *others = selectors()
    # One that is declared in the component has the place of its declaration.
    assert set(first) == {"SelectAnimal", "SelectCategory", "SelectAnimalStatus", "AnimalDetail.swift",
                          "SelectFailedChange"}
    assert all("SelectCategory" not in names for names in others)


def test_ordinary_work_is_not_logged(counter):
    get(counter, "/counter")
    get(counter, "/nowhere")

    assert counter.terminate() == 0
    assert counter.output == f"Listening on {counter.url}\n"


def test_a_failed_start_raises_an_error_with_the_servers_output():
    server = product_server("--public", "nowhere")

    with pytest.raises(RuntimeError, match="There is no folder nowhere"):
        server.start()
