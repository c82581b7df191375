"""Palette of new pieces: what the kinds of pieces offer, the level's prefabs, files beside it, and the prefabs of the
game; and how an entry of the palette is written into the document, with its foot at a point.

A prefab of the game is a small level file. Its pieces are copied, not included: the level stays one file, which works
wherever it is taken, and its author can change every part. A prefab's surfaces are added where the level has none of
that name.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ....core.user_folders import LEVEL_SUFFIXES
from ....core.vectors import Vector, to_point
from ....level.build.pieces import PIECES
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_scalar, format_text, read_text
from ....level.format.file_access import SHIPPED_LEVELS, is_tests_file
from ....level.format.level_file import PLACE_LISTS, PLACES, LevelFields
from ....level.format.piece_kind import PaletteGroup, Piece, Pull, Turn
from . import transforms
from .piece_fields import PieceFields

SURFACE_TOKEN = ", surface: @"  # replaced by the surface, or removed
PICTURE_FOLDERS = ("", "textures", "pictures")  # beside the level, in which pictures for decals are looked for
MAX_FILES = 40  # of one kind beside the level that are offered
LIGHTS, PLAY, GROUPS = (group.value for group in (PaletteGroup.LIGHTS, PaletteGroup.PLAY, PaletteGroup.GROUPS))
PREFABS = "Prefabs"
PREFAB_FOLDER = SHIPPED_LEVELS / "prefabs"
GROUND = "ground"  # name of a floor and its surface that are not copied
CONTENT_INDENT = "      "
_HANGING_HEIGHT = re.compile(r"\bat: \[[^,]+, ([0-9.]+),")


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Entry of the palette.

    label, group   as shown
    text           the piece in YAML; empty for an entry that cannot be placed now
    words          other words by which it is found
    hint           one sentence about it
    picture        image file
    surfaces       YAML texts of surfaces that the piece uses, by name
    """

    label: str
    text: str
    group: str = ""
    words: str = ""
    hint: str = ""
    picture: str = ""
    surfaces: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> type[Piece] | None:
        """Kind of the piece, with what it declares; None for an entry that cannot be placed now."""
        name = self.text.partition(":")[0]
        return PIECES.get(name) or PLACES.get(name)

    @property
    def is_place(self) -> bool:
        """Whether it is a spawn, goal or exit, which stands at the top of the file."""
        return self.kind is not None and not self.kind.is_piece


def _new_pieces() -> Iterator[PaletteEntry]:
    """What the kinds of pieces offer, by group and rank."""
    kinds = (*PIECES.values(), *PLACES.values())
    offers = [(kind, new) for kind in kinds for new in (kind.new, *kind.variants) if new is not None]
    groups = list(PaletteGroup)
    offers.sort(key=lambda offer: (groups.index(offer[1].group), offer[1].rank))
    for kind, new in offers:
        yield PaletteEntry(new.label or kind.kind, new.text, new.group.value, new.words, new.hint)


NEW_PIECES = tuple(_new_pieces())


class FileOffer(NamedTuple):
    """A piece that shows a file beside the level: the name of the file stands at {} in its text. missing: what is said
    where there is no such file."""

    label: str
    text: str
    group: str
    suffixes: tuple[str, ...]
    words: str
    hint: str
    missing: str = ""
    folders: tuple[str, ...] = ("",)


FILE_OFFERS = (
    FileOffer("model", "model: {{file: {}, at: [0, 0, 0]}}", GROUPS, (".glb", ".gltf", ".obj"), "file",
              "The model of this file.", "Put a .glb or .obj file beside the level first."),
    FileOffer("include", "include: {{file: {}, at: [0, 0, 0]}}", GROUPS, LEVEL_SUFFIXES, "file",
              "The pieces of this level file.", "Put another level file beside the level first."),
    FileOffer("decal", "decal: {{picture: {}, at: [0, 0, 0], size: 1}}", LIGHTS, (".png", ".jpg", ".jpeg", ".webp"),
              "poster picture stain", "This picture on a wall.",
              "Put a .png or .jpg file beside the level first, or into a folder `textures` there.", PICTURE_FOLDERS),
    FileOffer("exit to", "exit: {{at: [0, 0, 0], radius: 0.8, to: {}}}", PLAY, LEVEL_SUFFIXES, "door level file",
              "A way to this level."),
)  # fmt: skip


def palette_entries(document: YamlDocument | None, level_file: Path) -> list[PaletteEntry]:
    """All kinds of pieces, the level's prefabs by name, and models and other level files beside the level's file."""
    found = list(NEW_PIECES)
    names = top_names(document, "define")
    for name in names:
        text = f"place: {{what: {name}, at: [0, 0, 0]}}"
        found.append(
            PaletteEntry(f"place {name}", text, GROUPS, "prefab define", "A copy of the prefab under `define`.")
        )
    if not names:
        hint = "The level has no prefab under `define` yet."
        found.append(PaletteEntry("place", "", GROUPS, "prefab define", hint))
    for offer in FILE_OFFERS:
        files = _files_beside(level_file, offer)
        found += [
            PaletteEntry(f"{offer.label} {name}", offer.text.format(format_scalar(name)), offer.group, offer.words,
                         offer.hint) for name in files
        ]  # fmt: skip
        if not files and offer.missing:
            found.append(PaletteEntry(offer.label, "", offer.group, offer.words, offer.missing))
    return found


def _files_beside(level_file: Path, offer: FileOffer) -> list[str]:
    """Names of the other files of an offer, relative to the level."""
    found = []
    for folder in offer.folders:
        names: list[str] = []
        with contextlib.suppress(OSError):
            names = sorted(entry.name for entry in os.scandir(level_file.parent / folder) if entry.is_file())
        found += [
            f"{folder}/{name}" if folder else name for name in names
            if Path(name).suffix.lower() in offer.suffixes and not name.startswith(".") and not is_tests_file(name)
        ]  # fmt: skip
    return [name for name in found if name != level_file.name][:MAX_FILES]


def top_names(document: YamlDocument | None, field: str) -> list[str]:
    """Names under a field of the level, in order: `define` for prefabs, `surfaces`."""
    entry = document.top_entry(field) if document is not None else None
    return list(entry.fields) if entry is not None else []


@lru_cache(maxsize=1)
def shipped_prefabs(pictures: Path) -> tuple[PaletteEntry, ...]:
    """Palette entries of the game's prefabs, by name. pictures: folder of their pictures."""
    return tuple(
        prefab_entry(file, YamlDocument(read_text(file)), pictures / f"prefabs-{file.stem}.jpg")
        for file in sorted(PREFAB_FOLDER.glob("*.yaml"))
    )


def prefab_entry(file: Path, document: YamlDocument, picture: Path) -> PaletteEntry:
    """Palette entry of one prefab file: a group with copies of its pieces."""
    title = document.top_text("name") or file.stem.replace("_", " ")
    pieces = [entry.text for entry in document.top_pieces() if entry.field_text("name") != GROUND]
    contents = f",\n{CONTENT_INDENT}".join(pieces)
    text = f"group: {{name: {format_text(title)}, at: [0, 0, 0], of: [\n{CONTENT_INDENT}{contents}]}}"
    surfaces = document.top_entry("surfaces")
    names = [name for name in surfaces.fields if name != GROUND] if surfaces is not None else []
    texts = tuple((name, (surfaces.field_text(name) if surfaces is not None else "") or "{}") for name in names)
    return PaletteEntry(
        title.lower(), text, PREFABS, f"prefab {file.stem}", document.top_text("about"),
        str(picture) if picture.is_file() else "", texts,
    )  # fmt: skip


# Writing into the document


def insert_piece(
    document: YamlDocument,
    palette_entry: PaletteEntry,
    position: Vector,
    facing: float,
    surface: str = "",
    after: DocumentEntry | None = None,
) -> DocumentEntry:
    """Append a piece to the level's list, with its foot at `position` and its direction (degrees), if it has one.

    surface: of a piece that names none. after: a piece in whose list, and in whose axes, the new one stands; None for
    the level's list. Surfaces of the entry that the level does not have are added.
    """
    if palette_entry.is_place:
        return _insert_place(document, palette_entry, position, facing)
    add_missing_surfaces(document, palette_entry.surfaces)
    token = f", surface: {format_scalar(surface)}" if surface else ""
    entry = document.insert_piece_after(after, palette_entry.text.replace(SURFACE_TOKEN, token))
    fields = PieceFields(document, entry)
    kind = fields.record
    if facing % 360.0 and kind.turns is Turn.FACING and fields.field("facing") is not None:
        transforms.rotate_piece(document, entry, (facing - (fields.number("facing") or 0.0)) % 360.0)
    elif facing % 180.0 and kind.turns is Turn.AS_A_WHOLE:
        if entry.kind == "array":
            step = fields.vector("step")
            if step is not None:
                fields.set("step", transforms.rotate_point(step, (0.0, 0.0, 0.0), facing))
        else:
            transforms.rotate_piece(document, entry, facing % 360.0)
    if kind.has_corners():  # a turn may have exchanged them
        low, high = zip(*map(sorted, zip(*fields.ends(), strict=True)), strict=True)
        fields.set_all({("from",): low, ("to",): high})
    foot = piece_foot(document, entry)
    offset = (position[0] - foot[0], position[1] - foot[1], position[2] - foot[2])
    transforms.move_piece(document, entry, offset)
    goal = fields.vector(kind.destination) if kind.destination else None  # stays behind when the piece is moved later
    if goal is not None:
        fields.set(kind.destination, [a + b for a, b in zip(goal, offset, strict=True)])
    return entry


def _insert_place(document: YamlDocument, new: PaletteEntry, position: Vector, facing: float) -> DocumentEntry:
    """Add a spawn, goal or exit. EditRefused for a second goal."""
    kind, _, text = new.text.partition(":")
    listed = PLACE_LISTS.get(kind, "")
    if kind in LevelFields.fields and not any(document.top_entry(name) for name in (kind, listed)):
        entry = document.add_top_field(kind, text.strip())
    elif listed:
        entry = document.add_record(listed, text.strip())
    else:
        raise EditRefused(f"the level has its {kind} already: move that one")
    fields = PieceFields(document, entry)
    fields.set("at", position)
    if fields.field("facing") is not None:
        fields.set("facing", facing)
    if fields.is_written("name"):
        fields.set("name", format_scalar(transforms.free_name(document, kind)))
    return entry


def add_missing_surfaces(document: YamlDocument, surfaces: Sequence[tuple[str, str]]) -> None:
    """Add surfaces, by names and texts of their fields, that the level does not have."""
    entry = document.top_entry("surfaces")
    missing = [(format_scalar(name), text) for name, text in surfaces if entry is None or name not in entry.fields]
    if missing and entry is not None:
        document.add_fields(entry, missing)
    elif missing:
        document.add_top_field("surfaces", f"{{{', '.join(f'{name}: {fields}' for name, fields in missing)}}}")


def piece_foot(document: YamlDocument, entry: DocumentEntry) -> Vector:
    """Centre of the base of a piece, from its numbers."""
    fields = PieceFields(document, entry)
    if entry.kind == "array":
        if not fields.number("turn"):
            return piece_foot(document, transforms.child_pieces(document, entry)[0])
        return to_point(fields.vector("around") or (0.0, 0.0, 0.0))
    if outline := fields.outline():
        rows = fields.rows(outline)
        x, _, z = (sum(values) / len(rows) for values in zip(*rows, strict=True))
        return (x, min(row[1] for row in rows), z)
    if fields.field("from") is not None and fields.field("to") is not None:
        start, end = fields.vector("from") or [], fields.vector("to") or []
        middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        if len(middle) == 3:
            return (middle[0], min(start[1], end[1]) - _height_above_ground(fields), middle[2])
        height = fields.number("y") or 0.0
        depth = (fields.number("thickness") or 0.0) if fields.record.pull is Pull.SLAB else 0.0  # below `y`
        return (middle[0], height - depth, middle[1])
    x, y, z = fields.vector("at") or (0.0, 0.0, 0.0)
    return (x, y - _height_above_ground(fields), z)


def _height_above_ground(fields: PieceFields) -> float:
    """Height of the piece above the ground in the palette's text (m)."""
    point = (fields.vector("at") or fields.vector("from")) if fields.record.hangs else None
    return point[1] if point else 0.0


def height_above_ground(palette_entry: PaletteEntry) -> float:
    """Height (m) above the ground at which a new light, sign, target or ball hangs; 0 for other pieces."""
    match = _HANGING_HEIGHT.search(palette_entry.text)
    return float(match[1]) if match and palette_entry.kind is not None and palette_entry.kind.hangs else 0.0
