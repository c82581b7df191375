"""Spawns, goal and exits: new ones and copies, in the top-level fields of the level file."""

from __future__ import annotations

import re

from ....core.vectors import Vector
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_point, format_scalar
from ....level.format.level_file import PLACES
from ....level.format.numbers import FACING_WORDS

LISTS = {"spawn": "spawns", "exit": "exits"}
_KIND = re.compile(r"\s*(\w+):")


def kind_of(text: str) -> str:
    """Kind of the record that a text of the palette writes; empty for a piece."""
    match = _KIND.match(text)
    return match[1] if match and match[1] in PLACES else ""


def insert(document: YamlDocument, text: str, position: Vector, facing: float) -> DocumentEntry:
    """Add the record of a palette's text at a place. EditRefused for a second goal.

    position: m. facing: degrees, of a spawn.
    """
    kind = kind_of(text)
    record = text.partition(":")[2].strip()
    if kind == "goal":
        if document.top_entry("goal") is not None:
            raise EditRefused("the level has its goal already: move that one")
        entry = document.add_top_field("goal", record)
    elif kind == "spawn" and document.top_entry("spawn") is None and document.top_entry("spawns") is None:
        entry = document.add_top_field("spawn", record)
    else:
        entry = document.add_record(LISTS[kind], record)
    document.set_field(entry, "at", format_point(position))
    if kind == "spawn":
        turn = round(facing, 4) % 360.0
        document.set_field(entry, "facing", FACING_WORDS.get(turn, format_scalar(f"{turn:g}")))
        if entry.field_node("name") is not None:
            document.set_field(entry, "name", format_scalar(_free_name(document)))
    return entry


def duplicate(document: YamlDocument, entry: DocumentEntry) -> DocumentEntry:
    """A copy of a spawn or exit at the end of its list; a spawn's has a name of its own."""
    kind = entry.kind
    if kind not in LISTS:
        raise EditRefused("a level has one goal")
    fields = {name: entry.field_text(name) or "" for name in entry.fields}
    if kind == "spawn":
        fields.pop("name", None)
        fields = {"name": format_scalar(_free_name(document)), **fields}
    text = ", ".join(f"{name}: {value}" for name, value in fields.items())
    return document.add_record(LISTS[kind], f"{{{text}}}")


def _free_name(document: YamlDocument) -> str:
    """A name that no spawn of the file has."""
    names = set(document.record_names("spawns"))
    first = document.top_entry("spawn")
    number = 2
    if first is not None:
        names.add(first.field_text("name") or "")
    while f"spawn {number}" in names:
        number += 1
    return f"spawn {number}"
