"""An X display that nobody sees, and a pointer on it."""

import contextlib
import os
import subprocess

from waiting import wait_until


@contextlib.contextmanager
def screen():
    """The variables of an X display that there is as long as the block."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM",  # not left behind by tests that are killed
         "Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise RuntimeError("Xvfb has not started")
        yield {"DISPLAY": f":{number}", "GDK_BACKEND": "x11"}
    finally:
        server.terminate()
        server.wait()


class Pointer:
    """
    The pointer of the display on a page, used as `page.mouse` is. A driver's pointer begins native drags in these
    browsers, and never ends them. `cancel` gives up a drag.
    """

    def __init__(self, page):
        """The page is the one that was opened last, because its window is above those of others."""
        self._x = self._y = 0
        self._origin = (0, 0)
        page.evaluate(TELL_ORIGIN)
        self._origin = wait_until(lambda: self._origin_of(page), "the page hears the pointer")

    def _origin_of(self, page):
        self.move(*MIDDLE, steps=2)
        self.move(0, 0)
        return page.evaluate("window.pointerOrigin")

    def move(self, x, y, steps=1):
        origin_x, origin_y = self._origin
        x, y = round(origin_x + x), round(origin_y + y)
        for step in range(1, steps + 1):
            self._do(
                "mousemove", self._x + (x - self._x) * step // steps, self._y + (y - self._y) * step // steps)
        self._x, self._y = x, y

    def down(self):
        self._do("mousedown", 1)

    def up(self):
        self._do("mouseup", 1)

    def cancel(self):
        self._do("key", "Escape")

    def _do(self, *command):
        subprocess.run(["xdotool", *map(str, command)], check=True)


MIDDLE = (800, 600)
# Only an event tells in each engine where a page is on the screen.
TELL_ORIGIN = """() => addEventListener("pointermove", ({ screenX, clientX, screenY, clientY }) => {
  window.pointerOrigin = [screenX - clientX, screenY - clientY];
}, { once: true })"""
