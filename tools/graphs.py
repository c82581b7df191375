"""Write the graphs of the shipped levels that bots explore for more than a few seconds.

    python -m tools.graphs

Each is a file in levels/graphs, named by the hash of its level. Those of earlier versions of a level are removed. A
graph is the same on any machine. Run it again after a change of such a level, or of the search by bots.
"""

from __future__ import annotations

from game import shipped
from game.core.jobs import map_in_processes
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.sim.bots.explored_graph import make_graph
from game.sim.bots.reach_graph import file_name

LEVELS = ("ballroom", "demo", "escher", "lab", "lifts", "surfaces", "waters", "golf/one", "golf/two", "golf/three")
PROCESSES = 2


def graph_file(name: str) -> tuple[str, bytes]:
    """Name and content of the file of a level."""
    level = load(SHIPPED_LEVELS / f"{name}.yaml")
    return file_name(level), make_graph(level).to_bytes()


def main() -> None:
    folder = shipped("levels") / "graphs"
    folder.mkdir(exist_ok=True)
    files = {}
    for level, (name, data) in zip(LEVELS, map_in_processes(graph_file, LEVELS, PROCESSES), strict=True):
        (folder / name).write_bytes(data)
        files[name] = level
        print(f"{level}: {name}, {len(data)} bytes")
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()


if __name__ == "__main__":
    main()
