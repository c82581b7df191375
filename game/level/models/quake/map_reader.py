"""A Quake map as faces: its brushes in Quake's own units and axes, each brush entity a part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..postprocess import filled, finished
from ..triangle_soup import MOST_TRIANGLES, Heap, ModelError, Note, Part, Soup, too_many
from .brushes import Polygons, polygons
from .map_parser import Brush, Entity, Map, parse
from .textures import Layers, layers, material

UNIT = 1 / 32  # metres: a Quake player is 56 units tall

# Brush entities that are not there until something happens, or never are.
_OUT = ("trigger_", "func_areaportal", "func_viscluster", "func_fog", "func_bombplace", "info_", "path_")
_AIR = ("func_illusionary", "func_detail_illusionary", "func_water", "func_detail_fence_nocollide")


def read(data: bytes, metres: float = UNIT) -> Soup:
    """All brushes of a map, part by entity and layer. metres: of one unit, for the rule for quads."""
    return built(parse(data), metres)


def built(made: Map, metres: float = UNIT) -> Soup:
    """The faces of a map that was parsed."""
    chosen, notes = _chosen(made)
    if not chosen:
        raise ModelError("there is no solid brush in it", "draw one in the editor, and save")
    shapes = polygons([brush for _, brush in chosen])
    notes += _broken(shapes, [brush for _, brush in chosen])
    if made.patches:
        count = len(made.patches)
        what = "a curved patch is" if count == 1 else f"{count} curved patches are"
        notes.append(Note(f"{what} left out: only brushes are read", "build it of brushes", made.patches[0], 1))
    parts: dict[Part, int] = {}
    textures: dict[str, int] = {}
    heap = Heap()
    _gather(heap, shapes, chosen, parts, textures, metres)
    materials = tuple(material(name) for name in textures)
    return finished(heap, tuple(parts), materials, tuple(notes), UNIT, "z", metres)


def _chosen(made: Map) -> tuple[list[tuple[Entity, Brush]], list[Note]]:
    """The brushes that are part of the world, and what is to be said of the others."""
    chosen: list[tuple[Entity, Brush]] = []
    notes: list[Note] = []
    for entity in made.entities:
        if entity.kind.lower().startswith(_OUT):
            continue
        for brush in entity.brushes:
            if len(brush.faces) < 4:
                message = f"a brush of {len(brush.faces)} faces encloses nothing; it is left out"
                notes.append(Note(message, "delete it in the editor", brush.line, 1))
            elif not _is_out(brush):
                chosen.append((entity, brush))
    return chosen, notes


def _is_out(brush: Brush) -> bool:
    """Whether all its faces are of textures that no part of the world wears; a face of `skip` alone is not."""
    return all(layers(face.texture).out for face in brush.faces)


def _broken(shapes: Polygons, brushes: Sequence[Brush]) -> list[Note]:
    notes = []
    for index in shapes.empty.tolist():
        message = "the faces of this brush enclose nothing; it is left out"
        notes.append(Note(message, "delete it in the editor", brushes[index].line, 1))
    for index in shapes.open.tolist():
        message = "this brush is not closed: a face is missing; it is left out"
        notes.append(Note(message, "delete it in the editor", brushes[index].line, 1))
    return notes


def _gather(
    heap: Heap,
    shapes: Polygons,
    chosen: Sequence[tuple[Entity, Brush]],
    parts: dict[Part, int],
    textures: dict[str, int],
    metres: float,
) -> None:
    """Polygons as quads and triangles, with part and texture."""
    sizes = np.diff(shapes.start)
    triangles = int((sizes - 2).sum())
    if triangles > MOST_TRIANGLES:
        raise too_many(triangles)
    tags = np.zeros((len(sizes), 2), np.int32)
    kept = np.ones(len(sizes), np.bool_)
    known: dict[str, Layers] = {}
    for row, (index, plane) in enumerate(zip(shapes.brush.tolist(), shapes.plane.tolist(), strict=True)):
        entity, brush = chosen[index]
        texture = brush.faces[plane].texture
        here = known.get(texture) or known.setdefault(texture, layers(texture))
        solid = (here.collide or here.out) and not entity.kind.lower().startswith(_AIR)
        part = Part(entity.kind or "entity", collide=solid, visible=here.visible)
        kept[row] = part.collide or part.visible
        tags[row] = parts.setdefault(part, len(parts)), textures.setdefault(texture, len(textures))
    for size in np.unique(sizes[kept]).tolist():
        rows = np.nonzero((sizes == size) & kept)[0]
        corners = shapes.corners[shapes.rings[shapes.start[rows][:, None] + np.arange(size)]]
        filled(heap, corners, tags[rows], metres)
