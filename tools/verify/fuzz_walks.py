"""Random walks over levels with a check of every tick: `python -m tools.verify.fuzz_walks [options] [FILE...]`.

Levels are YAML, OBJ or GLB files; by default the demo, the museum and the files in ../shared/real. Prints a line for
each level and body with the first failing tick of each kind. Exit status 1 if anything failed. The kinds:

- tunnel: the path of the centre in a tick crosses a triangle
- gap: nearer than half the skin to a triangle (after the start)
- wild: a number that is not finite
- fast: a longer horizontal path than the speed and the recovery of gaps explain
- tremble: pressed under one command for five seconds, the walker moves in circles within 5 cm, or its horizontal
  direction reverses three times in six ticks and still does so four seconds later
- drift: without a command on the ground for four seconds, the walker still moves
- stuck: the walker stood under a command although the bare body, lifted by 2 cm, has 10 cm of room (and for its skin
  after each 2 cm) in a direction with a part along the command; or no direction with a jump moves it, although there
  is room
- bound: a lift, drop, way, speed or turn beyond the bounds of a tick in docs/limits.md (tests/support/referee)

A walk that leaves an open level (a long fall) is put back to the start. That is counted and is not a failure.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from game.level.format.file_access import is_tests_file
from game.physics import Ellipsoid, TriangleMesh, Walker, WalkerSettings, WalkerState, slim
from tests.support.referee.bounds import TickReferee
from tools.verify.command_numbers import at_least
from tools.verify.random_commands import wander
from tools.verify.referee import check_walk

CHUNK = 2000  # ticks between checks
BODIES = {"default": WalkerSettings(), "slim": slim(), "round": WalkerSettings(radii=(0.35, 0.90, 0.35))}
TRIALS = 5  # suspected trembles examined in a chunk
SETTLE = 240  # ticks for which a tremble must last
PRESSES = 3  # places in a chunk where one command is held, and then released
PRESSED, RESTED = 300, 300  # ticks
ROUND = 0.05  # m: radius of a return to the same place
SLOW = 1e-6  # m per tick: slower is at rest
LIFT, ROOM = 0.02, 0.10  # m: lift of the bare body, and free distance that counts as room
STILL = 20  # ticks without movement under a command before the test for stuck


KINDS = ("tunnels", "gaps", "wild", "fast", "stuck", "trembles", "drifts", "bounds")


@dataclass
class Report:
    """Result of the walk of one body on one level."""

    ticks: int = 0
    worst: float = 9.0
    tunnels: list[int] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    fast: list[int] = field(default_factory=list)
    stuck: list[int] = field(default_factory=list)
    trembles: list[int] = field(default_factory=list)
    drifts: list[int] = field(default_factory=list)
    wild: list[int] = field(default_factory=list)
    bounds: list[int] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)  # state and command of failures, to reproduce them
    lost: int = 0
    left: int = 0
    seconds: float = 0.0
    run: int = 0

    @property
    def failed(self) -> bool:
        """True if any tick failed."""
        return any(getattr(self, kind) for kind in KINDS)

    def line(self, name: str, body: str) -> str:
        """The report on one line."""
        kinds = {k: getattr(self, k) for k in KINDS}
        seen = ", ".join(f"{len(v)} {k}" + (f" (first at {v[0]})" if v else "") for k, v in kinds.items())
        return (
            f"{name:28} {body:8} {self.ticks:8} ticks  worst gap {self.worst:.6f}  {seen}, {self.lost} lost, "
            f"{self.left} left the level  {1e6 * self.seconds / max(self.run, 1):.2f} us a tick"
        )


def starts(walker: Walker, mesh: TriangleMesh, seed: int, count: int, reach: float) -> list[WalkerState]:
    """Start positions with room: random points of walkable ground by area, within `reach` (m) of the middle."""
    rng = np.random.default_rng(seed)
    corners, up = mesh.triangles12[:, :9].reshape(-1, 3, 3), np.abs(mesh.triangles12[:, 10])
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) * (up > 0.75)
    found: list[WalkerState] = []
    if not area.any():
        return found
    for k in rng.choice(len(mesh), 400 * count, p=area / area.sum()):
        feet = rng.dirichlet([1.0, 1.0, 1.0]) @ corners[k]
        if np.abs(feet).max() > reach:
            continue
        try:
            state = walker.spawn(mesh, tuple(feet.tolist()), int(rng.integers(0, 65536)))
        except ValueError:
            continue
        if state.grounded:
            found.append(state)
            if len(found) == count:
                break
    return found


def free_direction(walker: Walker, mesh: TriangleMesh, state: WalkerState, heading: float) -> float | None:
    """A horizontal direction (yaw, radians) with a part along the heading in which the bare body, lifted by 2 cm, has
    10 cm of room, and room for its skin after each 2 cm. None if there is none.
    """
    body, (x, y, z) = Ellipsoid(state.radii), state.position
    if mesh.sweep(body, (x, y, z), state.yaw, (0.0, LIFT, 0.0)) is not None:
        return None
    wide = 1.0 + 0.99 * walker.settings.skin
    whole = Ellipsoid((wide * state.radii[0], wide * state.radii[1], wide * state.radii[2]))
    for lean in sorted(np.arange(-84.0, 84.1, 6.0), key=abs):  # at 84 a tenth is along the command
        way = heading + np.radians(lean)
        dx, dz = -ROOM * np.sin(way), -ROOM * np.cos(way)
        parts = np.linspace(0.2, 1.0, 5)[:, None] * (dx, 0.0, dz) + (x, y + LIFT, z)
        if mesh.sweep(body, (x, y + LIFT, z), state.yaw, (dx, 0.0, dz)) is None and not any(
            len(ids) for ids in mesh.overlap(whole, parts, state.yaw)
        ):
            return float(way)
    return None


def is_stuck(walker: Walker, mesh: TriangleMesh, state: WalkerState, row: Any) -> bool:
    """True if a walker that stood under a command had room to move; or if there is room but no direction with a jump
    moves it by 5 cm in half a second. (Jumping is how a walker leaves a pit.)
    """
    asked = row["heading"] * (2.0 * np.pi / 65536.0) - np.arctan2(row["strafe"], row["forward"])
    if free_direction(walker, mesh, state, asked) is not None:
        return True
    if all(free_direction(walker, mesh, state, way) is None for way in np.arange(4) * (np.pi / 2.0)):
        return False
    for heading in range(0, 65536, 4096):
        rows = walker.commands(forward=np.ones(30), heading=heading, jump=np.arange(30) == 1)
        if np.linalg.norm(walker.run(state, rows, mesh)["position"][-1] - state.position) > 0.05:
            return False
    return True


def walks_in_circles(positions: Any) -> bool:
    """True if a walk keeps moving and keeps returning to the same places."""
    way = np.diff(positions, axis=0)
    if np.linalg.norm(way, axis=1).max() < SLOW or np.ptp(positions, axis=0).max() > ROUND:
        return False
    return any(
        np.abs(positions[k:] - positions[:-k]).max() < SLOW < np.ptp(positions[:k], axis=0).max() for k in range(2, 31)
    )


def press(walker: Walker, mesh: TriangleMesh, state: WalkerState, random: Any) -> tuple[bool, bool, str]:
    """(moves in circles under one held command, drifts when released, description of state and command)."""
    one = {
        "forward": 1.0,
        "strafe": float(random.choice([0.0, 1.0, -1.0])),
        "heading": int(random.integers(0, 65536)),
        "sprint": bool(random.integers(0, 2)),
    }
    held = walker.run(state, walker.commands(**{**one, "forward": np.ones(PRESSED)}), mesh)
    end = walker.state(held[-1])
    words = f"state {end.to_bytes().hex()} command {one}"
    left = walker.run(end, walker.commands(forward=np.zeros(RESTED), heading=end.heading), mesh)[-60:]
    drifts = left["grounded"].all() and (left["position"] != left["position"][0]).any()
    return walks_in_circles(held["position"][-90:]), bool(drifts), words


def jitter_ticks(positions: Any, rows: Any) -> Any:
    """Ticks at which the horizontal direction has reversed for the third time in six, under one command."""
    way = np.diff(positions[:, [0, 2]], axis=0)
    way[np.linalg.norm(way, axis=1) < 1e-6] = 0.0
    back = np.zeros(len(way), np.int64)
    back[1:] = (way[1:] * way[:-1]).sum(axis=1) < 0.0
    same = np.zeros(len(way), bool)
    same[1:] = rows[1:] == rows[:-1]
    back[~same] = 0
    count = np.convolve(back, np.ones(6, np.int64))[: len(back)]
    return np.flatnonzero(count >= 3)


def fuzz(mesh: TriangleMesh, settings: WalkerSettings, ticks: int, seed: int, reach: float = np.inf) -> Report:
    """Walk `ticks` random ticks on a mesh and check them."""
    walker = Walker(settings)
    report = Report()
    referee = TickReferee(walker, mesh)
    triangles = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    floor = float(mesh.nodes[0, 1]) - 5.0
    places = starts(walker, mesh, seed, 12, reach)
    if not places:
        raise ValueError("found no place to begin a walk")
    limit = max(settings.walk_speed, settings.sprint_speed) * settings.dt
    half = 0.5 * settings.skin
    state, turn, rounds = places[0], 0, 0
    random = np.random.default_rng([seed, 1])
    while report.ticks < ticks:
        rows = wander(walker, CHUNK, seed + 7919 * rounds, state.heading)
        begun = time.perf_counter()
        states = walker.run(state, rows, mesh)
        report.seconds += time.perf_counter() - begun
        report.run += CHUNK
        below = np.flatnonzero(states["position"][:, 1] < floor)
        end = int(below[0]) if len(below) else CHUNK
        states, rows = states[:end], rows[:end]
        whole = np.concatenate((state.row(), states))
        verdict = check_walk(triangles, whole)
        at = report.ticks
        report.worst = min(report.worst, float(verdict.gaps[1:].min(initial=9.0)))
        for breach in referee.check(whole, rows):
            report.bounds.append(at + breach.tick)
            begin = walker.state(whole[breach.tick])
            report.cases.append(f"{breach} state {begin.to_bytes().hex()} command {rows[breach.tick]}")
        jumped = np.linalg.norm(np.diff(whole["position"], axis=0), axis=1) > 3.0  # back to a safe place: "lost"
        report.lost += int(jumped.sum())
        report.tunnels += [at + int(k) for k in np.flatnonzero(verdict.through[1:] & ~jumped)]
        report.gaps += [at + int(k) for k in np.flatnonzero(verdict.gaps[1:] < half - 1e-6)]
        report.fast += [at + int(k) for k in np.flatnonzero((verdict.plan[1:] > limit * 1.001 + 0.03) & ~jumped)]
        moving = np.linalg.norm(np.diff(whole["position"], axis=0), axis=1) > 1e-4
        for k in jitter_ticks(whole["position"], rows)[:TRIALS]:
            on = walker.run(walker.state(states[k]), np.repeat(rows[k : k + 1], SETTLE), mesh)[-60:]
            if len(jitter_ticks(on["position"], np.repeat(rows[k : k + 1], 59))):
                report.trembles.append(at + int(k))
        report.wild += [at + int(k) for k in np.flatnonzero(~np.isfinite(whole["position"][1:]).all(1))]
        for k in random.integers(0, max(len(states), 1), PRESSES if len(states) else 0):
            goes, drifts, words = press(walker, mesh, walker.state(states[k]), random)
            report.trembles += [at + int(k)] * goes
            report.drifts += [at + int(k)] * drifts
            report.cases += [words] * (goes or drifts)
        asked = (np.abs(rows["forward"]) + np.abs(rows["strafe"])) > 0
        still = 0
        for k in range(len(states)):
            still = still + 1 if asked[k] and not moving[k] else 0
            if still == STILL and is_stuck(walker, mesh, walker.state(states[k]), rows[k]):
                report.stuck.append(at + k)
                report.cases.append(f"state {walker.state(states[k]).to_bytes().hex()} command {rows[k]}")
        report.ticks += max(end, 1)
        rounds += 1
        if end < CHUNK:
            report.left += 1
        if end < CHUNK or rounds % 5 == 0:
            turn += 1
            state = places[turn % len(places)]
        else:
            state = walker.state(states[-1])
    return report


def meshes(files: list[str]) -> list[tuple[str, TriangleMesh]]:
    """The levels to walk on."""
    from tests.support import real_levels

    museum = sorted(path for path in Path("levels/museum").glob("*.yaml") if not is_tests_file(path))
    paths = [Path(f) for f in files] or [Path("levels/demo.yaml"), *museum, *real_levels.FOUND]
    if not files and not real_levels.FOUND:
        print(f"no real levels in {real_levels.FOLDER}: left out")
    out = []
    for path in paths:
        if path.suffix in (".yaml", ".yml"):
            from game.level import load

            out.append((path.name, load(path).mesh))
        else:
            out.append((path.name, TriangleMesh(real_levels.read(path)[1])))
    return out


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.fuzz_walks", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="levels: YAML, OBJ or GLB")
    parser.add_argument("--ticks", type=at_least(1), default=1_000_000, help="total ticks (default: a million)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=0, help="failing states and commands to show for each line")
    options = parser.parse_args(arguments)
    worlds = meshes(options.files)
    share = max(options.ticks // (len(worlds) * len(BODIES)), CHUNK)
    failed, total, worst = False, 0, 9.0
    for name, mesh in worlds:
        for body, settings in BODIES.items():
            report = fuzz(mesh, settings, share, options.seed)
            failed |= report.failed
            total += report.ticks
            worst = min(worst, report.worst)
            print(report.line(name, body), flush=True)
            for words in report.cases[: options.cases]:
                print("    ", words, flush=True)
    print(f"{total} ticks, worst gap {worst:.6f} (half the skin is 0.005): {'FAILED' if failed else 'all held'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
