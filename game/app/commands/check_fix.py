"""`check --fix`: show the correction as a diff, ask, and write it into the level file."""

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
    """Add the options of `check --fix`."""
    parser.add_argument("--fix", action="store_true", help="correct clear mistakes; asks before it writes")
    parser.add_argument("--yes", action="store_true", help="with --fix: write without asking")


def check_options(options: argparse.Namespace) -> None:
    """UserError for options that do not go together."""
    if options.yes and not options.fix:
        raise UserError("--yes needs --fix")


def run_autofix(name: str, options: argparse.Namespace, findings: list[Finding]) -> list[Finding]:
    """Correct the level of that name if the user agrees; the findings of its file afterwards."""
    from ...level import LevelError, find_level
    from ...level.edit import SaveError, backup_path, read_text, save_text, unified_diff
    from ...level.edit.autofix import autofix_level

    if not findings:
        return findings
    path = find_level(name)
    shown = printable_name(str(path))
    try:
        text = read_text(path)
        fix = autofix_level(path, text)
    except SaveError:
        return findings  # they name the error
    except LevelError:
        print(f"{shown}: --fix cannot change a file that is not valid YAML; correct that first")
        return findings
    if not fix.done:
        for description in fix.rejected:
            print(f"  {printable_name(description)}")
        print(f"{shown}: none of this can be fixed automatically")
        return findings
    print(_colourise_diff(unified_diff(text, fix.text, shown)), end="")
    for description in (*fix.done, *fix.rejected):
        print(f"  {printable_name(description)}")
    count = fix.before - len(fix.remaining)
    fixed = f"{count} of {fix.before} finding{'' if fix.before == 1 else 's'}"
    if not _confirm(options, f"{shown}: write this change, which fixes {fixed}? [y/N] "):
        print(
            f"{shown}: nothing written; this change would fix {fixed}" + ("" if _can_prompt() else " (--yes writes it)")
        )
        return findings
    try:
        save_text(path, fix.text, expected=text)
    except SaveError as error:
        raise UserError(str(error), 1) from None
    print(f"{shown}: fixed {fixed}; the text before is kept in {printable_name(backup_path(path).name)}")
    for finding in fix.remaining:
        print(finding.render())
    return list(fix.remaining)


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
    """A diff with colours on a terminal, without control characters of its own."""
    rows: Iterable[str] = ("".join(char if char.isprintable() else " " for char in row) for row in diff.split("\n"))
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        rows = (f"{_DIFF_COLOURS[row[0]]}{row}{_RESET_COLOUR}" if row[:1] in _DIFF_COLOURS else row for row in rows)
    return "\n".join(rows)
