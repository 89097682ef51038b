"""A separate PostgreSQL server for the tests, in a temporary folder."""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile

from waiting import wait_until

OPERATIONS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "operations" / "OPERATIONS.md"

# It refuses to run as root.
OWNER = (["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"]
         if os.getuid() == 0 else [])


class PostgreSQL:
    """A server that starts immediately; the superuser `postgres` may connect without a password."""

    def __init__(self, primary=None, is_durable=False, network=None):
        """With a primary it is the synchronous standby of that. What is synced matters when the machine
        fails, which a test does not do to it. Servers in another machine's network (`faults.Network`)
        reach it, too."""
        self._addresses = f"127.0.0.1,{network.address}" if network else "127.0.0.1"
        self._sync = "on" if is_durable else "off"
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="postgresql-"))
        self._data = self._folder / "data"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        if OWNER:
            shutil.chown(self._folder, "postgres")
        if primary:
            self._run("pg_basebackup", "-d", primary.url, "-D", self._data, "-R", "-X", "stream")
        else:
            self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "--locale=C",
                      "-E", "UTF8", "--no-sync")
        if network:
            with open(self._data / "pg_hba.conf", "a") as file:
                file.write(f"host all all {network.subnet} trust\n")
        self.start()
        if primary:
            primary.set_standby("*")
            wait_until(lambda: primary.query("SELECT sync_state FROM pg_stat_replication") == ["sync"],
                       "the standby follows")

    def start(self):
        self._process = subprocess.Popen(
            [*OWNER, program("postgres"), "-D", self._data, "-k", self._folder, "-p", str(self.port),
             "-c", f"listen_addresses={self._addresses}", "-c", f"fsync={self._sync}", "-c", "max_connections=100"],
            cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._is_ready, "PostgreSQL is ready", seconds=60)

    def start_if_stopped(self):
        if self._process.poll() is not None:
            self.start()

    def stop(self):
        """Ends it without a checkpoint, and waits until it is gone."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(30)

    def kill(self):
        """Kills all of its processes with SIGKILL, as when its machine fails, and waits until they are gone."""
        # The first process is only stopped until the others are gone. A commit that waits for the standby would end
        # when it notices that the first process is gone, and a server could read what the standby does not have.
        pid = self._process.pid
        self._process.send_signal(signal.SIGSTOP)
        children = [int(path.parent.name) for path in pathlib.Path("/proc").glob("[0-9]*/stat") if _parent(path) == pid]
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._process.kill()
        self._process.wait(30)
        # The next server refuses to start while one of them has its shared memory.
        wait_until(lambda: not any(pathlib.Path(f"/proc/{child}").exists() for child in children), "they are gone")

    def end(self):
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def query(self, sql):
        """Returns the lines of psql's output."""
        answer = subprocess.run(
            [program("psql"), self.url, "-Atc", sql], capture_output=True, text=True)
        assert answer.returncode == 0, f"{sql}: {answer.stderr}"
        return answer.stdout.splitlines()

    @contextlib.contextmanager
    def locked(self, rows):
        """Others wait for a lock of these rows, such as `lease WHERE name = 'leader'`, meanwhile."""
        with subprocess.Popen([program("psql"), self.url, "-Atq"], text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as psql:
            psql.stdin.write(f"BEGIN; SELECT 'locked' FROM action_log.{rows} FOR UPDATE;\n")
            psql.stdin.flush()
            assert psql.stdout.readline() == "locked\n"
            yield
            psql.stdin.close()  # ends the session, and so the transaction

    def add_role(self, name, password):
        """It may create a log, and connects only with its password."""
        self.query(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        self.query(f"GRANT CREATE ON DATABASE postgres TO {name}")
        rules = self._data / "pg_hba.conf"
        rules.write_text(f"host all {name} all scram-sha-256\n{rules.read_text()}")
        self.query("SELECT pg_reload_conf()")

    def set_standby(self, name):
        """Commits wait for this standby from now on; for none if it is empty. That change itself does not wait."""
        self.query(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
        self.query("SELECT pg_reload_conf()")
        wait_until(lambda: self.query("SHOW synchronous_standby_names") == [name], "it waits for that one")

    def back_up(self, file):
        self._run_documented("pg_dump", file)

    def restore(self, file):
        self._run_documented("psql", file)
        self._run_documented("pg_restore", file)

    def _run_documented(self, name, file):
        """Runs the command of docs/operations that begins with this program, with this database and this file."""
        (command,) = re.findall(rf"^  ({name} .*)$", OPERATIONS.read_text(), re.MULTILINE)
        command = command.replace("postgres://server@db.example.org/products", self.url)
        _, *arguments = shlex.split(command.replace("products.dump", str(file)))
        subprocess.run([program(name), *arguments], check=True)

    def drop_log(self):
        """Killed servers may have left transactions, which would cause a deadlock."""
        self.query("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                   "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
        self.query("DROP SCHEMA IF EXISTS action_log CASCADE")

    def _is_ready(self):
        command = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(command).returncode == 0

    def _run(self, name, *arguments):
        subprocess.run([*OWNER, program(name), *arguments], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _parent(stat):
    """The id of a process's parent; None if the process has ended."""
    with contextlib.suppress(OSError):
        return int(stat.read_text().rpartition(")")[2].split()[1])


def program(name):
    """The path of a program of the newest installed release."""
    versions = pathlib.Path("/usr/lib/postgresql").iterdir()
    return max(versions, key=lambda version: int(version.name)) / "bin" / name
