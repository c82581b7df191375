"""Environment of a tick: zones and movers of a level, packed into the arrays that kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.arguments import as_instance, as_integer, as_optional
from ..triangle_mesh import TriangleMesh
from .motion import MAX_CLOCK
from .moving_platforms import Movers
from .zones import Zones

MeshArrayTuple = tuple[Any, Any, Any, Any, Any]  # nodes, links, triangles, mates, materials
EnvironmentArrayTuple = tuple[Any, Any, Any]  # zones, motions, keys

EMPTY_ROWS = np.zeros((0, 1))  # no zones, motions or keyframes
EMPTY_ROWS.flags.writeable = False


def mesh_arrays(mesh: TriangleMesh) -> MeshArrayTuple:
    """Arrays of a mesh as the kernels of the walker take them."""
    return mesh.nodes, mesh.links, mesh.triangles12, mesh.mates, mesh.materials


class Environment:
    """Zones and movers of a level; None where there are none. Immutable; picklable.

    A mesh belongs to each call: `walker.step(state, command, mesh, around, clock)`.
    """

    __slots__ = ("_mesh", "_packed", "movers", "zones")

    def __init__(self, zones: Zones | None = None, movers: Movers | None = None) -> None:
        """ValueError for arguments of other types."""
        self.zones = as_optional(zones, Zones, "zones")
        self.movers = as_optional(movers, Movers, "movers")
        self._mesh: TriangleMesh | None = None
        self._packed: tuple[MeshArrayTuple, EnvironmentArrayTuple] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return (Environment, (self.zones, self.movers))

    def packed(self, mesh: TriangleMesh) -> tuple[MeshArrayTuple, EnvironmentArrayTuple]:
        """(nodes, links, triangles, mates, materials) of the mesh, then of the movers, and (zones, motions,
        keys), each (K, width) f8, read-only. Cached for the last mesh."""
        if self._packed is None or self._mesh is not mesh:
            as_instance(mesh, TriangleMesh, "mesh")
            arrays = mesh_arrays(mesh)
            zones = EMPTY_ROWS if self.zones is None else self.zones.rows
            motions, keys = EMPTY_ROWS, EMPTY_ROWS
            if self.movers:
                arrays, motions = self.movers.joined(mesh)
                keys = self.movers.keys
            self._packed = arrays, (zones, motions, keys)
            self._mesh = mesh
        return self._packed


def pack_environment(
    mesh: TriangleMesh, around: Environment | None, rate: float
) -> tuple[MeshArrayTuple, EnvironmentArrayTuple]:
    """`Environment.packed`; the mesh's arrays and empty rows for None. rate: ticks per second. ValueError for movers of
    another rate, and for arguments of other types."""
    if type(mesh) is not TriangleMesh or (around is not None and type(around) is not Environment):
        as_instance(mesh, TriangleMesh, "mesh")
        as_optional(around, Environment, "around")
    if around is None:
        return mesh_arrays(mesh), (EMPTY_ROWS, EMPTY_ROWS, EMPTY_ROWS)
    if around.movers is not None and around.movers.ticks_per_second != rate:
        raise ValueError(f"the movers run at {around.movers.ticks_per_second:g} ticks a second, the walker at {rate:g}")
    return around.packed(mesh)


def as_clock(clock: Any) -> int:
    """A tick of the world within +-MAX_CLOCK. ValueError for other values."""
    if type(clock) is int and -MAX_CLOCK <= clock <= MAX_CLOCK:
        return clock
    return as_integer(clock, "clock", -MAX_CLOCK, MAX_CLOCK)
