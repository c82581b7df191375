"""Make the pictures of docs/results.md with the commands of the page: `python -m tools.docs.pictures.results`."""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from game.app.commands.command_line import main as walker
from tools.docs.pictures.shared import DOCS, ROOT

PAGE = ROOT / "docs" / "results.md"
PIECE = re.compile(r"```yaml\n(  - box: .*\n)```")


def commands() -> list[list[str]]:
    """The words of each command of the page, without `python run_game.py`."""
    lines = re.findall(r"^python run_game\.py (.*)$", PAGE.read_text(encoding="utf-8"), re.M)
    return [shlex.split(line, comments=True) for line in lines]


def changed_level() -> str:
    """The level that the page makes from the demo level."""
    piece = PIECE.search(PAGE.read_text(encoding="utf-8"))
    assert piece is not None, "the page has no piece for the demo level"
    text = (ROOT / "levels" / "demo.yaml").read_text(encoding="utf-8")
    assert text.count("\npieces:\n") == 1
    return text.replace("\npieces:\n", f"\npieces:\n{piece[1]}")


def main() -> int:
    folder = DOCS / "results"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        os.symlink(ROOT / "levels", "levels")
        os.symlink(ROOT / "docs", "docs")
        Path("crate.yaml").write_text(changed_level(), encoding="utf-8")
        for words in commands():
            if words[0] == "record" or any(word.startswith("docs/pictures/") for word in words):
                assert walker(words) in (0, 1), words
        os.chdir(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
