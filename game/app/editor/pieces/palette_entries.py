"""Entries of the palette of new pieces: what the kinds of pieces offer, the level's prefabs, files beside it, and the
prefabs of the game.

A prefab of the game is a small level file. Its pieces are copied, not included: the level stays one file, which works
wherever it is taken, and its author can change every part. A prefab's surfaces are added where the level has none of
that name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ....core.user_folders import LEVEL_SUFFIXES
from ....level.build.pieces import PIECES
from ....level.edit import YamlDocument, format_scalar, format_text, read_text
from ....level.format.file_access import SHIPPED_LEVELS, is_tests_file
from ....level.format.level_file import PLACES
from ....level.format.piece_kind import PaletteGroup, Piece

SURFACE_TOKEN = ", surface: @"  # replaced by the surface, or removed
MODEL_SUFFIXES = (".glb", ".gltf", ".obj")
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
PICTURE_FOLDERS = ("", "textures", "pictures")  # beside the level, in which pictures for decals are looked for
MAX_FILES = 40  # models and level files beside the level that are offered
LIGHTS, PLAY, GROUPS = (group.value for group in (PaletteGroup.LIGHTS, PaletteGroup.PLAY, PaletteGroup.GROUPS))
PREFABS = "Prefabs"
PREFAB_FOLDER = SHIPPED_LEVELS / "prefabs"
GROUND = "ground"  # name of a floor and its surface that are not copied
CONTENT_INDENT = "      "


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


def palette_entries(document: YamlDocument | None, level_file: Path) -> list[PaletteEntry]:
    """All kinds of pieces, the level's prefabs by name, and models and other level files beside the level's file."""
    found = list(NEW_PIECES)
    names = prefab_names(document)
    for name in names:
        found.append(
            PaletteEntry(f"place {name}", f"place: {{what: {name}, at: [0, 0, 0]}}", GROUPS, "prefab define",
                         "A copy of the prefab under `define`.")
        )  # fmt: skip
    if not names:
        hint = "The level has no prefab under `define` yet."
        found.append(PaletteEntry("place", "", GROUPS, "prefab define", hint))
    return found + _file_entries(level_file)


def _file_entries(level_file: Path) -> list[PaletteEntry]:
    """Models and other levels beside the level."""
    found = []
    folder = level_file.parent
    for kind, suffixes in (("model", MODEL_SUFFIXES), ("include", LEVEL_SUFFIXES)):
        names = [name for name in _file_names(folder, suffixes) if name != level_file.name]
        for name in names:
            text = f"{kind}: {{file: {format_scalar(name)}, at: [0, 0, 0]}}"
            hint = "The model of this file." if kind == "model" else "The pieces of this level file."
            found.append(PaletteEntry(f"{kind} {name}", text, GROUPS, "file", hint))
        if not names:
            what = "a .glb or .obj file" if kind == "model" else "another level file"
            found.append(PaletteEntry(kind, "", GROUPS, "file", f"Put {what} beside the level first."))
    pictures = _picture_names(folder)
    for name in pictures:
        text = f"decal: {{picture: {format_scalar(name)}, at: [0, 0, 0], size: 1}}"
        found.append(PaletteEntry(f"decal {name}", text, LIGHTS, "poster picture stain", "This picture on a wall."))
    if not pictures:
        hint = "Put a .png or .jpg file beside the level first, or into a folder `textures` there."
        found.append(PaletteEntry("decal", "", LIGHTS, "poster picture stain", hint))
    for name in _file_names(folder, LEVEL_SUFFIXES):
        if name == level_file.name:
            continue
        text = f"exit: {{at: [0, 0, 0], radius: 0.8, to: {format_scalar(name)}}}"
        found.append(PaletteEntry(f"exit to {name}", text, PLAY, "door level file", "A way to this level."))
    return found


def _picture_names(folder: Path) -> list[str]:
    """Pictures beside the level, relative to it."""
    found = []
    for place in PICTURE_FOLDERS:
        found += [f"{place}/{name}" if place else name for name in _file_names(folder / place, PICTURE_SUFFIXES)]
    return found[:MAX_FILES]


def _file_names(folder: Path, suffixes: tuple[str, ...]) -> list[str]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except OSError:
        return []
    wanted = [name for name in names if Path(name).suffix.lower() in suffixes and not name.startswith(".")]
    return [name for name in wanted if not is_tests_file(name)][:MAX_FILES]


def prefab_names(document: YamlDocument | None) -> list[str]:
    """Names under `define`."""
    entry = document.top_entry("define") if document is not None else None
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
