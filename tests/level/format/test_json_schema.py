"""JSON Schema for text editors: up to date, valid for every level, and wrong levels are rejected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from game.level import check, load, severity_exit_code
from game.level.build.pieces import PIECES
from game.level.format.file_access import is_tests_file
from game.level.format.level_file import LevelFields
from game.level.format.record import Record
from game.level.format.record_values import Many, NamedRecords, Prefabs
from tools.docs import level_schema

ROOT = Path(__file__).resolve().parents[3]
COURTYARD = (ROOT / "tests" / "level" / "data" / "courtyard.yaml").read_text(encoding="utf-8")
SHIPPED = sorted(path for path in (ROOT / "levels").rglob("*.yaml") if not is_tests_file(path))
MODELINE = re.compile(r"^# yaml-language-server: \$schema=(\S+)$", re.MULTILINE)


class Core(yaml.BaseLoader):
    """YAML 1.2's own reading of plain words, as editors have it."""


PLAIN: dict[str, tuple[str, str, Callable[[str], Any]]] = {
    "bool": ("(true|True|TRUE|false|False|FALSE)$", "tTfF", lambda text: text.lower() == "true"),
    "null": ("(|~|null|Null|NULL)$", "~nN", lambda text: None),
    "int": ("[-+]?[0-9]+$", "-+0123456789", int),
    "float": (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", "-+.0123456789", float),
}
for word, (pattern, first, make) in PLAIN.items():
    tag = f"tag:yaml.org,2002:{word}"
    Core.add_implicit_resolver(tag, re.compile(pattern), [*first, ""] if word == "null" else list(first))
    Core.add_constructor(tag, lambda loader, node, make=make: make(loader.construct_scalar(node)))


def read(text: str) -> Any:
    return yaml.load(text, Core)


@pytest.fixture(scope="module")
def judge() -> jsonschema.Draft7Validator:
    found = json.loads((ROOT / "levels" / "level.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(found)
    return jsonschema.Draft7Validator(found)


def test_the_file_is_fresh() -> None:
    kept = (ROOT / "levels" / "level.schema.json").read_text(encoding="utf-8")
    assert kept == level_schema.text(level_schema.whole()), "run: python tools/docs/level_format_page.py"
    kept = (ROOT / "levels" / "tests.schema.json").read_text(encoding="utf-8")
    assert kept == level_schema.text(level_schema.of_tests_files()), "run: python tools/docs/level_format_page.py"


def test_the_schema_of_test_files_accepts_right_ones_and_refuses_wrong_ones() -> None:
    found = jsonschema.Draft7Validator(json.loads((ROOT / "levels" / "tests.schema.json").read_text(encoding="utf-8")))
    text = "format: 1\nlevel: a.yaml\ntests: [{name: a, bot: random, seconds: 2*30, expect: {goal: {within: 9}}}]\n"
    found.validate(read(text))
    wrong = {"format: 1\n": "", "tests:": "test:", "within": "whithin", "2*30": "soon", "name: a, ": ""}
    for old, new in wrong.items():
        assert not found.is_valid(read(text.replace(old, new))), new


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_levels_fit_and_name_it(judge: jsonschema.Draft7Validator, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    judge.validate(read(text))
    (named,) = MODELINE.findall(text)
    assert (path.parent / named).resolve() == ROOT / "levels" / "level.schema.json"


@pytest.mark.sample(11)
@pytest.mark.parametrize("kind", PIECES)
def test_every_example_and_snippet_fits(judge: jsonschema.Draft7Validator, kind: str) -> None:
    record = PIECES[kind]
    piece = read(record.example)
    judge.validate({"format": 1, "pieces": [piece]})
    snippets = judge.schema["definitions"]["piece"]["defaultSnippets"]
    assert {snippet["label"]: snippet["bodyText"] for snippet in snippets}[f"{kind}: {{...}}"] == record.example


def test_the_schema_has_every_field_with_its_words(judge: jsonschema.Draft7Validator) -> None:
    def visit(record: type[Record], found: dict[str, Any]) -> int:
        kinds = found.get("anyOf", [found])
        kinds = [judge.schema["definitions"][kind["$ref"].split("/")[-1]] if "$ref" in kind else kind for kind in kinds]
        found = next(kind for kind in kinds if "properties" in kind)
        assert set(found["properties"]) == set(record.fields)
        assert found.get("required", []) == [
            field.name for field in record.fields.values() if field.required and not field.instead
        ]
        count = 0
        for field in record.fields.values():
            entry = found["properties"][field.name]
            assert entry["description"].startswith(field.doc)
            count += 1
            if field.record is not None and not isinstance(field, Prefabs):
                inner = entry.get("items", entry) if isinstance(field, Many) else entry
                inner = inner["additionalProperties"] if isinstance(field, NamedRecords) else inner
                count += visit(field.record, inner)
        return count

    assert visit(LevelFields, judge.schema) > 30
    for name, record in PIECES.items():
        visit(record, judge.schema["definitions"][name])


TESTS = "format: 1\npieces: [floor: {{from: [-9, -9], to: [9, 9]}}]\ntests: [{{name: a, {}}}]\n"
RIGHT_TESTS = [
    "bot: goal, expect: goal",
    "bot: explore, seed: 3, seconds: 2*30, expect: [goal, {never: {inside: kill}}]",
    'walk: [60, "30 jump"], spawn: 2, ticks: 100, expect: {inside: Pool, touches: [ice, stone], targets: all}',
    "walk: a.commands, skip: why, fails: why, expect: {goal: never, holes: [one, two]}",
    "bot: random, expect: {at: {point: [0, 0, 1], within: 2}, always: {grounded: yes}, stuck: never}",
]
WRONG_TESTS = [
    "bot: gaol, expect: goal",
    "bot: goal",
    "bot: goal, expect: {}",
    "bot: goal, expect: []",
    "bot: goal, expect: {gaol: never}",
    "bot: goal, expect: {goal: nevr}",
    "bot: goal, expect: {targets: 1.5}",
    "bot: goal, expect: {at: {radius: 1}}",
    "walk: [], expect: goal",
    "walk: [60], ticks: 0, expect: goal",
    "walk: [60], expect: {never: {inside: {form: [0, 0, 0]}}}",
    "walk: [60], expect: {grounded: {at_least: 2}}",
]


@pytest.mark.parametrize("test", RIGHT_TESTS)
def test_the_schema_accepts_right_tests(judge: jsonschema.Draft7Validator, test: str) -> None:
    judge.validate(read(TESTS.format(test)))


@pytest.mark.parametrize("test", WRONG_TESTS)
def test_wrong_tests_that_the_reader_refuses_too(
    judge: jsonschema.Draft7Validator, written: Callable[[str], Path], test: str
) -> None:
    text = TESTS.format(test)
    assert not judge.is_valid(read(text))
    assert severity_exit_code(load(written(text.replace("pieces", "spawn: {at: [0, 0, 0]}\npieces"))).findings) == 1


FIELD = "format: 1\npieces: [{}]\n"
RIGHT = {
    "box: {from: [0, 0, 0], to: [1, 2*0.5, 1], facing: south-east, surface: 12}",
    "stairs: {at: [0, -1/2, 0], steps: 2*5, rise: 2*0.09, facing: 360/8, collide: no, name: 7}",
    "group: {scale: [1, 2, 1/2], of: [place: {what: post}, include: {file: parts/tower.yml}]}",
    'floor: {from: ["min(1, 2)", 0], to: [9, 9], intended: [steep, low], holes: [{from: [1, 1], to: [2, 2]}]}',
    "floor: {from: [0, 0], to: [9, 9], intended: step}",
}
WRONG = {
    "bix: {}": "bix",
    "box: {from: [0, 0, 0], to: [1, 1]}": "[1, 1]",
    "box: {from: [0, 0, 0]}": "'to' is a required property",
    "box: {from: [0, 0, 0], to: [1, 1, 1], sise: 2}": "sise",
    "box: {from: [0, 0, 0], to: [1, 1, one]}": "'one'",
    "box: {from: [0, 0, 0], to: [1, 1, 2e5]}": "200000.0",
    "box: {from: [0, 0, 0], to: [1, 1, 1], facing: nroth}": "'nroth'",
    "box: {from: [0, 0, 0], to: [1, 1, 1], collide: maybe}": "'maybe'",
    "box: {from: [0, 0, 0], to: [1, 1, 1]}, pillar: {at: [0, 0, 0]}": "has too many properties",
    "stairs: {at: [0, 0, 0], steps: 2.5}": "2.5",
    "stairs: {at: [0, 0, 0], steps: 2000}": "2000",
    "stairs: {at: [0, 0, 0], steps: 9, rise: -1}": "-1",
    "room: {from: [0, 0, 0], to: [4, 3, 4], doors: [{wall: nort}]}": "'nort' is not one of",
    "quad: {corners: [[0, 0, 0], [1, 0, 0], [1, 0, 1]]}": "too short",
    "floor: {from: [0, 0], to: [9, 9], intended: [stepp]}": "['stepp']",
    "group: {of: []}": "[]",
    "include: {file: tower.txt}": "'tower.txt' does not match",
    "place: {at: [0, 0, 0]}": "'what' is a required property",
    "sign: {text: [a], at: [0, 0, 0]}": "['a']",
}  # fmt: skip


@pytest.mark.parametrize("piece", sorted(RIGHT))
def test_the_schema_and_the_reader_accept_right_pieces(
    judge: jsonschema.Draft7Validator, written: Callable[[str], Path], piece: str
) -> None:
    head = "format: 1\nspawn: {at: [0, 0, 0]}\nsurfaces: {12: {}}\npieces: [floor: {from: [-9, -9], to: [9, 9]}, "
    judge.validate(read(f"{head}{piece}]\n"))
    if "include" not in piece:
        assert severity_exit_code(load(written(f"{head}{piece}]\n")).findings) == 0


@pytest.mark.parametrize("piece", WRONG)
def test_the_schema_refuses_wrong_pieces_with_a_reason(judge: jsonschema.Draft7Validator, piece: str) -> None:
    found = [str(error.message) for error in judge.iter_errors(read(FIELD.format("{" + piece + "}")))]
    assert found
    assert any(WRONG[piece] in message for message in found), found


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "change",
    [
        ("format: 1", "format: 2"),
        ("format: 1", "formt: 1"),
        ("facing: north", "facing: 3 m"),
        ("kill_height", "kill_hight"),
        ("#8d8a83", "#8d8a8"),
        ("flagstone", "flagstones"),
        ("haze: 0.02", "haze: 2"),
        ("height: 40", "height: [40]"),
        ("friction: 0.02", "friction: slippery"),
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(
    judge: jsonschema.Draft7Validator, written: Callable[[str], Path], change: tuple[str, str]
) -> None:
    judge.validate(read(COURTYARD))
    assert change[0] in COURTYARD
    text = COURTYARD.replace(*change, 1)
    assert not judge.is_valid(read(text))
    assert severity_exit_code(check(written(text))) > 0
