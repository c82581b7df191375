"""docs/results.md: its commands exist with their options, its example runs, its comparison has the stated result."""

from __future__ import annotations

import re

import pytest
import yaml

from game.app.commands.command_line import build_parser, main
from game.level import check
from game.reports.documents import SCHEMAS
from game.sim.command_script import parse_script
from tools.docs.pictures.results import PAGE, changed_level, commands
from tools.docs.pictures.shared import ROOT

TEXT = PAGE.read_text(encoding="utf-8")
LEVEL_TESTS = ROOT / "docs" / "level_tests.md"


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_the_commands_of_the_page_are_accepted(words):
    assert build_parser().parse_args(words).verb == words[0]


def test_the_pictures_are_those_of_the_commands():
    made = {word for words in commands() for word in words if word.startswith("docs/pictures/")}
    shown = {f"docs/{target}" for target in re.findall(r"\]\((pictures/[^)]+)\)", TEXT)}
    assert made == shown == {path.relative_to(ROOT).as_posix() for path in (PAGE.parent / "pictures/results").iterdir()}


@pytest.mark.full
def test_the_comparison_has_the_stated_result(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crate.yaml").write_text(changed_level(), encoding="utf-8")
    lines = (ROOT / "levels" / "demo.commands").read_text(encoding="utf-8").splitlines()
    count = next(k for k in range(len(lines)) if parse_script("\n".join(lines[:k])).ticks > 814)
    (tmp_path / "demo.commands").write_text("\n".join(lines[:count]), encoding="utf-8")
    assert main(["diff", "demo", "crate.yaml", "--commands", "demo.commands"]) == 1
    lines = capsys.readouterr().out.splitlines()
    (stated,) = re.findall(r"```text\n(.*?)```", TEXT, re.S)
    assert set(stated.splitlines()) <= set(lines)


def test_the_workflow_may_upload_and_its_commands_exist():
    """The workflow of docs/level_tests.md with the lines that this page adds to it."""
    (whole,) = re.findall(r"```yaml\n(# \.github/workflows/.*?)```", LEVEL_TESTS.read_text(encoding="utf-8"), re.S)
    (permissions,) = re.findall(r"```yaml\n(permissions:\n.*?)```", TEXT, re.S)
    (steps,) = re.findall(r"```yaml\n( +- run: walker check.*?)```", TEXT, re.S)
    assert whole.count("\njobs:\n") == 1
    workflow = yaml.safe_load(whole.replace("\njobs:\n", f"\n{permissions}jobs:\n") + steps)
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    (job,) = workflow["jobs"].values()
    runs = [step["run"].split() for step in job["steps"] if "run" in step]
    verbs = [build_parser().parse_args(words[1:]).verb for words in runs if words[0] == "walker"]
    assert verbs == ["test", "check", "fuzz"]
    *others, upload = yaml.safe_load(steps)
    assert all(step["if"] == "always()" for step in others)
    assert (upload["if"], upload["with"]["path"]) == ("failure()", runs[-1][runs[-1].index("-o") + 1])


def test_a_program_reads_the_tables(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.commands").write_text("30 forward 1\n", encoding="utf-8")
    main(["record", "demo", "--commands", "walk.commands", "-o", "walk.replay"])
    for words in (["sim", "demo", "--commands", "walk.commands", "-o", "walk.csv"], *exports()):
        main(words)
    capsys.readouterr()
    for code in re.findall(r"```python\n(.*?)```", TEXT, re.S)[:1]:
        exec(compile(code, "results.md", "exec"), {})
    states, walk = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"30 \[.*\] \(30, 3\)", states)
    assert walk.startswith("30.0 0.9")
    table = TEXT[: TEXT.index("No column says")]
    columns = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.M)))
    assert columns == ["tick", "x", "y", "z", "vx", "vy", "vz", "heading", "grounded"]


def exports() -> list[list[str]]:
    """The commands of the page that write the states of a replay."""
    return [words for words in commands() if words[0] == "replay" and "-o" in words]


@pytest.mark.full
def test_the_python_example_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(import json\n.*?)```", TEXT, re.S)
    exec(compile(code, "results.md", "exec"), {})
    assert "'fatal': 0" in capsys.readouterr().out


def test_each_document_has_a_link():
    for kind in (path.stem for path in SCHEMAS.glob("*.json")):
        if (PAGE.parent / "json" / f"{kind}.md").is_file():
            assert f"](json/{kind}.md)" in TEXT


@pytest.mark.full
def test_the_piece_fits_the_level(tmp_path):
    path = tmp_path / "crate.yaml"
    path.write_text(changed_level(), encoding="utf-8")
    assert not [finding for finding in check(path) if "crate" in finding.where]
