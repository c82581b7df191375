"""glTF accessors: arrays in buffers, checked before they are read.

Source: glTF 2.0 specification, section 3.6.2, and KHR_mesh_quantization.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.vectors import Floats
from ..triangle_soup import MAX_TRIANGLES, ModelError, too_many_triangles_error
from .gltf_container import GltfBuffer, GltfContainer, whole_number

FLOAT = 5126
INDEX_COMPONENTS = (5121, 5123, 5125)  # unsigned byte, short and int
POSITION_COMPONENTS = (5120, 5121, 5122, 5123, FLOAT)  # the integers by KHR_mesh_quantization
_COMPONENT_TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", FLOAT: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_REEXPORT_CURE = "export it again"


@dataclass(frozen=True, slots=True)
class AccessorView:
    """A checked accessor: `count` rows of `width` numbers in a buffer, the first at `start`, `stride` bytes apart."""

    buffer: GltfBuffer
    start: int
    stride: int
    count: int
    width: int
    component: int
    normalized: bool


def check_accessor(
    container: GltfContainer, index: object, kinds: tuple[str, ...], components: tuple[int, ...], subject: str
) -> AccessorView:
    """Validate an accessor and its place in the buffer. Raises ModelError. subject: for messages."""
    accessor = container.checked_entry("accessors", index)
    if "sparse" in accessor:
        cure = "export it without sparse accessors"
        raise ModelError(f"its {subject} are a sparse accessor, which is not supported", cure)
    component = accessor.get("componentType")
    kind = accessor.get("type")
    if kind not in kinds or component not in components:
        raise ModelError(f"its {subject} are of a type that is not supported", _REEXPORT_CURE)
    if "bufferView" not in accessor:
        raise ModelError(f"its {subject} are not in the file, or compressed", "export it without compression")
    buffer, start, size = container.view_bytes(accessor["bufferView"], f"its {subject} are")
    count = whole_number(accessor.get("count"))
    offset = whole_number(accessor.get("byteOffset", 0))
    if min(count, offset) < 0:
        raise ModelError(f"its {subject} are not in a buffer", _REEXPORT_CURE)
    width = np.dtype(_COMPONENT_TYPES[component]).itemsize * _WIDTHS[kind]
    stride = whole_number(container.checked_entry("bufferViews", accessor["bufferView"]).get("byteStride", width))
    if not width <= stride <= 252:
        raise ModelError(f"its {subject} have an invalid byte stride", _REEXPORT_CURE)
    if count and offset + (count - 1) * stride + width > size:
        raise ModelError(f"its {subject} extend beyond their part of the buffer", _REEXPORT_CURE)
    if count > 3 * MAX_TRIANGLES:
        raise too_many_triangles_error(count // 3)
    normalized = accessor.get("normalized") is True
    return AccessorView(buffer, start + offset, stride, count, _WIDTHS[kind], component, normalized)


def read_view(view: AccessorView) -> Floats:
    """Values (count, width) of a checked accessor. Normalized integers become -1..1 or 0..1."""
    if not view.count:
        return np.zeros((0, view.width))
    kind = np.dtype(_COMPONENT_TYPES[view.component])
    rows: npt.NDArray[Any] = np.ndarray(
        (view.count, view.width), kind, view.buffer.data, view.start, (view.stride, kind.itemsize)
    )
    values: Floats = rows.astype(np.float64)
    if view.normalized and view.component != FLOAT:
        values = np.maximum(values / np.iinfo(kind).max, -1.0)
    return values
