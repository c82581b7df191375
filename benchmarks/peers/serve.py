"""A Python controller in its own process: reads requests as JSON lines and answers each with a line.

    python -m benchmarks.peers.serve ours|bullet

Takes the same requests as harness.mjs. Builds the courses instead of reading them (the same arithmetic).
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.courses import WalkedLeg


def resident() -> int:
    """Resident memory of this process in bytes; 0 if the system does not report it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            import resource

            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def as_rows(walks: list[WalkedLeg]) -> npt.NDArray[np.float64]:
    """Rows (ticks, 4): feet, and 1.0 if grounded; one leg after the other."""
    return np.concatenate([np.column_stack([feet, grounded]) for feet, grounded in walks])


def make(which: str) -> Any:
    if which == "ours":
        from benchmarks.walker import Ours

        return Ours()
    from benchmarks.peers.bullet import Bullet

    return Bullet()


def obey(peer: Any, order: dict[str, Any]) -> dict[str, Any]:
    from benchmarks.maps import course_of

    match order["do"]:
        case "build":
            course = course_of(order["name"], order["ticks"])
            before = resident()
            seconds = peer.build(course)
            after = resident()
            again = order.get("again", 0)
            seconds = min([seconds, *[peer.build(course) for _ in range(again)]])
            own = peer.bytes_a_triangle() * len(course.triangles)
            return {"seconds": seconds, "memory": after - before, "heap": own}
        case "walk":
            as_rows(peer.walk()).tofile(order["to"])
        case "legs":
            return {"microseconds": peer.time_legs()}
        case "ticks":
            np.asarray(peer.time_ticks(), np.float64).tofile(order["to"])
        case "batches":
            peer.time_batches().tofile(order["to"])
        case "steps":
            peer.time_steps().tofile(order["to"])
        case "crowd":
            peer.time_crowd().tofile(order["to"])
        case other:
            raise ValueError(f"unknown order {other!r}")
    return {}


def main() -> None:
    answers = sys.stdout
    sys.stdout = sys.stderr

    def say(answer: dict[str, Any]) -> None:
        answers.write(f"answer {json.dumps(answer)}\n")
        answers.flush()

    peer = make(sys.argv[1])
    say({"name": peer.name, "version": peer.version, "settings": list(peer.settings)})
    for line in sys.stdin:
        try:
            say(obey(peer, json.loads(line)))
        except Exception as error:  # every exception of a peer is its result
            say({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
