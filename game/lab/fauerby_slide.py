"""Ellipsoid sliding in ellipsoid space, after Fauerby.

Sources: Kasper Fauerby, "Improved Collision Detection and Response", 2003; "Collision detection in 3D", a forum guide,
2020, which is followed here with its defects.

The world is transformed into a space in which the body is a unit sphere. The sphere moves up to the first contact, the
remaining displacement is projected onto the contact plane, and this is repeated up to five times; then the same for
gravity. Stairs are climbed by sliding over their edges. Defects as published, each of which can be fixed alone:

turn    the matrix is rotation times scale, so the body never turns with the player
inside  point-in-triangle test by unsigned areas: points outside pass
margin  the stop before a wall scales the displacement by (distance - margin) instead of by its fraction, and backs off
        along the motion: moves are too short, slides too long, and a grazing contact leaves no gap across the surface
slide   the remaining displacement is projected in ellipsoid space: speed on slopes depends on the radii
single  single precision: far from the origin the margin is less than a digit

With all of them fixed these stay: one plane at a time (in an acute corner the body trembles until the iterations are
used up), no slope limit, no snapping to the ground on the way down, and turning without a test for room.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..core.vectors import Floats
from .reference_controller import MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, cross, dot, length, sweep_unit_sphere, transform_corners

CONTACT_MARGIN = 1e-5  # ellipsoid space, as published
MAX_SLIDE_ITERATIONS = 5  # after the first, as published
CANDIDATE_REACH = 3.0  # lengths of the displacement within which triangles are candidates


def ellipsoid_space_matrix(request: MoveRequest, turned: bool = True) -> Floats:
    """(3, 3) world to ellipsoid space: scale^-1 times rotation^-1; with `turned=False` the guide's wrong product."""
    s, c = request.sine, request.cosine
    rx, ry, rz = request.radii
    if turned:
        return np.array(((c / rx, 0.0, -s / rx), (0.0, 1.0 / ry, 0.0), (s / rz, 0.0, c / rz)))
    return np.array(((c / rx, 0.0, -s / rz), (0.0, 1.0 / ry, 0.0), (s / rx, 0.0, c / rz)))


def candidate_triangles(faces: TriangleArrays, request: MoveRequest) -> Floats:
    """(n, 3, 3) triangles that the move can meet. The published loop tests all triangles, with the same result."""
    extent = np.abs(request.wish_displacement) + np.abs(request.gravity_displacement)
    reach = CANDIDATE_REACH * extent.max() + 1.1 * max(request.radii[0], request.radii[2])
    high = CANDIDATE_REACH * extent.max() + 1.1 * request.radii[1]
    return faces.corners[
        faces.overlapping_sweep(request.centre, request.gravity_displacement, np.array((reach, high, reach)))
    ]


class FauerbyController(ReferenceController):
    """Fauerby's method as the forum guide publishes it."""

    name = "guide"
    title = "Forum guide"
    source = '"Collision detection in 3D", forum guide, 2020, after Fauerby 2003'
    known_defects: ClassVar[dict[str, str]] = {
        "turn": "the matrix is rotation times scale: the body does not turn",
        "inside": "unsigned area test: points outside a triangle count as inside",
        "margin": "the stopping distance is measured along the motion",
        "slide": "slides in scaled space: the speed depends on the radii",
        "single": "single precision",
    }

    def resolve_move(self, faces: TriangleArrays, request: MoveRequest) -> Floats:
        dtype: Any = np.float32 if "single" in self.defects else np.float64
        matrix = ellipsoid_space_matrix(request, "turn" not in self.defects)
        inverse = np.linalg.inv(matrix).astype(dtype)
        matrix = matrix.astype(dtype)
        a, b, c = transform_corners(candidate_triangles(faces, request).astype(dtype), matrix)
        centre = multiply_matrix(matrix, request.centre.astype(dtype))
        for displacement in (request.wish_displacement, request.gravity_displacement):
            centre = self._collide(
                a, b, c, centre, multiply_matrix(matrix, displacement.astype(dtype)), matrix, inverse
            )
        return np.asarray(multiply_matrix(inverse, centre), dtype=np.float64)

    def _collide(self, a: Any, b: Any, c: Any, centre: Any, displacement: Any, matrix: Any, inverse: Any) -> Any:
        for _ in range(MAX_SLIDE_ITERATIONS + 1):
            contact = sweep_unit_sphere(a, b, c, centre, displacement, "inside" in self.defects)
            if contact is None:
                return centre + displacement
            fraction, point = contact
            target = centre + displacement
            distance = fraction * length(displacement)
            if "margin" in self.defects:
                if distance >= CONTACT_MARGIN:
                    step = displacement * (distance - centre.dtype.type(CONTACT_MARGIN))
                    centre = centre + step
                    size = length(step)
                    if size > 0:
                        point = point - step / size * centre.dtype.type(CONTACT_MARGIN)
                normal = centre - point
            else:
                centre_at_contact = centre + displacement * centre.dtype.type(fraction)
                normal = (centre_at_contact - point) / length(centre_at_contact - point)
                approach = -dot(displacement, normal)
                if approach > 0:
                    centre = centre + displacement * centre.dtype.type(max(fraction - CONTACT_MARGIN / approach, 0.0))
            rest = target - centre
            if "slide" in self.defects:
                displacement = cross(normal, cross(rest, normal))
            else:
                rest_world = multiply_matrix(inverse, rest)
                normal_world = multiply_matrix(matrix.T, normal)
                normal_world = normal_world / length(normal_world)
                displacement = multiply_matrix(matrix, rest_world - dot(rest_world, normal_world) * normal_world)
            if not np.isfinite(displacement).all():
                return centre
        return centre


class FixedFauerbyController(FauerbyController):
    """The forum guide's method with all five defects fixed."""

    name = "mended"
    title = "Guide, fixed"
    known_defects: ClassVar[dict[str, str]] = {}


def multiply_matrix(matrix: Any, vector: Any) -> Any:
    """Product of matrix (3, 3) and vector (3,), summed from left to right."""
    return np.stack([matrix[k, 0] * vector[0] + matrix[k, 1] * vector[1] + matrix[k, 2] * vector[2] for k in range(3)])
