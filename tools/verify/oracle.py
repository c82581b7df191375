"""Check of sweeps against the oracle: `python -m tools.verify.oracle [--cases N] [--seed S]`.

Tests `mesh.sweep` and the walker's inner `sweep_sphere_against_triangle` with N cases each, spread over families of
triangles and approaches (tests/support/oracle_cases.py). The check is backward: at the reported fraction the true
distance equals the radius, and it is not smaller at any earlier fraction. The tolerance is 1e-12 + 64 ulp of the
largest coordinate, in ellipsoid space. Prints the largest error of each family. Exit status 1 if one exceeds its
tolerance.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.support.oracle_cases import ENTRY_POINTS, Tally, families, tally_batches
from tools.command_numbers import at_least

HEADING = (
    f"{'entry':6}{'triangles':10}{'approach':10}{'cases':>8}{'hits':>8}"
    f"{'error':>10}{'/tol':>7}{'early':>10}{'/tol':>7}{'missed':>10}{'/tol':>7}{'fraction':>10}{'compared':>9}{'slow':>6}"
)


def line(entry: str, kind: str, approach: str, tally: Tally) -> str:
    """Table row of a family: the largest errors (lengths) and their fractions of the tolerance."""
    errors = "".join(f"{v:>10.1e}{v / t:>7.3f}" for v, t in (tally.at_hit, tally.early, tally.missed))
    return (
        f"{entry:6}{kind:10}{approach:10}{tally.cases:>8}{tally.hits:>8}{errors}"
        f"{tally.fraction:>10.1e}{tally.compared:>9}{tally.slow:>6}"
    )


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.oracle", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--cases", type=at_least(1), default=1_000_000, help="cases for each function (default: a million)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the random cases (default: 1)")
    parser.add_argument("--entry", choices=[*ENTRY_POINTS], help="check one function only (default: both)")
    parser.add_argument("--show", type=int, default=2, help="failing cases to print for each family (default: 2)")
    options = parser.parse_args(arguments)
    chosen = [f for f in families() if options.entry in (None, f[0])]
    share = -(-options.cases * 2 // len(families()))
    started = time.monotonic()
    print(HEADING, flush=True)
    cases = hits = compared = failed = 0
    worst = {"at_hit": 0.0, "early": 0.0, "missed": 0.0}
    fraction = short = deepest = 0.0
    slow = 0
    for number, family in enumerate(chosen):
        for tally in tally_batches(*family, share, options.seed):
            if sys.stderr.isatty():
                print(f"\r{number}/{len(chosen)} {tally.cases}/{share}", end="\r", file=sys.stderr)
        print(line(*family, tally), flush=True)
        for message in tally.wrong[: options.show]:
            print("    WRONG", message, flush=True)
        failed += len(tally.wrong)
        cases, hits, compared = cases + tally.cases, hits + tally.hits, compared + tally.compared
        fraction = max(fraction, tally.fraction)
        for name in worst:
            value, tolerance = getattr(tally, name)
            worst[name] = max(worst[name], value / tolerance)
        short, slow, deepest = max(short, tally.short), slow + tally.slow, max(deepest, tally.deepest)
    ratios = ", ".join(f"{name} {value:.3f}" for name, value in worst.items())
    print(
        f"{cases} cases, {hits} hits; largest errors relative to the tolerance: {ratios}; fractions differ by at most "
        f"{fraction:.1e} ({compared} compared; up to {short:.1e} on displacements too short to compare); {slow} "
        f"grazing approaches penetrate by up to {deepest:.1e}; {failed} wrong; {time.monotonic() - started:.0f} s"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
