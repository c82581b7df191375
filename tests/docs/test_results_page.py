"""docs/results.md: its commands exist with their options, its example runs, its comparison has the stated result."""

from __future__ import annotations

import re
import subprocess
from types import SimpleNamespace

import pytest
import yaml

from game.app.commands.command_line import build_parser, main
from game.level import check
from game.reports.json_documents import SCHEMA_VERSIONS
from game.sim.command_script import parse_script
from tools.docs.pictures.results import PAGE, changed_level, commands
from tools.docs.pictures.shared import ROOT

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_the_commands_exist(words):
    assert build_parser().parse_args(words).verb == words[0]


def test_the_pictures_are_those_of_the_commands():
    made = {word for words in commands() for word in words if word.startswith("docs/pictures/")}
    shown = {f"docs/{target}" for target in re.findall(r"\]\((pictures/[^)]+)\)", TEXT)}
    assert made == shown == {path.relative_to(ROOT).as_posix() for path in (PAGE.parent / "pictures/results").iterdir()}


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
    (text,) = re.findall(r"```yaml\n(name: levels\n.*?)```", TEXT, re.S)
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    runs = [step["run"].split() for step in workflow["jobs"]["levels"]["steps"] if "run" in step]
    verbs = [build_parser().parse_args(words[1:]).verb for words in runs if words[0] == "walker"]
    assert verbs == ["check", "test", "fuzz"]


def test_the_python_example_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)

    def run(call, **_):
        main(call[2:])
        return SimpleNamespace(stdout=capsys.readouterr().out)

    monkeypatch.setattr(subprocess, "run", run)
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    exec(compile(code, "results.md", "exec"), {})
    assert "'fatal': 0" in capsys.readouterr().out


def test_each_document_has_a_link():
    for kind in SCHEMA_VERSIONS:
        if (PAGE.parent / "json" / f"{kind}.md").is_file():
            assert f"](json/{kind}.md)" in TEXT


def test_the_piece_fits_the_level(tmp_path):
    path = tmp_path / "crate.yaml"
    path.write_text(changed_level(), encoding="utf-8")
    assert not [finding for finding in check(path) if "crate" in finding.where]
