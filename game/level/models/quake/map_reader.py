"""Reader of Quake maps: the brushes as faces in Quake's units and axes, one part for each kind of entity and layer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...format.findings import quote_text
from ..postprocess import add_polygons, finish_soup
from ..texture_folder import TextureFolder
from ..triangle_soup import (
    MAX_TRIANGLES,
    CornerValues,
    ModelError,
    ModelNote,
    ModelPart,
    SoupBuilder,
    TriangleSoup,
    too_many_triangles_error,
)
from .brushes import BrushPolygons, brush_polygons
from .map_parser import METRES_PER_UNIT, Brush, MapEntity, OmittedLayer, Patch, QuakeMap, parse_map
from .patches import patch_texture, patch_triangles
from .textures import MapPictures, TextureLayers, read_alignment, texture_layers, texture_material

# Brush entities that are invisible and do not collide in the game.
_IGNORED_CLASSES = ("trigger_", "func_areaportal", "func_viscluster", "func_fog", "func_bombplace", "info_", "path_")
_NON_SOLID_CLASSES = ("func_illusionary", "func_detail_illusionary", "func_water", "func_detail_fence_nocollide")


def read_map(data: bytes, metres: float = METRES_PER_UNIT, folder: TextureFolder | None = None) -> TriangleSoup:
    """All brushes of a map file. metres: length of one unit, for the merging of quads. folder: pictures by texture.

    Raises ModelError.
    """
    return build_map_soup(parse_map(data), metres, folder)


def build_map_soup(
    quake_map: QuakeMap, metres: float = METRES_PER_UNIT, folder: TextureFolder | None = None
) -> TriangleSoup:
    """The faces of a parsed map, as `read_map`."""
    chosen, notes = _select_brushes(quake_map)
    notes += [_omission_note(layer) for layer in quake_map.omitted]
    patches = [patch for entity in _world_entities(quake_map) for patch in entity.patches]
    if not chosen and not patches:
        if quake_map.omitted:
            raise ModelError("all brushes are in layers that are omitted from exports", "include one in the export")
        raise ModelError("the map has no solid brush", "draw one in the editor and save")
    polygons = brush_polygons([brush for _, brush in chosen])
    notes += _broken_brush_notes(polygons, [brush for _, brush in chosen])
    parts: dict[ModelPart, int] = {}
    textures: dict[str, int] = {}
    builder = SoupBuilder()
    pictures = MapPictures(folder)
    if len(polygons.brush):
        _add_polygons(builder, polygons, chosen, parts, textures, metres, pictures)
    notes += _add_patches(builder, patches, parts, textures, pictures)
    if notes and not builder.triangles and not builder.quads:
        raise ModelError(notes[0].message, notes[0].cure, notes[0].line, notes[0].column)
    materials = tuple(pictures.with_picture(texture_material(name)) for name in textures)
    notes += pictures.notes()
    return finish_soup(builder, tuple(parts), materials, tuple(notes), METRES_PER_UNIT, "z", metres)


def _omission_note(layer: OmittedLayer) -> ModelNote:
    message = f"the layer {quote_text(layer.name)} is omitted from exports: it is left out"
    message += f" (brushes: {layer.brushes}, entities: {layer.entities})"
    return ModelNote(message, "include it in the editor's list of layers if it belongs to the level", layer.line, 1)


def _world_entities(quake_map: QuakeMap) -> list[MapEntity]:
    """The entities whose brushes and patches are part of the world."""
    return [entity for entity in quake_map.entities if not entity.kind.lower().startswith(_IGNORED_CLASSES)]


def _select_brushes(quake_map: QuakeMap) -> tuple[list[tuple[MapEntity, Brush]], list[ModelNote]]:
    """The brushes that are part of the world with their entities, and remarks about brushes that are left out."""
    chosen: list[tuple[MapEntity, Brush]] = []
    notes: list[ModelNote] = []
    for entity in _world_entities(quake_map):
        for brush in entity.brushes:
            if len(brush.faces) < 4:
                message = f"a brush with {len(brush.faces)} planes encloses nothing; it is left out"
                notes.append(ModelNote(message, "delete it in the editor", brush.line, 1))
            elif not _is_tool_brush(brush):
                chosen.append((entity, brush))
    return chosen, notes


def _is_tool_brush(brush: Brush) -> bool:
    """True if all faces have tool textures such as `skip`: then the brush is not a part of the world."""
    return all(texture_layers(face.texture).ignore_brush for face in brush.faces)


def _broken_brush_notes(polygons: BrushPolygons, brushes: Sequence[Brush]) -> list[ModelNote]:
    notes = []
    for index in polygons.empty.tolist():
        message = "the planes of this brush enclose nothing; it is left out"
        notes.append(
            ModelNote(message, "list its points clockwise seen from outside, or delete it", brushes[index].line, 1)
        )
    for index in polygons.open.tolist():
        message = "this brush is not closed: a face is missing; it is left out"
        notes.append(
            ModelNote(message, "list its points clockwise seen from outside, or delete it", brushes[index].line, 1)
        )
    return notes


def _add_polygons(
    builder: SoupBuilder,
    polygons: BrushPolygons,
    chosen: Sequence[tuple[MapEntity, Brush]],
    parts: dict[ModelPart, int],
    textures: dict[str, int],
    metres: float,
    pictures: MapPictures,
) -> None:
    """Add the polygons of brushes to the soup: part, texture, and coordinates where the texture has a picture."""
    sizes = np.diff(polygons.start)
    triangles = int((sizes - 2).sum())
    if triangles > MAX_TRIANGLES:
        raise too_many_triangles_error(triangles)
    tags = np.zeros((len(sizes), 2), np.int32)
    used = np.ones(len(sizes), np.bool_)
    cache: dict[str, TextureLayers] = {}
    projections = np.full((len(sizes), 2, 4), np.nan)  # from a point to texture coordinates
    for row, (index, plane) in enumerate(zip(polygons.brush.tolist(), polygons.plane.tolist(), strict=True)):
        entity, brush = chosen[index]
        face = brush.faces[plane]
        texture = face.texture
        layers = cache.get(texture) or cache.setdefault(texture, texture_layers(texture))
        solid = (layers.collide or layers.ignore_brush) and not entity.kind.lower().startswith(_NON_SOLID_CLASSES)
        part = ModelPart(entity.kind or "entity", collide=solid, visible=layers.visible)
        used[row] = part.collide or part.visible
        tags[row] = parts.setdefault(part, len(parts)), textures.setdefault(texture, len(textures))
        if part.visible and (picture := pictures.find(face)) is not None:
            projections[row] = read_alignment(face) / np.array([[picture.width], [picture.height]])
    for size in np.unique(sizes[used]).tolist():
        rows = np.nonzero((sizes == size) & used)[0]
        corners = polygons.corners[polygons.outline[polygons.start[rows][:, None] + np.arange(size)]]
        values: CornerValues = {}
        if pictures.found:
            axes = projections[rows, :, :3]
            offset = projections[rows, :, 3]
            values["uv"] = np.einsum("mkd,mcd->mkc", corners, axes) + offset[:, None]
        add_polygons(builder, corners, tags[rows], metres, vertices=values)


def _add_patches(
    builder: SoupBuilder,
    patches: Sequence[Patch],
    parts: dict[ModelPart, int],
    textures: dict[str, int],
    pictures: MapPictures,
) -> list[ModelNote]:
    """Add the triangles of curved patches to the soup; a remark about those that cannot be read."""
    unread = []
    total = 0
    for patch in patches:
        texture = patch_texture(patch)
        layers = texture_layers(texture)
        triangles = None if layers.ignore_brush else patch_triangles(patch)
        if triangles is None:
            unread += [] if layers.ignore_brush else [patch.line]
            continue
        part = ModelPart("patch", collide=layers.collide, visible=layers.visible)
        has_picture = layers.visible and pictures.find_texture(texture, patch.line) is not None
        values: CornerValues = {"uv": triangles.uv if has_picture else np.full_like(triangles.uv, np.nan)}
        total += triangles.count
        if total > MAX_TRIANGLES:
            raise too_many_triangles_error(total)
        builder.add_faces(
            triangles.corners,
            parts.setdefault(part, len(parts)),
            textures.setdefault(texture, len(textures)),
            values if pictures.found else None,
        )
    if not unread:
        return []
    subject = "a curved patch is" if len(unread) == 1 else f"{len(unread)} curved patches are"
    message = f"{subject} left out: the control points cannot be read"
    return [ModelNote(message, "save the map again from the editor", unread[0], 1)]
