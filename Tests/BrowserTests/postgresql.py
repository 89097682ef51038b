"""A PostgreSQL server of the tests' own, in a temporary folder."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

from waiting import wait_until

# It refuses to run as root.
OWNER = (["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"]
         if os.getuid() == 0 else [])


class PostgreSQL:
    """Started at once; the superuser `postgres` may connect as it likes."""

    def __init__(self):
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="postgresql-"))
        self._programs = max(
            pathlib.Path("/usr/lib/postgresql").iterdir(), key=lambda version: int(version.name)) / "bin"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        if OWNER:
            shutil.chown(self._folder, "postgres")
        self._run("initdb", "-U", "postgres", "-A", "trust", "--locale=C", "-E", "UTF8", "--no-sync")
        self.start()
        self.url = f"postgres://postgres@127.0.0.1:{self._port}/postgres"

    def start(self):
        # What is synced matters when the machine fails, which a test does not do to it.
        self._process = subprocess.Popen(
            [*OWNER, self._programs / "postgres", "-D", self._folder / "data", "-k", self._folder,
             "-p", str(self._port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
             "-c", "max_connections=100"],
            cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._is_ready, "PostgreSQL is ready", seconds=60)

    def start_if_stopped(self):
        if self._process.poll() is not None:
            self.start()

    def stop(self):
        """As fast as a crash, and waits until it is gone."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(30)

    def end(self):
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def query(self, sql):
        """The lines that psql answers."""
        return subprocess.run(
            [self._programs / "psql", self.url, "-Atc", sql], check=True, capture_output=True, text=True,
        ).stdout.splitlines()

    def _is_ready(self):
        command = [self._programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self._port)]
        return subprocess.run(command).returncode == 0

    def _run(self, program, *arguments):
        subprocess.run(
            [*OWNER, self._programs / program, "-D", self._folder / "data", *arguments],
            check=True, cwd="/", stdout=subprocess.DEVNULL)
