"""Environment of a tick: zones and movers of a level, packed into the arrays that kernels take."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import as_integer, describe_value
from ...core.vectors import Floats, Indices
from ..mesh.rows import material_row
from ..numerics.arrays import ArrayTable, ConstantFloats2, ConstantInts2, MeshArrayTuple
from ..triangle_mesh import TriangleMesh, as_mesh
from .carried_zones import CarriedZones
from .motion import AT_HOME, MAX_CLOCK
from .movers import Movers
from .rows import carried_row, keyframe, motion_row, zone_row
from .zones import Zones

T = TypeVar("T")


class MeshArrays(ArrayTable):
    """Arrays of a TriangleMesh, and of the movers' meshes behind it."""

    nodes: Annotated[ConstantFloats2, 6]  # n rows: boxes of the BVH
    links: Annotated[ConstantInts2, 2]  # n rows: structure of the BVH
    triangles: Annotated[ConstantFloats2, 12]  # m rows: corners and unit normals
    mates: Annotated[ConstantInts2, 4]  # m rows: rows.neighbour_row
    materials: Annotated[ConstantFloats2, material_row.WIDTH]  # k rows; k = 0: plain surfaces only


class EnvironmentArrays(ArrayTable):
    """Arrays of an environment; without rows where there are no zones or movers."""

    zones: Annotated[ConstantFloats2, zone_row.WIDTH]  # K rows
    motions: Annotated[ConstantFloats2, motion_row.WIDTH]  # M rows
    keys: Annotated[ConstantFloats2, keyframe.WIDTH]  # N rows
    carried: Annotated[ConstantFloats2, carried_row.WIDTH]  # C rows: the zones that movers carry


EMPTY_ROWS: Floats = np.zeros((0, 1))  # no zones, motions or keyframes
EMPTY_ROWS.flags.writeable = False
NO_STARTS: Indices = np.zeros((0, 0), np.int64)  # of no movers
NO_STARTS.flags.writeable = False
NO_ENVIRONMENT = EnvironmentArrays(*[EMPTY_ROWS] * 4)


class PackedEnvironment:
    """A mesh and an environment, as kernels take them.

    mesh           arrays of the mesh, then the meshes of the movers
    zones_at_home  zone rows with the movers at home where they carry some; else without rows
    starts         (1, M) i8: `Movers.starts`
    """

    __slots__ = ("environment", "mesh", "starts", "zones_at_home")

    def __init__(
        self, mesh: MeshArrayTuple, environment: EnvironmentArrays = NO_ENVIRONMENT, zones_at_home: Floats = EMPTY_ROWS,
        starts: Indices = NO_STARTS,
    ) -> None:  # fmt: skip
        self.mesh, self.environment = MeshArrays(*mesh), environment
        self.zones_at_home, self.starts = zones_at_home, starts


_NO_BVH = np.zeros((0, 6)), np.zeros((0, 2), np.int32)
_NO_TRIANGLES = np.zeros((0, 12)), np.zeros((0, 4), np.int32), np.zeros((0, material_row.WIDTH))
NOWHERE = PackedEnvironment((*_NO_BVH, *_NO_TRIANGLES))  # without triangles


def mesh_arrays(mesh: TriangleMesh) -> MeshArrayTuple:
    """Arrays of a mesh as the kernels of the walker take them."""
    return mesh.nodes, mesh.links, mesh.triangles12, mesh.mates, mesh.materials


class EnvironmentWarning(UserWarning):
    """A walker moves on the mesh of a level without the level's movers and zones."""


class Environment:
    """Zones and movers of a level; None where there are none. Immutable; picklable.

    A mesh belongs to each call: `walker.step(state, command, mesh, around, clock)`. `level.environment` has the zones
    and movers of a level file. `Environment()` has neither, so a walker ignores those of a level without a warning.
    """

    __slots__ = ("_packed", "carried_zones", "movers", "zones")

    def __init__(self, zones: Zones | None = None, movers: Movers | None = None) -> None:
        """ValueError for arguments of other types, and for a zone on a mover that is not there.

        carried_zones: None unless a mover carries a zone; the zone rows then change from tick to tick (`at_tick`).
        """
        self.zones = _as_packed(zones, Zones, "zones")
        self.movers = _as_packed(movers, Movers, "movers")
        self.carried_zones: CarriedZones | None = None
        if self.zones is not None and any(zone.mover >= 0 for zone in self.zones):
            self.carried_zones = CarriedZones(self.zones, self.movers or Movers(()))
        self._packed: tuple[TriangleMesh, PackedEnvironment] | None = None  # of a mesh

    def __reduce__(self) -> tuple[object, ...]:
        return (Environment, (self.zones, self.movers))

    def packed(self, mesh: TriangleMesh) -> PackedEnvironment:
        """The arrays of a mesh and of this environment, read-only. Cached for the last mesh."""
        kept = self._packed  # read once: another thread may replace it
        if kept is not None and kept[0] is mesh:
            return kept[1]
        arrays = mesh_arrays(as_mesh(mesh))
        zones = EMPTY_ROWS if self.zones is None else self.zones.rows
        motions, keys, starts = EMPTY_ROWS, EMPTY_ROWS, NO_STARTS
        if self.movers:
            arrays, motions = self.movers.joined(mesh)
            keys, starts = self.movers.keys, self.movers.starts
        carried, at_home = EMPTY_ROWS, EMPTY_ROWS
        if self.carried_zones is not None:
            carried, at_home = self.carried_zones.rows, self.carried_zones.rest
        packed = PackedEnvironment(arrays, EnvironmentArrays(zones, motions, keys, carried), at_home, starts)
        self._packed = mesh, packed
        return packed


def pack_environment(mesh: TriangleMesh, around: Environment | None, rate: float) -> PackedEnvironment:
    """`Environment.packed`; the mesh's arrays and empty rows for None. rate: ticks per second. ValueError for movers of
    another rate, and for arguments of other types."""
    if type(mesh) is not TriangleMesh or (around is not None and type(around) is not Environment):
        as_mesh(mesh)
        as_environment(around)
    if around is None:
        packed = mesh._packed
        if not isinstance(packed, PackedEnvironment):
            packed = PackedEnvironment(mesh_arrays(mesh))
            mesh._packed = packed
        return packed
    if around.movers is not None and around.movers.ticks_per_second != rate:
        raise ValueError(
            f"the movers run at {around.movers.ticks_per_second:g} ticks a second, the walker at {rate:g}; use "
            f"level.environment_at({rate:g}), or Movers(..., ticks_per_second={rate:g})"
        )
    return around.packed(mesh)


def as_environment(value: object, name: str = "around") -> Environment | None:
    """`value` if it is an Environment or None. ValueError names the argument, and points to `level.environment`."""
    if value is None or isinstance(value, Environment):
        return value
    if isinstance(getattr(value, "environment", None), Environment):
        raise ValueError(f"{name} must be an Environment, not {describe_value(value)}; pass level.environment")
    cure = f"; use Environment({type(value).__name__.lower()}=...)" if isinstance(value, (Zones, Movers)) else ""
    cure = "; level.environment has those of a level" if isinstance(value, (tuple, list)) else cure
    raise ValueError(f"{name} must be an Environment, not {describe_value(value)}{cure}")


def _as_packed(value: object, kind: type[T], name: str) -> T | None:
    """`value`, of the class `kind` or None. ValueError for other values, with the cure for those of a level."""
    if value is None or isinstance(value, kind):
        return value
    cure = ""
    if isinstance(value, (tuple, list)):
        cure = f": {kind.__name__}(sequence) packs them; for a level use level.environment"
    raise ValueError(f"{name} must be a {kind.__name__}, not {describe_value(value)}{cure}")


class WorldClock(NamedTuple):
    """Clock of a world with movers that wait (`World.clock`).

    tick: of the world. starts (1, M) i8: tick at which each mover was last set off, 0 for those that do not wait
    """

    tick: int
    starts: Indices


Clock = int | Sequence[int] | NDArray[np.integer[Any]] | WorldClock


def read_clock(clock: object, around: Environment | None) -> tuple[int, Indices | None]:
    """(tick, starts (1, M) of the movers) of an argument `clock`: a tick, with which the starts are None and movers
    that wait are at home, a WorldClock, or the clock of each mover. ValueError for other values."""
    if type(clock) is int and -MAX_CLOCK <= clock <= MAX_CLOCK:  # first, for speed
        return clock, None
    if isinstance(clock, WorldClock):
        return clock
    if not isinstance(clock, (np.ndarray, list, tuple)):
        return as_clock(clock), None
    count = 0 if around is None or around.movers is None else len(around.movers)
    own = _as_clock_array(clock, (count,), "movers", -AT_HOME)
    return 0, -own[None] if count else None


def as_clocks(clock: object, count: int, around: Environment | None) -> tuple[Indices, Indices | None]:
    """(ticks (count,), starts (count, M) of the movers, or None) of so many rows: one tick or WorldClock for all, one
    tick for each (N,), or the clocks of the movers (N, M). ValueError for other values."""
    if isinstance(clock, WorldClock):
        return np.full(count, clock.tick), np.repeat(clock.starts, count, axis=0)
    if not isinstance(clock, (np.ndarray, list, tuple)):
        return np.full(count, as_clock(clock)), None
    movers = 0 if around is None or around.movers is None else len(around.movers)
    is_table = clock.ndim == 2 if isinstance(clock, np.ndarray) else len(clock) and np.ndim(clock[0]) == 1
    if is_table:
        own = _as_clock_array(clock, (count, movers), "rows and movers", -AT_HOME)
        return np.zeros(count, np.int64), -own if movers else None
    return _as_clock_array(clock, (count,), "rows", -MAX_CLOCK), None


def _as_clock_array(clock: object, shape: tuple[int, ...], of: str, low: int) -> Indices:
    """Clocks of this shape, at least `low`. ValueError for other values."""
    try:
        clocks = np.asarray(clock)
    except ValueError:  # lists of different lengths
        clocks = np.empty((0, 0, 0))
    if clocks.shape != shape or (clocks.size and clocks.dtype.kind not in "iu"):
        expected = " x ".join(map(str, shape))
        raise ValueError(f"clock must be an integer, or {expected} integers ({of}), not {describe_value(clock)}")
    outside = (clocks < low) | (clocks > MAX_CLOCK)
    if outside.any():
        raise ValueError(f"clock must be within {low}..{MAX_CLOCK}, not {int(clocks[outside][0])}")
    return clocks.astype(np.int64)


def warn_of_environment(mesh: TriangleMesh, stacklevel: int) -> None:
    """Warn that this mesh of a level is used without the level's movers and zones. stacklevel: that of the caller."""
    warnings.warn(
        f"this mesh is that of a level with {mesh.level_parts}, and a walker on the mesh alone ignores them: pass "
        "around=level.environment, or walk in World(level); around=Environment() leaves them out on purpose",
        EnvironmentWarning,
        stacklevel=stacklevel + 1,
    )


def as_clock(clock: object) -> int:
    """A tick of the world within +-MAX_CLOCK. ValueError for other values."""
    if type(clock) is int and -MAX_CLOCK <= clock <= MAX_CLOCK:
        return clock
    return as_integer(clock, "clock", -MAX_CLOCK, MAX_CLOCK)
