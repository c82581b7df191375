"""SARIF of `check`: the essentials of the schema of version 2.1.0, places, levels and relative URIs."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest

from game.app.commands.command_line import main
from game.level import Finding
from game.reports.documents import encode_sarif, rule_id

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
POSITION = {"type": "integer", "minimum": 1}
# Written after the schema of OASIS: what it requires, and what GitHub requires beyond it.
ESSENTIALS = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "pattern": "^https://.*sarif-schema-2\\.1\\.0\\.json$"},
        "runs": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/run"}},
    },
    "$defs": {
        "run": {
            "type": "object",
            "required": ["tool", "results"],
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "properties": {
                        "driver": {
                            "type": "object",
                            "required": ["name", "rules"],
                            "properties": {
                                "name": {"type": "string"},
                                "rules": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/rule"}},
                            },
                        }
                    },
                },
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
        },
        "rule": {
            "type": "object",
            "required": ["id", "shortDescription", "fullDescription", "help"],
            "properties": {
                "id": {"type": "string", "pattern": "^[a-z]+/[A-Za-z0-9_.-]+$"},
                **dict.fromkeys(("shortDescription", "fullDescription", "help"), TEXT),
                "defaultConfiguration": {"type": "object", "properties": {"level": LEVEL}},
            },
        },
        "result": {
            "type": "object",
            "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
            "properties": {
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": LEVEL,
                "message": TEXT,
                "locations": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/location"}},
                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
            },
        },
        "location": {
            "type": "object",
            "required": ["physicalLocation"],
            "properties": {
                "physicalLocation": {
                    "type": "object",
                    "required": ["artifactLocation", "region"],
                    "properties": {
                        "artifactLocation": {
                            "type": "object",
                            "required": ["uri", "uriBaseId"],
                            "properties": {"uri": {"type": "string", "pattern": "^[^/ \\\\][^ \\\\]*$"}},
                        },
                        "region": {
                            "type": "object",
                            "required": ["startLine", "startColumn", "endColumn"],
                            "properties": dict.fromkeys(("startLine", "startColumn", "endColumn"), POSITION),
                        },
                    },
                }
            },
        },
    },
}
BROKEN = """\
format: 1
spawn: {at: [0, 0, 3], facing: north}
pieces:
  - floor: {from: [-8, -8], to: [8, 8]}
  - stairs: {at: [0, 0, 0], facing: north, steps: 6, rise: 18 cm, run: 0.30, width: 2}
  - sign: {text: 出口, at: [0, 1, 5], post: 1}
"""


def validated(data: bytes) -> dict[str, object]:
    document = json.loads(data)
    jsonschema.Draft202012Validator(ESSENTIALS).validate(document)
    run = document["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    return run


def test_check_writes_its_findings_with_places(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    level = tmp_path / "my levels" / "hör.yaml"
    level.parent.mkdir()
    level.write_text(BROKEN, encoding="utf-8")
    assert main(["check", str(level), "--sarif", "found.sarif"]) == 1
    capsys.readouterr()
    results = validated(Path("found.sarif").read_bytes())["results"]
    assert [result["level"] for result in results] == ["error", "warning"]
    rise, sign = results
    place = rise["locations"][0]["physicalLocation"]
    line = BROKEN.splitlines()[4]
    first = line.index("18 cm") + 1
    assert place["region"] == {"startLine": 5, "startColumn": first, "endColumn": first + place_length(line, first)}
    assert unquote(place["artifactLocation"]["uri"]) == "my levels/hör.yaml"
    assert (rise["ruleId"], sign["ruleId"]) == ("level/stairs.rise", "level/sign.text")
    assert "Fix: " in rise["message"]["text"]


def place_length(line: str, first: int) -> int:
    return line.index(",", first) + 1 - first


@pytest.mark.parametrize(
    ("finding", "rule", "level"),
    [
        (Finding("warning", "a.yaml", 3, 5, "box", "a pit", kind="pit"), "walk/pit", "warning"),
        (Finding("warning", "a.yaml", 3, 5, "box", "not reached", kind="unreached"), "walk/unreached", "note"),
        (Finding("fatal", "a.yaml", 0, 0, "", "no such file"), "level/file", "error"),
        (Finding("dropped", "a.yaml", 1, 1, "pieces[3].box.size", "bad"), "level/pieces.box.size", "error"),
        (Finding("dropped", "a.yaml", 1, 1, "surfaces.gold leaf", "bad"), "level/surfaces", "error"),
        (Finding("dropped", "a.yaml", 1, 1, "define.tower", "bad"), "level/define", "error"),
        (Finding("warning", "a.yaml", 1, 1, 'room "my hall"', "bad"), "level/room", "warning"),
        (Finding("fatal", "a.yaml", 1, 1, "spawn (spawn 1)", "bad"), "level/spawn", "error"),
        (Finding("dropped", "a.yaml", 1, 1, "größe '\"<", "bad"), "level/gr-e", "error"),
    ],
)
def test_rules_are_kinds_of_findings(finding, rule, level, tmp_path):
    assert rule_id(finding) == rule
    result = validated(encode_sarif([finding], tmp_path))["results"][0]
    assert result["level"] == level
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == max(1, finding.line)


def test_no_findings_are_a_valid_file(tmp_path):
    assert validated(encode_sarif([], tmp_path))["results"] == []


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("yard.yaml", "--sarif is also an input"),
        ("link.sarif", "--sarif is also an input"),
        ("other.yaml", "the name of a level"),
        ("no/x.sarif", "no"),
        (".", "directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_check(file, part, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("yard.yaml").write_text(BROKEN)
    Path("link.sarif").symlink_to("yard.yaml")
    assert main(["check", "yard.yaml", "--sarif", file]) in (1, 2)
    output = capsys.readouterr()
    assert part in output.err
    assert "rise" not in output.out
    assert Path("yard.yaml").read_text() == BROKEN
