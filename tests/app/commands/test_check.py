"""`check`: the line on pictures; what `--fix` shows, asks, writes and leaves, on a terminal and without one."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from PIL import Image

from game.app.commands.check.walk import check_options
from game.app.commands.command_line import main
from game.app.launch.level_lookup import UserError
from tests.support import full_disk

ROOT = Path(__file__).resolve().parents[3]

GOOD = """\
# My level: größer
format: 1
spawn: {at: [0, 0, 4]}   # here
surfaces:
  stone: {colour: grey}
pieces:
  - floor: {from: [-5, -5], to: [5, 5], surface: stone}  # ground

  - pillar: {at: [1, 0, 0], height: 2}
"""
WRONG = GOOD.replace("from:", "form:").replace("stone}  #", "ston}  #").replace("height: 2", "hight: 2")


@pytest.fixture
def level(tmp_path, monkeypatch):
    path = tmp_path / "mine.yaml"
    path.write_bytes(WRONG.encode())
    monkeypatch.chdir(tmp_path)
    return path


def names(path):
    return sorted(entry.name for entry in path.parent.iterdir())


def test_check_fix_only_shows_the_changes_without_a_terminal(level, capsys):
    assert main(["check", "mine.yaml", "--fix"]) == 1
    output = capsys.readouterr().out
    assert "-  - floor: {form: [-5, -5], to: [5, 5], surface: ston}  # ground\n" in output
    assert "+  - floor: {from: [-5, -5], to: [5, 5], surface: stone}  # ground\n" in output
    assert "  line 7, column 13: `form` is now `from`\n" in output
    assert "mine.yaml: nothing written of 3 corrections (--yes writes them)" in output
    assert "\033" not in output
    assert level.read_bytes() == WRONG.encode()
    assert names(level) == ["mine.yaml"]


def test_yes_writes_and_keeps_the_text_before(level, capsys):
    assert main(["check", "mine.yaml", "--fix", "--yes"]) == 0
    output = capsys.readouterr().out
    assert "the text before is kept in .mine.yaml.before" in output
    assert output.endswith("mine.yaml: nothing wrong\n")
    assert level.read_text("utf-8") == GOOD
    assert (level.parent / ".mine.yaml.before").read_bytes() == WRONG.encode()
    assert names(level) == [".mine.yaml.before", "mine.yaml"]
    assert main(["check", "mine.yaml", "--fix", "--yes"]) == 0
    assert capsys.readouterr().out == "mine.yaml: nothing wrong\n"
    assert (level.parent / ".mine.yaml.before").read_bytes() == WRONG.encode(), "nothing to mend is no session"


def test_remaining_findings_are_listed_and_set_the_status(level, capsys):
    level.write_bytes((WRONG + "  - pillar: {at: [3, 0, 0], glow: 3}\n").encode())
    assert main(["check", "mine.yaml", "--fix", "--yes"]) == 1
    after = capsys.readouterr().out.split("the text before is kept in .mine.yaml.before\n")[1]
    assert "there is no field `glow`" in after
    assert "form" not in after.split("the fields of")[0]
    assert after.endswith("mine.yaml: 1 dropped\n")


def test_findings_that_cannot_be_fixed(level, capsys, tmp_path):
    for text, words, status in (
        (GOOD + "  - pillar: {at: [3, 0, 0], glow: 3}\n", "nothing was fixed", 1),
        ("format: [", "--fix cannot change a file that cannot be read", 2),
        ("", "--fix cannot change a file that cannot be read", 2),
    ):
        level.write_text(text)
        assert main(["check", "mine.yaml", "--fix", "--yes"]) == status
        assert words in capsys.readouterr().out
        assert level.read_text() == text
    level.write_bytes(b"\xff\xff")
    assert main(["check", "mine.yaml", "--fix", "--yes"]) == 2
    assert main(["check", "nowhere.yaml", "--fix"]) == 2
    assert main(["check", str(tmp_path), "--fix"]) == 2
    assert names(level) == ["mine.yaml"]


def test_fix_changes_no_level_while_other_processes_explore_it():
    for number in (None, 1):
        check_options(Namespace(n=number, fix=True, map=None, levels=["a", "b"]))
    with pytest.raises(UserError, match="run --fix first, then --walk"):
        check_options(Namespace(n=2, fix=True, map=None, levels=["a", "b"]))


def test_a_file_that_cannot_be_written(level):
    said = io.StringIO()  # the captured output of a test is a file
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), full_disk.full_disk():
        assert main(["check", "mine.yaml", "--fix", "--yes"]) == 2
    assert f"mine.yaml cannot be written: {full_disk.MESSAGE}" in said.getvalue()
    assert level.read_bytes() == WRONG.encode()
    assert names(level) == ["mine.yaml"]


@pytest.mark.parametrize(("answer", "written"), [("y\n", True), ("n\n", False), ("\n", False), ("\x04", False)])
@pytest.mark.full
def test_check_fix_asks_on_a_terminal_before_it_writes(level, answer, written):
    there, here = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, str(ROOT / "run_game.py"), "check", "mine.yaml", "--fix"],
        stdin=here, stdout=here, stderr=here, cwd=level.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
    )  # fmt: skip
    os.close(here)
    output = b""
    while b"[y/N] " not in output:
        output += os.read(there, 4096)
    os.write(there, answer.encode())
    try:
        while part := os.read(there, 4096):
            output += part
    except OSError:  # the terminal's other end is closed: all is said
        pass
    assert child.wait(60) == (0 if written else 1)
    os.close(there)
    assert b"\n+  - floor: {from:" in output
    assert b"\n-  - floor: {form:" in output
    assert level.read_bytes() == (GOOD if written else WRONG).encode()
    assert (b"nothing written" in output) == (not written)
    assert b"Traceback" not in output


def test_a_level_with_pictures_has_a_line_on_video_memory(tmp_path, capsys):
    Image.new("RGB", (512, 512)).save(tmp_path / "p.png")
    level = tmp_path / "level.yaml"
    pieces = "pieces: [floor: {from: [-9, -9], to: [9, 9], surface: s}]\n"
    level.write_text(f"format: 1\nspawn: {{at: [0, 0, 0]}}\nsurfaces: {{s: {{picture: p.png}}}}\n{pieces}")
    assert main(["check", str(level)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 picture: 1.3 of 512 MiB of video memory", f"{level}: nothing wrong",
    ]  # fmt: skip
    level.write_text(f"format: 1\nspawn: {{at: [0, 0, 0]}}\nsurfaces: {{s: {{texture: brick}}}}\n{pieces}")
    assert main(["check", str(level)]) == 0
    assert "picture" not in capsys.readouterr().out.replace(str(level), "")
