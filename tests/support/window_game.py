"""The game as a process in a real window, with real key and mouse events, that writes its state while it runs.

The process writes its state report into a file before each frame (`watch`). A test waits for what it is to cause, never
for a time, and judges it by ticks, so that the load of the machine does not matter.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import runpy
import shutil
import subprocess
import sys

from tests.support import fork_server
from tests.support.until import SECONDS, repeat_until, wait_until

MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]
SIZE = (640, 360)
STATE_FILE = "TEST_WINDOW_STATE"  # environment variable of the process: the file


class GameProcess:
    """A running game, and hands on its keys and mouse."""

    def __init__(self, display, level, environment, folder, *more, verb="play", program=(), size=SIZE):
        """program: arguments of Python that start the game, if it is not started by this module."""
        self.report_file, self.state_file = folder / "report.json", folder / "state.json"
        self.output = folder / "said.txt"
        self.environment = {**environment, "DISPLAY": display, STATE_FILE: str(self.state_file)}
        self.display = display
        self._text, self._state = "", {}
        arguments = [verb] if level is None else [verb, str(level)]
        arguments += ["--size", f"{size[0]}x{size[1]}", "--quality", "low", "--report", str(self.report_file), *more]
        self.output.write_bytes(b"")
        self.state_file.unlink(missing_ok=True)
        if not program and fork_server.can_fork(self.environment):
            self.process = fork_server.ForkedProcess(
                arguments, self.environment, folder, self.output, self.output, script=__file__
            )
        else:
            command = [sys.executable, *(program or [__file__]), *arguments]
            with open(self.output, "wb") as said:
                self.process = subprocess.Popen(
                    command, stdout=said, stderr=said, env=self.environment, cwd=folder,
                    preexec_fn=fork_server.IN_CHILD,
                )  # fmt: skip

    # What the game says and is

    def said(self):
        return self.output.read_text(encoding="utf-8")

    def wait_until(self, condition):
        """Wait while the game runs."""

        def is_over():
            if condition():
                return True
            assert self.process.poll() is None, self.said()
            return False

        wait_until(is_over)

    def wait_for(self, text):
        self.wait_until(lambda: text in self.said())

    def state(self):
        """The state report of the last frame, with what `watch` adds to it; empty before the first."""
        if self.state_file.exists():
            text = self.state_file.read_text(encoding="utf-8")
            if text != self._text:
                self._text, self._state = text, json.loads(text)
        return self._state

    def wait_for_state(self, condition):
        """Wait until the condition holds of the state; returns the state."""
        self.wait_until(lambda: "tick" in self.state() and condition(self.state()))
        return self._state

    def turns(self, count):
        """Wait for some turns of the event loop, each of which draws unless the window is hidden."""
        end = self.state()["turns"] + count
        return self.wait_for_state(lambda state: state["turns"] >= end)

    def at_rest(self):
        """Wait until the walker stands still and no key is held."""
        return self.wait_for_state(lambda state: state["held"] == [] and not any(state["velocity"]))

    # Keys and mouse

    def xdotool(self, *words):
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    def focus(self):
        self.window = self.xdotool("search", "--sync", "--onlyvisible", "--name", "^Walker$")[-1]
        self.xdotool("windowfocus", "--sync", self.window)

    def ready(self):
        self.wait_for("first playable frame")
        self.focus()
        self.turns(2)
        return self

    def size(self):
        window = self.xdotool("search", "--sync", "--onlyvisible", "--name", "^Walker$")[-1]
        try:
            lines = self.xdotool("getwindowgeometry", "--shell", window)
        except subprocess.CalledProcessError:  # that window has just been replaced
            return 0, 0
        values = dict(line.split("=") for line in lines if "=" in line)
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def key_down(self, *keys):
        for key in keys:
            self.xdotool("keydown", key)

    def key_up(self, *keys):
        for key in keys:
            self.xdotool("keyup", key)

    def hold(self, key, condition):
        """Hold a key until the condition holds of the state, and wait until the walker stands; returns the states."""
        self.key_down(key)
        reached = self.wait_for_state(condition)
        self.key_up(key)
        return reached, self.at_rest()

    def press(self, *keys):
        """Press and release each key, and wait until the game has noticed it, or has ended."""
        for key in keys:
            if self.process.poll() is not None:
                return
            released = self.state().get("released", 0)
            self.xdotool("key", key)
            wait_until(lambda: self.state().get("released", 0) > released or self.process.poll() is not None)  # noqa: B023

    def mouse(self, *moves):
        for dx, dy in moves:
            self.xdotool("mousemove_relative", "--", dx, dy)
            self.turns(3)

    def take_focus_away(self):
        x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XSetInputFocus.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_ulong]
        x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
        server = x11.XOpenDisplay(self.display.encode())
        x11.XSetInputFocus(server, 0, 0, 0)  # to nobody: what is typed is lost
        x11.XCloseDisplay(server)

    # The end

    def quit_by_menu(self):
        """Esc, up to the last row, Enter; another Enter answers the question before a run is left."""
        repeat_until(lambda: self.process.poll() is not None, self._step_towards_the_end, 20)
        return self.ended()

    def _step_towards_the_end(self):
        if self.state().get("mode") == "paused":
            self.press("Up", "Return", "Return")
        else:
            self.press("Escape")  # leads from a result back into play first
        turns = self.state()["turns"]
        wait_until(lambda: self.process.poll() is not None or self.state()["turns"] >= turns + 2)

    def ended(self, status=0, report=True):
        """Wait until the process ends with this status, without a traceback; returns its report."""
        assert self.process.wait(SECONDS) == status, self.said()
        assert "Traceback" not in self.said()
        return json.loads(self.report_file.read_text()) if report else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(SECONDS)


def watch():
    """Write the state of this process's game before each frame, with these counts:

    turns      of the event loop
    released   key releases that the window has received
    unheard    messages that there is no sound; the process uses no sound device
    """
    import pyglet

    pyglet.options.audio = ("silent",)

    from game.app.launch.crash_report import state_report

    file = os.environ[STATE_FILE]
    counts = {"turns": 0, "released": 0, "unheard": 0}
    watched = set()
    messages = [None]

    def key_released(symbol, modifiers):
        counts["released"] += 1

    def write(seconds):
        counts["turns"] += 1
        for window in pyglet.app.windows:
            if window not in watched:
                watched.add(window)
                window.push_handlers(on_key_release=key_released)
            message = window.game.feedback.message
            if message is not messages[-1]:
                messages.append(message)
                counts["unheard"] += message is not None and "without sound" in message.detail
            text = json.dumps({**json.loads(state_report(window.game)), **counts})
            with open(f"{file}.part", "w", encoding="utf-8") as part:
                part.write(text)
            os.replace(f"{file}.part", file)

    pyglet.clock.schedule(write)


if __name__ == "__main__":
    watch()
    runpy.run_path(fork_server.SCRIPT, run_name="__main__")
