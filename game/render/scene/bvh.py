"""A tree of boxes over the drawn triangles, laid out for a shader that walks it without a stack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .render_mesh import Floats

Floats32 = npt.NDArray[np.float32]

MAX_LEAF_TRIANGLES = 4  # triangles in a leaf at most; the shader reads the count from three bits
TEXTURE_ROW = 1024  # texels in a row of the textures that the shader reads; a power of two


@dataclass(frozen=True, slots=True)
class LinearBvh:
    """nodes (M, 8): least corner, where to go on when missed; greatest corner, 8 * first + count of a leaf or
    -1. Nodes stand in the order of the walk, so that a hit goes on with the next. order (N,): the triangle at
    each place of the leaves."""

    nodes: Floats32
    triangle_order: npt.NDArray[np.int64]


def build_bvh(triangles: Floats) -> LinearBvh:
    """Split at the middle of the widest axis of the triangles' middles (half by count where that fails)."""
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    middle = (low + high) / 2
    nodes: list[list[float]] = []
    order: list[int] = []
    skips: list[int] = []

    def add(members: npt.NDArray[np.int64]) -> None:
        here = len(nodes)
        leaf = len(members) <= MAX_LEAF_TRIANGLES
        code = float(8 * len(order) + len(members)) if leaf else -1.0
        nodes.append([*low[members].min(axis=0), 0.0, *high[members].max(axis=0), code])
        skips.append(0)
        if leaf:
            order.extend(members.tolist())
        else:
            spot = middle[members]
            axis = int(np.ptp(spot, axis=0).argmax())
            split = (spot[:, axis].min() + spot[:, axis].max()) / 2
            left = spot[:, axis] < split
            if not 0 < np.count_nonzero(left) < len(members):
                left = np.zeros(len(members), np.bool_)
                left[np.argsort(spot[:, axis], kind="stable")[: len(members) // 2]] = True
            add(members[left])
            add(members[~left])
        skips[here] = len(nodes)

    add(np.arange(len(triangles)))
    table = np.array(nodes, dtype=np.float32).reshape(-1, 8)
    # outwards by one step of float32, since the corners were rounded
    table[:, 0:3] = np.nextafter(table[:, 0:3], np.float32(-np.inf))
    table[:, 4:7] = np.nextafter(table[:, 4:7], np.float32(np.inf))
    table[:, 3] = skips
    return LinearBvh(table, np.array(order, dtype=np.int64))


def pack_into_texture(values: Floats32) -> tuple[tuple[int, int], bytes]:
    """Size and bytes of an RGBA32F texture that holds a table of any shape, ROW texels to the row."""
    flat = np.ascontiguousarray(values, dtype=np.float32).reshape(-1, 4)
    rows = max(1, -(-len(flat) // TEXTURE_ROW))
    padded = np.zeros((rows * TEXTURE_ROW, 4), np.float32)
    padded[: len(flat)] = flat
    return (TEXTURE_ROW, rows), padded.tobytes()
