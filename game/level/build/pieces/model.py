"""The piece `model`: a file from Blender or TrenchBroom placed in the level, read again when it changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ...format.file_access import beside, home_of, read_bytes
from ...format.findings import Place, Refused, did_you_mean, listed, quoted
from ...geometry.faces import Floats, Ints
from ...models.model_reader import ENDINGS, MOST_BYTES, WRITTEN, read, unit_of
from ...models.triangle_soup import ModelError, Soup
from .piece_builder import Painted, PieceError, Placement, Workbench

LONGEST_NAME = 40  # of a node, in labels
MOST_NOTES = 8  # told of one file, of each kind


def model(work: Workbench) -> Placement:
    """All faces of the file, each in the layers and of the material that the file gives it."""
    values = work.values
    soup = _soup(work)
    ending = Path(values.text("file")).suffix.lower()
    metres = unit_of(ending, values.text("units")) * values.number("scale")
    corners = upright(soup.corners, values.text("up") or soup.up) * metres
    surfaces = _surfaces(work, soup)
    used = np.unique(soup.part)
    origins = np.zeros(len(soup.parts), np.int32)
    for index in used.tolist():
        part = soup.parts[index]
        origins[index] = work.part(part.name[:LONGEST_NAME], part.collide, part.visible)
    work.block(corners, surfaces[soup.material], np.zeros(len(soup), np.bool_), origin=origins[soup.part])
    return values.number("facing"), values.point("at")


def upright(corners: Floats, up: str) -> Floats:
    """Corners (..., 3) with Y up, as they are or turned from Z up."""
    if up == "y":
        return corners
    turned: Floats = np.stack([corners[..., 0], corners[..., 2], -corners[..., 1]], axis=-1)
    return turned


def _soup(work: Workbench) -> Soup:
    """The file, read; what is wrong with it is reported where it stands in it."""
    values, report = work.values, work.report
    text = values.text("file")
    ending = Path(text).suffix.lower()
    try:
        home = home_of(report.files[0])
        path = beside(work.file, text, ENDINGS, MOST_BYTES.get(ending, 0), "model", home)
        report.reads(path)
        data = read_bytes(path, MOST_BYTES[ending], "model")
    except Refused as refused:
        work.refuse("file", refused.message, refused.cure)
    shown = os.path.normpath(work.file.parent / text)

    def place(line: int, column: int, length: int) -> Place:
        if not line or ending not in WRITTEN:
            return values.at("file")
        if shown not in report.texts:
            report.texts[shown] = data.decode("utf-8-sig", "replace")
        return Place(line, column or 1, length, shown)

    metres = unit_of(ending, values.text("units")) * values.number("scale")
    try:
        soup = read(data, ending, fetcher(path, home, report.reads), metres)
    except ModelError as error:
        where = place(error.line, error.column, error.length)
        message = error.message if where.file else f"{quoted(path.name)}: {error.message}"
        report.add("dropped", where, "model.file", message, error.cure)
        raise PieceError from None
    for note in soup.notes[:MOST_NOTES]:
        where = place(note.line, note.column, note.length)
        report.add("warning", where, "model.file", note.message, note.cure)
    if len(soup.notes) > MOST_NOTES:
        more = len(soup.notes) - MOST_NOTES
        report.add("warning", values.at("file"), "model.file", f"{more} more like these in {quoted(path.name)}")
    if soup.degenerate:
        plural = "" if soup.degenerate == 1 else "s"
        message = f"{soup.degenerate} triangle{plural} without area in {quoted(path.name)} left out"
        report.add("warning", values.at("file"), "model.file", message, "merge doubled corners before exporting")
    return soup


def fetcher(
    model: Path, home: Path | None = None, reads: Callable[[Path], None] = lambda path: None
) -> Callable[[str, tuple[str, ...], int], bytes]:
    """What a reader is given to get at files that the model names: only those that a level there might name.

    reads: is told of each file that was looked for.
    """

    def fetch(name: str, endings: tuple[str, ...], most: int) -> bytes:
        try:
            path = beside(model, name, endings, most, endings[0], home)
            reads(path)
            return read_bytes(path, most, endings[0])
        except Refused as refused:
            raise ModelError(refused.message, refused.cure) from None

    return fetch


def _surfaces(work: Workbench, soup: Soup) -> Ints:
    """The surface of each material, and at the end that of faces without one (index -1)."""
    values = work.values
    paint = dict(values.paint("surfaces"))
    plain = values.surface("surface")
    given = values.given("surface")
    file = Path(values.text("file")).stem
    found = []
    for material in soup.materials:
        named = paint.pop(material.name, None)
        if named is not None:
            found.append(named[0])
        elif given or material.colour is None:
            found.append(plain)
        else:
            painted = Painted(f"{file}: {material.name}"[:80], material.colour, material.texture, material.friction)
            found.append(work.budget.paint(painted))
    names = [material.name for material in soup.materials]
    for name, (_, place) in paint.items():
        cure = did_you_mean(name, names) or (f"its materials are {listed(names[:12])}" if names else "it has none")
        message = f"there is no material {quoted(name)} in the file"
        work.report.add("warning", place, "model.surfaces", message, cure)
    return np.array([*found, plain], np.int32)
