"""What docs/operations says of the service: the unit, backups, metrics."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest

from pictures import exists, hash_of, png, upload
from postgresql import PostgreSQL
from proxies import CONFIGURATIONS
from raw import Session, get, metrics
from servers import BINARIES, ROOT, ServerProcess, product_server
from waiting import wait_until

UNIT = CONFIGURATIONS / "immutable-data.service"
OPERATIONS = (CONFIGURATIONS / "OPERATIONS.md").read_text()
OTTER = "_form=save&_token=one&name=Otter&diet=Omnivore&category=Mammal"
MAMMALS = "/animals?category=Mammal"
NOBODY = 65534


@pytest.fixture
def unit(tmp_path):
    """The unit, with the binary that there is."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    file = tmp_path / UNIT.name
    text = UNIT.read_text()
    assert "ExecStart=/opt/immutable-data/Server " in text
    file.write_text(text.replace("/opt/immutable-data/Server", str(BINARIES / "Server")))
    return file


def analyze(*arguments):
    process = subprocess.run(["systemd-analyze", *arguments], text=True, timeout=60,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return process.returncode, process.stdout


def test_systemd_accepts_the_unit_without_warnings(unit):
    assert analyze("verify", "--man=no", str(unit)) == (0, "")


@pytest.mark.parametrize("document", [UNIT, ROOT / "docs" / "TUTORIAL.md"], ids=lambda path: path.name)
def test_systemd_starts_the_server_again_however_often_that_fails(document):
    """By default, systemd gave up after five starts, a few seconds, but a volume or an address may come back later."""
    unit, service = document.read_text().partition("[Unit]\n")[2].split("[Service]\n")[:2]

    assert "StartLimitIntervalSec=0" in unit.splitlines()
    assert "RestartSec=1" in service.splitlines()


def test_a_machine_without_memory_ends_the_decoder_of_a_picture_and_not_the_server():
    """An uploaded picture may take a gigabyte. The kernel ended the larger process, and systemd then the unit."""
    program = [BINARIES / "PictureShrinker", "96"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shrinker:
        score = pathlib.Path(f"/proc/{shrinker.pid}/oom_score_adj")
        wait_until(lambda: score.read_text() == "1000\n", lambda: f"a score of 1000 instead of {score.read_text()}", 5)
    assert "OOMPolicy=continue" in UNIT.read_text().splitlines()


def test_the_unit_gives_the_service_few_rights(unit):
    code, output = analyze("security", "--offline=true", "--threshold=15", str(unit))

    assert code == 0, output
    assert "exposure level for immutable-data.service: 1.5 " in output
    assert "rates the unit 1.5 " in OPERATIONS


def test_the_unit_starts_the_server(tmp_path):
    text = UNIT.read_text().replace("\\\n", "")
    (command,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    binary, *arguments = shlex.split(
        command.replace("%S/immutable-data", str(tmp_path / "data"))
        .replace("/opt/immutable-data/Server", str(BINARIES / "Server"))
        .replace("/opt/immutable-data", str(ROOT))
    )
    assert "%" not in command.replace("%S", "") and pathlib.Path(binary).name == "Server"
    server = ServerProcess("Server", lambda port: [*arguments, "--port", str(port)]).start()
    try:
        assert get(server, "/readyz").text == "ready\n"
        answer = get(server, "/counter", Host="app.example.org", X_Forwarded_Proto="https")
        assert answer.status == 200
        assert answer.headers["Set-Cookie"].endswith("; Secure")
        assert {file.name for file in (tmp_path / "data").glob("*.store")} == {
            "animals.store", "quakes.store"}
        assert server.terminate() == 0
    finally:
        server.kill()


SEVERAL = re.search(r"^```ini\n(.*?)^```$", OPERATIONS.partition("## Several servers")[2], re.MULTILINE | re.DOTALL)[1]


def test_systemd_accepts_the_change_of_the_unit_for_several_servers(unit):
    folder = unit.with_name(f"{unit.name}.d")
    folder.mkdir()
    (folder / "override.conf").write_text(SEVERAL.replace("/opt/immutable-data/Server", str(BINARIES / "Server")))

    assert analyze("verify", "--man=no", str(unit)) == (0, "")


def test_the_change_of_the_unit_starts_a_server_that_others_reach(tmp_path):
    """The database asks for the password, which only the environment has."""
    (command,) = re.findall(r"^ExecStart=(/.*)$", SEVERAL.replace("\\\n", ""), re.MULTILINE)
    database = PostgreSQL()
    server = None
    try:
        database.add_role("server", "secret")
        address = database.url.replace("postgres@", "server@")
        _, *arguments = shlex.split(
            re.sub(r"'postgres://[^']+'", address, command).replace("10.0.0.1 ", "0.0.0.0 ")
            .replace("10.0.0.9", "127.0.0.1").replace("%S/immutable-data", str(tmp_path / "data"))
            .replace("/opt/immutable-data", str(ROOT))
        )
        assert "%" not in " ".join(arguments) and "0.0.0.0" in arguments
        server = ServerProcess("Server", lambda port: [*arguments, "--port", str(port)])
        with pytest.raises(RuntimeError, match="no password supplied"):
            server.start()
        server.environment = {"PGPASSWORD": "secret"}
        server.start()
        wait_until(lambda: get(server, "/readyz").status == 200, "it is ready")
        answer = get(server, "/counter", Host="app.example.org", X_Forwarded_Proto="https")
        assert answer.status == 200
        assert answer.headers["Set-Cookie"].endswith("; Secure")
    finally:
        if server:
            server.kill()
        database.end()


def test_an_installed_release_uses_its_own_copies_of_the_toolchains_libraries(tmp_path):
    """It used those of the toolchain, and could not start again once there was a newer one."""
    block = re.search(r"^```sh\n(.*?)^```$", OPERATIONS.partition("## Install and upgrade")[2], re.MULTILINE | re.DOTALL)[1]
    lines = [line.removeprefix("sudo ") for line in block.splitlines()
             if line.startswith(("sudo cp", "sudo patchelf"))]
    script = "\n".join(["set -e", f"release={tmp_path}", *lines]).replace(".build/release", str(BINARIES))

    subprocess.run(["sh", "-c", script], cwd=ROOT, check=True, timeout=120)

    for program in ["Server", "PictureShrinker"]:
        used = subprocess.run(["ldd", tmp_path / program], text=True, capture_output=True, check=True).stdout
        swift = [line for line in used.splitlines() if "swift" in line]
        assert swift and [line for line in swift if f"=> {tmp_path}/" not in line] == []
    server = product_server()
    server.binary = tmp_path / "Server"
    assert get(server.start(), "/readyz").text == "ready\n"
    assert server.terminate() == 0


def test_a_backup_of_a_running_server_has_the_saved_data(start_server, tmp_path):
    (command,) = re.findall(r'^sudo sqlite3 \S+ "(\.backup .*)"$', OPERATIONS, re.MULTILINE)
    server = start_server()
    assert "Cat" in get(server, MAMMALS).text
    session = Session(server)
    assert session.post(MAMMALS + "&sheet=add", OTTER, Accept="text/html").status == 303

    backup = tmp_path / "animals.store"
    subprocess.run(
        ["sqlite3", server.data / "animals.store",
         command.replace("/var/backups/animals.store", str(backup))],
        check=True, timeout=60,
    )
    server.kill()
    shutil.rmtree(server.data)
    server.data.mkdir()
    shutil.copy(backup, server.data / "animals.store")
    server.start()

    assert "Otter" in get(server, MAMMALS).text


def commands(after, data, backups):
    """The commands of the next block, without those of the service."""
    block = re.search(r"^```sh\n(.*?)^```$", OPERATIONS.partition(after)[2], re.MULTILINE | re.DOTALL)[1]
    lines = [line.removeprefix("sudo ") for line in block.splitlines() if " systemctl " not in line]
    return "\n".join(lines).replace("/var/lib/immutable-data", str(data)).replace("/var/backups", str(backups))


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files to others")
def test_a_restored_backup_has_the_pictures_too(tmp_path):
    """They belonged to root, and the server could not read them."""
    def run(after):
        subprocess.run(["sh", "-ec", commands(after, server.data, tmp_path)], check=True, timeout=60)

    def shows():
        return f"/pictures/{hash_of(png())}" in get(server, MAMMALS).text

    def start_on_a_new_machine():
        shutil.rmtree(server.data)
        server.data.mkdir()
        os.chown(server.data, NOBODY, NOBODY)
        server.start()

    server = product_server()
    server.user = NOBODY
    start_on_a_new_machine()
    try:
        assert upload(server, png()).status == 200
        wait_until(shows, "it is saved")
        run("To make a backup while\nthe Server runs:")
        run("Copy that folder after the database:")
        server.kill()
        start_on_a_new_machine()
        assert exists(server, png()) is False
        server.terminate()

        run("To restore a backup:")
        server.start()

        assert exists(server, png())
        wait_until(shows, "the animal has it")
    finally:
        server.kill()


def test_the_documented_metrics_match_the_servers(counter):
    table = OPERATIONS.partition("| Metric |")[2].partition("\n\n")[0]
    told = {name.partition("{")[0] for row in table.splitlines()[2:]
            for name in re.findall(r"`([a-z_{}]+)`", row.split("|")[1])}

    there = {re.sub("_(bucket|sum|count)$", "", name.partition("{")[0])
             for name in metrics(counter)}

    assert told == there


def test_the_alert_rules_use_existing_metrics(counter):
    used = set(re.findall(r'(\w+)\{job="immutable-data"', OPERATIONS)) - {"up"}

    assert used
    get(counter, "/animals")  # has an effect
    # test_cluster.py reads those of a log.
    of_logs = {name for name in used if name.startswith("log_")}
    wait_until(lambda: used - of_logs <= {name.partition("{")[0] for name in metrics(counter)}, "all are there")
    assert all(f"`{name}`" in OPERATIONS for name in of_logs)
