"""`check --fix`: shows what would be mended, asks, and writes it into the level's file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..launch.level_lookup import UserError, printable_name

if TYPE_CHECKING:
    from ...level import Finding

_DIFF_COLOURS = {"+": "\033[32m", "-": "\033[31m", "@": "\033[36m"}
_RESET_COLOUR = "\033[0m"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What `check` takes for mending."""
    parser.add_argument("--fix", action="store_true", help="correct clear mistakes; asks before it writes")
    parser.add_argument("--yes", action="store_true", help="with --fix: write without asking")


def check_options(options: argparse.Namespace) -> None:
    """UserError where the options do not go together."""
    if options.yes and not options.fix:
        raise UserError("--yes needs --fix")


def run_autofix(name: str, options: argparse.Namespace, findings: list[Finding]) -> list[Finding]:
    """Mend the level of that name if its author agrees; what is wrong with its file afterwards."""
    from ...level import LevelError, find_level
    from ...level.edit import SaveError, backup_path, read_text, save_text, unified_diff
    from ...level.edit.autofix import autofix_level

    if not findings:
        return findings
    path = find_level(name)
    shown = printable_name(str(path))
    try:
        text = read_text(path)
        mended = autofix_level(path, text)
    except SaveError:
        return findings  # which say so
    except LevelError:
        print(f"{shown}: --fix cannot change a file that is not valid YAML; correct that first")
        return findings
    if not mended.done:
        for words in mended.kept_out:
            print(f"  {printable_name(words)}")
        print(f"{shown}: none of this can be fixed automatically")
        return findings
    print(_colourise_diff(unified_diff(text, mended.text, shown)), end="")
    for words in (*mended.done, *mended.kept_out):
        print(f"  {printable_name(words)}")
    count = mended.before - len(mended.left)
    what = f"{count} of {mended.before} finding{'' if mended.before == 1 else 's'}"
    if not _confirm(options, f"{shown}: write this change, which fixes {what}? [y/N] "):
        print(
            f"{shown}: nothing written; this change would fix {what}" + ("" if _can_prompt() else " (--yes writes it)")
        )
        return findings
    try:
        save_text(path, mended.text, expected=text)
    except SaveError as error:
        raise UserError(str(error), 1) from None
    print(f"{shown}: fixed {what}; the text before is kept in {printable_name(backup_path(path).name)}")
    for finding in mended.left:
        print(finding.render())
    return list(mended.left)


def _can_prompt() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _confirm(options: argparse.Namespace, question: str) -> bool:
    if options.yes:
        return True
    if not _can_prompt():
        return False
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def _colourise_diff(diff: str) -> str:
    """A diff as a terminal shows it: nothing in it that moves the cursor."""
    rows: Iterable[str] = ("".join(char if char.isprintable() else " " for char in row) for row in diff.split("\n"))
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        rows = (f"{_DIFF_COLOURS[row[0]]}{row}{_RESET_COLOUR}" if row[:1] in _DIFF_COLOURS else row for row in rows)
    return "\n".join(rows)
