"""Compiles the kernels ahead: `python -m ellipsoid_walker.physics.prepare` prints progress as lines `done/total name`.

Two stages. After the first one ("ready") a walker can be stepped: each tick runs in Python on the compiled kernels that
take most of its time. With --all the second one follows: the whole tick as one kernel, about fifty times as fast. Both
give the same bits. Names of other steps compile those. Compiling holds the interpreter lock, so the game compiles in a
process of `core.jobs`, and the kernels of the mesh compile in a second one. `--background PART` is what the background
compiler runs (numerics.background_compile).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, TypeAlias

import numpy as np

from ..core.jobs import Jobs, Worker
from .environment.rows import keyframe
from .numerics import background_compile
from .numerics.background_compile import BALLS, NOTICE, WHOLE, sole_compiler
from .numerics.jit import CACHE_FOLDER, CACHED, COMPLETE, READY, complete, is_compiled, ready, record_compiled
from .numerics.numba_parts import numba_events

MODULE = f"{__package__}.prepare"  # what a child process runs with -m
INTERRUPTED_STATUS = 130
FIRST, SHAPES = "first", "shapes"
# Functions of each step, and seconds of processor time, in the order in which they compile: the game is slow until it
# has the whole tick
EXPECTED_STEPS = {FIRST: (147, 13.0), WHOLE: (225, 22.0), SHAPES: (71, 9.0), BALLS: (151, 20.0)}
MESH_COMPILER = Worker("mesh kernels", 0)
WAIT_SECONDS = 0.1  # s between two looks at its progress

Count: TypeAlias = "tuple[int, str]"  # compiled functions, and the name of the last one


def _compile_leaf_kernels() -> None:
    """The kernels that a tick in Python calls."""
    from ..core.motion import Motion
    from .character.broad_phase import find_candidates, invalidate_candidates
    from .character.command import command_columns, command_rows
    from .character.contacts import collect_contacts
    from .character.rotate import find_rotation_distances, rotation_clearance
    from .character.scratch import allocate_kept_lists, allocate_scratch
    from .character.slide import sweep_body
    from .character.tick.platform_riding import (
        add_mover_candidates,
        furthest_mover_displacement,
        has_movers_near,
        mover_displacement,
    )
    from .environment.environment import EMPTY_ROWS, NOWHERE
    from .environment.motion import motion_columns, mover_rotation
    from .numerics.projection import project_onto_halfplanes, project_onto_halfspaces, write_unit_halfplane
    from .numerics.trigonometry import heading_sin_cos, sin_cos_small

    command_columns(command_rows(forward=1.0))
    w, triangle_indices = allocate_scratch(4), np.zeros(4, np.int32)
    w.body[:] = 1.0
    corner = 0.0, 0.0, 0.0  # no Mover: the second process compiles the kernels of meshes
    one_mover = np.array([motion_columns(Motion(), corner, (corner, corner), 0.0, 60.0)]), np.zeros((0, keyframe.WIDTH))
    for rows in one_mover:
        rows.setflags(write=False)
    heading_sin_cos(0)
    sin_cos_small(0.0)
    mesh, no_rows = NOWHERE.mesh, EMPTY_ROWS
    find_candidates(mesh, 0, triangle_indices, allocate_kept_lists(1), 0, w, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    invalidate_candidates(w)
    collect_contacts(w, 1.0)
    sweep_body(w, 0.0, 0.0, 0.0, 0.5)
    project_onto_halfspaces(w.half_spaces, 0, 0.0, 0.0, 0.0)
    project_onto_halfplanes(w.half_spaces, 0, 0.0, 0.0)
    write_unit_halfplane(w.half_spaces, 0, 1.0, 0.0, 0.0)
    find_rotation_distances(w)
    rotation_clearance(w, 1.0, 0.0)
    has_movers_near(no_rows, w)
    furthest_mover_displacement(no_rows, no_rows, w, 0.0, 1.0)
    add_mover_candidates(mesh, no_rows, no_rows, triangle_indices, w, 0.0, 0.0, 0, 0, -1)
    mover_displacement(*one_mover, 0, 0.0, 1.0, 0.0, 0.0, 0.0)
    mover_rotation(*one_mover, 0, 0.0, 1.0, 0.0, 1.0, 0.0)


def _compile_mesh_kernels() -> None:
    """The kernels of a TriangleMesh and of the game's queries."""
    from .query.ellipsoid import Ellipsoid
    from .triangle_mesh import TriangleMesh

    square = np.array([[[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[1, 0, 0], [1, 0, 1], [0, 0, 1]]], dtype=np.float64)
    mesh = TriangleMesh(square)
    mesh.sweep(Ellipsoid((0.1, 0.1, 0.1)), (0.2, 1.0, 0.2), 0.0, (0.0, 0.1, 0.0))
    mesh.closest((0.2, 1.0, 0.2))
    mesh.raycast((0.0, 1.0, 0.0), (0.0, -1.0, 0.0))


def _compile_whole_tick() -> None:
    """The whole tick, and the rules of a level."""
    from .batch import first_invalid_state
    from .character.rows import command_row, state_row
    from .character.scratch import TickMemory
    from .character.settings import WalkerSettings, settings_row
    from .character.tick.run import run_whole_tick
    from .rules import apply_compiled_rules, make_runs, no_rules

    state, commands = np.zeros((1, state_row.WIDTH)), np.zeros((1, command_row.WIDTH))
    first_invalid_state(state, state.view(np.int64))
    memory = TickMemory(settings_row(WalkerSettings()))
    run_whole_tick(memory, state, state, commands, 0, 0, 0, 0)
    level, runs = no_rules(), make_runs(0, 0, 0)
    apply_compiled_rules(level, runs, state, state, commands, np.zeros(0, np.int64), 0, 0, 0, False, 0)


def _compile_shape_queries() -> None:
    """The queries that a tick and the first frame of the game do not use."""
    from .mesh.heightfield import HeightField
    from .query.ellipsoid import Ellipsoid
    from .query.point_in_polygon import point_in_polygon
    from .query.shapes import Sphere
    from .triangle_mesh import TriangleMesh

    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    point_in_polygon((0.1, 0.1), corners[:, ::2])
    mesh = TriangleMesh(corners[None])
    mesh.raycast_any((0.0, 1.0, 0.0), (0.0, -1.0, 0.0))
    ground, field = HeightField.of_grid(np.zeros((2, 2)))
    TriangleMesh(ground, fields=[field]).ground_below((0.5, 1.0, 0.5))
    mesh.overlap(Ellipsoid((0.1, 0.1, 0.1)), (0.0, 1.0, 0.0), 0.0)
    ball = Sphere((0.0, 0.0, 0.0), 1.0)
    ball.overlaps(ball)
    ball.gap(ball)
    ball.sweep((1.0, 0.0, 0.0), ball)
    mesh.sweep(ball, displacement=(0.0, 0.1, 0.0))
    mesh.overlap(ball)


def _compile_ball_tick() -> None:
    """The tick of balls."""
    from .balls.balls import Balls, any_ball_touches, ball_floats, ball_rows, ball_tick
    from .balls.body_contacts import next_overlapping_ball
    from .balls.rows import kinematic_body
    from .triangle_mesh import TriangleMesh

    ball_tick.is_loaded = True  # else the step would be interpreted
    rows = Balls().step(ball_rows([(0.0, 1.0, 0.0)]), TriangleMesh(np.zeros((0, 3, 3))))
    any_ball_touches(rows, (0.0, 0.0, 0.0), 0.1)
    next_overlapping_ball(ball_floats(rows), np.zeros((1, kinematic_body.WIDTH)), 0, 0.1)


COMPILE_PARTS: dict[str, Callable[[], None]] = {
    "leaves": _compile_leaf_kernels,
    "mesh": _compile_mesh_kernels,
    WHOLE: _compile_whole_tick,
    SHAPES: _compile_shape_queries,
    BALLS: _compile_ball_tick,
}


def compile_part(part: str, report: Callable[[Count], object] = lambda count: None) -> None:
    """Compile one part in this process, and record it; `report` receives a count after each function."""
    events = numba_events()
    base: Any = events.Listener if events else object

    class Listener(base):  # type: ignore[misc]
        done = 0

        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            self.done += 1
            report((self.done, event.data["dispatcher"].py_func.__name__))

    with events.install_listener("numba:compile", Listener()) if events else nullcontext():
        COMPILE_PARTS[part]()
    record_compiled(part)


def _compile_first_step(report: Callable[[Count], object]) -> None:
    """Compile what stepping a walker needs, the kernels of meshes in a second process."""
    counts = dict.fromkeys(READY, 0)

    def add(part: str, count: Count) -> None:
        counts[part], name = count
        report((sum(counts.values()), name))

    leaves, mesh = READY
    with Jobs() as jobs:

        def add_leaf(count: Count) -> None:
            jobs.update()
            add(leaves, count)

        others = jobs.process(MESH_COMPILER, compile_part, mesh, progress=lambda count: add(mesh, count))
        compile_part(leaves, add_leaf)
        while not others.done():
            jobs.wait(WAIT_SECONDS)
            jobs.update()
        others.result()


def missing_steps(steps: Iterable[str]) -> list[str]:
    """The steps that are not in the cache yet, in the order in which they compile."""
    wanted = set(steps)
    return [step for step in EXPECTED_STEPS if step in wanted and not (ready() if step == FIRST else is_compiled(step))]


def compile_steps(steps: Sequence[str], report: Callable[[tuple[float, str]], object] = lambda told: None) -> None:
    """Compile steps one after another, or wait for the process that compiles one. After each function `report` receives
    how far it is (0 to 1) and the name of the function."""
    total = sum(EXPECTED_STEPS[step][1] for step in steps)
    before = 0.0
    for step in steps:
        functions, seconds = EXPECTED_STEPS[step]

        def add(count: Count, start: float = before, share: float = seconds / functions) -> None:
            report((min((start + share * count[0]) / total, 1.0), count[1]))

        with sole_compiler(step) if step in background_compile.SUBJECTS else nullcontext(True) as compiles:
            if step == FIRST:
                _compile_first_step(add)
            elif compiles:
                compile_part(step, add)
        before += seconds
    report((1.0, "ready"))


def compile_whole() -> None:
    """Compile the whole tick in this process, or wait for the process that does."""
    compile_steps(missing_steps([WHOLE]))


def main(arguments: list[str]) -> int:
    """The first stage; with --all all steps; or those that are named. Standard output has the progress; the exit status
    is 2 for another argument."""
    if arguments and arguments[0] == background_compile.BACKGROUND:
        part = arguments[1] if len(arguments) > 1 else ""
        if part not in background_compile.SUBJECTS:
            print(f"{arguments[0]} {part}: expected one of {', '.join(background_compile.SUBJECTS)}", file=sys.stderr)
            return 2
        return background_compile.run_compiler(part, COMPILE_PARTS[part])
    for argument in arguments:
        if argument not in ("--all", *EXPECTED_STEPS):
            print(f"{argument}: expected --all, or some of {', '.join(EXPECTED_STEPS)}", file=sys.stderr)
            return 2
    NOTICE.is_silent = True
    steps = list(EXPECTED_STEPS) if "--all" in arguments else arguments or [FIRST]
    compile_steps(steps, lambda told: print(f"{told[0] * 1000:.0f}/1000 {told[1]}", flush=True))
    return 0


__all__ = [
    "BALLS",
    "CACHED",
    "CACHE_FOLDER",
    "COMPLETE",
    "READY",
    "compile_part",
    "compile_whole",
    "complete",
    "main",
    "ready",
]

if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:  # a traceback through the compiler helps nobody
        sys.exit(INTERRUPTED_STATUS)
