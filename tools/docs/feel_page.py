"""Measure movement (speeds, jumps, camera) and write the tables of docs/feel.md: `python -m tools.docs.feel_page
[--check]`.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game.app.cameras.first_person import FirstPersonCamera
from game.app.settings.settings_file import Settings
from game.core import atomic_files
from game.level import Level, load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import Command, TriangleMesh, Walker, WalkerSettings, WalkerState
from game.sim import Session, World

PAGE = Path(__file__).resolve().parents[2] / "docs" / "feel.md"
RATES = (30, 60, 144)
STAIRS = {"up": ((-8.0, 0.0, -17.9), 49152), "down": ((4.0, 3.6, -17.9), 16384)}
SIXTIETH = 1.0 / 60.0
Rows = Sequence[tuple[str, ...]]


def table(head: tuple[str, ...], rows: Rows) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# Body


class Field:
    """A walker on an endless floor, or on a floor that ends at z = 0."""

    def __init__(self, edge: float = -500.0, feet: tuple[float, float, float] = (0.0, 0.0, 2.0)) -> None:
        a, b, c, d = (-500.0, 0.0, 500.0), (500.0, 0.0, 500.0), (500.0, 0.0, edge), (-500.0, 0.0, edge)
        self.mesh = TriangleMesh([[a, b, c], [a, c, d]])
        self.walker = Walker()
        self.state = self.walker.spawn(self.mesh, feet)

    def go(self, ticks: int, until: Callable[[WalkerState], bool] | None = None, **keys: object) -> int:
        """Walk with these keys for some ticks, or until a condition holds. Returns the number of ticks."""
        for tick in range(1, ticks + 1):
            self.state, _ = self.walker.step(self.state, Command(**keys), self.mesh)  # type: ignore[arg-type]
            if until is not None and until(self.state):
                return tick
        return ticks


def speed(state: WalkerState) -> float:
    """Horizontal speed, m/s."""
    return math.hypot(state.velocity[0], state.velocity[2])


def starting(**keys: object) -> tuple[int, int, float]:
    """Ticks to full speed, ticks to stop, and stopping distance in metres."""
    field = Field()
    field.go(60, forward=1.0, **keys)
    full, field = speed(field.state), Field()
    up = field.go(60, lambda state: speed(state) > 0.999 * full, forward=1.0, **keys)
    field.go(60, forward=1.0, **keys)
    began = field.state.feet[2]
    down = field.go(60, lambda state: speed(state) == 0.0)
    return up, down, abs(field.state.feet[2] - began)


def ground_table() -> str:
    """Speed, start and stop for each gait."""
    settings, rows = WalkerSettings(), []
    gaits: tuple[tuple[str, float, dict[str, object]], ...] = (
        ("walk", settings.walk_speed, {}),
        ("sprint", settings.sprint_speed, {"sprint": True}),
        ("crouched", settings.crouch_speed, {"crouch": True}),
    )
    for name, pace, keys in gaits:
        up, down, metres = starting(**keys)
        times = (f"{1000 * ticks / 60:.0f} ms" for ticks in (up, down))
        rows.append((name, f"{pace:.1f} m/s", *times, f"{metres:.2f} m"))
    return table(("on ground", "speed", "time to full speed", "time to stop", "stopping distance"), rows)


def jump(sprint: bool | None) -> tuple[float, int, int, float]:
    """Height (m), ticks to the top, ticks in the air, and length (m) of a jump. sprint None: from standing."""
    field = Field()
    forward = 0.0 if sprint is None else 1.0
    field.go(60, forward=forward, sprint=bool(sprint))
    began = field.state.feet
    heights = []
    field.go(1, forward=forward, sprint=bool(sprint), jump=True)
    heights.append(field.state.feet[1])
    while not field.state.grounded:
        field.go(1, forward=forward, sprint=bool(sprint))
        heights.append(field.state.feet[1])
    return max(heights) - began[1], int(np.argmax(heights)) + 1, len(heights), abs(field.state.feet[2] - began[2])


def steering() -> tuple[float, float]:
    """Standing jump with a direction held from take-off: speed at landing (m/s) and length (m)."""
    field = Field()
    field.go(10)
    field.go(1, jump=True)
    field.go(120, lambda state: state.grounded, forward=1.0)
    return speed(field.state), abs(field.state.feet[2] - 2.0)


def grace(late: bool) -> int:
    """Ticks after an edge (coyote time), or before a landing (jump buffer), in which a jump key works."""
    best = 0
    for wait in range(1, 20):
        if late:
            field = Field(edge=0.0)
            field.go(120, lambda state: not state.grounded, forward=1.0)
            field.go(wait - 1, forward=1.0)
            field.go(1, forward=1.0, jump=True)
            jumped = field.state.velocity[1] > 0.0
        else:
            field = Field(feet=(0.0, 1.0, 2.0))
            fall = field.go(120, lambda state: state.grounded)
            field = Field(feet=(0.0, 1.0, 2.0))
            field.go(fall - wait)
            field.go(1, jump=True)
            jumped = field.go(wait + 2, lambda state: state.velocity[1] > 0.0) < wait + 2
        if jumped:
            best = wait
    return best


def air_table() -> str:
    """Jumps and air control."""
    rows = []
    for name, sprint in (("standing", None), ("walking", False), ("sprinting", True)):
        high, top, ticks, along = jump(sprint)
        rows.append((name, f"{high:.2f} m", f"{top / 60:.2f} s", f"{ticks / 60:.2f} s", f"{along:.2f} m"))
    reached, along = steering()
    late, early = grace(True), grace(False)
    return table(("jump", "height", "time to the top", "air time", "length"), rows) + (
        f"\n\nA standing jump with W pressed after take-off lands {along:.1f} m ahead, at {reached:.1f} m/s: air "
        f"control is 0.3 of the\nacceleration. Coyote time is {late} ticks ({late / 60:.2f} s) after an edge, "
        f"and the jump buffer {early} ticks before a landing."
    )


# Camera


class Walk:
    """A walk through a level, sampled frame by frame."""

    def __init__(self, level: Level, feet: tuple[float, float, float], heading: int) -> None:
        self.world = World(level)
        self.world.walker_state = self.world.walker.spawn(self.world.mesh, feet, heading)
        self.session = Session(self.world)
        self.eye = FirstPersonCamera(self.world.mesh, self.world.settings.eye, self.session.pose())
        self.heading, self.now = heading, 10.0
        self.session.advance(self.now, Command)

    def go(self, seconds: float, rate: int = 60, **keys: object) -> NDArray[np.float64]:
        """(frames, 2): the height of eye and feet."""
        rows = []
        for _ in range(round(seconds * rate)):
            self.now += 1.0 / rate
            command = Command(heading=self.heading, **keys)  # type: ignore[arg-type]
            self.session.advance(self.now, lambda: command)  # noqa: B023
            at = self.eye.update_from_session(self.session, 1.0 / rate, Settings())
            rows.append((at[1], self.session.pose().feet[1]))
        return np.array(rows)


def stairs_table(level: Level) -> str:
    """The demo's straight stairs, walked and sprinted."""
    rows = []
    for gait, keys in (("walk, 4 m/s", {}), ("sprint, 6.5 m/s", {"sprint": True})):
        for way, (feet, heading) in STAIRS.items():
            line = [f"{gait}, {way}"]
            worst = 0.0
            for rate in RATES:
                seen = Walk(level, feet, heading).go(2.8, rate, forward=1.0, **keys)
                change = np.abs(np.diff(seen[:, 0], 2)).max() * rate * SIXTIETH
                worst = max(worst, float(np.abs(seen[:, 0] - seen[:, 1] - 1.44).max()))
                line.append(f"{1000 * change:.1f} mm")
            seen = Walk(level, feet, heading).go(2.8, forward=1.0, **keys)
            line += [f"{1000 * np.abs(np.diff(seen[:, 1], 2)).max():.0f} mm", f"{worst:.2f} m"]
            rows.append(tuple(line))
    rates = (f"{rate}/s" for rate in RATES)
    return table(("stairs of 0.18 by 0.30 m", *rates, "feet, 60/s", "camera off by at most"), rows)


def eye_lines(level: Level) -> str:
    """Camera height during crouching, rising and landing."""
    feet, heading = (0.0, 0.0, 8.0), 0
    walk = Walk(level, feet, heading)
    down = walk.go(1.0, crouch=True)[:, 0]
    up = walk.go(1.0)[:, 0]
    times = [int((np.abs(part - part[-1]) > 0.1 * 0.56).sum()) + 1 for part in (down, up)]
    dips = []
    for height in (1.0, 3.0):
        walk = Walk(level, (feet[0], feet[1] + height, feet[2]), heading)
        seen = walk.go(math.sqrt(2.0 * height / 9.81) + 0.6)
        landed = int(np.argmin(seen[:, 1] > seen[-1, 1] + 1e-6))
        dips.append(float((seen[landed:, 1] + 1.44 - seen[landed:, 0]).max()))
    return (
        f"The camera needs {times[0] / 60:.2f} s for nine tenths of the way into a crouch, and {times[1] / 60:.2f} s "
        f"to rise; the body needs\none tick. The camera dips by {100 * dips[0]:.0f} cm on landing from 1 m and "
        f"by {100 * dips[1]:.0f} cm from 3 m."
    )


def parts() -> dict[str, str]:
    """The generated text between each pair of markers of the page."""
    level = load(SHIPPED_LEVELS / "demo.yaml")
    return {
        "ground": ground_table(),
        "air": air_table(),
        "stairs": stairs_table(level),
        "eye": eye_lines(level),
    }


def filled(text: str, made: dict[str, str]) -> str:
    """The page with these parts. ValueError if a pair of markers is missing."""
    for name, part in made.items():
        begin, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
        if begin not in text or end not in text:
            raise ValueError(f"docs/feel.md has no place for '{name}'")
        text = text[: text.index(begin) + len(begin)] + part + text[text.index(end) :]
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with --check compare it with the measurement."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs.feel_page", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is out of date")
    options = parser.parse_args(arguments)
    text = PAGE.read_text(encoding="utf-8")
    made = filled(text, parts())
    if not options.check:
        atomic_files.write_atomic(PAGE, made.encode())
    return int(options.check and made != text)


if __name__ == "__main__":
    sys.exit(main())
