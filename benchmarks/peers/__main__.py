"""Compare this walker and other character controllers on the same courses, in one run.

    python -m benchmarks.peers [--quick] [--only ours,physx] [--courses playground,10000,maps] [--native]

Install the peers with `npm install` in benchmarks/peers and `pip install '.[peers]'`. `--native` adds installed native
builds of Box3D, Jolt and PhysX; CMAKE_PREFIX_PATH names the folders where they are installed. Peers that are not
installed are named and left out. Prints the tables and writes them with all figures to benchmarks/results.
docs/performance.md explains them.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.maps import map_names
from benchmarks.peers.measure import COURSES, FULL, QUICK, measure
from benchmarks.peers.table import report
from benchmarks.peers.workers import NATIVE_PEERS, PEERS, ROOT


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    keys = [peer.key for peer in (*PEERS, *NATIVE_PEERS)]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="a quarter of the ticks and fewer rounds")
    parser.add_argument("--only", default="", help=f"some of {','.join(keys)}")
    parser.add_argument("--courses", default=",".join(COURSES), help="some of %(default)s,maps (%(default)s)")
    parser.add_argument("--native", action="store_true", help="also native builds that are installed")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="folder for the results")
    parser.add_argument("--nice", type=int, default=-5, help="change of priority (%(default)s), where permitted")
    options = parser.parse_args(arguments)
    only = {key for key in options.only.split(",") if key}
    named = [name for name in options.courses.split(",") if name]
    courses = [course for name in named for course in (map_names() if name == "maps" else [name])]
    peers = (*PEERS, *NATIVE_PEERS) if options.native else PEERS
    if wrong := (only - {peer.key for peer in peers}) | (set(courses) - {*COURSES, *map_names()}):
        parser.error(f"unknown: {', '.join(sorted(wrong))}")
    with contextlib.suppress(OSError, AttributeError):
        os.nice(options.nice)
    effort = QUICK if options.quick else FULL
    found = measure(only, courses, effort, lambda line: print(line, file=sys.stderr, flush=True), peers)
    text = report(found)
    print(text)
    options.results.mkdir(parents=True, exist_ok=True)
    stem = "peers-" + found["date"].removesuffix(" UTC").replace(":", "").replace(" ", "-")
    for suffix, content in ((".json", json.dumps(found, indent=1) + "\n"), (".md", text)):
        (options.results / (stem + suffix)).write_text(content, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
