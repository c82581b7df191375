"""Random scenes, each tick refereed: `python -m tools.verify.fuzz_scenes [--scenes 1000] [--seed 0] [--kinds ...]`.

Prints a table: for each kind of scene the ticks, the scenes with a breach, and the number of breaches of each bound of
docs/limits.md. A scene follows from its kind and number alone: `--kinds flight --seed 17 --scenes 1 --cases 1` prints
its first breach. Exit status 1 if any bound was broken, 2 if no scene has room for its start.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field

from game.cluster.fuzzing.tick_referee import KINDS as BOUNDS
from tests.support.referee.random_scenes import KINDS, SCENE_BOUNDS, random_scene
from tools.command_numbers import at_least

COLUMNS = (*BOUNDS, *SCENE_BOUNDS)


@dataclass
class Tally:
    """Counts over the scenes of one kind."""

    scenes: int = 0
    ticks: int = 0
    broken: int = 0
    breaches: Counter[str] = field(default_factory=Counter)
    cases: list[str] = field(default_factory=list)

    def line(self, kind: str) -> str:
        counts = " ".join(f"{self.breaches[name] or '-':>8}" for name in COLUMNS)
        return f"{kind:14} {self.scenes:6} {self.ticks:9} {self.broken:6} {counts}"


def fuzz(kind: str, seeds: range) -> Tally:
    """Referee the scenes of a kind."""
    tally = Tally()
    for seed in seeds:
        scene = random_scene(kind, seed)
        if scene is None:
            continue
        ticks, breaches = scene.breaches()
        tally.scenes += 1
        tally.ticks += ticks
        tally.broken += bool(breaches)
        tally.breaches.update(breach.kind for breach in breaches)
        s = scene.walker.settings
        tally.cases += [
            f"{kind} {seed} (radii {s.radii}, {s.ticks_per_second:g}/s) {breach}" for breach in breaches[:1]
        ]
    return tally


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.fuzz_scenes", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=at_least(1), default=1000, help="scenes of each kind (default: 1000)")
    parser.add_argument("--seed", type=at_least(0), default=0, help="number of the first scene (default: 0)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument(
        "--cases",
        type=at_least(0),
        default=0,
        help="broken scenes of each kind to print (default: 0)",
    )
    options = parser.parse_args(arguments)
    print(f"{'kind':14} {'scenes':>6} {'ticks':>9} {'broken':>6} " + " ".join(f"{name:>8}" for name in COLUMNS))
    whole = Tally()
    for kind in options.kinds:
        tally = fuzz(kind, range(options.seed, options.seed + options.scenes))
        print(tally.line(kind), flush=True)
        for words in tally.cases[: options.cases]:
            print("    ", words, flush=True)
        whole = Tally(
            whole.scenes + tally.scenes,
            whole.ticks + tally.ticks,
            whole.broken + tally.broken,
            whole.breaches + tally.breaches,
        )
    print(whole.line("all"))
    if not whole.scenes:
        return 2
    return int(whole.broken > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
