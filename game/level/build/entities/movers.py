"""What moves in a level: the faces of each mover, apart from those of the level itself, and how they go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ....core.vectors import Flags, Floats, Ints, Point
from ...format.findings import FindingCollector, SourceSpan
from ...geometry.faces import FaceArrays, set_read_only
from ...geometry.quads import split_into_triangles

if TYPE_CHECKING:
    from ....physics.environment.motion import Motion
    from ....physics.triangle_mesh import TriangleMesh
    from ...format.surfaces import Surface

MAX_MOVER_SPEED = 200.0  # m/s, as game.physics.environment.motion has it, which reading a level does not load


@dataclass(frozen=True, slots=True)
class MoverSpec:
    """How a mover goes, in its own metres and directions: fields as of game.physics.environment.motion.Motion."""

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

    def max_speed(self, radius: float) -> float:
        """The most m/s of a point so far (m) from what it turns about; the same that the physics counts."""
        peak = (1.5 if self.ease else 1.0) / self.seconds
        way = sum(math.dist(a, b) for a, b in pairwise(self.path))
        return peak * way + math.radians(abs(self.spin) + peak * abs(self.swing)) * radius


@dataclass(frozen=True, eq=False)
class LevelMover:
    """One mover. triangles (N,3,3) and surface_index (N,): what collides, metres from `at`, as it stands by itself;
    drawn (K,3,3), drawn_surface (K,): what is seen. `at` in the world; moving, motion: in the world's directions."""

    name: str
    at: Point
    moving: MoverSpec
    triangles: Floats
    surface_index: Ints
    drawn: Floats
    drawn_surface: Ints
    surfaces: tuple[Surface, ...] = field(repr=False, default=())
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)  # in the file

    @cached_property
    def motion(self) -> Motion:
        """How it goes, as the physics takes it."""
        from ....physics.environment.motion import Motion

        m = self.moving
        return Motion(m.path, m.seconds, m.pause, m.ease, m.loop, m.axis, m.swing, m.spin, m.phase)

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The colliding triangles in its own frame; made on first use."""
        from ....physics.triangle_mesh import TriangleMesh

        return TriangleMesh(self.triangles, self.surface_index, [surface.material for surface in self.surfaces])


def collect_movers(
    faces: FaceArrays,
    collide: Flags,
    visible: Flags,
    surfaces: Sequence[Surface],
    places: Sequence[SourceSpan],
    report: FindingCollector,
) -> tuple[LevelMover, ...]:
    """The movers of a level, in the order of its pieces. One that is too fast is reported and stands still."""
    found = []
    carrier = faces.mover_numbers
    marks = [mark for mark in faces.marks if mark.kind == "mover"]
    for number, mark in enumerate(marks, start=1):
        what = mark.payload
        assert isinstance(what, MoverSpec)
        mine = carrier == number
        solid, seen = np.nonzero(mine & collide)[0], np.nonzero(mine & visible)[0]
        triangles, quad = split_into_triangles(faces.corners[solid], faces.is_triangle[solid])
        drawn, drawn_quad = split_into_triangles(faces.corners[seen], faces.is_triangle[seen])
        middle = np.array(mark.at)
        stands = faces.instances[mark.instance]
        moving = replace(
            what, path=tuple(map(stands.transform_vector, what.path)), axis=stands.transform_vector(what.axis)
        )
        place = places[mark.origin]
        radius = float(np.sqrt(((faces.corners[solid] - middle) ** 2).sum(axis=-1).max(initial=0.0)))
        if (fastest := moving.max_speed(radius)) > MAX_MOVER_SPEED:
            message = f"the mover reaches {fastest:.4g} m/s; the limit is {MAX_MOVER_SPEED:g}"
            report.add("dropped", place, "mover", message, "increase `seconds`, or reduce `spin` or `swing`")
            moving = replace(moving, path=(), swing=0.0, spin=0.0)
        made = LevelMover(
            what.name, mark.at, moving, set_read_only(triangles - middle), faces.surface[solid[quad]],
            set_read_only(drawn - middle), faces.surface[seen[drawn_quad]], tuple(surfaces), place,
        )  # fmt: skip
        found.append(made)
    return tuple(found)
