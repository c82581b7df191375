"""Linahan's three-step repair of Fauerby's method.

Source: Jeff Linahan, "Improving the Numerical Robustness of Sphere Swept Collision Detection", arXiv:1211.0059, 2012;
details as its ports agree.

Three steps replace the recursion: move to the first contact and project onto its plane, with the gap restored across
it; at a second contact move along the crease of both planes only; at a third stop. The body no longer trembles in
corners. Defects: a second wall that opens outwards counts as a crease too, which can hold a body up in a round room;
the body backs off along the motion before each contact; it slides in ellipsoid space; it does not snap to the ground
on the way down.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.vectors import Floats
from .fauerby_slide import candidate_triangles, ellipsoid_space_matrix, multiply_matrix
from .reference_controller import MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, cross, dot, length, sweep_unit_sphere, transform_corners

CONTACT_GAP = 0.005  # ellipsoid space


class LinahanController(ReferenceController):
    """Linahan's method."""

    name = "repair"
    title = "Linahan's repair"
    source = "Linahan, arXiv:1211.0059, 2012"

    def resolve_move(self, faces: TriangleArrays, request: MoveRequest) -> Floats:
        matrix = ellipsoid_space_matrix(request)
        a, b, c = transform_corners(candidate_triangles(faces, request), matrix)
        centre = multiply_matrix(matrix, request.centre)
        for displacement in (request.wish_displacement, request.gravity_displacement):
            centre = _collide(a, b, c, centre, multiply_matrix(matrix, displacement))
        world_centre: Any = multiply_matrix(np.linalg.inv(matrix), centre)
        return np.asarray(world_centre)


def _collide(a: Any, b: Any, c: Any, centre: Any, displacement: Any) -> Any:
    target = centre + displacement
    first: Any = None
    for step in range(3):
        size = length(displacement)
        if size == 0.0:
            return centre
        contact = sweep_unit_sphere(a, b, c, centre, displacement, unsigned=False)
        if contact is None:
            return centre + displacement
        fraction, point = contact
        normal = centre + displacement * fraction - point
        normal = normal / length(normal)
        centre = centre + displacement / size * max(fraction * size - CONTACT_GAP, 0.0)
        if step == 0:
            first = normal
            target = target - (dot(target - point, normal) - (1.0 + CONTACT_GAP)) * normal
            displacement = target - centre
        elif step == 1:
            crease = cross(first, normal)
            crease_length = length(crease)
            if crease_length < 1e-9:
                return centre
            crease = crease / crease_length
            displacement = dot(target - centre, crease) * crease
            target = centre + displacement
    return centre
