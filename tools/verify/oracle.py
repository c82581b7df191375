"""Check sweeps against the slow oracle: `python -m tools.verify.oracle [--cases N] [--seed S]`.

Tests `mesh.sweep` and the walker's inner `sweep_triangle` with N cases each, spread over families of triangles and
approaches (tests/support/oracle_cases.py). The check is backward: at the reported fraction the true distance equals the
radius, and it is not smaller at any earlier fraction. The tolerance is 1e-12 + 64 ulp of the largest coordinate, in
ellipsoid space. Prints the largest error of each family. Exit status 1 if one exceeds its tolerance.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.support.oracle_cases import Tally, families, judged

HEAD = (
    f"{'door':6}{'triangles':10}{'approach':10}{'cases':>8}{'hits':>8}"
    f"{'off':>10}{'/tol':>7}{'early':>10}{'/tol':>7}{'missed':>10}{'/tol':>7}{'fraction':>10}{'compared':>9}{'slow':>6}"
)


def line(door: str, kind: str, approach: str, tally: Tally) -> str:
    """The largest error of a family: each length, and its fraction of the tolerance."""
    pairs = "".join(f"{v:>10.1e}{v / t:>7.3f}" for v, t in (tally.off, tally.early, tally.missed))
    return (
        f"{door:6}{kind:10}{approach:10}{tally.cases:>8}{tally.hits:>8}{pairs}"
        f"{tally.fraction:>10.1e}{tally.compared:>9}{tally.slow:>6}"
    )


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.oracle", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1_000_000, help="for each function (default: a million)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--door", choices=["inner", "mesh"])
    parser.add_argument("--show", type=int, default=2, help="number of failing cases to show for each family")
    options = parser.parse_args(arguments)
    chosen = [f for f in families() if options.door in (None, f[0])]
    share = -(-options.cases * 2 // len(families()))
    begun = time.monotonic()
    print(HEAD, flush=True)
    cases = hits = compared = failed = 0
    worst = {"off": 0.0, "early": 0.0, "missed": 0.0}
    fraction = short = deepest = 0.0
    slow = 0
    for number, family in enumerate(chosen):
        for tally in judged(*family, share, options.seed):
            if sys.stderr.isatty():
                print(f"\r{number}/{len(chosen)} {tally.cases}/{share}", end="\r", file=sys.stderr)
        print(line(*family, tally), flush=True)
        for words in tally.wrong[: options.show]:
            print("    WRONG", words, flush=True)
        failed += len(tally.wrong)
        cases, hits, compared = cases + tally.cases, hits + tally.hits, compared + tally.compared
        fraction = max(fraction, tally.fraction)
        for name in worst:
            value, tolerance = getattr(tally, name)
            worst[name] = max(worst[name], value / tolerance)
        short, slow, deepest = max(short, tally.short), slow + tally.slow, max(deepest, tally.deepest)
    parts = ", ".join(f"{name} {value:.3f}" for name, value in worst.items())
    print(
        f"{cases} cases, {hits} hits; worst parts of the tolerance: {parts}; fractions differ by at most "
        f"{fraction:.1e} ({compared} compared; {short:.1e} on ways too short for more); {slow} approaches too slow to "
        f"be one sank by up to {deepest:.1e}; {failed} wrong; {time.monotonic() - begun:.0f} s"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
