"""What a tick takes note of beside the mesh: zones and movers, packed into the arrays that kernels take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..triangle_mesh import TriangleMesh
    from .moving_platforms import Movers

MeshArrayTuple = tuple[Any, Any, Any, Any, Any]  # nodes, links, triangles, mates, materials
EnvironmentArrayTuple = tuple[Any, Any, Any]  # zones, motions, keys

EMPTY_ROWS = np.zeros((0, 1))
EMPTY_ROWS.flags.writeable = False


class Environment:
    """Zones and movers of a level, None for what there is none of. Never changed; picklable.

    A mesh goes with it from call to call: `walker.step(state, command, mesh, around, clock)`.
    """

    __slots__ = ("_mesh", "_packed", "movers", "zones")

    def __init__(self, zones: Any = None, movers: Movers | None = None) -> None:
        self.zones = zones
        self.movers = movers
        self._mesh: TriangleMesh | None = None
        self._packed: tuple[MeshArrayTuple, EnvironmentArrayTuple] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return (Environment, (self.zones, self.movers))

    def packed(self, mesh: TriangleMesh) -> tuple[MeshArrayTuple, EnvironmentArrayTuple]:
        """(nodes, links, triangles, mates, materials) with the movers' own behind the mesh's, and (zones, motions,
        keys), each (K, width) f8, read-only; of one mesh remembered from call to call."""
        if self._packed is None or self._mesh is not mesh:
            arrays: MeshArrayTuple = mesh.nodes, mesh.links, mesh.triangles12, mesh.mates, mesh.materials
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
    """What `Surroundings.packed` gives; of nothing around where `around` is None. ValueError for movers that go by
    another tick than `rate` (ticks a second)."""
    if around is None:
        return (mesh.nodes, mesh.links, mesh.triangles12, mesh.mates, mesh.materials), (
            EMPTY_ROWS,
            EMPTY_ROWS,
            EMPTY_ROWS,
        )
    if around.movers is not None and around.movers.ticks_per_second != rate:
        raise ValueError(f"the movers go by {around.movers.ticks_per_second:g} ticks a second, the walker by {rate:g}")
    return around.packed(mesh)
