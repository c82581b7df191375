"""`check`: print the findings of levels, with file, line, column and cure."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.errors import WalkerError
from ....core.time_format import format_count
from ....core.user_folders import has_level_suffix
from ...launch import crash_report, standard_output
from ...launch.level_lookup import UserError, level_files, printable_name
from ...launch.output_check import refuse_input
from ..argument_types import LEVELS_HELP, parse_level, parse_output
from . import fix, walk

UNREADABLE_STATUS = 2  # of a level that cannot be read

if TYPE_CHECKING:
    from ....level import Finding, Level
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


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `check`."""
    parser.add_argument("levels", type=parse_level, nargs="+", metavar="LEVEL", help=LEVELS_HELP)
    parser.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
    standard_output.add_json_option(parser)
    parser.add_argument(
        "--sarif", type=parse_output, metavar="FILE", help="write the findings as SARIF, for GitHub and editors"
    )
    fix.add_options(parser)
    walk.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the findings of each level; the largest exit status."""
    fix.check_options(options)
    walk.check_options(options)
    if options.sarif is not None:
        from ....core import atomic_files

        _check_sarif_name(options.sarif)
        atomic_files.check_target(options.sarif)
    checked: list[CheckedLevel] = []
    with standard_output.text_output(options.json):
        status = _run_checks(options, checked)
    if options.json:
        from ....reports.documents import check_fields

        standard_output.print_document("check", check_fields(checked, status))
    return status


def _check_sarif_name(path: Path) -> None:
    """UserError for the name of a level, which a report must not replace."""
    if has_level_suffix(path) or has_level_suffix(os.path.realpath(path)):
        raise UserError(f"{path}: the report must not have the name of a level; write .sarif")


def _refuse_inputs(options: argparse.Namespace, files: Iterable[str | Path]) -> None:
    """UserError where an output is one of the files of the levels."""
    files = tuple(files)
    refuse_input(options.sarif, files, "--sarif")
    refuse_input(options.map, files, "--map")


def _run_checks(options: argparse.Namespace, checked: list[CheckedLevel]) -> int:
    """Check each level, add the results to `checked`, and write the SARIF file; the largest exit status."""
    from ....reports.documents import CheckedLevel
    from ....testing.level_files import select_levels

    selection = select_levels(options.levels, tests_as_levels=False)
    _refuse_inputs(options, selection.paths)
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
    if options.sarif is not None:
        from ....core import atomic_files
        from ....reports.documents import encode_sarif

        findings = [finding for level in checked for finding in level.findings]
        atomic_files.write_atomic(options.sarif, encode_sarif(findings, Path.cwd()))
        print(f"findings: {printable_name(str(options.sarif))}")
    if selection.missing:
        raise UserError(f"{printable_name(selection.missing[0])}: no level in this folder")
    return max(level.status for level in checked)


def _check_level(name: str, options: argparse.Namespace, explorations: walk.Explorations | None) -> CheckedLevel:
    from ....level import Finding, find_level, load, severity_exit_code
    from ....level.loader import check_file
    from ....reports.documents import CheckedLevel

    findings, level, failures = check_file(name)
    failures = list(failures)
    _refuse_inputs(options, () if level is None else level_files(level))
    for finding in findings:
        print(finding.render())
    if options.fix:
        findings = fix.run_autofix(name, options, findings)
    findings += _check_replays(name, findings)
    if (options.walk or options.map is not None) and not any(finding.severity == "fatal" for finding in findings):
        loaded, report, found = load(name), None, list[Finding]()
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
    print(f"{printable_name(file)}: {count_by_severity(findings)}")
    status = max(severity_exit_code(findings, options.strict), 1 if failures else 0)
    return CheckedLevel(printable_name(file), status, tuple(findings))


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
    from ....testing.walk_inputs import check_replays

    found = check_replays(load(name))
    for finding in found:
        print(finding.render())
    return found


def count_by_severity(findings: Iterable[Finding]) -> str:
    """Counts such as `1 fatal, 2 warnings`, or `nothing wrong`."""
    counts: Counter[str] = Counter(finding.severity for finding in findings)
    names = {"fatal": "fatal", "dropped": "dropped", "warning": "warning" if counts["warning"] == 1 else "warnings"}
    return ", ".join(f"{counts[kind]} {name}" for kind, name in names.items() if counts[kind]) or "nothing wrong"
