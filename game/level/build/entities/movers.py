"""Movers of a level: moving pieces with their own triangles and motion, and their poses for arrays of times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ....core.angles import RADIANS_PER_HEADING_UNIT
from ....core.motion import Motion
from ....core.springs import smoothstep
from ....core.vectors import MAX_MOVER_SPEED, Flags, Floats, Indices, Ints, Point, sum_in_order
from ...format.findings import FindingCollector, SourceSpan
from ...geometry.drawn_triangles import split_for_drawing
from ...geometry.faces import FaceArrays, set_read_only
from ...geometry.quads import split_into_triangles

if TYPE_CHECKING:
    from ....physics.triangle_mesh import TriangleMesh
    from ...format.surfaces import Surface


@dataclass(frozen=True, slots=True)
class MoverSpec:
    """Motion of a mover in its own frame; fields as those of core.motion.Motion."""

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
    starts: str
    near: float

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
        m = self.spec
        return Motion(m.path, m.seconds, m.pause, m.ease, m.loop, m.axis, m.swing, m.spin, m.phase, m.starts, m.near)

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
            spec = replace(spec, path=(), swing=0.0, spin=0.0, starts="always")
        elif spec.starts != "always" and (spec.spin != 0.0 or spec.phase > spec.pause or not spec.moves):
            if spec.spin != 0.0:
                message = f"it waits (`starts: {spec.starts}`), but it also spins"
                report.add("dropped", place, "mover", message, "remove `spin`, or remove `starts`")
            elif spec.moves:  # else there is a warning that it never moves
                message = f"its `phase` of {spec.phase:g} s is longer than its `pause` of {spec.pause:g} s"
                report.add("dropped", place, "mover", message, "reduce `phase`, or remove `starts`")
            spec = replace(spec, starts="always")
        mover = LevelMover(
            spec.name, marker.at, spec, set_read_only(triangles - centre), faces.surface[solid[quad]],
            set_read_only(drawn.triangles - centre), faces.surface[drawn.face], tuple(surfaces), place,
            drawn.uv, drawn.colours, drawn.normals,
        )  # fmt: skip
        movers.append(mover)
    return tuple(movers)


class MoverPath:
    """Poses of a mover as a function of the seconds since the start of the level, for arrays of times.

    A mover that waits counts as one that is set off at the start of the level.

    low, high (n,3): boxes of its triangles in its own frame, m. reach: distance of its furthest corner from its centre
    of rotation, m. period: of its path, s; 0 where only a spin moves it, or nothing. world_low, world_high (3,): box of
    the world that it never leaves, m.
    """

    def __init__(self, mover: LevelMover) -> None:
        motion = mover.motion
        self.mover = mover
        self.home = np.array(mover.at)
        self.phase = motion.phase if motion.starts == "always" else 0.0  # one that waits is at its first stop
        self.triangles = mover.triangles
        self.low, self.high = self.triangles.min(axis=1), self.triangles.max(axis=1)
        self.reach = float(np.linalg.norm(self.triangles, axis=-1).max(initial=0.0))
        self.axis = np.array(motion.axis) / np.linalg.norm(motion.axis)
        self.spin = math.radians(motion.spin)  # rad/s
        keys = np.array(motion.keys()).reshape(-1, 11)
        starts, durations, eases, self.origins, targets, angles, ends = np.split(keys, [1, 2, 3, 6, 9, 10], axis=1)
        self.starts, self.durations, self.eases = starts[:, 0], durations[:, 0], eases[:, 0] != 0.0
        self.offsets = targets - self.origins
        self.angles = angles[:, 0] * RADIANS_PER_HEADING_UNIT
        self.turns = ends[:, 0] * RADIANS_PER_HEADING_UNIT - self.angles
        self.period = float(self.starts[-1] + self.durations[-1]) if len(keys) else 0.0
        stops = self.home + (np.concatenate([self.origins, self.origins + self.offsets]) if len(keys) else np.zeros(3))
        stops = stops.reshape(-1, 3)
        rests = (not motion.turns or (np.abs(self.axis) > 0.9999)) & (len(self.triangles) > 0)  # also along its axis
        self.world_low = stops.min(axis=0) + np.where(rests, self.low.min(axis=0, initial=np.inf), -self.reach)
        self.world_high = stops.max(axis=0) + np.where(rests, self.high.max(axis=0, initial=-np.inf), self.reach)

    @property
    def periods(self) -> list[float]:
        """Periods of its path and of its spin, s; none where it stands still."""
        spins = [2.0 * math.pi / abs(self.spin)] if self.spin else []
        return [self.period, *spins] if self.period else spins

    def boundaries(self, horizon: float) -> Floats:
        """Times up to `horizon` at which a keyframe begins."""
        if not self.period:
            return np.zeros(0)
        first = math.floor(self.phase / self.period)
        rounds = np.arange(first, math.ceil((self.phase + horizon) / self.period) + 1)
        times = (rounds[:, None] * self.period + self.starts - self.phase).ravel()
        inside: Floats = times[(times > 0.0) & (times < horizon)]
        return inside

    @property
    def rests_at_start(self) -> bool:
        """Whether it stands still at the start of the level."""
        return not self.spin and not (self.period and self.speeds(np.zeros(1))[0])

    def stops(self) -> tuple[Floats, Floats]:
        """Rotations (n,3,3) and positions (n,3) at the ends of its keyframes, once each. The first is the stop where it
        stands at the start of the level, or else the next one. A mover without a path or a swing has one, its start."""
        angles = np.zeros(1)
        places = self.home[None]
        if self.period:
            first = int(self._keyframes(np.zeros(1))[0][0])
            rows = np.roll(np.arange(len(self.starts)), -first)
            if self.offsets[first].any() or self.turns[first]:
                rows = np.roll(rows, -1)
            ends = np.column_stack([self.origins[rows], self.angles[rows]])
            ends = np.concatenate([ends, ends + np.column_stack([self.offsets[rows], self.turns[rows]])])
            _, once = np.unique(np.round(ends, 6), axis=0, return_index=True)
            ends = ends[np.sort(once)]
            places = self.home + ends[:, :3]
            angles = ends[:, 3]
        return self._rotations(angles + self.spin * self.phase), places

    def speeds(self, times: Floats) -> Floats:
        """Upper bounds (n,) of the speed of its points in the keyframes at these times, m/s."""
        spin = np.full(len(times), abs(self.spin) * self.reach)
        if not self.period:
            return spin
        at, _ = self._keyframes(times)
        peak = np.where(self.eases, 1.5, 1.0) / self.durations
        fastest: Floats = peak * (np.linalg.norm(self.offsets, axis=1) + np.abs(self.turns) * self.reach)
        return spin + fastest[at]

    def poses(self, times: Floats) -> tuple[Floats, Floats]:
        """Rotations (n,3,3) and positions (n,3), as physics.environment.motion.mover_pose computes them."""
        position = np.tile(self.home, (len(times), 1))
        angle = self.spin * (times + self.phase)
        if self.period:
            at, s = self._keyframes(times)
            s = np.where(self.eases[at], smoothstep(s), s)
            position += self.origins[at] + self.offsets[at] * s[:, None]
            angle = angle + self.angles[at] + self.turns[at] * s
        return self._rotations(angle), position

    def _rotations(self, angles: Floats) -> Floats:
        """Rotations (n,3,3) about its axis by angles (n,), rad."""
        x, y, z = self.axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        sine, versine = np.sin(angles)[:, None, None], (1.0 - np.cos(angles))[:, None, None]
        rotations: Floats = np.eye(3) + sine * cross + versine * (cross @ cross)
        return rotations

    def _keyframes(self, times: Floats) -> tuple[Indices, Floats]:
        """Index of the keyframe at each time, and the part of it that has passed."""
        now = np.mod(times + self.phase, self.period)
        at = np.searchsorted(self.starts, now, "right") - 1
        return at, np.clip((now - self.starts[at]) / self.durations[at], 0.0, 1.0)
