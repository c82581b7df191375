"""Model piece: the faces of a glTF, OBJ or Quake map file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ....core.vectors import Floats, Ints
from ...format.file_access import allowed_root, read_file_bytes, resolve_existing_file
from ...format.findings import InputError, SourceSpan, join_alternatives, quote_text, suggest_word
from ...models.model_reader import (
    MAX_BYTES_BY_EXTENSION,
    MODEL_EXTENSIONS,
    TEXT_EXTENSIONS,
    metres_per_unit,
    parse_model,
)
from ...models.triangle_soup import ModelError, TriangleSoup
from .piece_builder import GeneratedSurface, PieceBuilder, PieceError, Placement

MAX_LABEL_LENGTH = 40  # characters of a node's name
MAX_NOTES = 8  # warnings reported for one file


def build_model(builder: PieceBuilder) -> Placement:
    """All faces of the file, with the layers and materials that it gives them."""
    values = builder.values
    soup = _read_soup(builder)
    ending = Path(values.text("file")).suffix.lower()
    metres = metres_per_unit(ending, values.text("units")) * values.number("scale")
    corners = to_y_up(soup.corners, values.text("up") or soup.up) * metres
    surfaces = _material_surfaces(builder, soup)
    used = np.unique(soup.part)
    origins = np.zeros(len(soup.parts), np.int32)
    for index in used.tolist():
        part = soup.parts[index]
        origins[index] = builder.add_part(part.name[:MAX_LABEL_LENGTH], part.collide, part.visible)
    builder.add_quads(corners, surfaces[soup.material], np.zeros(len(soup), np.bool_), origin=origins[soup.part])
    return values.number("facing"), values.point("at")


def to_y_up(corners: Floats, up: str) -> Floats:
    """Corners (..., 3) with Y up; converted if the file has Z up."""
    if up == "y":
        return corners
    turned: Floats = np.stack([corners[..., 0], corners[..., 2], -corners[..., 1]], axis=-1)
    return turned


def _read_soup(builder: PieceBuilder) -> TriangleSoup:
    """Triangles of the file. Problems are reported at their position in the file, if it is text."""
    values, report = builder.values, builder.report
    text = values.text("file")
    ending = Path(text).suffix.lower()
    try:
        root = allowed_root(report.files[0])
        path = resolve_existing_file(
            builder.file, text, MODEL_EXTENSIONS, MAX_BYTES_BY_EXTENSION.get(ending, 0), "model", root
        )
        report.add_dependency(path)
        data = read_file_bytes(path, MAX_BYTES_BY_EXTENSION[ending], "model")
    except InputError as error:
        builder.reject_piece("file", error.message, error.cure)
    display_path = os.path.normpath(builder.file.parent / text)

    def locate(line: int, column: int, length: int) -> SourceSpan:
        if not line or ending not in TEXT_EXTENSIONS:
            return values.place_of("file")
        if display_path not in report.texts:
            report.texts[display_path] = data.decode("utf-8-sig", "replace")
        return SourceSpan(line, column or 1, length, display_path)

    metres = metres_per_unit(ending, values.text("units")) * values.number("scale")
    try:
        soup = parse_model(data, ending, make_fetcher(path, root, report.add_dependency), metres)
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
        report.add("warning", values.place_of("file"), "model.file", f"{more} more problems in {quote_text(path.name)}")
    if soup.degenerate:
        plural = "" if soup.degenerate == 1 else "s"
        message = f"{soup.degenerate} triangle{plural} without area in {quote_text(path.name)} left out"
        report.add(
            "warning", values.place_of("file"), "model.file", message, "merge duplicate vertices before exporting"
        )
    return soup


def make_fetcher(
    model: Path, root: Path | None = None, on_read: Callable[[Path], None] = lambda path: None
) -> Callable[[str, tuple[str, ...], int], bytes]:
    """Function that reads the other files of a model, under the same rules as files of the level.

    on_read: called with the path of each file that was looked for.
    """

    def fetch(name: str, extensions: tuple[str, ...], max_bytes: int) -> bytes:
        try:
            path = resolve_existing_file(model, name, extensions, max_bytes, extensions[0], root)
            on_read(path)
            return read_file_bytes(path, max_bytes, extensions[0])
        except InputError as error:
            raise ModelError(error.message, error.cure) from None

    return fetch


def _material_surfaces(builder: PieceBuilder, soup: TriangleSoup) -> Ints:
    """Surface index of each material, and in the last place that of faces without material (index -1)."""
    values = builder.values
    paint = dict(values.paint("surfaces"))
    default_surface = values.surface("surface")
    has_surface = values.is_given("surface")
    file = Path(values.text("file")).stem
    surfaces = []
    for material in soup.materials:
        named = paint.pop(material.name, None)
        if named is not None:
            surfaces.append(named[0])
        elif has_surface or material.colour is None:
            surfaces.append(default_surface)
        else:
            generated = GeneratedSurface(
                f"{file}: {material.name}"[:80], material.colour, material.texture, material.friction
            )
            surfaces.append(builder.budget.add_surface(generated))
    names = [material.name for material in soup.materials]
    for name, (_, place) in paint.items():
        cure = suggest_word(name, names) or (
            f"its materials are {join_alternatives(names[:12])}" if names else "it has no materials"
        )
        message = f"the file has no material {quote_text(name)}"
        builder.report.add("warning", place, "model.surfaces", message, cure)
    return np.array([*surfaces, default_surface], np.int32)
