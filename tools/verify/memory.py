"""Memory of the game over an hour of play: `python -m tools.verify.memory [--minutes 60]`.

The game plays by itself in a window of its own, on a virtual display (Xvfb), faster than real time: all levels in
turn, with their recorded walks, a rewind that is continued from, restarts, the third person, debug view, help, photo
mode, screenshots, the list of levels, the runs page with a run that is watched, and an edit that is undone. A line
shows the memory at each change of level. Exit status 1 where the end has more than 10 % above the memory after twenty
minutes. Linux only: it reads /proc. Settings, runs and levels are those of a temporary folder.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from game.app.game import Game
    from game.app.startup import GameProgram
    from game.physics import Command

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ("demo", "surfaces", "lifts", "ballroom", "waters", "escher", "lab", "golf/one", "examples/lamps")
FRAME_SECONDS = 1 / 5  # s of game time a frame: twelve ticks
WAITING_SECONDS = 1 / 60  # s of game time a frame while another process loads a level
VISIT_SECONDS = 120.0  # s of game time in a level
REFERENCE_MINUTES = 20.0  # the end is compared with the memory then
TOLERANCE = 1.1
RELOAD_SECONDS = 600.0  # s of real time until a level must have arrived; long, for a busy machine
MIB = float(1 << 20)


class Sample(NamedTuple):
    """Memory at one moment: MiB of the process, of malloc's blocks in use and free, of the child processes; numbers of
    Python objects, of OpenGL objects and of threads."""

    minutes: float
    level: str
    resident: float
    private: float
    used: float
    free: float
    children: float
    objects: int
    gl_objects: int
    threads: int

    def line(self) -> str:
        """The sample as a row of the table."""
        return (
            f"{self.minutes:7.1f}  {self.level:<16}{self.resident:7.0f}{self.private:9.0f}{self.used:7.0f}"
            f"{self.free:6.0f}{self.children:10.0f}{self.objects:10d}{self.gl_objects:6d}{self.threads:9d}"
        )


HEADER = "minutes  level            RSS  private  used  free  children   objects    GL  threads   (MiB)"


class MallocInfo(ctypes.Structure):
    """`struct mallinfo2` of the GNU C library, in bytes."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in [
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        ]
    ]


def measure(minutes: float, level: str, context: Any = None) -> Sample:
    """Sample of this process and its children. context: of OpenGL, while there is one."""
    from tests.support.gl import count_objects

    used = free = float("nan")
    with contextlib.suppress(AttributeError, OSError):
        read = ctypes.CDLL(None).mallinfo2
        read.restype = MallocInfo
        info = read()
        used, free = (info.uordblks + info.hblkhd) / MIB, info.fordblks / MIB
    gl_objects = 0 if context is None else sum(count_objects(context).values())
    return Sample(
        minutes, level, _status_value("self", "VmRSS"), _status_value("self", "RssAnon"), used, free,
        sum(_status_value(str(child), "VmRSS") for child in child_processes()),
        len(gc.get_objects()) + gc.get_freeze_count(), gl_objects, threading.active_count(),
    )  # fmt: skip


def _status_value(process: str, name: str) -> float:
    """A value of /proc/PROCESS/status in MiB; 0 where the process is gone."""
    with contextlib.suppress(OSError):
        for line in Path("/proc", process, "status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return float(line.split()[1]) / 1024.0
    return 0.0


def child_processes() -> list[int]:
    """Process numbers of the children of this process, zombies included."""
    return [
        int(number) for task in Path("/proc/self/task").iterdir() for number in (task / "children").read_text().split()
    ]


class Walks:
    """Commands of the recorded walks, over and over, by the level that is played."""

    def __init__(self) -> None:
        self._level: object = None
        self._commands: Iterator[Command] = iter(())

    def command(self, game: Game) -> Command:
        """The command of the next tick; the walk starts again where the world was restarted."""
        if game.level is not self._level or game.world.tick == 0:
            self._level, self._commands = game.level, self._of_level(game)
        return next(self._commands)

    def _of_level(self, game: Game) -> Iterator[Command]:
        from game.physics import Command
        from game.sim.command_script import read_script

        path, heading = game.level.path.with_suffix(".commands"), round(game.input.view.yaw)
        if path.exists():
            script = read_script(path)
            yield from itertools.islice(script.commands(heading), script.ticks)
        for tick in itertools.count():  # wander
            yield Command(forward=1.0, heading=heading + tick // 90 * 9000, jump=tick % 150 == 0)


class Visit:
    """Plays one level of the program after another; `seconds` is the game time."""

    def __init__(self, program: GameProgram) -> None:
        self.program, self.game, self.window = program, program.game, program.window
        self.seconds = 0.0
        began = time.perf_counter()
        self.window.clock = lambda: began + self.seconds
        self.window.rest = lambda seconds: None

    def frame(self, seconds: float = FRAME_SECONDS) -> None:
        """Draw one frame, so many seconds of game time after the last one."""
        self.seconds += seconds
        self.window.switch_to()
        self.window.dispatch_events()
        self.window.on_draw()
        self.window.flip()

    def wait(self, seconds: float) -> None:
        """Draw frames for so many seconds of game time; a result page is closed."""
        end = self.seconds + seconds
        while self.seconds < end:
            self.frame()
            menu = self.game.menu
            if menu is not None and menu.page.name == "result":
                self.press("ESCAPE")

    def press(self, *keys: str, frames: int = 1) -> None:
        """Press and release keys one after another."""
        for key in keys:
            self.game.key_pressed(key)
            for _ in range(frames):
                self.frame()
            self.game.key_released(key)
            self.frame()

    def walk(self, seconds: float) -> None:
        """Walk on, from whatever mode."""
        self.to_play()
        self.wait(seconds)

    def to_play(self) -> None:
        """Leave menus and other modes."""
        for _ in range(8):
            if self.game.mode == "playing":
                return
            self.press("ESCAPE")
        raise AssertionError(f"the game stays in the mode {self.game.mode}")

    def choose(self, name: str) -> bool:
        """Choose a row of the open menu; False where there is none of this name."""
        menu = self.game.menu
        assert menu is not None
        for number, row in enumerate(menu.rows):
            if row.name == name and row.is_selectable:
                menu.selected = number
                self.game.key_pressed("RETURN")
                self.frame()
                return True
        return False

    def go_to(self, path: Path) -> None:
        """Travel to a level by the list of levels."""
        self.to_play()
        self.press("ESCAPE")
        self.choose("levels")
        self.wait(1.0)
        if not self.choose(str(path)):
            raise AssertionError(f"{path} is not in the list")
        if self.game.menu is not None and self.game.menu.page.name == "confirm":
            self.game.key_pressed("RETURN")
        end = time.monotonic() + RELOAD_SECONDS
        while time.monotonic() < end:
            if self.game.level.path == path and self.game.mode == "playing":
                return
            self.frame(WAITING_SECONDS)
        raise AssertionError(f"{path} does not arrive")

    def everything(self, seconds: float) -> None:
        """Use what the game has in a level, for about so many seconds of game time."""
        end = self.seconds + seconds
        self.walk(seconds / 4)
        self.press("V")
        self.walk(3.0)
        self.press("F3")
        self.rewind(2.0)
        self.walk(3.0)
        self.press("F3", "V", "F12", "F1")
        self.walk(2.0)
        self.press("F10", "F12")
        self.wait(0.5)
        self.to_play()
        self.edit()
        self.walk(seconds / 4)
        self.press("R", "BACKSPACE")  # a restart, taken back
        self.walk(1.0)
        self.watch_run()
        self.press("R")
        self.walk(max(end - self.seconds - 6.0, 0.0))
        self.rewind(4.0)

    def rewind(self, seconds: float) -> None:
        """Hold the rewind key, and play on from there."""
        self.to_play()
        self.game.key_pressed("BACKSPACE")
        self.wait(seconds)
        self.game.key_released("BACKSPACE")
        self.wait(0.5)
        if self.game.mode == "rewinding":
            self.press("RETURN")

    def edit(self) -> None:
        """Open the editor with its panels, move a piece and undo it; each edit reloads the level."""
        self.press("F2")
        self.wait(1.0)
        for panel in ("N", "F", "J"):
            self.press(panel, "ESCAPE")
        if self.game.mode == "editing":
            self.game.left_pressed()
            self.frame()
            self.game.left_released()
            for key in ("UP", "Z"):
                self.press(key)
                self._settle()
        self.press("F2")
        self.to_play()

    def _settle(self) -> None:
        """Wait until an edited level has been loaded."""
        reload, end = self.game.hot_reload, time.monotonic() + RELOAD_SECONDS
        assert reload is not None
        for number in itertools.count():
            self.frame(WAITING_SECONDS)
            if number > 40 and reload.is_idle:
                return
            if time.monotonic() > end:
                raise AssertionError("the edited level does not arrive")

    def watch_run(self) -> None:
        """Open the runs page, and watch the newest run."""
        self.to_play()
        self.press("ESCAPE")
        if not self.choose("runs"):
            raise AssertionError("no row of the runs")
        self.wait(1.0)
        menu = self.game.menu
        runs = [row for row in menu.rows if row.name.endswith(".replay")] if menu is not None else []
        if runs and self.choose(runs[0].name) and self.choose("watch"):
            self.wait(4.0)
        self.to_play()


def start_program(levels: Path, size: tuple[int, int], quality: str) -> Visit:
    """The game in its window, walking by itself, in the first level."""
    from game.app import startup
    from game.app.game import Game
    from game.app.launch.kernel_compilation import KernelCompilation
    from game.app.modes.play import PlayMode
    from game.app.modes.registry import MODES
    from game.level import load

    walks = Walks()

    class WalkedPlay(PlayMode):
        """Play with the commands of the walks in place of those of the keys."""

        def next_command(self) -> Command | None:
            super().next_command()
            return walks.command(self.context)  # type: ignore[arg-type]

    Game.mode_types = tuple(WalkedPlay if mode is PlayMode else mode for mode in MODES)
    first = levels / f"{LEVELS[0]}.yaml"
    compilation = KernelCompilation(complete=True)
    options = argparse.Namespace(level=str(first), size=size, quality=quality, report=None, spawn="", ghost_run=None)
    program = startup.GameProgram(load(first), options, compilation, time.perf_counter())
    visit = Visit(program)
    program.window.set_visible(True)
    while program.game.session is None:
        visit.frame()
        time.sleep(0.01)
    return visit


@contextlib.contextmanager
def display() -> Iterator[None]:
    """A virtual display; DISPLAY is set to it."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as pipe:
            os.environ["DISPLAY"] = f":{pipe.readline().strip()}"
        try:
            yield
        finally:
            server.terminate()


def play(minutes: float, visit_seconds: float, size: tuple[int, int], quality: str, levels: Path) -> list[Sample]:
    """Play, print the table and return its samples."""
    visit = start_program(levels, size, quality)
    print(HEADER, flush=True)
    context = visit.window.gl
    samples = [measure(0.0, "start", context)]
    print(samples[-1].line(), flush=True)
    for name in itertools.cycle(LEVELS):
        if samples[-1].minutes >= minutes:
            break
        began = visit.seconds
        path = levels / f"{name}.yaml"
        if visit.game.level.path != path:
            visit.go_to(path)
        visit.everything(visit_seconds - (visit.seconds - began))
        samples.append(measure(visit.seconds / 60.0, name, context))
        print(samples[-1].line(), flush=True)
    for line in visit.program.close():
        print(line)
    print(measure(visit.seconds / 60.0, "closed").line())
    return samples


def check(samples: Sequence[Sample], reference: float) -> int:
    """Compare the last round of all levels with the round that ends at `reference` minutes, by their largest RSS."""
    rounds = [sample.resident for sample in samples if sample.minutes <= reference][-len(LEVELS) :]
    last = [sample.resident for sample in samples][-len(LEVELS) :]
    print(f"largest RSS of the round before minute {reference:g}: {max(rounds):.0f} MiB, of the last: {max(last):.0f}")
    return 0 if max(last) <= TOLERANCE * max(rounds) else 1


def main(arguments: list[str] | None = None) -> int:
    """Run the play and compare its end with its twentieth minute."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=60.0, help="game time (default: 60)")
    parser.add_argument("--visit", type=float, default=VISIT_SECONDS, help="s of game time in a level (default: 120)")
    parser.add_argument(
        "--reference", type=float, default=REFERENCE_MINUTES, help="minute to compare with (default: 20)"
    )
    parser.add_argument("--quality", default="medium", choices=("low", "medium", "high"))
    parser.add_argument("--size", default="320x180", help="of the window (default: 320x180)")
    options = parser.parse_args(arguments)
    width, height = map(int, options.size.split("x"))
    with tempfile.TemporaryDirectory(prefix="walker-memory-") as folder, display():
        for name in ("WALKER_CONFIG", "WALKER_DATA"):
            os.environ[name] = folder
        os.environ["XDG_PICTURES_DIR"] = folder
        levels = Path(folder, "levels")
        shutil.copytree(ROOT / "levels", levels, ignore=shutil.ignore_patterns("museum"))
        samples = play(options.minutes, options.visit, (width, height), options.quality, levels)
    return check(samples, options.reference)


if __name__ == "__main__":
    sys.exit(main())
