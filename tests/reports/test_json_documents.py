"""Documents of `--json`: valid by their schemas, alone on standard output, and described in docs/json."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from game.app.commands import doctor
from game.reports.documents import SCHEMAS, format_document, load_schema
from game.sim.bots import search
from tools.docs import json_pages

KINDS = sorted(path.stem for path in SCHEMAS.glob("*.json"))


def closed(part: Any) -> Any:
    """A schema that refuses fields it does not describe: in a test each field of a document has a description."""
    if isinstance(part, list):
        return [closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    new = {name: closed(value) for name, value in part.items()}
    if isinstance(new.get("properties"), dict):
        new.setdefault("additionalProperties", False)
    return new


def described(part: dict[str, Any], path: str = "") -> list[str]:
    """Fields of a schema without a description."""
    wrong = []
    for name, field in part.get("properties", {}).items():
        if not field.get("description"):
            wrong.append(f"{path}{name}")
        wrong += described(field, f"{path}{name}.") + described(field.get("items", {}), f"{path}{name}[].")
    return wrong


def valid(kind: str, result: SimpleNamespace) -> dict[str, Any]:
    """The document on standard output, which holds nothing else."""
    document = json.loads(result.out)
    jsonschema.Draft202012Validator(closed(load_schema(kind))).validate(document)
    assert document["status"] == result.status
    return document


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one_and_describes_each_field(kind):
    jsonschema.Draft202012Validator.check_schema(load_schema(kind))
    assert described(load_schema(kind)) == []
    assert load_schema(kind)["properties"]["schema"]["const"] == f"walker/{kind}"


def test_the_pages_are_current():
    assert json_pages.outdated() == [], "run `python -m tools.docs.json_pages`"


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_a_page_is_valid(kind):
    found = re.search(r"```json\n(.*?)```", json_pages.present_example(kind), re.S)
    assert found is not None
    jsonschema.Draft202012Validator(closed(load_schema(kind))).validate(json.loads(found[1]))


@pytest.mark.parametrize("kind", json_pages.COMMANDS)
def test_a_page_shows_each_file_of_its_example(kind):
    text = json_pages.present_example(kind)
    shown = dict(re.findall(r"Save this as `([^`]+)`:\n\n```\w+\n(.*?)```", text, re.S))
    words = " ".join(json_pages.COMMANDS[kind]).split()
    assert shown == {name: content for name, content in json_pages.FILES.items() if name in words}


def test_check_lists_findings_with_their_lines(walker):
    result = walker("check", "broken.yaml", "yard.yaml", "--json")
    broken, yard = valid("check", result)["levels"]
    assert (result.status, broken["status"], yard["status"], yard["findings"]) == (1, 1, 0, [])
    text = json_pages.FILES["broken.yaml"]
    line = text.splitlines().index("surfaces: {ice: {frictoin: 0.1}}") + 1
    found = next(finding for finding in broken["findings"] if "frictoin" in finding["message"])
    assert (found["file"], found["line"], found["severity"]) == ("broken.yaml", line, "dropped")
    assert "friction" in found["cure"]
    edit = found["edit"]
    mended = text[: edit["start"]] + edit["text"] + text[edit["end"] :]
    assert mended == text.replace("frictoin", "friction")
    assert "broken.yaml:" in result.err


def test_check_of_an_unreadable_level_is_a_document_too(walker, folder):
    (folder / "bad.yaml").write_text("format: 1\npieces: [")
    result = walker("check", "bad.yaml", "--json")
    assert valid("check", result)["levels"][0]["counts"]["fatal"] >= 1
    assert result.status == 2


@pytest.mark.parametrize(("memory", "is_finished"), [(200_000, False), (search.MAX_PLACE_BYTES, True)])
def test_check_says_how_far_the_bots_came(walker, folder, monkeypatch, memory, is_finished):
    monkeypatch.setattr(search, "MAX_PLACE_BYTES", memory)
    (folder / "small.yaml").write_text(json_pages.LEVEL.replace("[-8, -8], to: [8, 8]", "[-4, -5], to: [4, 4]"))
    result = walker("check", "small.yaml", "--walk", "--json")
    (level,) = valid("check", result)["levels"]
    assert {name: level["walk"][name] for name in ("ran", "finished", "interrupted")} == {
        "ran": True, "finished": is_finished, "interrupted": False,
    }  # fmt: skip
    assert (50 < (level["walk"]["goal_tick"] or 0) < 120) == is_finished
    assert ("the search was not finished" in result.err) == (not is_finished)
    assert result.err.endswith("small.yaml: nothing " + ("wrong\n" if is_finished else "found in what was searched\n"))
    (checked,) = valid("check", walker("check", "small.yaml", "--json"))["levels"]
    assert "walk" not in checked


def test_fix_shows_its_change_beside_the_document(walker, folder):
    result = walker("check", "broken.yaml", "--fix", "--yes", "--json")
    assert not any("frictoin" in finding["message"] for finding in valid("check", result)["levels"][0]["findings"])
    assert "+surfaces: {ice: {friction: 0.1}}" in result.err


def test_sim_says_how_the_walk_went(walker):
    result = walker("sim", "yard.yaml", "--commands", "walk.commands", "--json", "-o", "walk.csv")
    document = valid("sim", result)
    assert (document["goal"]["outcome"], document["ticks"], document["output"]) == ("reached", 120, "walk.csv")
    assert document["end"][2] < -4.0
    missed = valid("sim", walker("sim", "yard.yaml", "--commands", "walk.commands", "--ticks", "0", "--json"))
    assert (missed["status"], missed["goal"], missed["fastest"]) == (3, {"outcome": "missed", "tick": None}, 0.0)


def test_replay_says_what_differs(walker, folder):
    walker("record", "yard.yaml", "--commands", "walk.commands", "-o", "walk.replay")
    same = valid("replay", walker("replay", "walk.replay", "--json"))
    assert (same["matching_ticks"], same["divergence"], same["is_complete"]) == (120, None, True)
    different = valid("replay", walker("replay", "walk.replay", "--level", "higher.yaml", "--json"))
    assert different["divergence"]["differences"][0]["field"] == "position"
    assert "has changed since the recording" in different["notes"][0]
    data = (folder / "walk.replay").read_bytes()
    (folder / "cut.replay").write_bytes(data[:-40])
    cut = valid("replay", walker("replay", "cut.replay", "--json"))
    assert (cut["status"], cut["matching_ticks"], cut["is_complete"]) == (3, 120, False)


def test_diff_names_the_tick_and_the_fields(walker):
    result = walker("diff", "yard.yaml", "higher.yaml", "--commands", "walk.commands", "--json")
    difference = valid("diff", result)["difference"]
    assert (result.status, difference["kind"], difference["fields"][0]["field"]) == (1, "state", "position")
    same = valid("diff", walker("diff", "yard.yaml", "yard.yaml", "--commands", "walk.commands", "--json"))
    assert (same["difference"], same["matching_ticks"]) == (None, 120)


def test_test_keeps_its_fields(walker):
    document = valid("test", walker("test", "tested.yaml", "--json"))
    assert document["tests"][0]["status"] == "passed"


@pytest.mark.parametrize("advice", ["", "install it"])
def test_doctor_says_what_is_missing(advice, walker, monkeypatch):
    monkeypatch.setattr(doctor, "CHECKS", (lambda: iter([doctor.DoctorLine("numpy", "not installed", advice)]),))
    result = walker("doctor", "--json")
    check = {"name": "numpy", "ok": not advice, "result": "not installed", "advice": advice}
    assert valid("doctor", result)["checks"] == [check]
    assert result.status == bool(advice)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["sim", "nowhere.yaml", "--commands", "walk.commands", "--json"], "nowhere.yaml"),
        (["replay", "yard.yaml", "--json"], "not a replay"),
        (["check", "empty", "--json"], "no level in this folder"),
        (["replay", "x.replay", "--show", "--json"], "--show does not work with --json"),
    ],
)
def test_without_a_result_standard_output_is_empty(words, part, walker, folder):
    (folder / "empty").mkdir()
    result = walker(*words)
    assert (result.status, result.out) == (2, "")
    assert part in result.err


def test_numbers_that_json_does_not_have_are_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        format_document("sim", {"fastest": float("nan")})
