"""Model piece: the faces of a glTF, OBJ or Quake map file."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....core.vectors import Flags, Floats, Ints
from ...format.file_access import allowed_root, read_file_bytes, resolve_existing_file, resolve_path
from ...format.findings import InputError, SourceSpan, join_alternatives, quote_text, suggest_word
from ...format.numbers import Angle, Number, Point
from ...format.piece_kind import Form, Layered
from ...format.surfaces import DEFAULT_LEVEL_SURFACE
from ...format.values import Choice, Paint, Surface, Text
from ...geometry.vertex_arrays import VERTEX_ARRAYS, Vertices
from ...materials.picture_file import PICTURE_EXTENSIONS
from ...models.model_pictures import MODEL_PICTURE_EXTENSIONS, LocateFile, ModelPictures
from ...models.model_reader import (
    MAX_BYTES_BY_EXTENSION,
    MODEL_EXTENSIONS,
    TEXT_EXTENSIONS,
    metres_per_unit,
    parse_model,
)
from ...models.triangle_soup import ModelError, TriangleSoup
from .piece_builder import BuiltPiece, GeneratedSurface, PieceBuilder, PieceError, Placement

if TYPE_CHECKING:
    from ...models.texture_folder import TextureFolder

MAX_LABEL_LENGTH = 40  # characters of a node's name
_ANY_PICTURE = f"/x{PICTURE_EXTENSIONS[0]}"  # stands for the pictures of a folder when its path is checked
MAX_NOTES = 8  # warnings reported for one file


class Model(BuiltPiece, Layered):
    """A model file: glTF, OBJ or a Quake map. It is reloaded when it is saved. Nodes whose names end in `-col`
    collide, `-colonly` collide without being drawn, `-noimp` are left out. Without such names everything collides."""

    kind = "model"
    example = "model: {file: castle.glb, at: [0, 0, -20], facing: 90, surfaces: {Wood: planks}}"
    form = Form.MODEL
    file = Text(
        "A .glb, .gltf, .obj or .map file relative to this file: in the same folder, next to it (`../`) or below.",
        required=True,
        min_count=1,
        max_count=200,
    )
    at = Point("Position of the model's origin [0, 0, 0].", (0.0, 0.0, 0.0))
    facing = Angle("Direction the model's north (-Z with Y up) faces.")
    scale = Number("Scale factor.", 1.0, "", 1e-6, 1e6)
    units = Choice(
        "Length of one unit in the file. Default: metres; 1/32 m for .map.", ("m", "cm", "mm", "inch", "foot")
    )
    up = Choice("The file's up axis. Default: y; z for .map.", ("y", "z"))
    surface = Surface("Surface for all of its materials that `surfaces` does not name.")
    surfaces = Paint(
        "Surfaces for its materials (textures of a .map). Other materials keep their own colour and pictures."
    )
    textures = Text(
        "Folder with the pictures of a .map: `brick1.png` for the texture `brick1`, also in folders below it.",
        max_count=200,
    )

    def build(self, out: PieceBuilder) -> Placement:
        """All faces of the file, with the layers and materials that it gives them."""
        soup = self._read_soup(out)
        ending = Path(self.file).suffix.lower()
        metres = metres_per_unit(ending, self.units) * self.scale
        corners = to_y_up(soup.corners, self.up or soup.up) * metres
        surfaces, keeps_pictures = self._material_surfaces(out, soup)
        used = np.unique(soup.part)
        origins = np.zeros(len(soup.parts), np.int32)
        for index in used.tolist():
            part = soup.parts[index]
            origins[index] = out.add_part(part.name[:MAX_LABEL_LENGTH], part.collide, part.visible)
        vertices = _drawn_vertices(soup, keeps_pictures[soup.material], self.up or soup.up)
        rests = np.zeros(len(soup), np.bool_)
        out.add_quads(corners, surfaces[soup.material], rests, origin=origins[soup.part], vertices=vertices)
        return self.facing, self.at

    def _read_soup(self, out: PieceBuilder) -> TriangleSoup:
        """Triangles of the file. Problems are reported at their position in the file, if it is text."""
        report = out.report
        text = self.file
        ending = Path(text).suffix.lower()
        try:
            root = allowed_root(report.files[0])
            path = resolve_existing_file(
                out.file, text, MODEL_EXTENSIONS, MAX_BYTES_BY_EXTENSION.get(ending, 0), "model", root
            )
            report.add_dependency(path)
            data = read_file_bytes(path, MAX_BYTES_BY_EXTENSION[ending], "model")
        except InputError as error:
            out.reject_piece(Model.file, error.message, error.cure)
        display_path = os.path.normpath(out.file.parent / text)

        def locate(line: int, column: int, length: int) -> SourceSpan:
            if not line or ending not in TEXT_EXTENSIONS:
                return self.place_of(Model.file)
            if display_path not in report.texts:
                report.texts[display_path] = data.decode("utf-8-sig", "replace")
            return SourceSpan(line, column or 1, length, display_path)

        metres = metres_per_unit(ending, self.units) * self.scale
        locate_picture = make_locator(path, root, partial(report.add_dependency, is_picture=True))
        pictures = ModelPictures(path, locate_picture, out.pictures.decodes)
        try:
            fetch = make_fetcher(path, root, report.add_dependency)
            textures = self._open_textures(out, ending, root)
            soup = parse_model(data, ending, fetch, metres, pictures, textures)
            for source in (map_.picture for material in soup.materials if material.pbr for map_ in material.pbr.maps):
                report.add_dependency(source.path, is_picture=True)
        except ModelError as error:
            span = locate(error.line, error.column, error.length)
            message = error.message if span.file else f"{quote_text(path.name)}: {error.message}"
            report.add("dropped", span, "model.file", message, error.cure)
            raise PieceError from None
        for note in soup.notes[:MAX_NOTES]:
            span = locate(note.line, note.column, note.length)
            report.add("warning", span, "model.file", note.message, note.cure)
        if len(soup.notes) > MAX_NOTES:
            more = len(soup.notes) - MAX_NOTES
            report.add(
                "warning", self.place_of(Model.file), "model.file", f"{more} more problems in {quote_text(path.name)}"
            )
        if soup.degenerate:
            plural = "" if soup.degenerate == 1 else "s"
            message = f"{soup.degenerate} triangle{plural} without area in {quote_text(path.name)} left out"
            report.add(
                "warning", self.place_of(Model.file), "model.file", message, "merge duplicate vertices before exporting"
            )
        return soup

    def _open_textures(self, out: PieceBuilder, ending: str, root: Path) -> TextureFolder | None:
        """Folder of the field `textures`; None if it is not given or cannot be used, which is reported."""
        text = self.textures.rstrip("/")
        if not text:
            return None
        if ending != ".map":
            message = "only the textures of a .map are looked for in a folder; other models name their own"
            out.report_dropped(Model.textures, message, "remove `textures`")
            return None
        try:
            folder = resolve_path(out.file, f"{text}{_ANY_PICTURE}", PICTURE_EXTENSIONS, "picture", root).parent
        except InputError as error:
            out.report_dropped(Model.textures, error.message.replace(_ANY_PICTURE, ""), error.cure)
            return None
        if not folder.is_dir():
            cure = "write its path relative to this file"
            out.report_dropped(Model.textures, f"there is no folder {quote_text(text)}", cure)
            return None
        from ...models.texture_folder import TextureFolder

        textures = TextureFolder(folder, root, out.pictures.decodes)
        if not textures.paths:
            out.report_dropped(
                Model.textures,
                f"the folder {quote_text(text)} has no picture",
                f"it needs {join_alternatives(MODEL_PICTURE_EXTENSIONS)} files named as the textures",
            )
            return None
        return textures

    def _material_surfaces(self, out: PieceBuilder, soup: TriangleSoup) -> tuple[Ints, Flags]:
        """Surface index of each material, and whether it shows the material's own pictures and colours.

        In the last place stand those of faces without material (index -1).
        """
        paint = dict(self.surfaces)
        default_surface = self.surface
        has_surface = self.is_given(Model.surface)
        file = Path(self.file).stem
        surfaces = []
        keeps_pictures = []
        painted = set(paint)
        for material in soup.materials:
            named = paint.pop(material.name, None)
            keeps_pictures.append(not has_surface and material.name not in painted and material.pbr is not None)
            if named is not None:
                surfaces.append(named[0])
            elif has_surface or (material.colour is None and material.pbr is None):
                surfaces.append(default_surface)
            else:
                generated = GeneratedSurface(
                    f"{file}: {material.name}"[:80],
                    material.colour or DEFAULT_LEVEL_SURFACE.colour,
                    material.texture,
                    material.friction,
                    material.pbr,
                    default_surface if material.colour is None else -1,
                )
                surfaces.append(out.budget.add_surface(generated))
        names = [material.name for material in soup.materials]
        for name, (_, place) in paint.items():
            cure = suggest_word(name, names) or (
                f"its materials are {join_alternatives(names[:12])}" if names else "it has no materials"
            )
            message = f"the file has no material {quote_text(name)}"
            out.report.add("warning", place, "model.surfaces", message, cure)
        return np.array([*surfaces, default_surface], np.int32), np.array([*keeps_pictures, False], np.bool_)


def _drawn_vertices(soup: TriangleSoup, keeps_pictures: Flags, up: str) -> Vertices:
    """Values of the corners with Y up. Faces (M,) whose material is a surface of the level keep only their normals."""
    vertices: Vertices = {}
    for name, array in soup.vertices.items():
        if name.endswith("normals"):
            vertices[name] = to_y_up(array, up)
        elif name != "seam":
            mask = keeps_pictures.reshape(-1, *[1] * (array.ndim - 1))
            vertices[name] = np.where(mask, array, array.dtype.type(VERTEX_ARRAYS[name].missing))
        else:
            vertices[name] = array
    return vertices


def to_y_up(corners: Floats, up: str) -> Floats:
    """Corners (..., 3) with Y up; converted if the file has Z up."""
    if up == "y":
        return corners
    turned: Floats = np.stack([corners[..., 0], corners[..., 2], -corners[..., 1]], axis=-1)
    return turned


def make_fetcher(
    model: Path, root: Path | None = None, on_read: Callable[[Path], None] = lambda path: None
) -> Callable[[str, tuple[str, ...], int], bytes]:
    """Function that reads the other files of a model, under the same rules as files of the level.

    on_read: called with the path of each file that was looked for.
    """

    locate = make_locator(model, root, on_read)

    def fetch(name: str, extensions: tuple[str, ...], max_bytes: int) -> bytes:
        try:
            return read_file_bytes(locate(name, extensions, max_bytes, extensions[0]), max_bytes, extensions[0])
        except InputError as error:
            raise ModelError(error.message, error.cure) from None

    return fetch


def make_locator(
    model: Path, root: Path | None = None, on_read: Callable[[Path], None] = lambda path: None
) -> LocateFile:
    """Function that finds the other files of a model, as `make_fetcher` reads them."""

    def locate(name: str, extensions: tuple[str, ...], max_bytes: int, file_kind: str) -> Path:
        on_read(resolve_path(model, name, extensions, file_kind, root))
        return resolve_existing_file(model, name, extensions, max_bytes, file_kind, root)

    return locate
