"""`check`: print the findings of levels, with file, line, column and cure; with `--fix`, correct clear mistakes."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.errors import WalkerError
from ....core.time_format import format_count
from ....core.user_folders import has_level_suffix
from ...launch import crash_report
from ...launch.level_lookup import UserError, level_files, printable_name, printable_text
from ..frame import UNREADABLE_STATUS, Result, add_json, add_levels, add_need, add_output, refuse_inputs
from . import walk

if TYPE_CHECKING:
    from ....level import Finding, Level
    from ....level.edit.autofix import AutofixResult
    from ....reports.documents import CheckedLevel

SUMMARY = "list the errors in levels"
HELP = """\
List the errors and warnings in levels: file, line and column, the line itself, and how to fix it.

exit status: 0 no errors (with --strict: and no warnings)
             1 the level can be read, but parts of it are left out
             2 the level cannot be read, or an output cannot be written
With several levels, the highest status is returned. A folder stands for all levels in it and below it.

--fix corrects misspelt names with one similar name, adds surfaces that are used but not defined, and a missing
`format`. It changes nothing else in the file. It shows the change and asks before it writes (without a terminal it only
shows the change, unless --yes is given). The text before is kept next to the file as .NAME.before. The exit status is
that of the corrected file.

--walk lets bots explore the levels, with -n in several processes, one level in each. The findings are the same.

--json prints one JSON document (docs/json/check.md) on standard output, and the usual text on standard error. --sarif
writes the findings as SARIF 2.1.0, which GitHub and editors show beside the lines of the file."""


MAX_SHOWN_LINES = 200  # of a change, its description and what remains


def add_options(parser: argparse.ArgumentParser) -> None:
    add_levels(parser)
    parser.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
    add_json(parser)
    add_output(parser, "write the findings as SARIF, for GitHub and editors", option="--sarif")
    parser.add_argument("--fix", action="store_true", help="correct clear mistakes; asks before it writes")
    parser.add_argument("--yes", action="store_true", help="with --fix: write without asking")
    add_need(parser, "--yes", "--fix")
    walk.add_options(parser)


def run(options: argparse.Namespace) -> Result:
    """Print the findings of each level, and write the SARIF file; the largest exit status."""
    from ....reports.documents import CheckedLevel, check_fields, encode_sarif
    from ....testing.level_files import select_levels

    walk.check_options(options)
    sarif: Path | None = options.sarif
    if sarif is not None and (has_level_suffix(sarif) or has_level_suffix(os.path.realpath(sarif))):
        raise UserError(f"{sarif}: the report must not have the name of a level; write .sarif")
    checked: list[CheckedLevel] = []
    selection = select_levels(options.levels, tests_as_levels=False)
    refuse_inputs(options, selection.paths)
    with walk.open_explorations(options, selection.paths) as explorations:
        for name in selection.paths:
            failures: list[Exception] = []
            with _kept_failure(f"{printable_name(str(name))}: reading the level", failures):
                checked.append(_check_level(name, options, explorations))
            if failures:
                _report_failures(failures)
                checked.append(CheckedLevel(printable_name(str(name)), UNREADABLE_STATUS, ()))
    if selection.skipped:
        print(f"{format_count(selection.skipped, 'other YAML file')} skipped: a level has `format:` at its top level")
    if sarif is not None:
        from ....core import atomic_files

        findings = [finding for level in checked for finding in level.findings]
        atomic_files.write_atomic(sarif, encode_sarif(findings, Path.cwd()))
        print(f"findings: {printable_name(str(sarif))}")
    if selection.missing:
        raise UserError(f"{selection.missing[0]}: no level in this folder")
    return Result(max(level.status for level in checked), fields=lambda: check_fields(checked))


def _check_level(name: str, options: argparse.Namespace, explorations: walk.Explorations | None) -> CheckedLevel:
    from ....level import Finding, find_level, load, severity_exit_code
    from ....level.loader import check_file
    from ....reports.documents import CheckedLevel

    findings, level, failures = check_file(name)
    failures, report = list(failures), None
    refuse_inputs(options, () if level is None else level_files(level))
    for finding in findings:
        print(finding.render())
    if options.fix:
        findings = _fix_level(name, options, findings)
    findings += _check_replays(name, findings)
    if (options.walk or options.map is not None) and not any(finding.severity == "fatal" for finding in findings):
        loaded, found = load(name), list[Finding]()
        if options.walk:
            with _kept_failure("--walk", failures):
                report, found = walk.run_walk(name, loaded, options, findings, explorations)
        if options.map is not None:
            with _kept_failure("--map", failures):
                walk.draw_map(loaded, report, found, options.map)
        findings += found
    if level is not None:
        _print_pictures(level)
    _report_failures(failures)
    file = str(find_level(name))
    failed = f"; {format_count(len(failures), 'check')} failed" if failures else ""
    counts = count_by_severity(findings)
    if not findings and report is not None and not report.is_complete:
        counts = "nothing found in what was searched"
    print(f"{printable_name(file)}: {counts}{failed}")
    status = max(severity_exit_code(findings, options.strict), 1 if failures else 0)
    return CheckedLevel(printable_name(file), status, tuple(findings), options.walk, report)


def _report_failures(failures: Iterable[Exception]) -> None:
    for failure in failures:
        print(crash_report.write_crash_report(failure, sys.argv[1:], what="A check failed"), file=sys.stderr)


@contextlib.contextmanager
def _kept_failure(what: str, failures: list[Exception]) -> Iterator[None]:
    """A block whose error, if it is one of the program, is printed and kept, so that the rest is reported."""
    try:
        yield
    except (OSError, MemoryError, WalkerError):
        raise
    except Exception as error:
        print(f"{what} failed ({crash_report.summarise_exception(error)}); all else is reported")
        failures.append(error)


def _print_pictures(level: Level) -> None:
    """Print the number of pictures and their video memory; nothing for a level without pictures."""
    if any(surface.pbr is not None and surface.pbr.maps for surface in level.surfaces):
        from ....level.lint.faces import TEXTURE_BUDGET, texture_bytes

        count, size = texture_bytes(level.surfaces)
        print(f"{format_count(count, 'picture')}: {size / 2**20:.1f} of {TEXTURE_BUDGET >> 20} MiB of video memory")


def _check_replays(name: str, findings: list[Finding]) -> list[Finding]:
    """Print and return the findings of the replays in a level's tests. A level without replays is not loaded."""
    from ....core.file_reading import REPLAY_SUFFIX
    from ....level import find_level, load
    from ....level.format.file_access import is_tests_file, tests_path

    path = find_level(name)
    if is_tests_file(path) or any(finding.severity == "fatal" for finding in findings):
        return []
    texts = [file.read_bytes() for file in (path, tests_path(path)) if file.is_file()]
    if not any(REPLAY_SUFFIX.encode() in text.lower() for text in texts):
        return []
    from ....testing.walks import check_replays

    found = check_replays(load(name))
    for finding in found:
        print(finding.render())
    return found


def count_by_severity(findings: Iterable[Finding]) -> str:
    """Counts such as `1 fatal, 2 warnings`, or `nothing wrong`."""
    counts: Counter[str] = Counter(finding.severity for finding in findings)
    names = {"fatal": "fatal", "dropped": "dropped", "warning": "warning" if counts["warning"] == 1 else "warnings"}
    return ", ".join(f"{counts[kind]} {name}" for kind, name in names.items() if counts[kind]) or "nothing wrong"


# ---- Corrections


def _fix_level(name: str, options: argparse.Namespace, findings: list[Finding]) -> list[Finding]:
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
    rows = unified_diff(text, fix.text, shown).replace("\r\n", "\n").expandtabs().rstrip("\n").split("\n")
    _print_lines([printable_text(row) for row in rows], "lines of this change", "")
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
