"""Regressions on stairs with open sides: met from the side, they are kerbs of the same heights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import TriangleMesh, Walker, WalkerSettings
from tests.support.scenes import BODIES, box, floor, mesh, stairs

SKIN_HEIGHT = 0.012  # m: the skin below the feet, which a body that leans on an edge has beside it instead


def open_flight(rise: float, run: float) -> TriangleMesh:
    """Eight steps, 1.5 m wide, up from z = 0 to -z; the sides are walls up to each tread."""
    steps = [box(-0.75, 0.0, -8 * run - 2.0, 0.75, (k + 1) * rise, -k * run) for k in range(8)]
    return mesh(floor(-20, -20, 20, 20), *steps)


def lifts(walker: Walker, world: TriangleMesh, feet: tuple[float, float, float], heading: float, ticks: int, **keys):
    """(rise, horizontal distance, grounded at the end) of each tick that began on the ground."""
    start = walker.spawn(world, feet, round(heading / (2.0 * math.pi) * 65536) % 65536)
    states = walker.run(start, walker.commands(forward=np.ones(ticks), heading=start.heading, **keys), world)
    positions = np.vstack([start.position, states["position"]])
    moves = np.diff(positions, axis=0)
    grounded = np.concatenate([[True], states["grounded"]])
    began = grounded[:-1]
    return moves[began, 1], np.hypot(moves[began, 0], moves[began, 2]), grounded[1:][began]


@pytest.mark.parametrize("rise", [0.18, 0.40])
@pytest.mark.parametrize("rate", [30, 60])
@pytest.mark.parametrize("body", BODIES)
def test_no_tick_climbs_two_risers(body, rate, rise):
    """Two risers at once, by up to 0.8 m, and the body was in the air above them."""
    walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=rate))
    rises, _, grounded = lifts(walker, open_flight(rise, 0.30), (1.6, 0.0, 0.6), math.radians(35.0), rate)
    assert rises.max() > 0.05 or rise > 0.18  # low steps are climbed from the side too
    assert rises.max() <= walker.settings.step_height + SKIN_HEIGHT
    assert not (~grounded & (rises > 0.001)).any()


def test_flights_met_from_every_side():
    """No lift above the step height and one riser for each whole tread, none that ends in the air, at random places."""
    rng = np.random.default_rng(17)
    walks = 0
    for _ in range(160):
        rise, run = rng.uniform(0.15, 0.40), float(rng.choice([0.25, 0.30]))
        rate, body = int(rng.choice([30, 60, 120])), str(rng.choice(["default", "slim"]))
        target, heading = rng.uniform((-0.75, -2.4), (0.75, 0.3)), rng.uniform(0.0, 2.0 * math.pi)
        x, z = target + rng.uniform(1.2, 2.5) * np.array([math.sin(heading), math.cos(heading)])
        if abs(x) < 1.2 and -5.5 < z < 0.5:
            continue
        walker = Walker(WalkerSettings(radii=BODIES[body], ticks_per_second=rate))
        rises, way, grounded = lifts(
            walker, open_flight(rise, run), (x, 0.0, z), heading, rate, sprint=bool(rng.random() < 0.3)
        )
        treads = np.floor(way / run + 1e-9)
        assert (rises <= walker.settings.step_height + treads * rise + SKIN_HEIGHT).all()
        assert not (~grounded & (rises > 0.001)).any()
        walks += 1
    assert walks > 80


@pytest.mark.parametrize("rate", [30, 60, 240])
def test_one_riser_more_for_each_tread(rate):
    """Stairs of 0.40 by 0.05 m are walked at full speed: a tick covers whole treads there."""
    walker = Walker(WalkerSettings(ticks_per_second=rate))
    world = mesh(floor(-20, -20, 20, 20), stairs(0.40, 0.05, 24, 16))
    start = walker.spawn(world, (0.0, 0.0, 1.0), 0)
    states = walker.run(start, walker.commands(forward=np.ones(rate), heading=0), world)
    assert states["grounded"].all()
    speeds = -np.diff(states["position"][rate // 4 :, 2]) * rate
    assert speeds == pytest.approx(4.0, abs=1e-5)
