"""`check --fix`: shows what would be mended, asks, and writes it into the level's file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..launch.level_lookup import UserError, harmless

if TYPE_CHECKING:
    from ...level import Finding

_COLOURS = {"+": "\033[32m", "-": "\033[31m", "@": "\033[36m"}
_PLAIN = "\033[0m"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What `check` takes for mending."""
    parser.add_argument("--fix", action="store_true", help="mend what is plainly meant otherwise; asks first")
    parser.add_argument("--yes", action="store_true", help="with --fix: write without asking")


def check_options(options: argparse.Namespace) -> None:
    """UserError where the options do not go together."""
    if options.yes and not options.fix:
        raise UserError("--yes goes with --fix: it writes what that would mend")


def fix(name: str, options: argparse.Namespace, findings: list[Finding]) -> list[Finding]:
    """Mend the level of that name if its author agrees; what is wrong with its file afterwards."""
    from ...level import LevelError, find_level
    from ...level.edit import NotSaved, backup_of, read, save, unified_diff
    from ...level.edit.autofix import mend

    if not findings:
        return findings
    path = find_level(name)
    shown = harmless(str(path))
    try:
        text = read(path)
        mended = mend(path, text)
    except NotSaved:
        return findings  # which say so
    except LevelError:
        print(f"{shown}: nothing is mended in a text that is no YAML; mend that first")
        return findings
    if not mended.done:
        for words in mended.kept_out:
            print(f"  {harmless(words)}")
        print(f"{shown}: nothing of this can be mended without you")
        return findings
    print(_coloured(unified_diff(text, mended.text, shown)), end="")
    for words in (*mended.done, *mended.kept_out):
        print(f"  {harmless(words)}")
    count = mended.before - len(mended.left)
    what = f"{count} of {mended.before} finding{'' if mended.before == 1 else 's'}"
    if not _agreed(options, f"{shown}: write this, which mends {what}? [y/N] "):
        print(f"{shown}: nothing is written; this would mend {what}" + ("" if _asks() else " (--yes writes it)"))
        return findings
    try:
        save(path, mended.text, expected=text)
    except NotSaved as error:
        raise UserError(str(error), 1) from None
    print(f"{shown}: mended {what}; the text before is in {harmless(backup_of(path).name)}")
    for finding in mended.left:
        print(finding.render())
    return list(mended.left)


def _asks() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _agreed(options: argparse.Namespace, question: str) -> bool:
    if options.yes:
        return True
    if not _asks():
        return False
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def _coloured(diff: str) -> str:
    """A diff as a terminal shows it: nothing in it that moves the cursor."""
    rows: Iterable[str] = ("".join(char if char.isprintable() else " " for char in row) for row in diff.split("\n"))
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        rows = (f"{_COLOURS[row[0]]}{row}{_PLAIN}" if row[:1] in _COLOURS else row for row in rows)
    return "\n".join(rows)
