"""The verb `check`: what is wrong with levels, and where."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..launch.level_lookup import entrance, harmless
from . import check_fix, check_walk

if TYPE_CHECKING:
    from ...level import Finding

TEXT = """\
Read levels and list what is wrong in them: file, line and column, the line itself, and what to do.

status: 0 nothing wrong, or warnings only (with --strict: 1)
        1 the level can be read, but parts of it had to be left out
        2 it cannot be read as a level
Of several levels the largest status counts.

--fix mends what was plainly meant otherwise: misspelt names with one that is near, units and decimal commas, surfaces
that are used and nowhere described, corners of quads that are out of order, doubled or a little off the plane. It
changes nothing else in the file, shows the change, asks (without a terminal it only shows; --yes writes), and keeps
the text before beside the file as .NAME.before. The status is that of the file as it is then."""

_LEVEL_HELP = "path of a level file, or the name of a level that comes with the game (demo)"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What `check` takes on its command line."""
    parser.add_argument("levels", nargs="+", metavar="LEVEL", help=_LEVEL_HELP)
    parser.add_argument("--strict", action="store_true", help="status 1 for warnings too")
    check_fix.add_options(parser)
    check_walk.add_options(parser)


def check(options: argparse.Namespace) -> int:
    """List the findings of each level; the largest status."""
    check_fix.check_options(options)
    check_walk.check_options(options)
    return max(_check(entrance(name), options) for name in options.levels)


def _check(name: str, options: argparse.Namespace) -> int:
    from ...level import check, find_level, severity_exit_code

    findings = check(name)
    for finding in findings:
        print(finding.render())
    if options.fix:
        findings = check_fix.fix(name, options, findings)
    findings += check_walk.further(name, options, findings)
    print(f"{harmless(str(find_level(name)))}: {counted(findings)}")
    return severity_exit_code(findings, options.strict)


def counted(findings: Iterable[Finding]) -> str:
    """How many there are of each severity, in words."""
    counts = Counter(finding.severity for finding in findings)
    said = ", ".join(f"{counts[kind]} {kind}" for kind in ("fatal", "dropped", "warning") if counts[kind])
    return said or "nothing wrong"
