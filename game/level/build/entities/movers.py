"""Movers of a level: moving pieces with their own triangles and motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ....core.vectors import MAX_MOVER_SPEED, Flags, Floats, Ints, Point, sum_in_order
from ...format.findings import FindingCollector, SourceSpan
from ...geometry.drawn_triangles import split_for_drawing
from ...geometry.faces import FaceArrays, set_read_only
from ...geometry.quads import split_into_triangles

if TYPE_CHECKING:
    from ....physics.environment.motion import Motion
    from ....physics.triangle_mesh import TriangleMesh
    from ...format.surfaces import Surface


@dataclass(frozen=True, slots=True)
class MoverSpec:
    """Motion of a mover in its own frame; fields as those of physics.environment.motion.Motion."""

    name: str
    path: tuple[Point, ...]
    seconds: float
    pause: float
    ease: bool
    loop: bool
    axis: Point
    swing: float
    spin: float
    phase: float

    @property
    def moves(self) -> bool:
        return self.swing != 0.0 or self.spin != 0.0 or len(set(self.path)) > 1

    def max_speed(self, radius: float) -> float:
        """Upper bound of the speed (m/s) of a point at `radius` (m) from the axis, as the physics computes it."""
        peak = (1.5 if self.ease else 1.0) / self.seconds
        length = sum_in_order(math.dist(a, b) for a, b in pairwise(self.path))
        return peak * length + math.radians(abs(self.spin) + peak * abs(self.swing)) * radius


@dataclass(frozen=True, eq=False)
class LevelMover:
    """One mover. at: its centre in the world.

    triangles (N,3,3), surface_index (N,): colliding triangles, relative to `at`, at rest.
    drawn (K,3,3), drawn_surface (K,): visible triangles. spec: the motion in the world's axes.
    drawn_uv (K,3,2), drawn_colours (K,3,4), drawn_normals (K,3,3): see Level.
    """

    name: str
    at: Point
    spec: MoverSpec
    triangles: Floats
    surface_index: Ints
    drawn: Floats
    drawn_surface: Ints
    surfaces: tuple[Surface, ...] = field(repr=False, default=())
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)
    drawn_uv: Floats | None = field(default=None, repr=False)
    drawn_colours: npt.NDArray[np.uint8] | None = field(default=None, repr=False)
    drawn_normals: Floats | None = field(default=None, repr=False)

    @cached_property
    def motion(self) -> Motion:
        """Motion for the physics."""
        from ....physics.environment.motion import Motion

        m = self.spec
        return Motion(m.path, m.seconds, m.pause, m.ease, m.loop, m.axis, m.swing, m.spin, m.phase)

    @cached_property
    def mesh(self) -> TriangleMesh:
        """Mesh of the colliding triangles in the mover's frame, cooked on first use."""
        from ....physics.triangle_mesh import TriangleMesh

        materials = [one.material for one in self.surfaces]
        names = [one.name for one in self.surfaces]
        return TriangleMesh(self.triangles, self.surface_index, materials, surface_names=names)


def collect_movers(
    faces: FaceArrays,
    collide: Flags,
    visible: Flags,
    surfaces: Sequence[Surface],
    places: Sequence[SourceSpan],
    report: FindingCollector,
) -> tuple[LevelMover, ...]:
    """Movers of a level, in the order of its pieces. One that is too fast is reported and stands still."""
    movers = []
    carrier = faces.mover_numbers
    markers = [marker for marker in faces.marks if marker.kind == "mover"]
    for number, marker in enumerate(markers, start=1):
        spec = marker.payload
        assert isinstance(spec, MoverSpec)
        carried = carrier == number
        solid = np.nonzero(carried & collide)[0]
        drawn_faces = np.nonzero(carried & visible)[0]
        triangles, quad = split_into_triangles(faces.corners[solid], faces.is_triangle[solid])
        drawn = split_for_drawing(faces, drawn_faces)
        centre = np.array(marker.at)
        instance = faces.instances[marker.instance]
        spec = replace(
            spec, path=tuple(map(instance.transform_vector, spec.path)), axis=instance.transform_vector(spec.axis)
        )
        place = places[marker.origin]
        radius = float(np.sqrt(((faces.corners[solid] - centre) ** 2).sum(axis=-1).max(initial=0.0)))
        if (fastest := spec.max_speed(radius)) > MAX_MOVER_SPEED:
            message = f"the mover reaches {fastest:.4g} m/s; the limit is {MAX_MOVER_SPEED:g}"
            report.add("dropped", place, "mover", message, "increase `seconds`, or reduce `spin` or `swing`")
            spec = replace(spec, path=(), swing=0.0, spin=0.0)
        mover = LevelMover(
            spec.name, marker.at, spec, set_read_only(triangles - centre), faces.surface[solid[quad]],
            set_read_only(drawn.triangles - centre), faces.surface[drawn.face], tuple(surfaces), place,
            drawn.uv, drawn.colours, drawn.normals,
        )  # fmt: skip
        movers.append(mover)
    return tuple(movers)
