"""Bounding volume hierarchy over triangles, laid out for stackless traversal in a shader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats

Floats32 = npt.NDArray[np.float32]

MAX_LEAF_TRIANGLES = 4  # the shader reads the count from three bits
TEXTURE_ROW = 1024  # texels per row of BVH textures; shaders/include/bvh_traversal.glsl uses the same


@dataclass(frozen=True, slots=True)
class LinearBvh:
    """BVH in depth-first order.

    nodes: (M, 8): minimum corner, skip index; maximum corner, leaf code. A ray that hits a node continues with the next
    one, otherwise at the skip index. Leaf code: 8 * first + count, or -1 for inner nodes. triangle_order: (N,) triangle
    at each leaf slot.
    """

    nodes: Floats32
    triangle_order: npt.NDArray[np.int64]


def build_bvh(triangles: Floats) -> LinearBvh:
    """Build by splitting at the midpoint of the widest axis of the triangle centres, or at the median where one side is
    empty.
    """
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    centres = (low + high) / 2
    nodes: list[list[float]] = []
    leaf_triangles: list[int] = []
    skip_indices: list[int] = []

    def add_node(members: npt.NDArray[np.int64]) -> None:
        node = len(nodes)
        is_leaf = len(members) <= MAX_LEAF_TRIANGLES
        code = float(8 * len(leaf_triangles) + len(members)) if is_leaf else -1.0
        nodes.append([*low[members].min(axis=0), 0.0, *high[members].max(axis=0), code])
        skip_indices.append(0)
        if is_leaf:
            leaf_triangles.extend(members.tolist())
        else:
            member_centres = centres[members]
            axis = int(np.ptp(member_centres, axis=0).argmax())
            split = (member_centres[:, axis].min() + member_centres[:, axis].max()) / 2
            is_left = member_centres[:, axis] < split
            if not 0 < np.count_nonzero(is_left) < len(members):
                is_left = np.zeros(len(members), np.bool_)
                is_left[np.argsort(member_centres[:, axis], kind="stable")[: len(members) // 2]] = True
            add_node(members[is_left])
            add_node(members[~is_left])
        skip_indices[node] = len(nodes)

    add_node(np.arange(len(triangles)))
    table = np.array(nodes, dtype=np.float32).reshape(-1, 8)
    # Grow by one float32 step, because rounding may have shrunk the box.
    table[:, 0:3] = np.nextafter(table[:, 0:3], np.float32(-np.inf))
    table[:, 4:7] = np.nextafter(table[:, 4:7], np.float32(np.inf))
    table[:, 3] = skip_indices
    return LinearBvh(table, np.array(leaf_triangles, dtype=np.int64))


def pack_into_texture(values: Floats32) -> tuple[tuple[int, int], bytes]:
    """Size and bytes of an RGBA32F texture with the values, TEXTURE_ROW texels per row."""
    flat = np.ascontiguousarray(values, dtype=np.float32).reshape(-1, 4)
    rows = max(1, -(-len(flat) // TEXTURE_ROW))
    padded = np.zeros((rows * TEXTURE_ROW, 4), np.float32)
    padded[: len(flat)] = flat
    return (TEXTURE_ROW, rows), padded.tobytes()
