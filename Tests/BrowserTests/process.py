"""The resources of a server's process, measured from outside."""

import contextlib
import functools
import os
import pathlib
import re
import resource
import time

from waiting import PATIENCE, wait_until

RESERVE = range(14, 20)  # descriptors that a server keeps for itself when its clients have all others
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


def resident(server):
    """Returns the private memory of the process, in bytes."""
    pages = pathlib.Path(f"/proc/{server.process_id}/statm").read_text().split()
    return (int(pages[1]) - int(pages[2])) * PAGE


def peak(server):
    """Returns the most memory that the process has had so far, in bytes."""
    status = pathlib.Path(f"/proc/{server.process_id}/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) * 1024


def descriptors(server):
    """Returns the number of descriptors that the process has in use."""
    return len(os.listdir(f"/proc/{server.process_id}/fd"))


def limit_descriptors(server, more):
    """Allows a server this many more descriptors than now, plus its reserve; returns the limit."""
    limit = descriptors(server) + RESERVE.stop + more
    _, hard = resource.prlimit(server.process_id, resource.RLIMIT_NOFILE)
    resource.prlimit(server.process_id, resource.RLIMIT_NOFILE, (limit, hard))
    return limit


def opened(server):
    """How many files and connections are open."""
    return len(opened_files(server))


def opened_files(server):
    """
    The files and connections that are open: all descriptors but those of timers, signals and loops,
    some of which the system's libraries take a while after the server has begun to listen.
    """
    folder = f"/proc/{server.process_id}/fd"
    files = []
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # it is closed by now
            files.append(os.readlink(f"{folder}/{name}"))
    return [file for file in files if not file.startswith("anon_inode:")]


def processor_time(server):
    """Returns the seconds of all threads so far."""
    stat = pathlib.Path(f"/proc/{server.process_id}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICK


class Stopwatch:
    """
    The seconds since it was made, without those that the processors gave to other processes than a server and this
    one. So what takes no longer than usual does so on a busy machine too.
    """

    def __init__(self, server):
        self._server = server
        self._began, self._others = time.monotonic(), self._time_of_others()

    @property
    def seconds(self):
        taken = (self._time_of_others() - self._others) / os.cpu_count()
        return time.monotonic() - self._began - max(0, taken)

    def _time_of_others(self):
        kinds = [int(ticks) for ticks in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        user, nice, system, _, _, *interrupts = kinds  # the time of guests is in that of users
        return sum([user, nice, system, *interrupts]) / TICK - processor_time(self._server) - time.process_time()


# Waits longer, for a server under attack.
eventually = functools.partial(wait_until, seconds=2 * PATIENCE)
