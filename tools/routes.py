"""Make the graphs of walkable distances of the shipped levels with a goal: levels/routes.

    python -m tools.routes            # those that are missing; files that no level needs are removed
    python -m tools.routes demo       # those of levels whose names are given, again

Bots explore each level, which takes 4 to 80 s of a core. Run the tool after a change that a walk can notice.
"""

from __future__ import annotations

import sys
from pathlib import Path

from game import shipped
from game.level import Level, load
from game.sim.bots import walk_graphs

FOLDER = shipped("levels") / walk_graphs.SHIPPED_FOLDER


def level_paths() -> list[Path]:
    """The files of the shipped levels."""
    paths = sorted(shipped("levels").rglob("*.yaml"))
    return [path for path in paths if "prefabs" not in path.parts and ".tests" not in path.name]


def has_end(level: Level) -> bool:
    """Whether there is something to walk to."""
    return level.goal is not None or level.golf is not None


def main(again: list[str]) -> int:
    needed = set()
    for level_path in level_paths():
        name, level = level_path.relative_to(shipped("levels")).with_suffix("").as_posix(), load(level_path)
        if not has_end(level):
            continue
        path = FOLDER / walk_graphs.file_name(level)
        needed.add(path)
        if name not in again and path.exists():
            continue
        path = walk_graphs.keep_graph(level, walk_graphs.make_graph(level), FOLDER)
        print(f"{name}: {path.name}, {path.stat().st_size // 1000} kB", flush=True)
    for path in set(Path(FOLDER).glob("*.npz")) - needed:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
