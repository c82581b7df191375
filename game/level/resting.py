"""Finds the faces that nobody can see and that would flicker: feet and floors of rooms on another floor."""

from __future__ import annotations

import numpy as np

from game.level.faces import Faces, Flags, unit_normals
from game.level.plan import Crowded, Plan
from game.level.quads import split

SAME_HEIGHT = 1e-3  # metres
INSET = 2e-3  # metres from a face's rim to where it is looked at


def covered(faces: Faces, solid: Flags) -> Flags:
    """(M,): the resting faces that lie wholly on level, upward, other faces. solid (M,): which may carry.

    Looked at in nine places of a quad: corners, middles of edges and the middle.
    """
    found = np.zeros(len(faces), np.bool_)
    normals = unit_normals(faces.corners)
    resting = np.nonzero(faces.rests & (np.abs(normals[:, 1]) > 0.9999))[0]
    carrying = np.nonzero(~faces.rests & solid & (normals[:, 1] > 0.9999))[0]
    if not len(resting) or not len(carrying):
        return found
    triangles, _ = split(faces.corners[carrying], faces.triangular[carrying])
    corners = faces.corners[resting]
    middle = corners.mean(axis=1, keepdims=True)
    towards = middle - corners
    size = np.linalg.norm(towards, axis=-1, keepdims=True)
    inner = corners + towards * np.minimum(0.25, INSET / np.maximum(size, 1e-9))
    places = np.concatenate([inner, (inner + np.roll(inner, -1, axis=1)) / 2, middle], axis=1)
    count = places.shape[1]
    try:
        point, _, height = Plan(triangles).at(places.reshape(-1, 3)[:, ::2])
    except Crowded:
        return found
    level = np.abs(height - places.reshape(-1, 3)[point, 1]) < SAME_HEIGHT
    carried = np.zeros(len(resting) * count, np.bool_)
    carried[point[level]] = True
    found[resting[carried.reshape(-1, count).all(axis=1)]] = True
    return found
