"""Writes a course by a seed as a level file: `python -m ellipsoid_walker.sim.generator SEED DIFFICULTY FILE.yaml`."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from ...core import atomic_files
from ..bots.reach_graph import keep_graph
from .proof import proven_course


def main(arguments: list[str] | None = None) -> int:
    """Write the file, and keep the distances of the level; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m ellipsoid_walker.sim.generator", description=__doc__)
    parser.add_argument("seed", type=int, help="0 to 2^61; each has a course of its own")
    parser.add_argument("difficulty", type=int, help="0 to 10")
    parser.add_argument("file", type=Path, help="level file to write")
    parser.add_argument("--force", action="store_true", help="replace the file if it is there")
    options = parser.parse_args(arguments)
    if options.file.exists() and not options.force:
        print(f"{options.file} is there already; --force replaces it", file=sys.stderr)
        return 2
    try:
        course, commands = proven_course(options.seed, options.difficulty)
        atomic_files.write_atomic(options.file, course.text.encode())
    except (ValueError, OSError) as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 2
    with contextlib.suppress(OSError):  # else its distances are found again
        keep_graph(course.level, course.graph)
    seconds = len(commands) / course.level.player.ticks_per_second
    print(f"{options.file}: {course.name}, {', '.join(course.kinds)}; a bot walks it in {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
