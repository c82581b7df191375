"""Walks seen from the side: stairs, and where a body stops being carried."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from game.physics import Trace, TriangleMesh, Walker, WalkerSettings, bare
from tools.docs.figures.scenes import draw_ground, extrude, side
from tools.docs.figures.svg import AIR, BODY, FAINT, INK, OTHER, SOFT, STEP, Drawing, Panel, Point

RADII = WalkerSettings().radii


def flight(rise: float, run: float, steps: int, at: float = 0.0, y: float = 0.0) -> list[Point]:
    """The profile of stairs from `at`, up (or down: a rise under 0)."""
    out = []
    for k in range(steps):
        out += [(at + k * run, y + k * rise), (at + k * run, y + (k + 1) * rise)]
    return out


def walked(walker: Walker, world: TriangleMesh, start: float, y: float, ticks: int) -> tuple[Any, list[Trace], Any]:
    """A walk ahead from `start`: the state before it, its traces, the states after each tick."""
    state = walker.spawn(world, (0.0, y, -start))
    states, traces = walker.run(state, walker.commands(forward=np.ones(ticks)), world, trace=True)
    return state, traces, states


def _outline(panel: Panel, row: Any, colour: str, opacity: float = 0.07, width: float = 1.2) -> None:
    _, up, ahead = row["radii"]
    panel.ellipse(side(row["position"]), ahead, up, colour, fill_opacity=opacity, stroke=colour, width=width)


def _feet(row: Any) -> Point:
    u, y = side(row["position"])
    return (u, y - float(row["radii"][1]))


def stairs() -> Drawing:
    """Up three steps of 0.18 by 0.30 m and down again at 4 m/s and 60 ticks a second."""
    d = Drawing(760, 560)
    rise, run, count = 0.18, 0.30, 3
    top, low = count * rise, -0.8
    profile = [(-2.0, 0.0), *flight(rise, run, count), *flight(-rise, run, count, count * run + 0.7, top)]
    profile.append((6.0, 0.0))
    world = extrude(profile)
    walker = Walker(bare())
    _, traces, states = walked(walker, world, -0.6, 0.0, 55)
    p = Panel(d, 20, 20, 720, 410, (low, -0.1), 166.0)
    noses = [any(c.kind == "walkable" and c.feature != "face" for c in t.contacts) for t in traces]
    with p:
        draw_ground(p, profile, -1.0)
        for k in range(2, len(states), 6):
            _outline(p, states[k], BODY)
        d.line(p([_feet(s) for s in states]), SOFT, 1)
        for row, nose in zip(states, noses, strict=True):
            d.dot(p.at(_feet(row)), STEP if nose else BODY, 3)

    # Under it, tick by tick: the rise, and what the trace says.
    feet = [_feet(s) for s in states]
    lifts = [0.0, *(b[1] - a[1] for a, b in pairwise(feet))]
    speeds = [(b[0] - a[0]) * walker.settings.ticks_per_second for a, b in pairwise(feet)]
    zero, most = 478.0, 26.0 / max(abs(v) for v in lifts)
    words = sorted({word for trace in traces for word in trace.events})
    rows = [(word, 522.0 + 22.0 * k, OTHER) for k, word in enumerate(words)]
    d.height = 522 + 22 * len(words) + 4
    for y in (zero, *(y for _, y, _ in rows)):
        d.line([(20, y), (740, y)], FAINT, 1)
    for at, lift, nose, trace in zip(feet, lifts, noses, traces, strict=True):
        x = p.at(at)[0]
        d.line([(x, zero), (x, zero - most * lift)], STEP if nose else BODY, 6)
        for word, y, colour in rows:
            if word in trace.events:
                d.dot((x, y), colour, 3.5)
    d.text((20, 452), "rise of each tick", SOFT, 12)
    d.text((740, 452), f"at most {1000 * max(lifts):.0f} mm up, {-1000 * min(lifts):.0f} mm down", SOFT, 12, "end")
    for word, y, _ in rows:
        d.text((740, y - 5), f"the trace says “{word}”", SOFT, 12, "end")
    d.key((26, 38), [(BODY, "lowest point, over a tread"), (STEP, "in contact with an edge")])
    d.text((734, 38), f"horizontal speed {min(speeds):.6f} to {max(speeds):.6f} m/s", INK, 12, "end")
    return d


def edge() -> Drawing:
    """Off a high edge, and down steep stairs, at 4 m/s and 240 ticks a second; every eighth body."""
    d = Drawing(760, 440)
    walker = Walker(bare(ticks_per_second=240))
    high = [(-3.0, 0.0), (0.0, 0.0), (0.0, -2.0), (6.0, -2.0)]
    steep = [(-3.0, 0.0), *flight(-0.40, 0.20, 3), (6.0, -1.2)]
    for left, profile, what in ((20, high, "off an edge 2 m high"), (390, steep, "down steps of 0.40 by 0.20 m")):
        world = extrude(profile)
        _, _, states = walked(walker, world, -0.4, 0.0, 96)
        p = Panel(d, left, 38, 350, 350, (-0.75, -1.3), 350 / 2.35)
        d.text((left, 26), what, size=14)
        last = next((k for k, s in enumerate(states) if not s["grounded"]), len(states)) - 1
        with p:
            draw_ground(p, profile, -4.0)
            for k in range(7, len(states), 8):
                _outline(p, states[k], BODY if states[k]["grounded"] else AIR, 0.05, 1.0)
            if not states["grounded"].all():
                _outline(p, states[last], BODY, 0.0, 2.2)
            d.line(p([_feet(s) for s in states]), SOFT, 1)
            for row in states[3::4]:
                d.dot(p.at(_feet(row)), BODY if row["grounded"] else AIR, 2.6)
            if not states["grounded"].all():
                n = states[last]["ground_normal"]
                d.arrow(p.at((0.0, 0.0)), p.at((-0.5 * n[2], 0.5 * n[1])), STEP, 2.4)
        if states["grounded"].all():
            words = f"every next step is within a snap:\n{len(states)} of {len(states)} ticks on the ground"
        else:
            lean = math.degrees(math.acos(min(1.0, float(states[last]["ground_normal"][1]))))
            sunk = 1000.0 * (_feet(states[0])[1] - _feet(states[last])[1])
            words = f"supported until the normal leans by {lean:.1f} degrees;\n"
            words += f"by then the feet have sunk by {sunk:.0f} mm"
        d.text((left, 410), words, size=12)
    d.key((200, 26), [(BODY, "supported")])
    d.key((300, 26), [(AIR, "falling")])
    return d
