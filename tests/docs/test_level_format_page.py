"""The tests on the page of the level format are read without a finding, and those that walk pass."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from game.level import check, load
from game.level.build.pieces import PIECES
from game.level.format.level_file import LevelFields
from game.level.format.level_tests.level_test import WalkPlayer
from game.level.format.level_tests.records import FileOfTests
from game.level.format.record import Record
from game.testing import run_test

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "level_format.md").read_text(encoding="utf-8")


def test_the_tests_of_the_page(tmp_path: Path) -> None:
    blocks = re.findall("```yaml\n(.*?)```", PAGE, re.DOTALL)
    level_text, _ = (block for block in blocks if "pieces:" in block)
    (tests_text,) = (block for block in blocks if block.startswith("tests:"))
    (beside_text,) = (block for block in blocks if "level: courtyard.yaml" in block)
    path = tmp_path / "courtyard.yaml"
    path.write_text(level_text + tests_text)
    (tmp_path / "courtyard.tests.yaml").write_text(beside_text)
    assert check(path) == []
    level = load(path)
    assert len(level.tests) == 4
    walks = [test for test in level.tests if isinstance(test.player, WalkPlayer)]
    assert [str(run_test(level, test).status) for test in walks] == ["passed", "passed"]


def test_the_moat_of_the_page_runs(tmp_path: Path) -> None:
    (text,) = re.findall("```yaml\n(format: 1\nname: Drawbridge\n.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "moat.yaml"
    path.write_text(text)
    assert check(path) == []
    level = load(path)
    assert [str(run_test(level, test).status) for test in level.tests] == ["passed", "passed"]


def test_the_formula_for_the_end_of_spiral_stairs() -> None:
    x, z, radius, facing, steps, turn = 3.0, -2.0, 1.5, 30.0, 11, -20.0
    stairs = f"spiral_stairs: {{at: [{x}, 0, {z}], facing: {facing}, steps: {steps}, radius: {radius}, turn: {turn}}}"
    level = load(
        text=f"format: 1\nspawn: {{at: [0, 0, 0]}}\npieces: [floor: {{from: [-9, -9], to: [9, 9]}}, {stairs}]\n"
    )
    assert "at `[x - radius * sin(a), z - radius * cos(a)]`" in PAGE
    a = math.radians(facing + steps * turn)
    end = [x - radius * math.sin(a), steps * 0.18, z - radius * math.cos(a)]
    assert np.abs(level.faces.corners.reshape(-1, 3) - end).max(axis=1).min() < 1e-6


def _records(record: type[Record], found: list[type[Record]]) -> list[type[Record]]:
    """The record and all records inside it, each once."""
    if record not in found:
        found.append(record)
        for field in record.fields.values():
            if field.record is not None:
                _records(field.record, found)
    return found


def test_each_field_of_the_schema_stands_in_a_table_of_the_page() -> None:
    rows = {tuple(cell.strip() for cell in line.split(" | ")) for line in PAGE.splitlines() if line.startswith("| `")}
    said = {(row[0].strip("| `"), row[-1].removesuffix("|").strip()) for row in rows}
    records: list[type[Record]] = []
    for record in (LevelFields, FileOfTests, *PIECES.values()):
        _records(record, records)
    lacking = [
        f"{one.kind}.{field.name}"
        for one in records
        for field in one.fields.values()
        if (field.name, field.doc) not in said
    ]
    assert not lacking
    assert {"golf", "play", "hole"} <= {record.kind for record in records}


def _section(title: str) -> str:
    return re.split("^#+ ", PAGE.split(f"\n### {title}\n")[1], maxsplit=1, flags=re.M)[0]


def test_the_section_of_a_piece_shows_or_names_its_fields() -> None:
    for name, piece in PIECES.items():
        section = _section(name)
        shared = next((line for line in section.splitlines() if line.startswith("Shared: ")), "")
        titles = ["All pieces", *(title.capitalize() for title in re.findall(r"\[(.*?)\]", shared))]
        there = section + "".join(_section(title) for title in titles)
        rows = [line.split(" | ") for line in there.splitlines() if line.startswith("| `")]
        said = {(row[0].strip("| `"), row[-1].removesuffix("|").strip()) for row in rows}
        assert {(field.name, field.doc) for field in piece.fields.values()} <= said, name
