"""The forum guide's method ("Collision detection in 3D", 2020, after Fauerby): an ellipsoid slides in its own space.

The world is brought into a space where the body is a unit sphere; it moves up to the first touch, the rest of the way
is laid onto the plane that touches the sphere there, and that is tried again, five times; then the same for the force.
Climbs stairs by sliding over their edges. Its defects, as published, each of which can be mended alone:

turn    the matrix multiplies rotation times scale, so the body never turns with the player
inside  point in triangle by areas without sign: points outside pass
margin  the stop before a wall scales the whole way by (distance - margin), not the fraction of it, and backs off along
        the motion: far too short a move, a slide that is too long, and no gap across the surface at a grazing angle
slide   the rest of the way is laid onto the plane in the sphere's space: speed on slopes depends on the radii
single  counts in single precision: far from the origin the margin is less than a digit

What stays when all are mended: one plane at a time (in a sharp corner it goes to and fro until its tries are used up),
no limit to slopes, no ground that is kept going down, and a turn that nobody asks room for.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .reference_controller import Floats, MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, cross, dot, length, sweep_unit_sphere, transform_vertices

CONTACT_MARGIN = 1e-5  # in the sphere's space, as published
MAX_SLIDE_ITERATIONS = 5  # further tries after the first, as published
CANDIDATE_REACH = 3.0  # times the way: how far a tick may get, for the choice of triangles


def ellipsoid_space_matrix(ask: MoveRequest, turned: bool = True) -> Floats:
    """(3, 3): undo the heading, then divide by the radii; or, with `turned=False`, the guide's own product."""
    s, c = ask.sine, ask.cosine
    rx, ry, rz = ask.radii
    if turned:
        return np.array(((c / rx, 0.0, -s / rx), (0.0, 1.0 / ry, 0.0), (s / rz, 0.0, c / rz)))
    return np.array(((c / rx, 0.0, -s / rz), (0.0, 1.0 / ry, 0.0), (s / rx, 0.0, c / rz)))


def candidate_triangles(faces: TriangleArrays, ask: MoveRequest) -> Floats:
    """(n, 3, 3) all triangles that such a move may meet; the published loop takes all there are, to the same end."""
    way = np.abs(ask.wish_displacement) + np.abs(ask.gravity_displacement)
    reach = CANDIDATE_REACH * way.max() + 1.1 * max(ask.radii[0], ask.radii[2])
    high = CANDIDATE_REACH * way.max() + 1.1 * ask.radii[1]
    return faces.corners[faces.near_sweep(ask.place, ask.gravity_displacement, np.array((reach, high, reach)))]


class FauerbyController(ReferenceController):
    """See the module. State in, command in, state out."""

    name = "guide"
    title = "Forum guide"
    source = "seed 000, the forum guide"
    known_defects: ClassVar[dict[str, str]] = {
        "turn": "the matrix is rotation times scale: the body does not turn",
        "inside": "unsigned area test: points outside a triangle count as inside",
        "margin": "the stopping distance is measured along the motion",
        "slide": "slides in scaled space: the speed depends on the radii",
        "single": "single precision",
    }

    def resolve_move(self, faces: TriangleArrays, ask: MoveRequest) -> Floats:
        kind: Any = np.float32 if "single" in self.defects else np.float64
        matrix = ellipsoid_space_matrix(ask, "turn" not in self.defects)
        back = np.linalg.inv(matrix).astype(kind)
        matrix = matrix.astype(kind)
        a, b, c = transform_vertices(candidate_triangles(faces, ask).astype(kind), matrix)
        place = multiply_matrix(matrix, ask.place.astype(kind))
        for way in (ask.wish_displacement, ask.gravity_displacement):
            place = self._collide(a, b, c, place, multiply_matrix(matrix, way.astype(kind)), matrix, back)
        return np.asarray(multiply_matrix(back, place), dtype=np.float64)

    def _collide(self, a: Any, b: Any, c: Any, place: Any, way: Any, matrix: Any, back: Any) -> Any:
        for _ in range(MAX_SLIDE_ITERATIONS + 1):
            touch = sweep_unit_sphere(a, b, c, place, way, "inside" in self.defects)
            if touch is None:
                return place + way
            part, point = touch
            there = place + way
            distance = part * length(way)
            if "margin" in self.defects:
                if distance >= CONTACT_MARGIN:
                    step = way * (distance - place.dtype.type(CONTACT_MARGIN))
                    place = place + step
                    size = length(step)
                    if size > 0:
                        point = point - step / size * place.dtype.type(CONTACT_MARGIN)
                normal = place - point
            else:
                touching = place + way * place.dtype.type(part)
                normal = (touching - point) / length(touching - point)
                against = -dot(way, normal)
                if against > 0:
                    place = place + way * place.dtype.type(max(part - CONTACT_MARGIN / against, 0.0))
            rest = there - place
            if "slide" in self.defects:
                way = cross(normal, cross(rest, normal))
            else:
                flat = multiply_matrix(back, rest)
                steep = multiply_matrix(matrix.T, normal)
                steep = steep / length(steep)
                way = multiply_matrix(matrix, flat - dot(flat, steep) * steep)
            if not np.isfinite(way).all():
                return place
        return place


class FixedFauerbyController(FauerbyController):
    """The guide with every defect mended that can be mended alone; what is left is in how it answers a touch."""

    name = "mended"
    title = "Guide, mended"
    known_defects: ClassVar[dict[str, str]] = {}


def multiply_matrix(matrix: Any, vector: Any) -> Any:
    """matrix (3, 3) times vector (3,), each sum from left to right."""
    return np.stack([matrix[k, 0] * vector[0] + matrix[k, 1] * vector[1] + matrix[k, 2] * vector[2] for k in range(3)])
