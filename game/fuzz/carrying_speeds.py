"""Speeds that the surroundings give a body: of belts, currents, and moving platforms near it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..physics import Environment, TriangleMesh
from ..physics.environment.layout import motion_row, zone_row
from ..physics.mesh.layout import material_row

NEARBY = 0.5  # m around a body in which a mover or a current may carry it


def swept_zone_rows(environment: Environment) -> Any:
    """Rows of the zones; those of zones that movers carry have the bounds of all that they sweep."""
    assert environment.zones is not None
    return environment.zones.rows if environment.carried_zones is None else environment.carried_zones.rows_at(0)


class CarryingSpeeds:
    """Largest speeds and factors of a mesh and its environment.

    faster   largest speed factor of a surface, at least 1
    heavier  largest factor of gravity, at least 1
    belt     m/s: fastest moving surface
    grip     least friction of a surface, at most 1
    """

    def __init__(self, mesh: TriangleMesh, environment: Environment | None) -> None:
        movers = () if environment is None else environment.movers or ()
        zones = None if environment is None else environment.zones
        materials = [each.materials for each in (mesh, *(mover.mesh for mover in movers)) if len(each.materials)]
        belts = [each[:, material_row.SURFACE_VELOCITY_X : material_row.SURFACE_VELOCITY_Z + 1] for each in materials]
        self.faster = max([1.0, *(float(each[:, material_row.SPEED_FACTOR].max()) for each in materials)])
        self.grip = min([1.0, *(float(each[:, material_row.FRICTION].min()) for each in materials)])
        self.heavier = max([1.0, *(zone.strength for zone in zones or () if zone.down is not None)])
        self.belt = max((float(np.linalg.norm(each, axis=1).max()) for each in belts), default=0.0)
        self._belts = _moving_boxes(mesh)
        for mover, box in zip(movers, self._mover_boxes(environment), strict=True):
            if len(_moving_boxes(mover.mesh)):
                self._belts = np.concatenate((self._belts, box[None]))
        self._sources: list[tuple[Any, Any]] = []  # (boxes (K, 6), speeds (K,)); of each the fastest one near counts
        if environment is not None and environment.movers:
            m = environment.movers.motions
            speeds = m[:, motion_row.MAX_SPEED] + m[:, motion_row.MAX_ANGULAR_SPEED] * m[:, motion_row.RADIUS]
            self._sources.append((self._mover_boxes(environment), speeds))
        if environment is not None and zones is not None:
            rows = swept_zone_rows(environment)
            currents = np.linalg.norm(rows[:, zone_row.CURRENT : zone_row.CURRENT + 3], axis=1)
            flows = currents > 0.0
            self._sources.append((rows[flows, zone_row.BOUNDS : zone_row.BOUNDS + 6], currents[flows]))

    @staticmethod
    def _mover_boxes(environment: Environment | None) -> Any:
        """(K, 6): the boxes that the movers never leave."""
        if environment is None or not environment.movers:
            return np.zeros((0, 6))
        return environment.movers.motions[:, motion_row.BOUNDS : motion_row.BOUNDS + 6]

    def has_belt_near(self, states: Any) -> bool:
        """Whether a moving surface is near a path of states of the world, and may carry the body against its wish."""
        far = NEARBY + float(states["radii"].max())
        low, high = states["position"].min(axis=0) - far, states["position"].max(axis=0) + far
        return bool(((self._belts[:, :3] <= high) & (self._belts[:, 3:] >= low)).all(axis=1).any())

    def near(self, states: Any) -> Any:
        """Upper bound of the speed (n - 1,), m/s, that a body is given in each tick of n states of the world."""
        positions = states["position"]
        reach = NEARBY + states["radii"].max(axis=1)[:, None]
        low, high = positions - reach, positions + reach
        speed = np.full(len(states), self.belt)
        for boxes, speeds in self._sources:
            is_near = (boxes[None, :, :3] <= high[:, None]) & (boxes[None, :, 3:] >= low[:, None])
            speed += np.where(is_near.all(axis=2), speeds, 0.0).max(axis=1, initial=0.0)
        return np.maximum(speed[1:], speed[:-1])


def _moving_boxes(mesh: TriangleMesh) -> Any:
    """Boxes (N, 6) of the triangles of a mesh whose surface moves."""
    if not len(mesh.materials):
        return np.zeros((0, 6))
    velocities = mesh.materials[:, material_row.SURFACE_VELOCITY_X : material_row.SURFACE_VELOCITY_Z + 1]
    moves: Any = (velocities != 0.0).any(axis=1)
    corners = mesh.triangles12[moves[mesh.surface], :9].reshape(-1, 3, 3)
    return np.concatenate((corners.min(axis=1), corners.max(axis=1)), axis=1)
