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

from .fauerby_slide import by, candidates, to_ellipsoid
from .reference_controller import Floats, Move, Technique
from .triangle_arrays import Faces, cross, dot, first_touch, length, to_space

CLOSE = 0.005  # the gap in the sphere's space


class Repair(Technique):
    """See the module. State in, command in, state out."""

    name = "repair"
    title = "Linahan's repair"
    source = "arXiv 1211.0059"

    def move(self, faces: Faces, ask: Move) -> Floats:
        matrix = to_ellipsoid(ask)
        a, b, c = to_space(candidates(faces, ask), matrix)
        place = by(matrix, ask.place)
        for way in (ask.will, ask.force):
            place = _collide(a, b, c, place, by(matrix, way))
        back: Any = by(np.linalg.inv(matrix), place)
        return np.asarray(back)


def _collide(a: Any, b: Any, c: Any, place: Any, way: Any) -> Any:
    goal = place + way
    first: Any = None
    for step in range(3):
        size = length(way)
        if size == 0.0:
            return place
        touch = first_touch(a, b, c, place, way, unsigned=False)
        if touch is None:
            return place + way
        part, point = touch
        normal = place + way * part - point
        normal = normal / length(normal)
        place = place + way / size * max(part * size - CLOSE, 0.0)
        if step == 0:
            first = normal
            goal = goal - (dot(goal - point, normal) - (1.0 + CLOSE)) * normal
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
