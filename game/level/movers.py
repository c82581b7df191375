"""What moves in a level: the faces of each mover, apart from those of the level itself, and how they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from game.level.faces import Faces, Flags, Floats, Ints
from game.level.findings import Place, Report
from game.level.instances import Point
from game.level.quads import split
from game.physics.motion import Motion

if TYPE_CHECKING:
    from game.level.surfaces import Surface
    from game.physics.mesh import TriangleMesh


@dataclass(frozen=True, slots=True)
class Moving:
    """What a mover's mark says, in its own metres and directions."""

    name: str
    motion: Motion


@dataclass(frozen=True, eq=False)
class LevelMover:
    """One mover. triangles (N,3,3) and surface_index (N,): what collides, metres from `at`, as it stands by itself;
    drawn (K,3,3), drawn_surface (K,): what is seen. `at` in the world; motion in the world's directions."""

    name: str
    at: Point
    motion: Motion
    triangles: Floats
    surface_index: Ints
    drawn: Floats
    drawn_surface: Ints
    surfaces: tuple[Surface, ...] = field(repr=False, default=())
    place: Place = field(default=Place(), compare=False, repr=False)  # in the file

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The colliding triangles in its own frame; made on first use."""
        from game.physics.mesh import TriangleMesh

        return TriangleMesh(self.triangles, self.surface_index, [surface.material for surface in self.surfaces])


def movers_of(
    faces: Faces, collide: Flags, visible: Flags, surfaces: Sequence[Surface], places: Sequence[Place], report: Report
) -> tuple[LevelMover, ...]:
    """The movers of a level, in the order of its pieces. One that is too fast is reported and stands still."""
    found = []
    moving = faces.moving
    marks = [mark for mark in faces.marks if mark.kind == "mover"]
    for number, mark in enumerate(marks, start=1):
        what = mark.what
        assert isinstance(what, Moving)
        mine = moving == number
        solid, seen = np.nonzero(mine & collide)[0], np.nonzero(mine & visible)[0]
        triangles, quad = split(faces.corners[solid], faces.triangular[solid])
        drawn, drawn_quad = split(faces.corners[seen], faces.triangular[seen])
        middle = np.array(mark.at)
        stands = faces.instances[mark.instance]
        motion = _in_the_world(what.motion, stands.frame)
        place = places[mark.origin]
        made = LevelMover(
            what.name, mark.at, motion, _frozen(triangles - middle), faces.surface[solid[quad]],
            _frozen(drawn - middle), faces.surface[seen[drawn_quad]], tuple(surfaces), place,
        )  # fmt: skip
        found.append(_slow_enough(made, report))
    return tuple(found)


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


def _in_the_world(motion: Motion, frame: tuple[float, float, float, float, float]) -> Motion:
    xx, xz, yy, zx, zz = frame

    def way(of: Point) -> Point:
        x, y, z = of
        return (xx * x + xz * z + 0.0, yy * y + 0.0, zx * x + zz * z + 0.0)

    path = tuple(way(stop) for stop in motion.path)
    return Motion(
        path, motion.seconds, motion.pause, motion.ease, motion.loop, way(motion.axis), motion.swing, motion.spin,
        motion.phase,
    )  # fmt: skip


def _slow_enough(mover: LevelMover, report: Report) -> LevelMover:
    from game.physics.movers import Mover, Movers

    try:
        Movers([Mover(mover.mesh, mover.at, mover.motion, mover.name)])
    except ValueError as error:
        what = str(error).split("' ", 1)[-1].split(":")[0]
        report.add("dropped", mover.place, "mover", f"it {what}", "give it more `seconds`, or less `spin` or `swing`")
        still = Motion()
        return LevelMover(
            mover.name, mover.at, still, mover.triangles, mover.surface_index, mover.drawn, mover.drawn_surface,
            mover.surfaces, mover.place,
        )  # fmt: skip
    return mover
