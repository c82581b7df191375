"""The three-step repair of Fauerby's method, known as Linahan's (arXiv 1211.0059, 2012; here as its ports agree).

Three steps instead of a recursion: up to the first touch and onto its plane, with the gap given back across it; at a
second touch along the crease of the two planes only; at a third nowhere. It does not tremble in corners any more.
Its defects: a second wall that opens outwards is taken for a crease as well, which can hold a body
up in a round room (the lab's body it does not); it still backs
off along the motion before each touch, slides in the sphere's space, and has no ground that is kept going down.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .fauerby_slide import candidate_triangles, ellipsoid_space_matrix, multiply_matrix
from .reference_controller import Floats, MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, cross, dot, length, sweep_unit_sphere, transform_vertices

CONTACT_GAP = 0.005  # the gap in the sphere's space


class LinahanController(ReferenceController):
    """See the module. State in, command in, state out."""

    name = "repair"
    title = "Linahan's repair"
    source = "arXiv 1211.0059"

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
