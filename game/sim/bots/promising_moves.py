"""Moves that are worth a try: by queries of the level's mesh, which cost less than ticks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Flags, Floats, Indices
from ...level.build.entities.zones import RunRole
from ...physics import Ellipsoid, WalkerSettings
from . import moves
from .mover_phases import NONE, MoverPhases
from .moves import CROUCH_JUMP, CROUCH_WALK, JUMP_ON_SPOT, RUN, RUNNING_JUMP, SIDE_JUMP, SIDESTEP, BotColumns, Start
from .places import BodyColumns, Edge, Label, PlaceTable, Points, cell_keys_of, feet_of, in_boxes

if TYPE_CHECKING:
    from ...level import Level

JUMP_HEIGHTS = (0.4, 0.7, 1.0, 1.25)  # of the jump height, at which a jumping body is looked for room
LIFT = 0.02  # m above the ground at which a body is swept
ROOM_DISTANCE, ROOM_FRACTION = 0.6, 0.4  # m of a sweep, and the part of it that must be free
EDGE_DISTANCES = np.array((0.35, 0.8, 1.5, 2.3, 3.1, 3.9, 4.7, 5.5))  # m ahead of an edge at which ground is looked for
NEAR_EDGE = 3  # of these, to which one walks or drops
EDGE_HEIGHT = 1.2  # m above the edge: the highest ground to which a jump leads, about
NO_GROUND, ANYTHING = 0, -1  # keys of cells ahead: nothing is there; something that rays do not see
PLAIN_DISTANCES = (0.25, 0.35, 0.5, 0.65)  # m along a run, at which its first other cell is looked for
MAX_PLAIN = 1.0  # m along each axis of a plain run
PLAIN_RISE = 0.02  # m between two places of a plain run

# first move -> the moves that follow where it is stopped: (kind, crouched, sideways, jumps)
AT_WALL = {
    RUN: (
        (JUMP_ON_SPOT, False, False, True),
        (RUNNING_JUMP, False, False, True),
        (CROUCH_WALK, True, False, False),
        (SIDESTEP, False, True, False),
    ),
    CROUCH_WALK: ((CROUCH_JUMP, True, False, True),),
    SIDESTEP: ((SIDE_JUMP, False, True, True),),
}


class PromisingMoves:
    """The queries of one level. The mesh does not move: in reach of movers every move is worth a try, and where gravity
    turns, as queries are upright."""

    def __init__(self, level: Level, settings: WalkerSettings, phases: MoverPhases) -> None:
        self._mesh, self._settings, self._phases = level.mesh, settings, phases
        zones = [zone for zone in level.all_zones if zone.mover < 0 and zone.facts.role is not RunRole.CHECKPOINT]
        self._special = [zone for zone in zones if not zone.acts_by("down")]
        self._catching = [zone for zone in self._special if zone.facts.role is not RunRole.KILL]
        self._has_plain_ground = not len(level.mesh.materials)

    def at_wall(self, bots: BotColumns, rows: Indices, floats: Floats, bodies: BodyColumns) -> list[Start]:
        """The moves that may get further than bots (rows), which were stopped."""
        starts = []
        for first, followers in AT_WALL.items():
            chosen = rows[bots.kind[rows] == first]
            if not len(chosen):
                continue
            always = (bodies.reached_by[chosen] != NONE) | ~bodies.is_upright[chosen]
            for kind, *shape in followers:
                room = always | self._has_room(bodies.feet[chosen], bots.heading[chosen], *shape)
                starts += [
                    Start(int(bots.place[k]), kind, int(bots.heading[k]), int(bots.wait[k]), bool(bots.departs[k]))
                    for k in chosen[room]
                ]
        return starts

    def _has_room(self, feet: Points, heading: Indices, crouched: bool, sideways: bool, jumps: bool) -> Flags:
        """(n,): whether a body of this stance gets on at a wall, at one of the heights of a jump if it `jumps`."""
        settings = self._settings
        right, up, ahead = settings.radii
        body = Ellipsoid((right, settings.crouch_height / 2.0 if crouched else up, ahead))
        direction, angle = directions(heading)
        yaw = angle + (np.pi / 2.0 if sideways else 0.0)
        free: Flags = np.zeros(len(feet), np.bool_)
        for height in (np.array(JUMP_HEIGHTS) * settings.jump_height).tolist() if jumps else (0.0,):
            left = np.flatnonzero(~free)
            if len(left):
                lift = height + LIFT + body.radii[1] * (1.0 + settings.skin)
                hits = self._mesh.sweep_many(
                    body, feet[left] + (0.0, lift, 0.0), yaw[left], ROOM_DISTANCE * direction[left]
                )
                free[left] = (hits.triangle < 0) | (hits.fraction > ROOM_FRACTION)
        return free

    def cells_ahead(self, feet: Points, heading: Indices, context: Indices) -> Indices:
        """(n, EDGE_DISTANCES): the cells of the ground ahead of bodies that ran off an edge at `feet` (n,3)."""
        direction, _ = directions(heading)
        points = feet[:, None] + EDGE_DISTANCES[:, None] * direction[:, None] + (0.0, EDGE_HEIGHT, 0.0)
        flat = points.reshape(-1, 3)
        hits = self._mesh.raycast_many(flat, (0.0, -1.0, 0.0))
        is_ground = np.asarray(hits.triangle) >= 0
        ground = flat.copy()
        ground[:, 1] -= np.where(is_ground, hits.distance, 0.0) - 2.0 * LIFT
        cells = np.where(is_ground, cell_keys_of(ground), NO_GROUND)
        for zone in self._catching:
            below = flat.copy()
            below[:, 1] = np.minimum(below[:, 1], zone.centre[1])
            cells[zone.contains_points(below)] = ANYTHING
        plan, low, high = flat[:, None, ::2], self._phases.lows[:, ::2], self._phases.highs[:, ::2]
        under = ((plan >= low) & (plan <= high)).all(axis=2)
        own = np.repeat((context >> 18) - 1, len(EDGE_DISTANCES))[:, None] == self._phases.order
        cells[(under & ~own).any(axis=1)] = ANYTHING
        by_edge: Indices = cells.reshape(points.shape[:2])
        by_edge[context >> 2 & 31 != 0] = ANYTHING
        return by_edge

    def without_plain_runs(
        self, starts: list[Start], places: PlaceTable, entered: dict[Label, dict[Label, Edge]]
    ) -> list[Start]:
        """The starts without runs over level ground to the place of the next cell, with nothing in between. What they
        would find is noted in `entered`."""
        level_ground = [places.labels[start.place].context == 0 for start in starts]
        runs = [k for k, start in enumerate(starts) if start.kind == RUN and level_ground[k] and not start.departs]
        if not runs or not self._has_plain_ground:
            return starts
        feet = feet_of(places.floats[[starts[k].place for k in runs]])
        direction, _ = directions(np.array([starts[k].heading for k in runs]))
        keys = cell_keys_of(feet)
        target = keys.copy()
        for distance in PLAIN_DISTANCES:
            there = cell_keys_of(feet + distance * direction)
            target = np.where(target == keys, there, target)
        other = np.array([places.place_of.get(Label(cell, 0), NONE) for cell in target.tolist()])
        ends = feet_of(places.floats[other])
        offset = np.abs(ends - feet)
        plain = (other != NONE) & (target != keys) & (offset[:, 1] < PLAIN_RISE) & (offset.max(axis=1) < MAX_PLAIN)
        plain[plain] = ~self._is_special(feet[plain]) & ~self._is_special(ends[plain])
        rows = np.flatnonzero(plain)
        if len(rows):
            offset = (ends - feet)[rows] * (1.0, 0.0, 1.0)
            yaw = np.arctan2(-offset[:, 0], -offset[:, 2])
            lift = LIFT + self._settings.radii[1] * (1.0 + self._settings.skin)
            hits = self._mesh.sweep_many(Ellipsoid(self._settings.radii), feet[rows] + (0.0, lift, 0.0), yaw, offset)
            plain[rows] = hits.triangle < 0
        speed = max(self._settings.sprint_speed, self._settings.walk_speed) * self._settings.dt
        ticks = np.maximum(1, np.rint(np.linalg.norm(ends - feet, axis=1) / speed)).astype(np.int64)
        left_out = set()
        for j in np.flatnonzero(plain).tolist():
            left_out.add(runs[j])
            known, label = entered.setdefault(Label(int(keys[j]), 0), {}), Label(int(target[j]), 0)
            edge = Edge(False, int(ticks[j]))
            known[label] = min(edge, known.get(label, edge))
        return [start for k, start in enumerate(starts) if k not in left_out]

    def _is_special(self, feet: Points) -> Flags:
        up = np.array((0.0, 1.0, 0.0))
        return in_boxes(self._special, feet + LIFT * up, feet + self._settings.radii[1] * up)


def directions(heading: Indices) -> tuple[Floats, Floats]:
    """Unit vectors (n,3) of headings (n,), and their yaws (n,)."""
    yaw: Floats = heading.astype(np.float64) * (2.0 * np.pi / moves.FULL_TURN)
    unit: Floats = np.stack([-np.sin(yaw), np.zeros_like(yaw), -np.cos(yaw)], axis=1)
    return unit, yaw
