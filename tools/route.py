"""Write a commands file from a list of places to walk to.

    python -m tools.route levels/demo.route levels/demo.yaml -o levels/demo.commands

The tool simulates the walk in the level while it writes, so that the commands arrive. Run it again after a change of
the level. A route is plain text with one instruction on a line; places are x z in metres:

    walk X Z [crouch] [sprint]   turn towards the place (while walking if the turn is small) and go there
    side X Z [crouch]            go there sideways, without turning
    around X Z TURN SPANS        walk a circle around the place: TURN degrees, positive to the left, in SPANS spans
    face DEGREES                 turn in place to a heading, counter-clockwise from north
    wait TICKS                   stand still
    keys SPAN                    a line of the commands file, copied as it is

`#` begins a comment. Comments on lines of their own are copied.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from game.core.errors import WalkerError
from game.level import load
from game.physics import Command
from game.sim import World, command_script

QUICK = 6.0  # degrees per tick: turn in place
EASY = 3.0  # degrees per tick: turn while walking
SHARP = 50.0  # degrees: a larger turn is made in place first
LONGEST = 900  # ticks: limit of one leg
STILL = 0.25  # fraction of full speed: slower means stuck
PATIENCE = 45  # ticks


class RouteError(WalkerError):
    """A line of the route that cannot be read or walked."""


class Writer:
    """A simulated walk that is written down as spans of a commands file."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.lines: list[str] = []
        self.heading = world.start.heading * 360 / 65536  # heading of the view, degrees
        self.pitch = 0.0
        self.ticks = 0

    # Spans

    def span(self, text: str) -> None:
        """Simulate one span and append it."""
        script = command_script.parse_script(text)
        self._play(script)
        self.heading += float(sum(span.turn for span in script.spans))
        self.pitch += float(sum(span.look for span in script.spans))
        self.ticks += script.ticks
        self.lines.append(text)

    def _commands(self, script: command_script.CommandScript) -> Iterator[Command]:
        return script.commands(round(self.heading * 65536 / 360), round(self.pitch * 65536 / 360))

    def _play(self, script: command_script.CommandScript) -> None:
        for command in islice(self._commands(script), script.ticks):
            self.world.step(command)

    def _tried(self, text: str) -> tuple[float, float]:
        """Position (x, z) at the end of a span, without keeping it."""
        before = self.world.state()
        self._play(command_script.parse_script(text))
        x, _, z = self.world.walker_state.feet
        self.world.restore(before)
        return x, z

    def place(self) -> tuple[float, float]:
        x, _, z = self.world.walker_state.feet
        return x, z

    def _bearing(self, x: float, z: float, here: tuple[float, float] | None = None) -> float:
        """Turn in degrees (-180 to 180) that faces a place."""
        at_x, at_z = here or self.place()
        towards = math.degrees(math.atan2(-(x - at_x), -(z - at_z)))
        return (towards - self.heading + 180) % 360 - 180

    # Instructions of a route

    def walk(self, x: float, z: float, keys: str = "") -> None:
        turn = self._bearing(x, z)
        if abs(turn) > SHARP:
            self.face(self.heading + turn)
        elif abs(turn) >= 0.1:
            ticks = max(4, round(abs(turn) / EASY))
            for _ in range(4):  # the place to face depends on where the turn ends
                end = self._tried(_line(ticks, "forward 1", f"turn {turn:.1f}", keys))
                turn = self._bearing(x, z, end)
                if abs(turn) > 2 * SHARP:
                    raise RouteError("too near to turn on the way: face it first")
            self.span(_line(ticks, "forward 1", f"turn {turn:.1f}", keys))
        self._go(x, z, "forward 1", keys)

    def side(self, x: float, z: float, keys: str = "") -> None:
        self._go(x, z, "strafe -1" if self._bearing(x, z) > 0 else "strafe 1", keys)

    def _go(self, x: float, z: float, way: str, keys: str) -> None:
        """Hold the keys until the place is nearest along the path."""
        start = self.place()
        length = math.hypot(x - start[0], z - start[1])
        if length < 0.05:
            return
        along = (x - start[0]) / length, (z - start[1]) / length
        before = self.world.state()
        rows = self._commands(command_script.parse_script(_line(LONGEST, way, keys)))
        gone, slow, ticks = 0.0, 0, 0
        for command in rows:
            self.world.step(command)
            ticks += 1
            at = self.place()
            last, gone = gone, (at[0] - start[0]) * along[0] + (at[1] - start[1]) * along[1]
            if gone + (gone - last) / 2 >= length:
                break
            slow = slow + 1 if gone - last < STILL * self._pace() else 0
            if slow > PATIENCE or ticks >= LONGEST:
                raise RouteError(f"stuck at ({at[0]:.2f}, {at[1]:.2f}), {length - gone:.2f} m before the place")
        self.world.restore(before)
        self.span(_line(ticks, way, keys))

    def _pace(self) -> float:
        return self.world.settings.crouch_speed / self.world.settings.ticks_per_second

    def around(self, x: float, z: float, turn: float, spans: int) -> None:
        """Walk a circle: each span turns evenly so that the distance stays."""
        at_x, at_z = self.place()
        radius = math.hypot(at_x - x, at_z - z)
        pace = self.world.settings.walk_speed / self.world.settings.ticks_per_second
        ticks = round(math.radians(abs(turn)) * radius / pace / spans)
        for _ in range(spans):
            best = (math.inf, 0)
            for degrees in range(round(turn / spans) - 40, round(turn / spans) + 41):
                end = self._tried(_line(ticks, "forward 1", f"turn {degrees}"))
                best = min(best, (abs(math.hypot(end[0] - x, end[1] - z) - radius), degrees))
            self.span(_line(ticks, "forward 1", f"turn {best[1]}"))

    def face(self, heading: float) -> None:
        turn = (heading - self.heading + 180) % 360 - 180
        if abs(turn) >= 0.1:
            self.span(_line(max(4, round(abs(turn) / QUICK)), f"turn {turn:.1f}"))


def _line(ticks: int, *words: str) -> str:
    """A span as text without superfluous zeros: `30  forward 1  turn 12`."""
    shown = [word.removesuffix(".0") for word in words if word]
    return "  ".join([f"{ticks:<3}", *shown]).rstrip()


def write(route: str, world: World) -> list[str]:
    """The lines of the commands file. RouteError names the line that fails."""
    writer = Writer(world)
    for number, raw in enumerate(route.splitlines(), start=1):
        text, _, comment = raw.partition("#")
        words = text.split()
        try:
            if not words:
                blank = not raw.strip()
                writer.lines.append("" if blank else f"# {comment.strip()}")
            elif words[0] in ("walk", "side"):
                one = writer.walk if words[0] == "walk" else writer.side
                one(float(words[1]), float(words[2]), "  ".join(words[3:]))
            elif words[0] == "around":
                writer.around(float(words[1]), float(words[2]), float(words[3]), int(words[4]))
            elif words[0] == "face":
                writer.face(float(words[1]))
            elif words[0] == "wait":
                writer.span(_line(int(words[1])))
            elif words[0] == "keys":
                writer.span(_line(int(words[1]), " ".join(words[2:])))
            else:
                raise RouteError(f"'{words[0]}' is none of walk, side, around, face, wait, keys")
        except (RouteError, ValueError, IndexError) as error:
            raise RouteError(f"line {number}: {raw.strip()}: {error}") from None
    return writer.lines


def main() -> int:
    parser = argparse.ArgumentParser(description="write a commands file from a list of places to walk to")
    parser.add_argument("route", type=Path)
    parser.add_argument("level")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    world = World(load(options.level))
    try:
        lines = write(options.route.read_text(encoding="utf-8"), world)
    except RouteError as error:
        print(f"{options.route}: {error}", file=sys.stderr)
        return 1
    options.output.write_text("\n".join(lines).strip() + "\n", encoding="utf-8")
    reached = "the goal is reached" if world.goal_tick >= 0 else "the goal is not reached"
    print(f"{options.output}: {world.tick} ticks, {world.seconds:.1f} s; {reached}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
