"""nginx and Caddy in front of a server, configured as in docs/operations."""

import contextlib
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time

from servers import ROOT
from waiting import PATIENCE

NAME = "app.example.org"
CONFIGURATIONS = ROOT / "docs" / "operations"
START_LIMIT = 60  # seconds


class Proxy:
    """A proxy with its own certificate and ports; everything else is as shipped."""

    def __init__(self, server, folder):
        self.folder = pathlib.Path(folder)
        self.port, self.plain_port, self._other_port = free_ports(3)
        self.url = f"https://{NAME}:{self.port}"
        self.certificate, self.key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
             "-keyout", self.key, "-out", self.certificate],
            check=True, capture_output=True,
        )
        self._configuration = self.folder / self.file
        self._configuration.write_text(self._adapted(server))
        self._process = None

    def start(self):
        """Returns when the proxy listens; raises with what it wrote when it does not."""
        self._output = open(self.folder / "output", "w")
        self._process = subprocess.Popen(
            self._command(), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=self._output,
            stderr=subprocess.STDOUT, env=os.environ | {"HOME": str(self.folder)},
        )
        deadline = time.monotonic() + START_LIMIT
        for port in (self.port, self.plain_port):
            while not self._listens(port):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self.end()
                    raise RuntimeError((self.folder / "output").read_text())
                time.sleep(0.02)  # leaves the processors to it
        return self

    def end(self):
        """Sends SIGTERM, which ends it immediately."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.wait(START_LIMIT)
        self._output.close()

    @contextlib.contextmanager
    def paused(self):
        """Suspends it and its workers meanwhile."""
        own = self._process.pid
        workers = pathlib.Path(f"/proc/{own}/task/{own}/children").read_text().split()
        for process in [own, *map(int, workers)]:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in [own, *map(int, workers)]:
                os.kill(process, signal.SIGCONT)

    def connection(self, source="127.0.0.1"):
        """A new connection, from any address of this machine; for a `with` statement."""
        return contextlib.closing(
            Connection("127.0.0.1", self.port, timeout=PATIENCE, source_address=(source, 0),
                       context=ssl.create_default_context(cafile=self.certificate))
        )

    def plain_connection(self):
        return contextlib.closing(
            http.client.HTTPConnection("127.0.0.1", self.plain_port, timeout=PATIENCE)
        )

    def _adapted(self, server):
        text = (CONFIGURATIONS / self.file).read_text()
        for old, new in self._replacements(server):
            assert old in text, f"{self.file} has no {old!r}"
            text = text.replace(old, new)
        return text

    @staticmethod
    def _listens(port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return False
        return True


class Connection(http.client.HTTPSConnection):
    """Connects to an address, and requests the proxy's name there."""

    def connect(self):
        http.client.HTTPConnection.connect(self)
        self.sock = self._context.wrap_socket(self.sock, server_hostname=NAME)


class Nginx(Proxy):
    file = "nginx.conf"
    ends_streams = True  # some time after a reload
    binary = "/usr/sbin/nginx"

    def _replacements(self, server):
        folders = "".join(f"  {kind}_temp_path {self.folder}/{kind};\n" for kind in
                          ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        return [
            ("user www-data;\n", "user root;\n" if os.getuid() == 0 else ""),
            ("worker_shutdown_timeout 10s;", "worker_shutdown_timeout 1s;"),
            ("pid /run/nginx.pid;", f"pid {self.folder}/pid;"),
            ("/var/log/nginx/error.log", "stderr"),
            ("/var/log/nginx/access.log", f"{self.folder}/access.log"),
            ("http {\n", "http {\n" + folders),
            ("server 127.0.0.1:8080;", f"server 127.0.0.1:{server.port};"),
            ("    listen [::]:80 backlog=65535;\n", ""),
            ("    listen [::]:443 ssl http2 backlog=65535;\n", ""),
            ("listen 80 ", f"listen 127.0.0.1:{self.plain_port} "),
            ("listen 443 ", f"listen 127.0.0.1:{self.port} "),
            ("/etc/letsencrypt/live/app.example.org/fullchain.pem", str(self.certificate)),
            ("/etc/letsencrypt/live/app.example.org/privkey.pem", str(self.key)),
        ]

    def _command(self):
        return [self.binary, "-p", self.folder, "-c", self._configuration,
                "-e", "stderr", "-g", "daemon off;"]

    def reload(self):
        self._process.send_signal(signal.SIGHUP)


class NginxForSeveral(Nginx):
    """Configures what docs/operations shows for several servers."""

    def __init__(self, servers, folder):
        self._servers = servers
        super().__init__(servers[0], folder)

    def _replacements(self, server):
        upstreams, more = re.findall(
            r"```nginx\n(.*?)```", (CONFIGURATIONS / "OPERATIONS.md").read_text(), re.S)
        addresses = dict.fromkeys(re.findall(r"server (10\.0\.0\.\d:8080)", upstreams))
        for address, node in zip(addresses, self._servers, strict=True):
            upstreams = upstreams.replace(address, f"127.0.0.1:{node.port}")
        upstream = re.search(
            r"  upstream server \{.*?\n  \}\n", (CONFIGURATIONS / self.file).read_text(), re.S)
        place = "    location / {\n      proxy_pass"
        others = [pair for pair in super()._replacements(server) if "8080" not in pair[0]]
        return [(upstream[0], upstreams), (place, more + place), *others]


class NginxForDevelopers(Nginx):
    """As DEVELOPER.md shows it: it adds the token of operators."""

    def __init__(self, server, folder, token):
        self._token = token
        super().__init__(server, folder)
        self.plain_port = self.port
        self.url = f"http://127.0.0.1:{self.port}"

    def _adapted(self, server):
        text = re.search(r"```nginx\n(.*?)```", (ROOT / "docs" / "DEVELOPER.md").read_text(), re.S)[1]
        folders = "".join(f"  {kind}_temp_path {self.folder}/{kind};\n" for kind in
                          ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        user = "user root;\n" if os.getuid() == 0 else ""
        for old, new in [
            ("events {}\n", f"{user}pid {self.folder}/pid;\nevents {{}}\n"), ("http {\n", "http {\n" + folders),
            ("127.0.0.1:8080", f"127.0.0.1:{server.port}"), ("127.0.0.1:8090", f"127.0.0.1:{self.port}"),
            ("TOKEN", self._token),
        ]:
            assert old in text, old
            text = text.replace(old, new)
        return text


class Caddy(Proxy):
    file = "Caddyfile"
    ends_streams = False  # Caddy 2.6 keeps open streams
    binary = "/usr/bin/caddy"

    def _replacements(self, server):
        return [
            ("\tgrace_period 10s\n", "\tgrace_period 1s\n"
             f"\tadmin localhost:{self._other_port}\n\thttp_port {self.plain_port}\n"
             f"\thttps_port {self.port}\n\tdefault_bind 127.0.0.1\n\tskip_install_trust\n"
             f"\tstorage file_system {self.folder}/storage\n"),
            ("app.example.org {\n",
             f"app.example.org {{\n\ttls {self.certificate} {self.key}\n"),
            ("127.0.0.1:8080", f"127.0.0.1:{server.port}"),
        ]

    def _command(self):
        return [self.binary, "run", "--config", self._configuration, "--adapter", "caddyfile"]

    def reload(self):
        subprocess.run(
            [self.binary, "reload", "--force", "--config", self._configuration,
             "--adapter", "caddyfile", "--address", f"localhost:{self._other_port}"],
            check=True, capture_output=True, env=os.environ | {"HOME": str(self.folder)},
        )


def is_installed(kind):
    return shutil.which(kind.binary) is not None


def free_ports(count):
    """Ports that are free now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
