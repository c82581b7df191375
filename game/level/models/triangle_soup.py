"""What a model file holds, whichever its format: faces, and the parts and materials that they belong to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...core.errors import WalkerError
from ...core.vectors import Colour, Floats, Ints

MAX_TRIANGLES = 400_000  # in a file: two for each face that a level may have
MAX_PARTS = 10_000  # nodes, objects or entities of a file
MAX_MATERIALS = 1000

MAX_MODEL_COORDINATE = 1e9  # in the file's own units: beyond it something is broken


class ModelError(WalkerError):
    """A model that cannot be read: in words, with a cure, and the line and column inside the file where it has
    lines (0 where not). `file`: which file's, empty for the model itself."""

    def __init__(self, message: str, cure: str = "", line: int = 0, column: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure
        self.line = line
        self.column = column
        self.length = length


@dataclass(frozen=True, slots=True)
class ModelMaterial:
    """A name of the file's own; colour sRGB 0..1, None where the file has none; texture and friction as of a
    level's surface, where the name speaks of them."""

    name: str
    colour: Colour | None = None
    texture: str = "plain"
    friction: float = 1.0


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A node, an object or an entity of the file, and in which layers it is."""

    name: str
    collide: bool = True
    visible: bool = True


@dataclass(frozen=True, slots=True)
class ModelNote:
    """Something to be said of a file that can be read all the same; `line` and `column` where it has them."""

    message: str
    cure: str = ""
    line: int = 0
    column: int = 0
    length: int = 1


@dataclass(frozen=True, slots=True)
class TriangleSoup:
    """corners (M,4,3): quads, and triangles that repeat their third corner, counter-clockwise seen from the
    front, in the file's own units and axes; part and material (M,): indices, material -1 where there is none."""

    corners: Floats
    part: Ints
    material: Ints
    parts: tuple[ModelPart, ...]
    materials: tuple[ModelMaterial, ...]
    triangles: int = 0  # that the file holds, degenerate ones left out
    degenerate: int = 0  # that were left out
    notes: tuple[ModelNote, ...] = ()
    unit: float = 1.0  # metres, where the format says so
    up: str = "y"

    def __len__(self) -> int:
        return len(self.corners)


# (uri, endings, most bytes) -> the bytes of a file beside the model; raises ModelError.
FetchFile = Callable[[str, tuple[str, ...], int], bytes]


def too_many_triangles_error(triangles: int) -> ModelError:
    return ModelError(
        f"the model has {triangles:,} triangles; the limit is {MAX_TRIANGLES:,}".replace(",", " "),
        "simplify it (Blender: Decimate), or remove parts out of reach",
    )


@dataclass(slots=True)
class SoupBuilder:
    """Triangles and quads being gathered, part by part."""

    triangles: list[Floats] = field(default_factory=list)
    quads: list[Floats] = field(default_factory=list)
    triangle_tags: list[Ints] = field(default_factory=list)
    quad_tags: list[Ints] = field(default_factory=list)

    def add_faces(self, corners: Floats, part: int | Ints, material: int | Ints) -> None:
        """Corners (N,3,3) or (N,4,3); part and material one for all, or (N,)."""
        tags = np.empty((len(corners), 2), np.int32)
        tags[:, 0], tags[:, 1] = part, material
        quads = corners.shape[1] == 4
        (self.quads if quads else self.triangles).append(corners)
        (self.quad_tags if quads else self.triangle_tags).append(tags)

    def all_triangles(self) -> tuple[Floats, Ints]:
        return (
            np.concatenate([np.zeros((0, 3, 3)), *self.triangles]),
            np.concatenate([np.zeros((0, 2), np.int32), *self.triangle_tags]),
        )

    def all_quads(self) -> tuple[Floats, Ints]:
        return (
            np.concatenate([np.zeros((0, 4, 3)), *self.quads]),
            np.concatenate([np.zeros((0, 2), np.int32), *self.quad_tags]),
        )
