"""Movers: meshes that follow their motion and push what is in their way; packed for kernels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arguments import as_instance, as_instances, as_integer, as_number, as_text, describe_value
from ...core.motion import Motion
from ...core.vectors import Flags, Floats, Indices, Vector, as_vector
from ..mesh.material import DEFAULT_MATERIAL, material_rows
from ..mesh.rows import material_row, neighbour_row
from ..numerics.arrays import MeshArrayTuple
from ..triangle_mesh import MAX_MESH_COORDINATE, TriangleMesh, as_mesh
from .motion import AT_HOME, MAX_CLOCK, motion_columns, mover_rotation, write_mover_pose
from .rows import keyframe, motion_row, pose

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Mover:
    """A mesh in its own frame, whose origin is the centre of rotation. at: home of the origin, m, within 1e7.

    ValueError for other values.
    """

    mesh: TriangleMesh
    at: Vector = (0.0, 0.0, 0.0)
    motion: Motion = field(default_factory=Motion)
    name: str = ""

    def __post_init__(self) -> None:
        as_mesh(self.mesh)
        object.__setattr__(self, "at", as_vector(self.at, "at", MAX_MESH_COORDINATE))
        as_instance(self.motion, Motion, "motion")
        as_text(self.name, "name")


class Movers(Sequence[Mover]):
    """All movers of a level, packed for kernels. Immutable; picklable.

    ticks_per_second: of the worlds in which they move, 1..1e6; poses are functions of the tick. ValueError for other
    values, and for a mover that is too fast. motions (K, motion_row.WIDTH) f8, keys (N, keyframe.WIDTH) f8: read-only.
    starts (1, K) i8: column motion_row.START. waiting (K,) bool: which wait until they are set off.
    """

    __slots__ = ("_boxes", "_movers", "keys", "motions", "starts", "ticks_per_second", "waiting")

    def __init__(self, movers: Sequence[Mover], ticks_per_second: float = 60.0) -> None:
        self._movers = as_instances(movers, Mover, "movers")
        self.ticks_per_second = as_number(ticks_per_second, "ticks_per_second", 1.0, 1e6)
        rows: list[list[float]] = []
        keys: list[list[float]] = []
        for mover in self._movers:
            corners = mover.mesh.triangles12[:, :9].reshape(-1, 3)
            radius = float(np.sqrt((corners * corners).sum(axis=1).max())) if len(corners) else 0.0
            try:
                columns = motion_columns(mover.motion, mover.at, mover.mesh.bounds, radius, self.ticks_per_second)
            except ValueError as error:
                raise ValueError(f"mover '{mover.name}' {error}") from error
            columns[motion_row.FIRST_KEYFRAME] = len(keys)
            rows.append(columns)
            keys += mover.motion.keys()
        self.motions = _read_only_copy(np.array(rows, np.float64).reshape(-1, motion_row.WIDTH))
        self.keys = _read_only_copy(np.array(keys, np.float64).reshape(-1, keyframe.WIDTH))
        self.starts: Indices = _read_only_copy(self.motions[None, :, motion_row.START].astype(np.int64))
        self.waiting: Flags = _read_only_copy(self.motions[:, motion_row.WAITS_FOR] != motion_row.ALWAYS)
        self._boxes: list[list[float]] = self.motions[:, motion_row.BOUNDS : motion_row.BOUNDS + 6].tolist()

    def __reduce__(self) -> tuple[object, ...]:
        return (Movers, (self._movers, self.ticks_per_second))

    def __len__(self) -> int:
        return len(self._movers)

    def __getitem__(self, index: Any) -> Any:
        return self._movers[index]

    def __iter__(self) -> Iterator[Mover]:
        return iter(self._movers)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each mover, in order."""
        return tuple(mover.name for mover in self._movers)

    def poses(self, tick: ArrayLike) -> NDArray[np.float64]:
        """(K, 3, 4): rotation and position of each at a tick, which may be fractional; x_world = [:, :3] x_own + [:,
        3]. tick: one for all, with those that wait at home; or (K,) clocks, ticks since each was set off, or since tick
        0."""
        if isinstance(tick, (list, tuple)) or np.ndim(tick):
            motions, ticks = self._motions_at(tick), [0.0] * len(self)
        else:
            motions, ticks = self.motions, [as_number(tick, "tick", -MAX_CLOCK, MAX_CLOCK)] * len(self)
        flat = np.empty((len(self), pose.WIDTH))
        for k, own in enumerate(ticks):
            write_mover_pose(motions, self.keys, k, own, flat, k, 0)
        out = np.empty((len(self), 3, 4))
        out[:, :, :3], out[:, :, 3] = flat[:, : pose.POSITION].reshape(-1, 3, 3), flat[:, pose.POSITION :]
        return out

    def _motions_at(self, clocks: ArrayLike) -> NDArray[np.float64]:
        """The motion rows, a copy, of movers with these clocks (K,) at tick 0. ValueError for other shapes."""
        motions = self.motions.copy()
        try:
            own = np.asarray(clocks)
        except ValueError:  # lists of different lengths
            own = np.empty((0, 0))
        is_real = own.dtype.kind in "fiu" and own.shape == (len(self),)
        if not is_real or not (np.abs(own.astype(np.float64)) <= 2 * AT_HOME).all():
            raise ValueError(f"expected a clock for each of {len(self)} movers, not {describe_value(clocks)}")
        motions[:, motion_row.START] = 0.0 - own
        return motions

    def turn(self, number: int, tick: int, up: Vector) -> int:
        """Rotation of mover `number` in the tick that begins at `tick` of its clock: heading units, counter-clockwise
        about `up`."""
        number, first = as_integer(number, "number", 0, len(self) - 1), as_integer(tick, "tick")
        axis, start = as_vector(up, "up", 2.0), self.starts.item(number)
        return int(mover_rotation(self.motions, self.keys, number, float(start + first), start + first + 1.0, *axis))

    def reach(self, point: Vector, far: float) -> bool:
        """Whether any mover can ever come within `far` (m, along each axis) of a point of the world."""
        x, y, z = as_vector(point, "point")
        far = as_number(far, "far")
        return any(
            x0 - far <= x <= x1 + far and y0 - far <= y <= y1 + far and z0 - far <= z <= z1 + far
            for x0, y0, z0, x1, y1, z1 in self._boxes
        )

    def joined(self, mesh: TriangleMesh) -> tuple[MeshArrayTuple, Floats]:
        """((nodes, links, triangles, mates, materials), motions): arrays of the mesh, then of the movers.

        Indices are offset accordingly; the motion rows hold the range of nodes and triangles of each mover.
        """
        meshes = [as_mesh(mesh), *(mover.mesh for mover in self._movers)]
        motions = self.motions.copy()
        links, mates, materials = [], [], []
        all_default = not any(len(member.materials) for member in meshes)
        first_node = first_triangle = first_material = 0
        for index, member in enumerate(meshes):
            count = len(member)
            if index:
                motion = motions[index - 1]
                motion[motion_row.FIRST_NODE], motion[motion_row.END_NODE] = first_node, first_node + len(member.nodes)
                motion[motion_row.FIRST_TRIANGLE], motion[motion_row.END_TRIANGLE] = (
                    first_triangle,
                    first_triangle + count,
                )
            leaf = member.links[:, 1] < 0
            joined_links = member.links.copy()
            joined_links[:, 0] += np.where(leaf, first_triangle, first_node).astype(np.int32)
            joined_links[~leaf, 1] += first_node
            links.append(joined_links)
            joined_mates = member.mates.copy()
            joined_mates[:, :3] += np.where(member.mates[:, :3] >> 2 >= 0, 4 * first_triangle, 0).astype(np.int32)
            if not all_default:
                joined_mates[:, neighbour_row.SURFACE] += first_material
                rows = member.materials
                if not len(rows):
                    surfaces = int(member.surface.max()) + 1 if count else 0
                    rows = material_rows([DEFAULT_MATERIAL] * surfaces)
                materials.append(rows)
                first_material += len(rows)
            mates.append(joined_mates)
            first_node, first_triangle = first_node + len(member.nodes), first_triangle + count
        arrays = (
            _read_only_copy(np.concatenate([member.nodes for member in meshes])),
            _read_only_copy(np.concatenate(links)),
            _read_only_copy(np.concatenate([member.triangles12 for member in meshes])),
            _read_only_copy(np.concatenate(mates)),
            _read_only_copy(np.concatenate(materials) if materials else np.zeros((0, material_row.WIDTH))),
        )
        return arrays, _read_only_copy(motions)

    def of(self, triangle: int, mesh: TriangleMesh) -> tuple[int, int]:
        """(mover, triangle in its mesh) of a triangle of the joined arrays; (-1, triangle) for one of the level's
        mesh."""
        triangle = as_integer(triangle, "triangle", 0) - len(as_mesh(mesh))
        if triangle < 0:
            return -1, triangle + len(mesh)
        for index, mover in enumerate(self._movers):
            if triangle < len(mover.mesh):
                return index, triangle
            triangle -= len(mover.mesh)
        raise ValueError("no mover has this triangle")


def _read_only_copy(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Contiguous, write-protected array."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
