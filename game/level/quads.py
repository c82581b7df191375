"""The rule for quads: four corners in a plane, convex, no adjacent edges parallel; and the split in two."""

from __future__ import annotations

import numpy as np

from game.level.faces import Flags, Floats, Ints

FLAT = 1e-3  # metres that a corner may lie off the plane of the others: a tenth of the thinnest skin
SHARP = 1e-3  # metres that a corner must stand off the line through its neighbours


def fault(corners: Floats) -> tuple[str, str] | None:
    """What is wrong with a face (4,3) or (3,3), in words with corner and millimetres, and a cure; or None.

    Corners are counted from 1, as written.
    """
    count = len(corners)
    for here in range(count):
        for there in range(here + 1, count):
            if np.linalg.norm(corners[there] - corners[here]) < SHARP:
                return (f"corners {here + 1} and {there + 1} are the same point", _fewer(count))
    for here in range(count):
        before, after = corners[here - 1], corners[(here + 1) % count]
        off = _off_line(corners[here], before, after)
        if off < SHARP:
            return (
                f"corner {here + 1} lies on the line through its neighbours ({off * 1000:.1f} mm off it): "
                "two adjacent edges are parallel",
                _fewer(count),
            )
    if count == 3:
        return None
    normal = _normal(corners)
    off_plane, worst = _worst_off_plane(corners)
    if off_plane > FLAT:
        moved = corners[worst] - _normal(np.delete(corners, worst, axis=0)) * _signed_off(corners, worst)
        where = ", ".join(f"{value:.4g}" for value in moved)
        return (
            f"not planar: corner {worst + 1} is {off_plane * 1000:.1f} mm off the plane of the other three",
            f"move corner {worst + 1} to [{where}], or write two triangles",
        )
    turns = np.array(
        [np.dot(np.cross(corners[k] - corners[k - 1], corners[(k + 1) % 4] - corners[k]), normal) for k in range(4)]
    )
    wrong = np.nonzero(turns <= 0)[0]
    if len(wrong) == 1:
        return (f"not convex: it is dented at corner {wrong[0] + 1}", "write it as two triangles")
    if len(wrong):
        return ("its edges cross: the corners are not in order around the rim", _uncrossed(corners))
    return None


def split(corners: Floats, triangular: Flags) -> tuple[Floats, Ints]:
    """Faces (M,4,3) as triangles (N,3,3), along the shorter diagonal; and the face (N,) each came from."""
    first = np.linalg.norm(corners[:, 2] - corners[:, 0], axis=-1)
    second = np.linalg.norm(corners[:, 3] - corners[:, 1], axis=-1)
    across = (second < first * (1 - 1e-9)) & ~triangular
    order = np.where(across[:, None], np.array([[0, 1, 3, 1, 2, 3]]), np.array([[0, 1, 2, 0, 2, 3]]))
    halves = np.take_along_axis(corners, order[:, :, None], axis=1).reshape(-1, 3, 3)
    keep = np.ones(len(halves), np.bool_)
    keep[1::2] = ~triangular
    faces = np.repeat(np.arange(len(corners), dtype=np.int32), 2)
    return np.ascontiguousarray(halves[keep]), faces[keep]


def _normal(corners: Floats) -> Floats:
    """Unit normal of the corners by Newell's sum; of the first three where that is nothing (a bow tie)."""
    centred = corners - corners[0]
    total = np.cross(centred, np.roll(centred, -1, axis=0)).sum(axis=0)
    size = float(np.linalg.norm(total))
    if size < 1e-12:
        total = np.cross(centred[1], centred[2])
        size = float(np.linalg.norm(total))
    unit: Floats = total / size if size else total
    return unit


def _signed_off(corners: Floats, k: int) -> float:
    others = np.delete(corners, k, axis=0)
    return float(np.dot(corners[k] - others[0], _normal(others)))


def _worst_off_plane(corners: Floats) -> tuple[float, int]:
    """How far a corner lies off the plane of the other three: the mildest of the four, the one to move."""
    distances = [abs(_signed_off(corners, k)) for k in range(4)]
    k = min(range(4), key=lambda index: (round(distances[index], 9), -index))
    return distances[k], k


def _off_line(point: Floats, a: Floats, b: Floats) -> float:
    along = b - a
    return float(np.linalg.norm(np.cross(along, point - a)) / max(float(np.linalg.norm(along)), 1e-300))


def _fewer(count: int) -> str:
    return "take it out and write a `triangle`" if count == 4 else "it has no area: take it out"


def _uncrossed(corners: Floats) -> str:
    for i, j in ((2, 3), (1, 2)):
        swapped = corners.copy()
        swapped[[i, j]] = swapped[[j, i]]
        if fault(swapped) is None:
            return f"swap corners {i + 1} and {j + 1}"
    return "write them in order, counter-clockwise seen from the front"
