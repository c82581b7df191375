"""Random edits of the shipped levels: only the lines of the edit change, and the meaning changes as intended.

PyYAML reads the meaning here, independently of the tree with offsets.
"""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from game.level.build.pieces import PIECES
from game.level.edit import EditRefused, YamlDocument
from game.level.format.file_access import is_tests_file

LEVELS = Path(__file__).resolve().parents[3] / "levels"
SHIPPED = sorted(str(path.relative_to(LEVELS)) for path in LEVELS.rglob("*.yaml") if not is_tests_file(path))

EXPECTED = "used elsewhere|has no anchor"  # what may be refused of levels with anchors

COMMENT = "  # größer \U0001f600 [x] {y: 1} - 'z\" &a *b"


LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
VALUES = ["[1, -2.5, 3]", "7", "'a, b'", "{a: [1, 2], b: x}", '"\\u00fc: #"']


def said(text: str) -> Any:
    return yaml.load(text, Loader=LOADER)


@cache
def plain(name: str) -> str:
    return (LEVELS / name).read_text("utf-8")


@cache
def dressed(name: str, seed: int) -> str:
    """A shipped level with other line endings, comments and byte order mark, by the seed; the same meaning."""
    chosen = random.Random(seed)
    text = plain(name)
    if chosen.random() < 0.5:
        lines = text.split("\n")
        for index in chosen.sample(range(len(lines)), len(lines) // 3):
            if lines[index].rstrip().endswith(("]", "}")) and lines[index].count('"') % 2 == 0:
                lines[index] += COMMENT
        text = "\n".join(lines)
    if chosen.random() < 0.4:
        text = text.rstrip("\n")
    if chosen.random() < 0.4:
        text = text.replace("\n", "\r\n")
    if chosen.random() < 0.4:
        text = "\ufeff" + text
    assert said(text) == said(plain(name))
    return text


@cache
def places(name: str, seed: int) -> list[tuple[int, int, tuple[str | int, ...]]]:
    """Line and column of every piece of a level, and its path in the data that PyYAML reads."""
    found: list[tuple[int, int, tuple[str | int, ...]]] = []

    def look(node: yaml.Node, way: tuple[str | int, ...]) -> None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                look(value, (*way, key.value))
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                pair = item.value[0] if isinstance(item, yaml.MappingNode) and len(item.value) == 1 else None
                if pair and pair[0].value in PIECES:
                    mark = pair[0].start_mark
                    found.append((mark.line + 1, mark.column + 1, (*way, index)))
                look(item, (*way, index))

    look(yaml.compose(dressed(name, seed).removeprefix("\ufeff"), Loader=LOADER), ())
    return found


def bare(lines: list[str]) -> list[str]:
    """The text without line breaks: removing a last line removes the break before it."""
    return [line.rstrip("\r\n") for line in lines]


def at(data: Any, way: tuple[str | int, ...]) -> Any:
    for step in way:
        data = data[step]
    return data


LINE = re.compile("[^\n]*\n|[^\n]+")


@pytest.mark.full
@settings(max_examples=45, deadline=None, derandomize=True)
@given(st.data())
def test_an_edit_of_any_shipped_level_changes_its_own_lines(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(SHIPPED), label="level")
    seed = data.draw(st.integers(0, 3), label="dress")
    old = dressed(name, seed)
    line, column, way = data.draw(st.sampled_from(places(name, seed)), label="piece")
    draft = YamlDocument(old)
    entry = draft.find_piece(line, column)
    whole = said(old)
    siblings, index = at(whole, way[:-1]), way[-1]
    assert isinstance(index, int)
    kind, fields = next(iter(siblings[index].items()))
    assert entry.kind == kind
    assert entry.fields == tuple(fields)
    start, end = entry.span
    from_line, to_line = draft.line_of(start), draft.line_of(end - 1)
    act = data.draw(st.sampled_from(["set", "add", "unset", "remove", "copy", "insert"]), label="act")
    field = data.draw(st.sampled_from(sorted(fields)), label="field")
    value = data.draw(st.sampled_from(VALUES), label="value")
    try:
        if act == "set":
            draft.set_field(entry, field, value)
            fields[field] = said(value)
        elif act == "add":
            draft.set_field(entry, "zusätzlich", value)
            fields["zusätzlich"] = said(value)
        elif act == "unset":
            draft.remove_field(entry, field)
            del fields[field]
        elif act == "remove":
            draft.remove_piece(entry)
            del siblings[index]
        elif act == "copy":
            assert draft.duplicate_piece(entry).kind == kind
            siblings.insert(index + 1, siblings[index])
        else:
            assert draft.insert_piece_after(entry, f"box: {{at: {value}}}").kind == "box"
            siblings.insert(index + 1, {"box": {"at": said(value)}})
    except EditRefused as refused:
        if not (len(siblings) == 1 and act == "remove") and not re.search(EXPECTED, str(refused)):
            raise
        assert draft.text == old
        return
    new = draft.text
    assert said(new) == whole
    before, after = LINE.findall(old), LINE.findall(new)
    above, below = before[: from_line - 1], before[to_line:]
    assert bare(after[: len(above)]) == bare(above)
    assert bare(after[len(after) - len(below) :]) == bare(below)
    assert new.endswith("\n") == old.endswith("\n")
    assert new.startswith("\ufeff") == old.startswith("\ufeff")
    assert (new.count("\r\n") == new.count("\n")) == ("\r\n" in old)
    assert entry.document is draft


@pytest.mark.full
@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.data())
def test_the_inverse_edit_of_any_shipped_level_gives_the_same_bytes(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(SHIPPED), label="level")
    seed = data.draw(st.integers(0, 3), label="dress")
    old = dressed(name, seed)
    line, column, _ = data.draw(st.sampled_from(places(name, seed)), label="piece")
    draft = YamlDocument(old)
    entry = draft.find_piece(line, column)
    field = data.draw(st.sampled_from(entry.fields), label="field")
    was = entry.field_text(field)
    assert was is not None
    try:
        if "\n" not in was:
            draft.set_field(entry, field, data.draw(st.sampled_from(["[4, 5, 6]", "9", "[0, 0]"])))
            draft.set_field(entry, field, was)
            assert draft.text == old
        draft.set_field(entry, "added", "1")
        draft.remove_field(entry, "added")
        assert draft.text == old
        draft.remove_piece(draft.duplicate_piece(entry))
        assert draft.text == old
        draft.remove_piece(draft.insert_piece_after(entry, "box: {}"))
    except EditRefused as refused:
        if not re.search(EXPECTED, str(refused)):
            raise
    assert draft.text == old


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["museum/stairs.yaml", "demo.yaml"])
def test_every_piece_of_a_level_that_was_loaded_is_found(name: str) -> None:
    from game.level import load

    level = load(LEVELS / name)
    draft = YamlDocument(plain(name))
    for origin in level.origins:
        assert draft.find_piece(origin.place.line, origin.place.column).kind == origin.kind
