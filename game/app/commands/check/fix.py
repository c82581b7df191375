"""`check --fix`: show the correction as a diff, ask, and write it into the level file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ....core.time_format import format_count
from ...launch.level_lookup import UserError, printable_name

if TYPE_CHECKING:
    from ....level import Finding
    from ....level.edit.autofix import AutofixResult

MAX_SHOWN_LINES = 200  # of a change, its description and what remains
_DIFF_COLOURS = {"+": "\033[32m", "-": "\033[31m", "@": "\033[36m"}
_RESET_COLOUR = "\033[0m"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="correct clear mistakes; asks before it writes")
    parser.add_argument("--yes", action="store_true", help="with --fix: write without asking")


def check_options(options: argparse.Namespace) -> None:
    """UserError for options that do not go together."""
    if options.yes and not options.fix:
        raise UserError("--yes needs --fix")


def run_autofix(name: str, options: argparse.Namespace, findings: list[Finding]) -> list[Finding]:
    """Correct the level of that name if the user agrees; the findings of its file afterwards."""
    from ....level import LevelError, find_level
    from ....level.edit import SaveError, backup_path, read_text, save_text, unified_diff
    from ....level.edit.autofix import autofix_level

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
        print(f"{shown}: --fix cannot change a file that cannot be read; correct that first")
        return findings
    if not fix.done:
        print(f"{shown}: nothing was fixed{_elsewhere(fix)}")
        return findings
    _print_lines(_colourise_diff(unified_diff(text, fix.text, shown)).splitlines(), "lines of this change", "")
    _print_lines(fix.done, "corrections")
    if fix.remaining:
        print(f"{shown}: {format_count(len(fix.remaining), 'finding')} left{_elsewhere(fix)}")
    count = format_count(len(fix.done), "correction")
    if not _confirm(options, f"{shown}: write {count}? [y/N] "):
        print(f"{shown}: nothing written of {count}" + ("" if _can_prompt() else " (--yes writes them)"))
        return findings
    try:
        save_text(path, fix.text, expected=text)
    except SaveError as error:
        raise UserError(str(error)) from None
    print(f"{shown}: {count} written; the text before is kept in {printable_name(backup_path(path).name)}")
    _print_lines([finding.render() for finding in fix.remaining], "findings", "")
    return list(fix.remaining)


def _elsewhere(fix: AutofixResult) -> str:
    """The number of findings that stay because they are in other files."""
    return f": {fix.elsewhere} in an included file (run `check --fix` on that file)" if fix.elsewhere else ""


def _print_lines(lines: Sequence[str], noun: str, indent: str = "  ") -> None:
    """Print the first MAX_SHOWN_LINES and the number of the others."""
    for line in lines[:MAX_SHOWN_LINES]:
        print(indent + (printable_name(line) if indent else line))
    if len(lines) > MAX_SHOWN_LINES:
        print(f"{indent}... and {len(lines) - MAX_SHOWN_LINES} more {noun}")


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
