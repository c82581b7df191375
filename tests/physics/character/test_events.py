"""Events of a trace: each occurs in the tick in which what it names happens, and not in a plain walk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from game.physics import (
    Command,
    Environment,
    Material,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    WalkerSettings,
    Zone,
    Zones,
)
from game.physics.character.trace import TICK_EVENT_NAMES
from tests.support.scenes import box, floor, heading, mesh, quad, stairs, wall

ROOT = Path(__file__).resolve().parents[3]
LEVEL = floor(-9, -9, 9, 9)
LID = floor(-9, -9, 9, 9, y=2.3)
V = [
    *quad((-4.0, 6.9, 9.0), (0.0, 0.0, 9.0), (0.0, 0.0, -9.0), (-4.0, 6.9, -9.0)),
    *quad((0.0, 0.0, 9.0), (4.0, 6.9, 9.0), (4.0, 6.9, -9.0), (0.0, 0.0, -9.0)),
]
CAGE = [triangle for k in range(20) for triangle in wall(2 + k * 0.2, 5, 2 + k * 0.2, -5, 3)]
PRESS = Movers([Mover(mesh(box(-2, 2.2, -2, 2, 3, 2)), motion=Motion(((0, 0, 0), (0, -2.0, 0)), 1.0))], 60)
RIM = [(6.0 * math.cos(a), 3.5, 6.0 * math.sin(a)) for a in np.linspace(0.0, math.tau, 401)]
BOWL = [((0.0, 0.0, 0.0), after, before) for before, after in pairwise(RIM)]
EVERYWHERE = (0, 0, 0), (50, 50, 50)


class Scene(NamedTuple):
    """Triangles, feet at the start, commands by tick (the last one stays), and what is there besides."""

    triangles: Sequence[Any]
    feet: tuple[float, float, float] = (0.0, 0.0, 0.0)
    commands: Sequence[Command] = (Command(),)
    zone: Zone | None = None
    movers: Movers | None = None
    material: Material | None = None
    put: tuple[float, float, float] | None = None  # centre, before the first tick
    ticks: int = 90


AHEAD = Command(forward=1.0)
SCENES = {
    "snapped": Scene([*floor(-9, 0, 9, 9), *stairs(0.18, 0.30, 8)], (0, 1.44, -2.5), (Command(forward=-1.0),)),
    "stepped": Scene([*floor(-9, 0, 9, 9), *stairs(0.18, 0.30, 8)], (0, 0, 1), (AHEAD,)),
    "landed": Scene(LEVEL, (0, 1, 0)),
    "jumped": Scene(LEVEL, commands=(Command(jump=True),)),
    "bounced": Scene(LEVEL, (0, 2, 0), material=Material(bounce=0.7)),
    "launched": Scene(LEVEL, zone=Zone((0, 0, 0), (1, 1, 1), launch=(0.0, 8.0, 0.0))),
    "swims": Scene(LEVEL, zone=Zone(*EVERYWHERE, water=True)),
    "climbs": Scene(LEVEL, commands=(AHEAD,), zone=Zone((0, 2, 0), (1, 2, 1), climb=(0, 0, -1))),
    "crushed": Scene(LEVEL, (9.0, 0, 0), movers=PRESS, put=(0.3, 0.909, 0.2)),
    "head": Scene([*LEVEL, *LID], commands=(Command(jump=True),)),
    "funnel": Scene(V, (0, 2, 0)),
    "turn cut": Scene(
        [*LEVEL, *wall(-9, -0.3, 9, -0.3, 3), *wall(9, 0.3, -9, 0.3, 3)], commands=(Command(heading=16384),)
    ),
    "no room to stand": Scene(
        [*LEVEL, *box(-9, 1.3, -9, 9, 3, 0)], (0, 0, 0.5), (Command(forward=1.0, crouch=True),) * 60 + (Command(),)
    ),
    "gravity turned": Scene(box(-9, 0, -9, 9, 9, 9), (0, 1, 0), zone=Zone(*EVERYWHERE, down=(1, 0, 0))),
    "pushed": Scene([*LEVEL, *wall(1.0, 5, 1.0, -5, 3)], put=(0.9, 0.909, 0.0)),
    "lost": Scene([*LEVEL, *CAGE], (0, 0, 0), put=(4.0, 0.909, 0.0)),
    "squeezed": Scene(
        [*LEVEL, *wall(-0.35, 5, -0.35, -5, 3), *wall(0.35, -5, 0.35, 5, 3)], (0, 0, 7), put=(0.0, 0.909, 0.0)
    ),
    "crowded": Scene(BOWL, (0, 0.3, 0)),
}  # fmt: skip


def events_of(scene: Scene) -> list[tuple[str, ...]]:
    """The events of each tick."""
    triangles = np.array(scene.triangles, float)
    level = TriangleMesh(triangles, np.zeros(len(triangles), np.int32), [scene.material or Material()])
    around = Environment(Zones([scene.zone] if scene.zone else []), scene.movers)
    walker = Walker(WalkerSettings())
    state, events = walker.spawn(level, scene.feet, around=Environment()), []
    if scene.put is not None:
        row = state.row()
        row["position"] = scene.put
        state = walker.state(row)
    for tick in range(scene.ticks):
        command = scene.commands[min(tick, len(scene.commands) - 1)]
        state, trace = walker.step(state, command, level, around, tick)
        events.append(tuple(trace.events))
    return events


def test_each_event_has_a_scene_and_a_word_on_the_page() -> None:
    page = (ROOT / "docs" / "physics.md").read_text(encoding="utf-8")
    table = page.split("| event | meaning |")[1].split("\n\n")[0]
    words = [word for row in table.splitlines()[2:] for word in row.split("|")[1].strip().split(", ")]
    assert sorted(TICK_EVENT_NAMES.values()) == sorted(SCENES) == sorted(words)
    assert all(bit.bit_count() == 1 for bit in TICK_EVENT_NAMES)


@pytest.mark.parametrize("event", SCENES)
def test_what_happens_is_an_event(event: str) -> None:
    assert any(event in of_tick for of_tick in events_of(SCENES[event]))


def test_a_plain_walk_has_none() -> None:
    assert set(events_of(Scene(LEVEL, commands=(AHEAD,)))) == {()}


def ramp_up(degrees: float) -> Scene:
    end = -3.0 / math.tan(math.radians(degrees))
    slope = quad((-9, 0, 0), (9, 0, 0), (9, 3, end), (-9, 3, end))
    return Scene([*floor(-9, 0, 9, 9), *slope, *floor(-9, end - 9, 9, end, 3.0)], (0, 0, 1), (AHEAD,), ticks=400)


def warped_ramp(degrees: float) -> Scene:
    """A ramp whose cells are twisted, met at an angle."""
    rise, ramp = 0.3 * math.tan(math.radians(20)), floor(-9, 0, 9, 9)
    for i in range(10):
        low, high, near, far = rise * i, rise * (i + 1), -0.3 * i, -0.3 * (i + 1)
        ramp += quad((-2.25, low, near), (2.25, 1.1 * low, near), (2.25, 1.1 * high, far), (-2.25, high, far))
    return Scene(ramp, (0, 0, 0.8), (Command(forward=1.0, heading=heading(degrees)),), ticks=70)


RAMPS = {f"{angle} degrees": ramp_up(angle) for angle in (10, 30, 44)} | {
    f"warped, met at {angle} degrees": warped_ramp(angle) for angle in range(20, 61, 5)
}


@pytest.mark.parametrize("name", RAMPS)
def test_a_walk_over_a_ramp_is_no_step(name: str) -> None:
    assert not any("stepped" in of_tick for of_tick in events_of(RAMPS[name]))
