"""What a server's process takes, from outside."""

import os
import pathlib
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")
PATIENCE = 30  # seconds


def resident(server):
    """Bytes of memory that are the process's own."""
    pages = pathlib.Path(f"/proc/{server.process_id}/statm").read_text().split()
    return (int(pages[1]) - int(pages[2])) * PAGE


def descriptors(server):
    """How many files and connections are open."""
    return len(os.listdir(f"/proc/{server.process_id}/fd"))


def processor_time(server):
    """Seconds of all threads until now."""
    stat = pathlib.Path(f"/proc/{server.process_id}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICK


def eventually(condition, what):
    """Waits for what no event tells of; answers what it waited for."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, f"{what} not within {PATIENCE} s"
        time.sleep(0.02)
    return value
