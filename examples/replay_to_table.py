"""Replay to a table: record a run, verify it, and write one row for each tick."""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

from ellipsoid_walker.level import load
from ellipsoid_walker.physics import Command
from ellipsoid_walker.sim import History, World, read_replay, verify

FIELDS = ("tick", "seconds", "x", "y", "z", "speed", "grounded", "forward", "jump")


def record(path: Path) -> None:
    """Five seconds in a level, with a jump each second."""
    world = World(load("surfaces"))
    history = History(world)
    for tick in range(300):
        history.step(Command(forward=1.0, heading=world.start.heading, jump=tick % 60 == 30))
    history.save(path, note="an example")


def main(folder: Path) -> Path:
    """Write run.replay and run.csv into a folder; the path of the table."""
    replay_path, table = folder / "run.replay", folder / "run.csv"
    record(replay_path)
    replay = read_replay(replay_path)
    result = verify(replay, lambda part: load("surfaces"))
    print(f"{replay.ticks} ticks, {'the same again' if result.divergence is None else result.divergence}")
    with table.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(FIELDS)
        for part in replay.parts:
            for block in part.blocks:
                for state, command in zip(block.states[1:], block.commands, strict=True):
                    x, y, z = state["position"].tolist()
                    speed = float((state["velocity"] ** 2).sum() ** 0.5)
                    seconds = state["tick"] / part.ticks_per_second
                    buttons = int(command["buttons"])
                    rows.writerow(
                        (state["tick"], seconds, x, y, z, speed, state["grounded"], command["forward"], buttons & 1)
                    )
    print(table)
    return table


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
