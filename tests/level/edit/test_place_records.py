"""Spawns, goal and exits under edit: entries of top-level lists keep all other text."""

from __future__ import annotations

import pytest

from game.level.edit import EditRefused, YamlDocument

TEXT = """\
format: 1  # begins
spawn: {at: [0, 0, 3], facing: north}   # first
spawns:
  # others
  - {name: b, at: [1, 0, 3]}   # of b
  - name: c
    at: [2, 0, 3]   # feet of c
    facing: east
goal:
  at: [4, 0, 0]  # the end
exits: [{at: [5, 0, 0], to: x.yaml}, {to: y.yaml, at: [6, 0, 0]}]
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
"""
PLACES = {(2, 1): "spawn", (5, 5): "spawn", (6, 5): "spawn", (9, 1): "goal", (11, 9): "exit", (11, 38): "exit"}


def test_records_are_found_at_the_places_that_a_level_gives() -> None:
    document = YamlDocument(TEXT)
    assert {place: document.find_record(*place).kind for place in PLACES} == PLACES
    for place in ((5, 6), (4, 3), (13, 5), (1, 1)):
        with pytest.raises(EditRefused):
            document.find_record(*place)
    assert document.find_record(6, 5).fields == ("name", "at", "facing")


@pytest.mark.parametrize(
    ("place", "field", "value", "old", "new"),
    [
        ((5, 5), "at", "[9, 0, 3]", "- {name: b, at: [1, 0, 3]}   # of b", "- {name: b, at: [9, 0, 3]}   # of b"),
        ((5, 5), "facing", "west", "- {name: b, at: [1, 0, 3]}", "- {name: b, at: [1, 0, 3], facing: west}"),
        ((6, 5), "name", "d", "- name: c\n", "- name: d\n"),
        ((6, 5), "at", "[2, 1, 3]", "    at: [2, 0, 3]   # feet", "    at: [2, 1, 3]   # feet"),
        ((9, 1), "radius", "2", "  at: [4, 0, 0]  # the end\n", "  at: [4, 0, 0]  # the end\n  radius: 2\n"),
        ((11, 38), "radius", "2", "{to: y.yaml, at: [6, 0, 0]}", "{to: y.yaml, at: [6, 0, 0], radius: 2}"),
    ],
)
def test_a_field_of_a_record_changes_alone(place: tuple[int, int], field: str, value: str, old: str, new: str) -> None:
    document = YamlDocument(TEXT)
    entry = document.find_record(*place)
    document.set_field(entry, field, value)
    assert document.text == TEXT.replace(old, new)
    assert entry.field_text(field) == value


def test_a_removed_record_takes_its_own_text_with_it() -> None:
    document = YamlDocument(TEXT)
    document.remove_piece(document.find_record(5, 5))
    assert document.text == TEXT.replace("  - {name: b, at: [1, 0, 3]}   # of b\n", "")
    second = YamlDocument(TEXT)
    first_exit, last_exit = second.find_record(11, 9), second.find_record(11, 38)
    second.remove_piece(first_exit)
    second.remove_piece(last_exit)
    assert second.text == TEXT.replace("exits: [{at: [5, 0, 0], to: x.yaml}, {to: y.yaml, at: [6, 0, 0]}]\n", "")
    third = YamlDocument(TEXT)
    third.remove_piece(third.find_record(9, 1))
    assert third.text == TEXT.replace("goal:\n  at: [4, 0, 0]  # the end\n", "")


def test_an_added_record_follows_the_style_of_its_list() -> None:
    document = YamlDocument(TEXT)
    added = document.add_record("spawns", "{name: d, at: [3, 0, 3]}")
    assert document.text == TEXT.replace("    facing: east\n", "    facing: east\n  - {name: d, at: [3, 0, 3]}\n")
    assert (added.kind, added.field_text("name")) == ("spawn", "d")
    document = YamlDocument(TEXT)
    document.add_record("exits", "{at: [7, 0, 0], to: z.yaml}")
    assert document.text == TEXT.replace("at: [6, 0, 0]}]", "at: [6, 0, 0]}, {at: [7, 0, 0], to: z.yaml}]")
    bare = YamlDocument(
        "format: 1\nspawn: {at: [0, 0, 0]}\n# the pieces\npieces:\n  - floor: {from: [0, 0], to: [1, 1]}\n"
    )
    added = bare.add_record("spawns", "{at: [3, 0, 3]}")
    assert bare.text.splitlines()[2] == "spawns: [{at: [3, 0, 3]}]"
    assert added.kind == "spawn"
