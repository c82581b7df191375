"""Golden hashes: `python -m tools.verify.golden` writes what the physics gives now, `--check` compares.

Beside the hashes, `records.json` keeps for each walk the hashes of its level and its commands and the version of the
rules. A changed hash of the same level and commands is a change of the rules: it is written only after `RULES_VERSION`
in `game/sim/replay/fingerprint.py` was raised.

A hash covers every state of a walk, to the last bit. The file is kept by system and processor type: on another kind of
machine nothing is promised, and a line of its own is added there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from game.core import atomic_files
from game.level import load
from game.physics import Command, TriangleMesh, Walker, WalkerSettings
from game.sim import World, command_script, headless_run
from game.sim.replay import fingerprint
from tests.support import scenes

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "golden"
HASHES, RECORDS = "hashes.json", "records.json"
LEVELS = ROOT / "levels"
TICKS = 1200
SWINGS = """
25 forward 1    # to the ball
30 use
9 use jump      # cancels the swing
5 jump
35 forward -1
9 use jump      # away from the ball
60
34 forward 1    # to the ball
40 use
34 use strafe 1 # a step aside
1               # a stroke
9 jump
200
"""


def restless(walker: Walker, ticks: int, seed: int) -> list[Command]:
    """Random commands of all kinds, from a seed."""
    rng = np.random.default_rng(seed)
    heading, turn, wish, keys = 0, 0, (0.0, 0.0), (False, False, False)
    made = []
    for tick in range(ticks):
        if tick % 25 == 0:
            turn = int(rng.choice([0, 0, 40, -40, 300, -900]))
            wish = (float(rng.choice([1.0, 1.0, 0.5, -1.0])), float(rng.choice([0.0, 0.0, 1.0, -1.0])))
            draws = rng.random(3)
            keys = (bool(draws[0] < 0.3), bool(draws[1] < 0.2), bool(draws[2] < 0.4))
        heading += turn
        made.append(Command(*wish, heading, 0, *keys))
    return made


def _yard() -> TriangleMesh:
    """Stairs, a ramp, a slope that is too steep, boxes, a low ceiling and an acute corner on a tiled floor."""
    return scenes.mesh(
        scenes.floor(-12.0, -12.0, 12.0, 12.0, tiles=12),
        scenes.stairs(0.18, 0.30, 8, z=-2.0),
        scenes.turned(scenes.ramp(30.0, 5.0, 4.0, z=-3.0), 90.0),
        scenes.turned(scenes.ramp(55.0, 4.0, 4.0, z=-3.0), 180.0),
        scenes.box(3.0, 0.0, 1.0, 4.0, 0.35, 2.0),
        scenes.box(2.0, 1.3, 2.5, 5.0, 1.5, 5.0),
        scenes.wall(4.0, -4.0, 6.0, -9.0, 3.0),
        scenes.wall(6.0, -9.0, 6.5, -4.0, 3.0),
        *(scenes.turned(scenes.wall(-12.0, -12.0, 12.0, -12.0, 4.0), 90.0 * k) for k in range(4)),
    )


def _pit() -> TriangleMesh:
    """A small floor high above another one, for repeated falls."""
    low = scenes.floor(-40.0, -40.0, 40.0, 40.0, tiles=5)
    return scenes.mesh(scenes.floor(-2.0, -2.0, 2.0, 2.0, 4.0, tiles=3), low)


SCENES: dict[str, tuple[Callable[[], TriangleMesh], tuple[float, float, float]]] = {
    "yard": (_yard, (0.0, 0.0, 0.0)),
    "pit": (_pit, (0.0, 4.0, 0.0)),
}


def scene_hash(name: str, ticks: int = TICKS) -> str:
    """Hash of three bodies that walk randomly in a scene."""
    make, feet = SCENES[name]
    mesh, digest = make(), hashlib.sha256()
    for seed, (_, radii) in enumerate(sorted(scenes.BODIES.items())):
        walker = Walker(WalkerSettings(radii=radii))
        state = walker.spawn(mesh, feet)
        digest.update(walker.run(state, walker.commands(restless(walker, ticks, seed)), mesh).tobytes())
    return digest.hexdigest()[:16]


def walk_hash(level: Path, script: command_script.CommandScript | None = None) -> str:
    """Hash of a walk in a level, default its own, as `sim` prints it."""
    return headless_run.run_walk(World(load(level)), script or _own_script(level)).hash


def swings() -> command_script.CommandScript:
    """A walk with cancelled swings, a stroke and jumps on the first hole of golf."""
    return command_script.parse_script(SWINGS)


def _own_script(level: Path) -> command_script.CommandScript:
    return command_script.read_script(level.with_suffix(".commands"))


def wander_hash(level: Path) -> str:
    """Hash of a random walk in a level, with falls."""
    world = World(load(level))
    digest = hashlib.sha256()
    for command in restless(world.walker, 2 * TICKS, seed=9):
        world.step(command)
        digest.update(world.state())
    return digest.hexdigest()[:16]


class Record(NamedTuple):
    """A golden hash and what it depends on: hashes of level and commands, and the version of the rules."""

    hash: str
    level: str
    commands: str
    rules: int


Inputs = tuple[str, str]  # hashes of level and commands


def _rows_hash(rows: Any) -> str:
    return fingerprint.short_hash(np.asarray(rows).tobytes())


def scene_inputs(name: str, ticks: int = TICKS) -> Inputs:
    """Inputs of `scene_hash`."""
    walker = Walker(WalkerSettings())
    rows = [walker.commands(restless(walker, ticks, seed)) for seed in range(len(scenes.BODIES))]
    return fingerprint.short_hash(SCENES[name][0]().triangles12.tobytes()), _rows_hash(np.concatenate(rows))


def walks(level: Path, script: command_script.CommandScript | None = None) -> Inputs:
    """Inputs of `walk_hash`."""
    rows = (script or _own_script(level)).rows(Walker(WalkerSettings()))
    return fingerprint.level_hash(load(level)), _rows_hash(rows)


def wander_inputs(level: Path) -> Inputs:
    """Inputs of `wander_hash`."""
    walker = Walker(WalkerSettings())
    return fingerprint.level_hash(load(level)), _rows_hash(walker.commands(restless(walker, 2 * TICKS, seed=9)))


def inputs() -> dict[str, Callable[[], Inputs]]:
    """Hashes of level and commands for each of `names()`."""
    found: dict[str, Callable[[], Inputs]] = {f"scene {name}": partial(scene_inputs, name) for name in SCENES}
    for path in sorted(LEVELS.rglob("*.commands")):
        level = path.with_suffix(".yaml")
        found[f"walk {level.relative_to(LEVELS).with_suffix('').as_posix()}"] = partial(walks, level)
    found["swings golf/one"] = partial(walks, LEVELS / "golf" / "one.yaml", swings())
    found["wander demo"] = partial(wander_inputs, LEVELS / "demo.yaml")
    return found


def names() -> dict[str, Callable[[], str]]:
    """Each golden hash by name, with the function that computes it."""
    found: dict[str, Callable[[], str]] = {f"scene {name}": partial(scene_hash, name) for name in SCENES}
    for path in sorted(LEVELS.rglob("*.commands")):
        level = path.with_suffix(".yaml")
        found[f"walk {level.relative_to(LEVELS).with_suffix('').as_posix()}"] = partial(walk_hash, level)
    found["swings golf/one"] = partial(walk_hash, LEVELS / "golf" / "one.yaml", swings())
    found["wander demo"] = partial(wander_hash, LEVELS / "demo.yaml")
    return found


def kept(folder: Path = FOLDER) -> dict[str, dict[str, str]]:
    """The hash file of a folder: system and processor type -> name -> hash."""
    file = folder / HASHES
    hashes: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return hashes


def kept_records(folder: Path = FOLDER) -> dict[str, dict[str, list[Record]]]:
    """The record file of a folder: system and processor type -> name -> all records, the newest last."""
    file = folder / RECORDS
    machines = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {
        machine: {name: [Record(*row) for row in rows] for name, rows in walks.items()}
        for machine, walks in machines.items()
    }


def same_rules_twice(name: str, records: Sequence[Record], now: Record) -> str:
    """A message if a record of the same level, commands and version of the rules has another hash; else empty."""
    other = next((old for old in records if old[1:] == now[1:] and old.hash != now.hash), None)
    if other is None:
        return ""
    return (
        f"{name}: {now.hash} instead of {other.hash} in the same level, with the same commands and the same rules "
        f"version {now.rules}; raise RULES_VERSION in game/sim/replay/fingerprint.py"
    )


def differences(expected: dict[str, str], now: dict[str, str]) -> list[str]:
    """A message for each hash that differs, is missing or is no longer computed."""
    said = []
    for name in sorted({*expected, *now}):
        if name not in now:
            said.append(f"{name}: there is no such walk any more")
        elif name not in expected:
            said.append(f"{name}: new, {now[name]}")
        elif expected[name] != now[name]:
            said.append(f"{name}: was {expected[name]}, is {now[name]}")
    return said


def main(arguments: list[str]) -> int:
    """Write the hashes of this kind of machine, or with --check compare: 0 equal, 1 different, 2 none kept for it.

    Status 1 also if the rules changed and their version did not.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.verify.golden", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; status 0 equal, 1 different, 2 none kept")
    check: bool = parser.parse_args(arguments).check
    hashes, machine = kept(), fingerprint.machine_name()
    now = {name: make() for name, make in names().items()}
    expected: dict[str, Any] = hashes.get(machine, {})
    said = differences(expected, now)
    for line in said:
        print(line)
    if check:
        print(f"{machine}: {'as kept' if not said else 'not as kept'}" if expected else f"{machine}: none kept")
        return 2 if not expected else 1 if said else 0
    return write(machine, now, {name: make() for name, make in inputs().items()}, len(said))


def write(
    machine: str, now: dict[str, str], made_of: dict[str, Inputs], changed: int,
    folder: Path = FOLDER, rules: int = fingerprint.RULES_VERSION,
) -> int:  # fmt: skip
    """Write hashes and records of a machine. Returns 1 and writes nothing if the rules need a new version."""
    hashes, records = kept(folder), kept_records(folder)
    before = records.get(machine, {})
    new = {name: Record(hash, *made_of[name], rules) for name, hash in now.items()}
    refused = [line for name, row in new.items() if (line := same_rules_twice(name, before.get(name, ()), row))]
    for line in refused:
        print(line)
    if refused:
        print(f"{machine}: nothing is written")
        return 1
    hashes[machine] = now
    records[machine] = {
        name: [*before.get(name, ()), *([row] if row not in before.get(name, ())[-1:] else ())]
        for name, row in new.items()
    }
    atomic_files.write_atomic(folder / HASHES, (json.dumps(dict(sorted(hashes.items())), indent=1) + "\n").encode())
    atomic_files.write_atomic(folder / RECORDS, _text(records).encode())
    print(f"{machine}: {len(now)} hashes, {changed} of them written anew")
    return 0


def _text(records: dict[str, dict[str, list[Record]]]) -> str:
    """The file, one line for each record."""
    machines = []
    for machine, walks in sorted(records.items()):
        lines = [
            f"  {json.dumps(name)}: [\n" + ",\n".join(f"   {json.dumps(row)}" for row in rows) + "\n  ]"
            for name, rows in walks.items()
        ]
        machines.append(f" {json.dumps(machine)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(machines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
