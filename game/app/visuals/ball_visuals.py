"""Drawn balls of a world: positions between two ticks, blob shadows, and debug lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.vectors import Floats
from ...level.build.entities.balls import DEFAULT_BALL_COLOURS
from ...physics.balls.balls import BallRows
from ...render.snapshot import BallInstances

if TYPE_CHECKING:
    from ...sim import World

MAX_SHADOW_HEIGHT = 6.0  # m above the ground at which the shadow of a ball ends
MAX_SHADOW_OPACITY = 0.62


def ball_instances(world: World, alpha: float) -> BallInstances | None:
    """All balls of a world, `alpha` (0..1) between the last two ticks; None where there are none."""
    rows = world.balls.rows
    before = world.balls.previous_rows
    colours = _ball_colours(world, rows)
    places = _interpolate(before, rows, alpha)
    if not len(rows):
        return None
    shadows = blob_shadows(world, places, rows["radius"])
    return BallInstances(places, rows["radius"].copy(), rows["turn"].copy(), colours, *shadows)


def _interpolate(before: BallRows, rows: BallRows, alpha: float) -> Floats:
    """(n,3) positions between two ticks; a new ball is at its present position."""
    places: Floats = rows["position"].copy()
    is_changed = len(before) != len(rows)
    index_before = {number: k for k, number in enumerate(before["number"].tolist())} if is_changed else None
    if index_before is None and (before["number"] == rows["number"]).all():
        places = before["position"] + alpha * (places - before["position"])
        return places
    for k, number in enumerate(rows["number"].tolist()):
        j = (index_before or {}).get(number)
        if j is not None:
            places[k] = before["position"][j] + alpha * (places[k] - before["position"][j])
    return places


def _ball_colours(world: World, rows: BallRows) -> Floats:
    level_colours = [ball.colour for ball in world.level.balls]
    table = np.array([*level_colours, *DEFAULT_BALL_COLOURS])
    numbers = rows["number"]
    default = len(level_colours) + numbers % len(DEFAULT_BALL_COLOURS)
    colours: Floats = table[np.where(numbers < len(level_colours), numbers, default)]
    return colours


def blob_shadows(world: World, places: Floats, radii: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Blob shadows on the level and on movers: centres (k,3), normals (k,3), radii (k,) and opacities (k,)."""
    down = np.array((0.0, -1.0, 0.0))
    found: list[tuple[Any, Floats, Floats]] = [_cast_down(world.mesh, places, down)]
    movers = None if world.environment is None else world.environment.movers
    for mover, pose in zip(movers or (), movers.poses(world.tick) if movers else (), strict=True):
        turn = pose[:, :3]
        at = pose[:, 3]
        distance, grounds, normals = _cast_down(mover.mesh, (places - at) @ turn, down @ turn)
        found.append((distance, grounds @ turn.T + at, normals @ turn.T))
    distances = np.stack([each[0] for each in found])
    best = distances.argmin(axis=0)
    rows = np.arange(len(places))
    distance = distances[best, rows]
    is_near = distance <= MAX_SHADOW_HEIGHT
    grounds = np.stack([each[1] for each in found])[best, rows][is_near]
    normals = np.stack([each[2] for each in found])[best, rows][is_near]
    height = np.maximum(distance[is_near] - radii[is_near], 0.0)
    shadow_radii = radii[is_near] * (1.25 + 0.5 * height)
    fade = np.clip((MAX_SHADOW_HEIGHT - distance[is_near]) / 2.0, 0.0, 1.0)
    opacities = MAX_SHADOW_OPACITY / (1.0 + 1.5 * height) * fade
    return grounds, normals, shadow_radii, opacities


def _cast_down(mesh: Any, places: Floats, down: Floats) -> tuple[Floats, Floats, Floats]:
    """Distance (n,) (inf: no hit), point (n,3) and normal (n,3) of the first hit from each place along `down`."""
    if not len(mesh) or not len(places):
        none = np.full((len(places), 3), 0.0)
        return np.full(len(places), np.inf), none, none
    hits = mesh.raycast(places, down, MAX_SHADOW_HEIGHT)
    missed = hits.triangle < 0
    return np.where(missed, np.inf, hits.distance), np.asarray(hits.point), np.asarray(hits.normal)


def debug_lines(world: World | None) -> tuple[str, ...]:
    """Lines of the debug view (F3): the number of balls, and their energy where the level asks for it."""
    if world is None or not len(world.balls.rows):
        return ()
    balls = world.balls
    awake = int((~balls.rows["asleep"]).sum())
    energy = balls.play is not None and balls.play.energy
    lines = (f"{len(balls.rows)} balls, {awake} awake", f"energy {balls.energy:.1f} J" if energy else "")
    return tuple(line for line in lines if line)
