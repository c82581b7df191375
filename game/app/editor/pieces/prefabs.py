"""Prefabs of the game: small level files whose pieces are copied into the author's level, in a group.

The pieces are copied, not included: the level stays one file, which works wherever it is taken, and its author can
change every part. A prefab's surfaces are added where the level has none of that name.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ....level import LevelError
from ....level.edit import SaveError, YamlDocument, format_text, read_text
from ....level.format.file_access import SHIPPED_LEVELS
from .new_pieces import PREFABS, PaletteEntry

PREFAB_FOLDER = SHIPPED_LEVELS / "prefabs"
GROUND = "ground"  # name of a floor and its surface that are not copied
CONTENT_INDENT = "      "


@lru_cache(maxsize=1)
def shipped_prefabs(pictures: Path) -> tuple[PaletteEntry, ...]:
    """Palette entries of the game's prefabs, by name. pictures: folder of their pictures."""
    found = []
    try:
        files = sorted(PREFAB_FOLDER.glob("*.yaml"))
    except OSError:
        return ()
    for file in files:
        try:
            entry = prefab_entry(file, YamlDocument(read_text(file)), pictures / f"prefabs-{file.stem}.jpg")
        except (SaveError, LevelError):
            continue  # a broken installation: the other prefabs still work
        found.append(entry)
    return tuple(found)


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
