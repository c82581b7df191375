"""The game as a process in a real window, with real key and mouse events: where the player got to."""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from PIL import Image

from game.level import load
from game.sim import verify
from game.sim.replay import replay_file
from game.sim.replay.replay_file import DefectKind
from tests.support import compiled_kernels, fork_server, virtual_display

MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed")

OPEN_SECONDS = 120.0  # a first start compiles
SIZE = (640, 360)
FRAME_CAP = {"frame_cap": "30"}  # settings: without a limit the drawing takes a whole processor


@pytest.fixture(scope="module")
def display():
    with virtual_display.xvfb() as name:
        yield name


class Played:
    """A running game, and hands on its keys and mouse."""

    def __init__(self, display, level, environment, folder, *more, verb="play", program=()):
        """program: arguments of Python that start the game, if it is not started by run_game.py."""
        self.report_file = folder / "report.json"
        self.output = folder / "said.txt"
        self.environment = {**environment, "DISPLAY": display}
        self.display = display
        arguments = [verb, str(level), "--size", f"{SIZE[0]}x{SIZE[1]}", "--quality", "low"]
        arguments += ["--report", str(self.report_file), *more]
        self.output.write_bytes(b"")
        if not program and fork_server.can_fork(self.environment):
            self.process = fork_server.ForkedProcess(arguments, self.environment, folder, self.output, self.output)
        else:
            command = [sys.executable, *(program or [fork_server.SCRIPT]), *arguments]
            with open(self.output, "wb") as said:
                self.process = subprocess.Popen(command, stdout=said, stderr=said, env=self.environment, cwd=folder)

    def said(self):
        return self.output.read_text(encoding="utf-8")

    def wait_for(self, text, seconds=OPEN_SECONDS):
        end = time.monotonic() + seconds
        while text not in self.said():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.05)

    def wait_for_file(self, path, seconds=OPEN_SECONDS):
        end = time.monotonic() + seconds
        while not path.exists():
            assert time.monotonic() < end, self.said()
            time.sleep(0.05)

    def xdotool(self, *words):
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    def focus(self):
        self.window = self.xdotool("search", "--sync", "--onlyvisible", "--name", "^Walker$")[-1]
        self.xdotool("windowfocus", "--sync", self.window)
        time.sleep(0.15)

    def ready(self):
        self.wait_for("first playable frame")
        self.focus()
        return self

    def shape(self):
        window = self.xdotool("search", "--sync", "--onlyvisible", "--name", "^Walker$")[-1]
        try:
            lines = self.xdotool("getwindowgeometry", "--shell", window)
        except subprocess.CalledProcessError:  # that window has just been replaced
            return 0, 0
        values = dict(line.split("=") for line in lines if "=" in line)
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def hold(self, key, seconds):
        self.xdotool("keydown", key)
        time.sleep(seconds)
        self.xdotool("keyup", key)

    def press(self, *keys):
        for key in keys:
            self.xdotool("key", key)
            time.sleep(0.1)

    def mouse(self, *moves):
        for dx, dy in moves:
            self.xdotool("mousemove_relative", "--", dx, dy)
            time.sleep(0.15)

    def take_focus_away(self):
        x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XSetInputFocus.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_ulong]
        x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
        server = x11.XOpenDisplay(self.display.encode())
        x11.XSetInputFocus(server, 0, 0, 0)  # to nobody: what is typed is lost
        x11.XCloseDisplay(server)
        time.sleep(0.5)

    def quit_by_menu(self):
        """Esc, up to the last row, Enter; once more where a result was up, of which Esc leads back into play."""
        self.press("Escape", "Up", "Return", "Return")  # the second answers the question before a run is left
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.press("Escape", "Up", "Return", "Return")  # the second answers the question before a run is left
        return self.ended()

    def ended(self, status=0):
        assert self.process.wait(OPEN_SECONDS) == status, self.said()
        assert "Traceback" not in self.said()
        return json.loads(self.report_file.read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)


@pytest.fixture
def play(display, environment, level_file, tmp_path):
    settings = tmp_path / "config" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(FRAME_CAP), encoding="utf-8")

    def start(*more, env=None, level=level_file, **options):
        return Played(display, level, {**environment, **(env or {})}, tmp_path, *more, **options)

    return start


def test_keys_walk_and_the_mouse_turns(play):
    with play() as game:
        game.ready()
        game.hold("w", 1.0)
        time.sleep(0.4)
        game.mouse((40, 0), (100, 0), (50, 0))
        game.hold("Left", 0.5)
        time.sleep(0.4)
        end = game.quit_by_menu()
    turned = -(65536 - end["view_heading"]) / 65536 * 360
    assert turned == pytest.approx(-150 * 0.12, abs=0.2) or turned == pytest.approx(-190 * 0.12, abs=0.2)
    right = (math.cos(math.radians(turned)), -math.sin(math.radians(turned)))
    x, y, z = end["feet"]
    aside = -(x * right[0])
    assert 1.2 < aside < 4.0
    assert 3.0 < -z - x * right[1] < 6.5
    assert y == pytest.approx(0.0, abs=0.02)
    assert end["grounded"]
    assert end["held"] == []


def test_space_jumps_control_crouches_shift_runs(play):
    with play() as game:
        game.ready()
        game.xdotool("keydown", "Shift_L", "keydown", "s")
        time.sleep(1.5)
        game.xdotool("keyup", "s", "keyup", "Shift_L")
        time.sleep(0.4)
        game.xdotool("keydown", "ctrl")
        time.sleep(0.5)
        game.xdotool("keydown", "space")
        time.sleep(0.1)
        game.xdotool("keyup", "space")
        end = game.quit_by_menu()
    assert 7.0 < end["feet"][2] < 14.0  # walking makes 6 m in that time
    assert end["radii"][1] < 0.9
    assert end["held"] == []


def test_losing_the_focus_pauses_and_leaves_no_key_stuck(play):
    with play() as game:
        game.ready()
        game.xdotool("keydown", "w")
        time.sleep(0.5)
        game.take_focus_away()
        game.xdotool("keyup", "w")
        time.sleep(1.0)
        game.focus()
        game.press("Escape")
        time.sleep(1.0)
        game.hold("a", 0.2)
        game.hold("w", 1.2)  # the key whose release went elsewhere works at its first press
        time.sleep(0.4)
        end = game.quit_by_menu()
    assert end["feet"][0] < -0.3
    assert 4.6 < -end["feet"][2] < 9.0
    assert end["velocity"] == [0.0, 0.0, 0.0]
    assert end["held"] == []
    assert end["tick"] < 60 * 7


def test_escape_pauses_and_the_settings_that_were_changed_are_kept(play, tmp_path):
    with play() as game:
        game.ready()
        game.press("Escape", *["Down"] * 5, "Return", *["Down"] * 4)
        game.press("Right", "Right", "Right", "Escape", "Escape")
        end = game.quit_by_menu()
    assert end["settings"]["fov"] == 93.0
    kept = json.loads((tmp_path / "config" / "settings.json").read_text())
    assert kept == end["settings"] | {"own_keys": {}}
    with play() as game:
        game.ready()
        assert game.quit_by_menu()["settings"]["fov"] == 93.0


def test_the_picture_key_leaves_a_picture_of_what_is_seen(play, tmp_path):
    pictures = tmp_path / "home" / "Pictures"
    pictures.mkdir(parents=True)
    with play(env={"HOME": str(tmp_path / "home"), "XDG_PICTURES_DIR": str(pictures)}) as game:
        game.ready()
        game.mouse((0, 5), (0, -150))
        for number, key in enumerate(("F3", "F1", "F1"), 1):
            game.press(key, "F12")
            game.wait_for_file(pictures / f"walker-000{number}.png")
        game.quit_by_menu()
    taken = sorted(os.listdir(pictures))
    assert taken == ["walker-0001.png", "walker-0002.png", "walker-0003.png"]
    with_figures, with_help, _ = (np.asarray(Image.open(pictures / name)).astype(int) for name in taken)
    assert with_figures.shape == (SIZE[1], SIZE[0], 3)
    assert with_figures[:120].mean() > with_help[:120].mean()


def test_r_starts_again_and_the_goal_is_noticed(play):
    with play() as game:
        game.ready()
        game.hold("w", 2.6)
        time.sleep(2.0)
        game.press("Right", "Right", "Return")  # "Play again" on the result page; in play these keys do nothing
        game.press("r")
        time.sleep(0.5)
        end = game.quit_by_menu()
    assert abs(end["feet"][2]) < 0.05
    assert end["goal_tick"] == -1
    assert end["tick"] < 200


def test_full_screen_fills_the_screen_and_comes_back(play):
    with play() as game:
        game.ready()
        for wanted in ((800, 600), SIZE):
            for _ in range(3):  # without a window manager a key sent while the window is remapped can get lost
                game.press("F11")
                end = time.monotonic() + 8
                while game.shape() != wanted and time.monotonic() < end:
                    time.sleep(0.2)
                game.focus()
                if game.shape() == wanted:
                    break
            assert game.shape() == wanted
        game.hold("w", 1.0)
        end = game.quit_by_menu()
    assert end["feet"][2] < -1.0


def test_minimised_it_pauses_and_draws_nothing_and_another_size_is_drawn_whole(play, tmp_path):
    with play(env={"XDG_PICTURES_DIR": str(tmp_path)}) as game:
        game.ready()
        game.xdotool("windowsize", game.window, 500, 420)
        game.hold("w", 0.3)
        game.press("F12")
        game.wait_for_file(tmp_path / "walker-0001.png")
        game.xdotool("windowunmap", "--sync", game.window)
        time.sleep(1.5)
        game.xdotool("windowmap", "--sync", game.window)
        game.focus()
        game.press("Up", "Return", "Return")  # the menu of the pause is open; a run asks before it is left
        end = game.ended()
    taken = np.asarray(Image.open(tmp_path / "walker-0001.png")).astype(int)
    assert taken.shape == (420, 500, 3)
    assert min(part.std() for part in (taken[:, -40:], taken[-100:])) > 0.0  # drawn to its far edges
    assert end["mode"] == "paused"
    assert end["tick"] < 60 * 3  # none was made while it was hidden


def test_ctrl_c_in_the_terminal_ends_it_quietly_with_its_report(play):
    with play() as game:
        game.ready()
        game.process.send_signal(signal.SIGINT)
        end = game.ended(status=130)
    assert end["tick"] > 0


def test_a_first_start_shows_progress_and_compiles_in_a_child(play, tmp_path):
    compiled_kernels.without_counted_kernels(tmp_path / "cache")
    with play(env={"WALKER_CACHE": str(tmp_path / "cache")}) as game:
        game.wait_for("First-time setup")
        game.xdotool("search", "--sync", "--onlyvisible", "--name", "^Walker$")
        assert "first playable frame" not in game.said()
        game.ready()
        game.hold("w", 1.5)  # the child goes on compiling what the next start has, and frames are long meanwhile
        end = game.quit_by_menu()
    assert end["feet"][2] < -0.8
    assert end["frames"] > 5
    with play(env={"WALKER_CACHE": str(tmp_path / "cache")}) as game:
        game.ready()
        assert "Preparing" not in game.said()
        game.quit_by_menu()


def test_a_broken_level_opens_no_window(play, tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("format: 1\npieces: 7\n")
    with play(level=broken) as game:
        assert game.process.wait(OPEN_SECONDS) == 2
        assert "broken.yaml:2:" in game.said()
        assert "Traceback" not in game.said()


def test_f5_records_a_walk_that_is_verified_and_shown(play, level_file, tmp_path):
    with play() as window:
        window.ready()
        window.press("F5")
        window.hold("w", 1.0)
        window.mouse((40, 0), (100, 0))
        window.hold("d", 0.5)
        window.press("r", "F5")
        window.quit_by_menu()
    (file,) = (tmp_path / "config" / "replays").iterdir()
    record = replay_file.read_replay(file)
    assert record.is_complete
    assert verify(record, lambda part: load(level_file)).divergence is None
    with play("--show", level=file, verb="replay") as window:
        window.ready()
        time.sleep(0.5)
        window.press("space", "Right", "Left", "F3", "Escape", "Up", "Return")  # the last row of the menu is "Quit"
        end = window.ended()
    assert end["frames"] > 5
    assert end["mode"] == "playing"  # quitting leaves the replay


def test_a_game_that_is_killed_while_it_records_loses_a_second_at_most(play, level_file, tmp_path):
    with play() as window:
        window.ready()
        window.press("F5")
        began = time.monotonic()
        window.hold("w", 3.0)
        window.process.kill()
        seconds = time.monotonic() - began
        window.process.wait(10)
    (file,) = (tmp_path / "config" / "replays").iterdir()
    record = replay_file.read_replay(file)
    assert record.problems[-1].kind in (DefectKind.CUT_IN_BLOCK, DefectKind.CUT_AFTER_BLOCK)
    assert 60 <= verify(record, lambda part: load(level_file)).ticks <= 60 * seconds


def test_an_exit_leads_to_another_level(play, level_file):
    text = level_file.read_text()
    (level_file.parent / "room.yaml").write_text(text.replace("name: Floor", "name: Room"))
    level_file.write_text(text + "exits: [{at: [0, 0, -3], radius: 0.8, to: room.yaml, name: Room}]\n")
    with play() as window:
        window.ready()
        window.hold("w", 0.9)
        time.sleep(2.0)
        end = window.quit_by_menu()
    assert end["level"] == "Room"
    assert end["tick"] > 0


def test_a_level_that_is_saved_while_it_is_played_changes_under_ones_feet(play, level_file):
    text = level_file.read_text()
    with play() as window:
        window.ready()
        window.xdotool("keydown", "w")
        time.sleep(0.5)
        raised = text.replace("[20, 20]}", "[20, 20], y: 1.5}").replace("at: [0, 0, 0]", "at: [0, 1.5, 0]")
        level_file.write_text(raised)
        window.wait_for("Level reloaded")
        window.xdotool("keyup", "w")
        level_file.write_text(text.replace("pieces:", "peaces:"))
        window.wait_for("Not reloaded")
        window.wait_for("`pieces` is missing")
        level_file.unlink()
        window.wait_for("was removed")
        level_file.write_text(raised.replace("Floor", "Moor"))
        window.wait_for("(name)")
        end = window.quit_by_menu()
    assert end["level"] == "Moor"
    assert end["feet"][1] == pytest.approx(1.5, abs=0.05)
    assert end["feet"][2] < -0.5
    assert end["tick"] > 30
