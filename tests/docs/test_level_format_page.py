"""The tests on the page of the level format are read without a finding, and those that walk pass."""

from __future__ import annotations

import re
from pathlib import Path

from game.level import check, load
from game.level.format.level_tests import WalkPlayer
from game.level.format.schema import INTENDED_KINDS, LEVEL, PIECE_RECORDS, TESTS_FILE
from game.level.format.schema.fields import SchemaRecord
from game.testing import run_test

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "level_format.md").read_text(encoding="utf-8")


def test_the_tests_of_the_page(tmp_path: Path) -> None:
    blocks = re.findall("```yaml\n(.*?)```", PAGE, re.DOTALL)
    (level_text,) = (block for block in blocks if "pieces:" in block)
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


def test_every_word_of_intended_is_explained():
    table = PAGE.split("| `intended` | silenced warning |")[1].split("\n\n")[0]
    assert sorted(re.findall(r"^\| (\w+) \|", table, re.M)) == sorted(INTENDED_KINDS)


def _records(record: SchemaRecord, found: list[SchemaRecord]) -> list[SchemaRecord]:
    """The record and all records inside it, each once."""
    if record not in found:
        found.append(record)
        for field in record.fields:
            if field.record is not None:
                _records(field.record, found)
    return found


def test_each_field_of_the_schema_stands_in_a_table_of_the_page() -> None:
    rows = {tuple(cell.strip() for cell in line.split(" | ")) for line in PAGE.splitlines() if line.startswith("| `")}
    said = {(row[0].strip("| `"), row[-1].removesuffix("|").strip()) for row in rows}
    records: list[SchemaRecord] = []
    for record in (LEVEL, TESTS_FILE, *PIECE_RECORDS.values()):
        _records(record, records)
    lacking = [
        f"{one.name}.{field.name}" for one in records for field in one.fields if (field.name, field.doc) not in said
    ]
    assert not lacking
    assert {"golf", "play", "hole"} <= {record.name for record in records}
