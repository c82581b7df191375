"""Obstacles in front of the walker that need a jump or a crouch, found by one cast of rays at the level's mesh."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats
from ...physics.query.rays import raycast_nearest
from ...physics.query.results import Hits

if TYPE_CHECKING:
    from ...sim import World

JUMP = "jump"
CROUCH = "crouch"

REACH = 1.5  # m in front of the body's centre at which an obstacle is seen
LEDGE_EDGE = 0.12  # m before and behind the front of a ledge between which it rises
LANDING = 0.5  # m behind the front of a ledge at which its top is looked for
BEAM_DEPTH = 1.1  # m behind the front of a beam that must be free for a crouched body
SAMPLE_STEP = 0.4  # m between the points at which ground is looked for
SAMPLES = 11
GAP_START = 1.7  # m in front of the body at which a gap must begin
GAP_DEPTH = 1.2  # m
GAP_RISE = 0.7  # m that the far side of a gap may be higher
GAP_DROP = 0.6  # m that the far side of a gap may be lower
MIN_GAP = 0.7  # m
GAP_JUMP_FRACTION = 0.75  # of the length of a sprinting jump: the longest gap that is worth a hint
MIN_GROUND_NORMAL = 0.7  # component along up
MAX_WALL_NORMAL = 0.5  # component along up


def find_obstacles(world: World, heading: float) -> frozenset[str]:
    """JUMP before a ledge or a gap that the walker can only jump, CROUCH before a beam. heading: of the view.

    Moving platforms are not seen; near one there is no answer. 26 rays, 30 to 60 microseconds.
    """
    state = world.walker_state
    settings = world.settings
    movers = None if world.environment is None else world.environment.movers
    if not state.grounded or (movers is not None and movers.reach(state.position, 4.0)):
        return frozenset()
    up, north = np.array(state.up), np.array(state.north)
    feet = np.array(state.feet)
    angle = heading * RADIANS_PER_HEADING_UNIT
    ahead = math.cos(angle) * north + math.sin(angle) * np.cross(up, north)
    tall = 2.0 * settings.radii[1]
    low = settings.step_height + 0.08
    over = settings.jump_height + 0.25
    crouched = settings.crouch_height + 0.02
    heights = np.array([low, crouched, over, 0.85 * tall, 0.95 * tall])
    distance, normal = _cast(world, feet + heights[:, None] * up, ahead, SAMPLES * SAMPLE_STEP)
    found = set()
    if distance[0] < REACH and abs(float(normal[0] @ up)) < MAX_WALL_NORMAL:
        if distance[2] > distance[0] + LANDING and _is_ledge(world, feet, distance[0] * ahead, ahead, up):
            found.add(JUMP)
    elif distance[0] > REACH and _is_gap_ahead(world, feet, ahead, up, float(distance.min())):
        found.add(JUMP)
    front = float(distance[2:].min())
    if front < REACH and min(distance[0], distance[1]) > front + BEAM_DEPTH:
        under = feet + (front + 0.3) * ahead + crouched * up
        if _cast(world, under[None], up, 0.95 * tall - crouched)[0][0] < math.inf:
            found.add(CROUCH)
    return frozenset(found)


def _is_ledge(
    world: World,
    feet: Floats,
    front: Floats,
    ahead: Floats,
    up: Floats,
) -> bool:
    """Whether the ground rises at `front` (from the feet) by more than a step and at most a jump, as no stairs do."""
    above = world.settings.jump_height + 0.25
    places = np.array([-LEDGE_EDGE, LEDGE_EDGE, LANDING])
    distance, normal = _cast(world, feet + front + places[:, None] * ahead + above * up, -up, above + 0.5)
    before, edge, top = above - distance  # heights over the feet
    is_ground = bool(normal[2] @ up > MIN_GROUND_NORMAL)
    return bool(is_ground and edge - before > world.settings.step_height + 0.02 and top <= world.settings.jump_height)


def _is_gap_ahead(world: World, feet: Floats, ahead: Floats, up: Floats, free: float) -> bool:
    """Whether the ground ends in front of the walker and goes on within a jump. free: m of air ahead of the body."""
    places = SAMPLE_STEP * np.arange(1, SAMPLES + 1)
    distance, _ = _cast(world, feet + places[:, None] * ahead + GAP_RISE * up, -up, GAP_RISE + GAP_DEPTH)
    drop = distance - GAP_RISE  # below the feet; infinite over a gap
    is_gap = ~np.isfinite(drop)
    if not is_gap.any():
        return False
    start = int(np.argmax(is_gap))
    beyond = np.flatnonzero(~is_gap[start:] & (drop[start:] < GAP_DROP))
    if not len(beyond) or places[start] > GAP_START:
        return False
    body = world.settings
    longest = GAP_JUMP_FRACTION * max(body.sprint_speed, body.walk_speed) * body.jump_seconds
    return bool(MIN_GAP <= beyond[0] * SAMPLE_STEP <= longest and places[start + beyond[0]] < free)


def _cast(world: World, origins: Floats, direction: Floats, reach: float) -> tuple[Floats, Floats]:
    """Distances (n,), infinite without a hit, and normals (n, 3) of rays with one direction."""
    directions = np.broadcast_to(direction, origins.shape)
    hits = cast(Hits, raycast_nearest(world.mesh, origins, directions, reach))
    return np.where(hits.triangle >= 0, hits.distance, np.inf), hits.normal
