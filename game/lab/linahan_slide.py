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
from .triangle_arrays import TriangleArrays, cross, dot, length, sweep_unit_sphere, transform_vertices

CONTACT_GAP = 0.005  # ellipsoid space


class LinahanController(ReferenceController):
    """Linahan's method."""

    name = "repair"
    title = "Linahan's repair"
    source = "Linahan, arXiv:1211.0059, 2012"

    def resolve_move(self, faces: TriangleArrays, ask: MoveRequest) -> Floats:
        matrix = ellipsoid_space_matrix(ask)
        a, b, c = transform_vertices(candidate_triangles(faces, ask), matrix)
        place = multiply_matrix(matrix, ask.place)
        for way in (ask.wish_displacement, ask.gravity_displacement):
            place = _collide(a, b, c, place, multiply_matrix(matrix, way))
        back: Any = multiply_matrix(np.linalg.inv(matrix), place)
        return np.asarray(back)


def _collide(a: Any, b: Any, c: Any, place: Any, way: Any) -> Any:
    goal = place + way
    first: Any = None
    for step in range(3):
        size = length(way)
        if size == 0.0:
            return place
        touch = sweep_unit_sphere(a, b, c, place, way, unsigned=False)
        if touch is None:
            return place + way
        part, point = touch
        normal = place + way * part - point
        normal = normal / length(normal)
        place = place + way / size * max(part * size - CONTACT_GAP, 0.0)
        if step == 0:
            first = normal
            goal = goal - (dot(goal - point, normal) - (1.0 + CONTACT_GAP)) * normal
            way = goal - place
        elif step == 1:
            crease = cross(first, normal)
            long = length(crease)
            if long < 1e-9:
                return place
            crease = crease / long
            way = dot(goal - place, crease) * crease
            goal = place + way
    return place
