"""Time from saving a level to its picture, and its effect on the frame times.

    python -m benchmarks.save [LEVEL] [--size 1280x720] [--quality low] [--saves 10] [--display :1] [--keep]

The game runs in a real window (under Xvfb unless --display is given) while its player walks in a circle. A copy of the
level is saved repeatedly, with one change of each kind in turn. *to picture* is the time from the end of the write to
the first finished frame with the new level. Its parts: until the change was *seen*, until the worker process had *read*
and prepared the level, and until the renderer *shown* it. *longest frame* is the longest from the save to that frame.
*frame* is the median and *slowest* the slowest twentieth of all other frames, as a reference for the machine. --keep
writes the table and all figures to benchmarks/results/.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
WARM_SECONDS, PAUSE_SECONDS = 12.0, 2.5
TARGET, FRAME = 0.3, 0.05  # s
INSIDE = "--inside"
TURNING = 6000.0  # heading units (65536 to the turn) per second

Edit = Callable[[str, int], str]


def with_piece(text: str, piece: str) -> str:
    """The level with one more piece before all others."""
    return re.sub(r"(?m)^pieces:[^\n]*\n", lambda found: f"{found.group()}  - {piece}\n", text, count=1)


def moved(text: str, number: int) -> str:
    low = 0.1 * (number % 9)
    return with_piece(text, f"box: {{from: [1.6, {low:.1f}, 2], to: [2.6, {low + 1:.1f}, 3]}}")


def built(text: str, number: int) -> str:
    place = f"at: [4.2, 0, {6 - 0.1 * (number % 9):.1f}], facing: north"
    return with_piece(text, f"stairs: {{{place}, steps: 12, rise: 0.1, run: 0.3, width: 2}}")


def painted(text: str, number: int) -> str:
    colours = iter(range(number * 7, 1000))
    return re.sub(r'"#[0-9a-f]{6}"', lambda found: f'"#{found.group()[2:6]}{next(colours) % 256:02x}"', text, count=1)


def sunned(text: str, number: int) -> str:
    return re.sub(r"sun: \{height: [\d.]+", f"sun: {{height: {30 + number % 17}", text, count=1)


EDITS: dict[str, Edit] = {"a box moved": moved, "stairs built": built, "a colour": painted, "the sun": sunned}


class Observer:
    """Watches the frames of a running game, saves, and measures when the result is visible."""

    def __init__(self, game: Any, window: Any, path: Path, saves: int) -> None:
        self.game, self.window, self.path = game, window, path
        self.text = path.read_text(encoding="utf-8")
        self.plan = [(kind, number) for number in range(saves) for kind in EDITS]
        self.frames: list[tuple[float, float]] = []  # beginning and end
        self.saves: list[dict[str, Any]] = []
        self.began = self.next = time.perf_counter()
        self.next += WARM_SECONDS
        self.open: dict[str, Any] | None = None
        self.last = self.began
        reloading = game.hot_reload
        ask, answered = reloading._request, reloading._on_change_ready
        flip = window.flip

        def asked(kind: str, *where: Any, **more: Any) -> int:
            if self.open is not None and kind == "change":
                self.open["seen"] = time.perf_counter()
            return ask(kind, *where, **more)  # type: ignore[no-any-return]

        def told(answer: Any) -> None:
            if self.open is not None:
                self.open["read"] = time.perf_counter()
                self.open["work"] = answer.seconds
            answered(answer)

        def flipped() -> None:
            flip()
            self.finished(time.perf_counter())

        reloading._request, reloading._on_change_ready, window.flip = asked, told, flipped
        self.reloading = reloading

    def finished(self, now: float) -> None:
        """Called when a frame is on the screen."""
        self.frames.append((self.last, now))
        self.last = now
        # A circle that does not depend on the frame time.
        self.game.input.view.yaw = int(TURNING * (now - self.began)) % 65536
        self.game.input.held.press("W")
        if self.open is not None and self.reloading.reload_count > self.open["count"]:
            self.open["shown"] = now
            self.saves.append(self.open)
            self.open, self.next = None, now + PAUSE_SECONDS
        elif self.open is None and now >= self.next and self.plan:
            kind, number = self.plan.pop(0)
            self.path.write_text(EDITS[kind](self.text, number + 1), encoding="utf-8")
            self.open = {"kind": kind, "saved": time.perf_counter(), "count": self.reloading.reload_count}
        elif self.open is None and not self.plan and now >= self.next:
            self.game.screen.requests.append("quit")

    def result(self) -> dict[str, Any]:
        """All figures, in seconds."""
        rows, busy = [], set()
        for save in self.saves:
            during = [k for k, (_, end) in enumerate(self.frames) if save["saved"] < end <= save["shown"]]
            busy.update(during)
            at = save["saved"]
            rows.append(
                {
                    "kind": save["kind"],
                    "to_picture": save["shown"] - at,
                    "seen": save["seen"] - at,
                    "read": save["read"] - save["seen"],
                    "work": save["work"],
                    "shown": save["shown"] - save["read"],
                    "longest_frame": max(self.frames[k][1] - self.frames[k][0] for k in during),
                    "frames": len(during),
                }
            )
        settled = self.began + WARM_SECONDS - 2.0
        other = [end - start for k, (start, end) in enumerate(self.frames) if k not in busy and start > settled]
        return {"saves": rows, "frames": other}


def inside(options: argparse.Namespace) -> None:
    """Play in this process and write the figures."""
    watched(options, lambda game, window: Observer(game, window, Path(options.level), options.saves))


def watched(options: argparse.Namespace, observe: Callable[[Any, Any], Any]) -> None:
    """Play with an observer, which `observe` creates from game and window at the first frame. Writes its `result()`."""
    from game.app import startup
    from game.app.commands import command_line
    from game.app.hot_reload import level_reload

    observers: list[Any] = []
    make = level_reload.LevelReloader

    class Observed(make):  # type: ignore[misc, valid-type]
        def update(self, now: float) -> None:
            if not observers and self.level_renderer is not None and self.game.session is not None:
                import pyglet

                observers.append(observe(self.game, next(iter(pyglet.app.windows))))
            super().update(now)

    level_reload.LevelReloader = Observed  # type: ignore[misc]
    assert startup
    command_line.main(["play", options.level, "--size", options.size, "--quality", options.quality])
    Path(options.inside).write_text(json.dumps(observers[0].result()))


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Play a copy of the level in a child process."""
    level = Path(options.level)
    more = ["--quality", options.quality, "--saves", str(options.saves)]
    return played("benchmarks.save", level.name, level.read_bytes(), more, options.size, options.display)


def played(
    module: str, name: str, level: bytes, more: list[str], size: str, display: str | None = None
) -> dict[str, Any]:
    """The result, as JSON, of `python -m MODULE LEVEL --size SIZE ... --inside FILE`; under Xvfb if no display is
    given. The level is copied to a temporary folder.
    """
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / name
        path.write_bytes(level)
        found = Path(scratch) / "found.json"
        server = None
        if display is None:
            read, write = os.pipe()
            server = subprocess.Popen(
                ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
                pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            os.close(write)
            with os.fdopen(read) as pipe:
                display = f":{pipe.readline().strip()}"
        command = [sys.executable, "-m", module, str(path), "--size", size, *more, INSIDE, str(found)]
        environment = {**os.environ, "DISPLAY": display, "WALKER_CONFIG": str(Path(scratch) / "config")}
        try:
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
            result: dict[str, Any] = json.loads(found.read_text())
            return result
        finally:
            if server is not None:
                server.terminate()
                server.wait(10)


def table(found: dict[str, Any]) -> str:
    """The measurement as Markdown."""
    from benchmarks.peers.table import grid

    head = ["save", "to picture, s", "most", "seen", "read", "shown", "longest frame, ms", "most"]
    rows = []
    for kind in EDITS:
        saves = [save for save in found["saves"] if save["kind"] == kind]
        if not saves:
            continue

        def column(name: str, saves: list[dict[str, Any]] = saves) -> list[float]:
            return [save[name] for save in saves]

        rows.append(
            [
                kind,
                f"{median(column('to_picture')):.2f}",
                f"{max(column('to_picture')):.2f}",
                *(f"{median(column(name)):.2f}" for name in ("seen", "read", "shown")),
                f"{1e3 * median(column('longest_frame')):.0f}",
                f"{1e3 * max(column('longest_frame')):.0f}",
            ]
        )
    frames = sorted(found["frames"])
    slow = frames[-len(frames) // 20]
    usual = f"Other frames: {1e3 * median(frames):.0f} ms, the slowest twentieth {1e3 * slow:.0f} ms or more"
    to_picture = median(save["to_picture"] for save in found["saves"])
    longest = median(save["longest_frame"] for save in found["saves"])
    results = ["met" if value <= most else "missed" for value, most in ((to_picture, TARGET), (longest, FRAME))]
    summary = [
        f"From save to picture: {to_picture:.2f} s (at most {TARGET} s: {results[0]}).",
        f"Longest frame: {1e3 * longest:.0f} ms (at most {1e3 * FRAME:.0f} ms: {results[1]}).",
        f"Medians of {len(found['saves'])} saves; of processor time the reading took {1e3 * work(found):.0f} ms.",
    ]
    return "\n\n".join([grid(head, rows), f"{usual}.", *summary])


def work(found: dict[str, Any]) -> float:
    """Median processor time (s) of the worker process for a level."""
    return median(save["work"] for save in found["saves"])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.save", description=__doc__.splitlines()[0])
    parser.add_argument(
        "level", nargs="?", default=str(ROOT / "levels" / "demo.yaml"), help="level file (default: demo)"
    )
    parser.add_argument("--size", default="1280x720", help="window size in pixels (default: %(default)s)")
    parser.add_argument("--quality", default="low", help="graphics quality (default: %(default)s)")
    parser.add_argument("--saves", type=int, default=10, help="saves of each kind (default: %(default)s)")
    parser.add_argument("--display", help="X display of the window, such as :1")
    parser.add_argument("--keep", action="store_true", help="write the table and all figures to benchmarks/results")
    parser.add_argument(INSIDE, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        inside(options)
        return
    began, load = datetime.now(UTC), os.getloadavg()[0]
    found = run(options)
    about = (
        f"Measured {began:%Y-%m-%d %H:%M} UTC: {platform.machine()}, {os.cpu_count()} processors, load {load:.1f} at "
        f"the start; {Path(options.level).name}, {options.size}, quality {options.quality}."
    )
    text = f"{about}\n\n{table(found)}\n"
    print(text)
    if options.keep:
        keep("save", began, about, text, found)


def keep(name: str, began: datetime, about: str, text: str, found: dict[str, Any]) -> None:
    """Write the table and all figures to the results."""
    stem = f"{name}-{began:%Y-%m-%d-%H%M}"
    (RESULTS / f"{stem}.md").write_text(text, encoding="utf-8")
    (RESULTS / f"{stem}.json").write_text(json.dumps({"about": about, **found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
