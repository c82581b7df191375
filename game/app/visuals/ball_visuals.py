"""What the picture shows of a world's balls: where they are between two ticks, their shadows, energy and frame rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...level.build.entities.balls import DEFAULT_BALL_COLOURS
from ...physics.balls.balls import BallRows
from ...render.snapshot import BallInstances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...sim import World

MAX_SHADOW_HEIGHT = 6.0  # m above the ground that a ball still has a shadow
MAX_SHADOW_OPACITY = 0.62
Floats = NDArray[np.float64]


def ball_instances(world: World, alpha: float) -> BallInstances | None:
    """All balls of a world `alpha` of the way from the tick before to the last one; None where there are none."""
    rows, before = world.balls.rows, world.balls.previous_rows
    colours = _ball_colours(world, rows)
    places = _interpolate(before, rows, alpha)
    if not len(rows):
        return None
    grounds, normals, spans, darks = blob_shadows(world, places, rows["radius"])
    return BallInstances(places, rows["radius"].copy(), rows["turn"].copy(), colours, grounds, normals, spans, darks)


def _interpolate(before: BallRows, rows: BallRows, alpha: float) -> Floats:
    """Places between two ticks; one that was not there before is where it is."""
    places: Floats = rows["position"].copy()
    was = {number: k for k, number in enumerate(before["number"].tolist())} if len(before) != len(rows) else None
    if was is None and (before["number"] == rows["number"]).all():
        places = before["position"] + alpha * (places - before["position"])
        return places
    for k, number in enumerate(rows["number"].tolist()):
        j = (was or {}).get(number)
        if j is not None:
            places[k] = before["position"][j] + alpha * (places[k] - before["position"][j])
    return places


def _ball_colours(world: World, rows: BallRows) -> Floats:
    given = [one.colour for one in world.level.balls]
    table = np.array([*given, *DEFAULT_BALL_COLOURS])
    numbers = rows["number"]
    mine = numbers < len(given)
    found: Floats = table[np.where(mine, numbers, len(given) + numbers % len(DEFAULT_BALL_COLOURS))]
    return found


def blob_shadows(world: World, places: Floats, radii: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Where the balls' shadows lie, the normals there, their radii and how dark they are; of the level and movers."""
    down = np.array((0.0, -1.0, 0.0))
    found: list[tuple[Any, Floats, Floats]] = [_cast_down(world.mesh, places, down)]
    movers = None if world.around is None else world.around.movers
    for mover, pose in zip(movers or (), movers.poses(world.tick) if movers else (), strict=True):
        turn, at = pose[:, :3], pose[:, 3]
        away, grounds, normals = _cast_down(mover.mesh, (places - at) @ turn, down @ turn)
        found.append((away, grounds @ turn.T + at, normals @ turn.T))
    distances = np.stack([each[0] for each in found])
    best = distances.argmin(axis=0)
    rows = np.arange(len(places))
    away = distances[best, rows]
    near = away <= MAX_SHADOW_HEIGHT
    grounds = np.stack([each[1] for each in found])[best, rows][near]
    normals = np.stack([each[2] for each in found])[best, rows][near]
    height = np.maximum(away[near] - radii[near], 0.0)
    spans = radii[near] * (1.25 + 0.5 * height)
    darks = MAX_SHADOW_OPACITY / (1.0 + 1.5 * height) * np.clip((MAX_SHADOW_HEIGHT - away[near]) / 2.0, 0.0, 1.0)
    return grounds, normals, spans, darks


def _cast_down(mesh: Any, places: Floats, down: Floats) -> tuple[Floats, Floats, Floats]:
    """(distance or inf, point, normal) of what is first met from each place along `down`."""
    if not len(mesh) or not len(places):
        none = np.full((len(places), 3), 0.0)
        return np.full(len(places), np.inf), none, none
    hits = mesh.raycast(places, down, MAX_SHADOW_HEIGHT)
    missed = hits.triangle < 0
    return np.where(missed, np.inf, hits.distance), np.asarray(hits.point), np.asarray(hits.normal)


def debug_lines(world: World | None, frames: Sequence[float]) -> tuple[str, ...]:
    """How many balls, their energy and the frame rate, a line each, where the level asks for it."""
    toys = None if world is None else world.balls
    if toys is None or toys.play is None or not toys.play.energy:
        return ()
    rate = f"{len(frames) / sum(frames):.0f} frames/s" if frames and sum(frames) > 0.0 else ""
    awake = int((~toys.rows["asleep"]).sum())
    parts = (f"{len(toys.rows)} balls, {awake} awake", f"energy {toys.energy:.1f} J", rate)
    return tuple(part for part in parts if part)
