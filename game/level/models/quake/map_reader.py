"""A Quake map as faces: its brushes in Quake's own units and axes, each brush entity a part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..postprocess import add_polygons, finish_soup
from ..triangle_soup import (
    MAX_TRIANGLES,
    ModelError,
    ModelNote,
    ModelPart,
    SoupBuilder,
    TriangleSoup,
    too_many_triangles_error,
)
from .brushes import BrushPolygons, brush_polygons
from .map_parser import Brush, MapEntity, QuakeMap, parse_map
from .textures import TextureLayers, texture_layers, texture_material

METRES_PER_UNIT = 1 / 32  # metres: a Quake player is 56 units tall

# Brush entities that are not there until something happens, or never are.
_IGNORED_CLASSES = ("trigger_", "func_areaportal", "func_viscluster", "func_fog", "func_bombplace", "info_", "path_")
_NON_SOLID_CLASSES = ("func_illusionary", "func_detail_illusionary", "func_water", "func_detail_fence_nocollide")


def read_map(data: bytes, metres: float = METRES_PER_UNIT) -> TriangleSoup:
    """All brushes of a map, part by entity and layer. metres: of one unit, for the rule for quads."""
    return build_map_soup(parse_map(data), metres)


def build_map_soup(made: QuakeMap, metres: float = METRES_PER_UNIT) -> TriangleSoup:
    """The faces of a map that was parsed."""
    chosen, notes = _select_brushes(made)
    if not chosen:
        raise ModelError("the map has no solid brush", "draw one in the editor and save")
    shapes = brush_polygons([brush for _, brush in chosen])
    notes += _broken_brush_notes(shapes, [brush for _, brush in chosen])
    if made.patches:
        count = len(made.patches)
        what = "a curved patch is" if count == 1 else f"{count} curved patches are"
        notes.append(
            ModelNote(f"{what} left out: only brushes are supported", "build it from brushes", made.patches[0], 1)
        )
    parts: dict[ModelPart, int] = {}
    textures: dict[str, int] = {}
    heap = SoupBuilder()
    _add_polygons(heap, shapes, chosen, parts, textures, metres)
    materials = tuple(texture_material(name) for name in textures)
    return finish_soup(heap, tuple(parts), materials, tuple(notes), METRES_PER_UNIT, "z", metres)


def _select_brushes(made: QuakeMap) -> tuple[list[tuple[MapEntity, Brush]], list[ModelNote]]:
    """The brushes that are part of the world, and what is to be said of the others."""
    chosen: list[tuple[MapEntity, Brush]] = []
    notes: list[ModelNote] = []
    for entity in made.entities:
        if entity.kind.lower().startswith(_IGNORED_CLASSES):
            continue
        for brush in entity.brushes:
            if len(brush.faces) < 4:
                message = f"a brush with {len(brush.faces)} planes encloses nothing; it is left out"
                notes.append(ModelNote(message, "delete it in the editor", brush.line, 1))
            elif not _is_tool_brush(brush):
                chosen.append((entity, brush))
    return chosen, notes


def _is_tool_brush(brush: Brush) -> bool:
    """Whether all its faces are of textures that no part of the world wears; a face of `skip` alone is not."""
    return all(texture_layers(face.texture).ignore_brush for face in brush.faces)


def _broken_brush_notes(shapes: BrushPolygons, brushes: Sequence[Brush]) -> list[ModelNote]:
    notes = []
    for index in shapes.empty.tolist():
        message = "the planes of this brush enclose nothing; it is left out"
        notes.append(
            ModelNote(message, "list its points clockwise seen from outside, or delete it", brushes[index].line, 1)
        )
    for index in shapes.open.tolist():
        message = "this brush is not closed: a face is missing; it is left out"
        notes.append(
            ModelNote(message, "list its points clockwise seen from outside, or delete it", brushes[index].line, 1)
        )
    return notes


def _add_polygons(
    heap: SoupBuilder,
    shapes: BrushPolygons,
    chosen: Sequence[tuple[MapEntity, Brush]],
    parts: dict[ModelPart, int],
    textures: dict[str, int],
    metres: float,
) -> None:
    """Polygons as quads and triangles, with part and texture."""
    sizes = np.diff(shapes.start)
    triangles = int((sizes - 2).sum())
    if triangles > MAX_TRIANGLES:
        raise too_many_triangles_error(triangles)
    tags = np.zeros((len(sizes), 2), np.int32)
    kept = np.ones(len(sizes), np.bool_)
    known: dict[str, TextureLayers] = {}
    for row, (index, plane) in enumerate(zip(shapes.brush.tolist(), shapes.plane.tolist(), strict=True)):
        entity, brush = chosen[index]
        texture = brush.faces[plane].texture
        here = known.get(texture) or known.setdefault(texture, texture_layers(texture))
        solid = (here.collide or here.ignore_brush) and not entity.kind.lower().startswith(_NON_SOLID_CLASSES)
        part = ModelPart(entity.kind or "entity", collide=solid, visible=here.visible)
        kept[row] = part.collide or part.visible
        tags[row] = parts.setdefault(part, len(parts)), textures.setdefault(texture, len(textures))
    for size in np.unique(sizes[kept]).tolist():
        rows = np.nonzero((sizes == size) & kept)[0]
        corners = shapes.corners[shapes.rings[shapes.start[rows][:, None] + np.arange(size)]]
        add_polygons(heap, corners, tags[rows], metres)
