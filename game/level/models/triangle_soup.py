"""Triangle soup: the faces, parts and materials of a model file, in a form common to all formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import WalkerError
from ...core.vectors import Colour, Floats, Ints, Point
from ..geometry.vertex_arrays import VERTEX_ARRAYS
from ..materials import PbrMaterial

MAX_TRIANGLES = 400_000  # twice the faces that a level may have
MAX_PARTS = 10_000  # nodes, objects or entities
MAX_MATERIALS = 1000

CornerValues = dict[str, npt.NDArray[Any]]  # values of the corners of faces by field of FaceArrays

MAX_MODEL_COORDINATE = 1e9  # in units of the file; a larger value is an error


class ModelError(WalkerError):
    """A model that cannot be read: `message`, `cure`, and line and column in a text file (0 in others)."""

    def __init__(self, message: str, cure: str = "", line: int = 0, column: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure
        self.line = line
        self.column = column
        self.length = length


@dataclass(frozen=True, slots=True)
class ModelMaterial:
    """A material: its name in the file and its sRGB colour (None if the file has none).

    texture and friction are those of a level's surface, if the name suggests them. pbr: its pictures and factors, None
    for a plain colour.
    """

    name: str
    colour: Colour | None = None
    texture: str = "plain"
    friction: float = 1.0
    pbr: PbrMaterial | None = None


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A node, object or entity of the file with its layers."""

    name: str
    collide: bool = True
    visible: bool = True


@dataclass(frozen=True, slots=True)
class ModelNote:
    """A remark about a file that can be read; line and column are 0 if unknown."""

    message: str
    cure: str = ""
    line: int = 0
    column: int = 0
    length: int = 1


MAX_UNREAD = 8  # kinds that `unread_note` lists


def unread_note(kinds: Sequence[str], line: int = 0) -> ModelNote:
    """A remark about all that changes what is seen or collides, and is not read. line: of the first."""
    message = f"not read, though it may change what is seen or solid: {', '.join(kinds[:MAX_UNREAD])}"
    message += f" and {len(kinds) - MAX_UNREAD} more" if len(kinds) > MAX_UNREAD else ""
    cure = "bake or apply it before the export, or do without it"
    return ModelNote(message, cure, line, 1 if line else 0)


@dataclass(frozen=True, slots=True)
class ModelLamp:
    """A lamp: position and reach in metres, colour sRGB 0..1, brightness as in the piece `light`."""

    at: Point
    colour: Colour
    brightness: float
    reach: float


@dataclass(frozen=True, slots=True)
class TriangleSoup:
    """Faces in the units and axes of the file.

    corners (M,4,3): quads, and triangles that repeat their third corner; counter-clockwise seen from the front.
    part and material (M,): indices into `parts` and `materials`; material -1 means none.
    vertices: arrays of the corners by field of FaceArrays: uv, vertex_colours, vertex_normals and those of seams.
    """

    corners: Floats
    part: Ints
    material: Ints
    parts: tuple[ModelPart, ...]
    materials: tuple[ModelMaterial, ...]
    triangles: int = 0  # in the file, without degenerate ones
    degenerate: int = 0  # number of degenerate triangles that were left out
    notes: tuple[ModelNote, ...] = ()
    unit: float = 1.0  # metres, if the format defines it
    up: str = "y"
    vertices: CornerValues = field(default_factory=dict, repr=False)
    lamps: tuple[ModelLamp, ...] = ()  # of a glTF file, the brightest first; in its axes

    def __len__(self) -> int:
        return len(self.corners)


# (uri, allowed extensions, max bytes) -> contents of a file next to the model; raises ModelError.
FetchFile = Callable[[str, tuple[str, ...], int], bytes]


def too_many_triangles_error(triangles: int) -> ModelError:
    """The error for a model over MAX_TRIANGLES."""
    return ModelError(
        f"the model has {triangles:,} triangles; the limit is {MAX_TRIANGLES:,}".replace(",", " "),
        "simplify it (Blender: Decimate), or remove parts out of reach",
    )


def finite_numbers(value: object, count: int) -> list[float] | None:
    """`value` as a list of `count` finite numbers; None if it is anything else."""
    if not isinstance(value, list) or len(value) != count:
        return None
    valid = all(
        isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= MAX_MODEL_COORDINATE
        for number in value
    )
    return [float(number) for number in value] if valid else None


@dataclass(slots=True)
class SoupBuilder:
    """Triangles and quads of a model while it is read."""

    triangles: list[Floats] = field(default_factory=list)
    quads: list[Floats] = field(default_factory=list)
    triangle_tags: list[Ints] = field(default_factory=list)
    quad_tags: list[Ints] = field(default_factory=list)
    triangle_vertices: list[CornerValues] = field(default_factory=list)
    quad_vertices: list[CornerValues] = field(default_factory=list)

    def add_faces(
        self, corners: Floats, part: int | Ints, material: int | Ints, vertices: CornerValues | None = None
    ) -> None:
        """Add triangles (N,3,3) or quads (N,4,3); part and material are one index for all, or (N,).

        vertices: uv (N,K,2), vertex_colours (N,K,4), vertex_normals (N,K,3) of their K corners.
        """
        tags = np.empty((len(corners), 2), np.int32)
        tags[:, 0], tags[:, 1] = part, material
        quads = corners.shape[1] == 4
        (self.quads if quads else self.triangles).append(corners)
        (self.quad_tags if quads else self.triangle_tags).append(tags)
        (self.quad_vertices if quads else self.triangle_vertices).append(vertices or {})

    def all_triangles(self) -> tuple[Floats, Ints]:
        """Triangles (N,3,3) and their (part, material) (N,2)."""
        return (
            np.concatenate([np.zeros((0, 3, 3)), *self.triangles]),
            np.concatenate([np.zeros((0, 2), np.int32), *self.triangle_tags]),
        )

    def all_quads(self) -> tuple[Floats, Ints]:
        """Quads (N,4,3) and their (part, material) (N,2)."""
        return (
            np.concatenate([np.zeros((0, 4, 3)), *self.quads]),
            np.concatenate([np.zeros((0, 2), np.int32), *self.quad_tags]),
        )

    def all_vertices(self) -> tuple[CornerValues, CornerValues]:
        """Values of the corners of all triangles and of all quads, with the same names in both."""
        names = {name for values in (*self.triangle_vertices, *self.quad_vertices) for name in values}
        return (
            {name: _join_values(name, self.triangles, self.triangle_vertices, 3) for name in sorted(names)},
            {name: _join_values(name, self.quads, self.quad_vertices, 4) for name in sorted(names)},
        )


def _join_values(name: str, faces: list[Floats], values: list[CornerValues], corners: int) -> npt.NDArray[Any]:
    """Values (N,K,W) of all blocks of faces with K corners. Blocks without them have those for missing ones."""
    (_, width), dtype, missing = VERTEX_ARRAYS[name]
    blocks = [
        found[name] if name in found else np.full((len(block), corners, width), missing, dtype)
        for block, found in zip(faces, values, strict=True)
    ]
    return np.concatenate([np.zeros((0, corners, width), dtype), *blocks])
