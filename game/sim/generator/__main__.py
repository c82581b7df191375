"""Writes a course by a seed as a level file: `python -m ellipsoid_walker.sim.generator SEED DIFFICULTY FILE.yaml`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...core import atomic_files
from ..bots.walk_graphs import keep_graph
from .proof import proven_course


def main(arguments: list[str] | None = None) -> int:
    """Write the file, and keep the distances of the level; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m ellipsoid_walker.sim.generator", description=__doc__)
    parser.add_argument("seed", type=int, help="0 or more; each has a course of its own")
    parser.add_argument("difficulty", type=int, help="0 to 10")
    parser.add_argument("file", type=Path, help="level file to write")
    options = parser.parse_args(arguments)
    try:
        course, commands = proven_course(options.seed, options.difficulty)
        atomic_files.write_atomic(options.file, course.text.encode())
    except (ValueError, OSError) as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 2
    keep_graph(course.level, course.graph)
    seconds = len(commands) / course.level.player.ticks_per_second
    print(f"{options.file}: {course.name}, {', '.join(course.kinds)}; a bot walks it in {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
