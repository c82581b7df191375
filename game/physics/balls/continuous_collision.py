"""Continuous collision of balls: all impacts of a tick in order of time (event-driven simulation).

Each ball keeps its path (a parabola) until an event changes it; only then its next impacts are computed again. Source:
B. Mirtich, "Timewarp Rigid Body Simulation" (2000). Shorthands: b = w.balls (rows.ball), k = w.status
(rows.status).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from ..numerics.jit import inner
from .body_contacts import find_body_contacts
from .impacts import find_ball_impacts, find_pair_impact, find_surface_impact, may_collide, pop_event, predict_motion
from .mesh_contacts import find_mesh_contacts, set_sweep_radius, sweep_and_move_ball
from .platform_contacts import find_mover_contacts, follow_mover
from .rows import (
    ball,
    ball_pair,
    counter,
    event_row,
    grid_status,
    mover_row,
    plane,
    setting,
    status,
)
from .scratch import MAX_BALL_EVENTS, MAX_BALL_PLANES, MAX_CONTACT_GAP, BallScratch, CollisionMesh, Obstacles
from .solver import apply_ball_impulse, apply_surface_impulse


@inner
def advance_ball(b: Floats, i: int, time: float) -> None:
    """Advance ball i to a time of the tick: x += s (v + s a / 2), v += s a."""
    s = time - b[i, ball.TIME]
    if s > 0.0:
        for axis in range(3):
            b[i, ball.POSITION + axis] += s * (b[i, ball.VELOCITY + axis] + 0.5 * s * b[i, ball.ACCELERATION + axis])
            b[i, ball.VELOCITY + axis] += s * b[i, ball.ACCELERATION + axis]
    b[i, ball.TIME] = time


@inner
def suspend_ball(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, i: int) -> None:
    """Stop ball i, which had too many impacts, until the next tick: other balls find it fixed, and it gets its velocity
    back at the end (`resume_ball`).

    Movers push it ahead of them: it moves by what their surfaces will penetrate in the rest of the tick, as far as the
    level allows.
    """
    b, planes, m = w.balls, w.planes, obstacles.movers
    w.counters[counter.SUSPENDED] += 1
    remaining_time, margin = settings[setting.DT] - b[i, ball.TIME], 0.0
    for mover in range(m.shape[0]):
        margin = max(margin, m[mover, mover_row.MAX_DISPLACEMENT])
    w.status[i, status.PLANE_COUNT] = 0
    find_mover_contacts(obstacles, w, i, b[i, ball.TIME], settings[setting.DT], margin)
    dx, dy, dz = 0.0, 0.0, 0.0
    for _ in range(2):
        for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]):
            nx, ny, nz = planes[p, plane.NORMAL], planes[p, plane.NORMAL + 1], planes[p, plane.NORMAL + 2]
            advance = remaining_time * (
                nx * planes[p, plane.SURFACE_VELOCITY]
                + ny * planes[p, plane.SURFACE_VELOCITY + 1]
                + nz * planes[p, plane.SURFACE_VELOCITY + 2]
            )
            missing = max(advance - max(planes[p, plane.GAP], 0.0) - (nx * dx + ny * dy + nz * dz), 0.0)
            dx, dy, dz = dx + missing * nx, dy + missing * ny, dz + missing * nz
    sweep_and_move_ball(mesh, w, i, dx, dy, dz)
    for axis in range(3):
        b[i, ball.IMPACT_VELOCITY + axis] = b[i, ball.VELOCITY + axis]
        b[i, ball.VELOCITY + axis] = b[i, ball.ACCELERATION + axis] = 0.0
    b[i, ball.INVERSE_MASS] = 0.0


@inner
def resume_ball(w: BallScratch, i: int) -> None:
    """Give ball i, if it was suspended, its velocity back."""
    if w.status[i, status.EVENT_COUNT] > MAX_BALL_EVENTS:
        for axis in range(3):
            w.balls[i, ball.VELOCITY + axis] = w.balls[i, ball.IMPACT_VELOCITY + axis]


@inner
def rest_against(w: BallScratch, settings: Floats, i: int, nx: float, ny: float, nz: float) -> None:
    """Remove the acceleration of ball i into a surface with normal n, against which it came to rest in this tick.

    At the second such surface in a tick all of its acceleration is removed.
    """
    b, k = w.balls, w.status
    an = nx * b[i, ball.ACCELERATION] + ny * b[i, ball.ACCELERATION + 1] + nz * b[i, ball.ACCELERATION + 2]
    k[i, status.REST_COUNT] += 1
    if an < 0.0:
        for axis in range(3):
            component = nx if axis == 0 else (ny if axis == 1 else nz)
            b[i, ball.ACCELERATION + axis] = (
                0.0 if k[i, status.REST_COUNT] > 1 else b[i, ball.ACCELERATION + axis] - an * component
            )


@inner
def find_next_impacts(
    mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, n: int, side: float, i: int
) -> None:
    """Compute the next impacts of ball i after its path has changed, or suspend it."""
    if w.balls[i, ball.INVERSE_MASS] == 0.0:  # it sleeps or is suspended
        return
    if w.status[i, status.EVENT_COUNT] > MAX_BALL_EVENTS:
        suspend_ball(mesh, obstacles, w, settings, i)
    find_ball_impacts(w, settings, n, side, i)
    if w.balls[i, ball.INVERSE_MASS] == 0.0:
        return
    if w.status[i, status.NO_SURFACE_NEAR] != 0 and w.status[i, status.GRID_STATUS] != grid_status.LEFT_REACH:
        return  # no surface can be reached in this tick
    w.status[i, status.NO_SURFACE_NEAR] = w.status[i, status.PLANE_COUNT] = 0
    find_mesh_contacts(
        mesh,
        w,
        i,
        w.balls[i, ball.POSITION],
        w.balls[i, ball.POSITION + 1],
        w.balls[i, ball.POSITION + 2],
        MAX_CONTACT_GAP,
    )
    find_mover_contacts(obstacles, w, i, w.balls[i, ball.TIME], settings[setting.DT], MAX_CONTACT_GAP)
    find_body_contacts(obstacles, w, i, w.balls[i, ball.TIME], settings[setting.DT], MAX_CONTACT_GAP)
    set_sweep_radius(w, i)
    find_surface_impact(mesh, obstacles, w, settings, i)


@inner
def invalidate_events(w: BallScratch, i: int) -> None:
    """Make all events of ball i in the queue void. One that sleeps or is suspended stays, and its events stay valid."""
    if w.balls[i, ball.INVERSE_MASS] > 0.0:
        w.status[i, status.EVENT_STAMP] += 1
        w.status[i, status.EVENT_COUNT] += 1


@inner
def find_first_impacts(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, n: int) -> None:
    """Push the first impact of each ball with a surface, and of each pair, onto the event queue."""
    w.counters[counter.EVENTS] = w.counters[counter.EVENTS_NEEDED] = w.counters[counter.EVENTS_DONE] = w.counters[
        counter.SUSPENDED
    ] = 0
    for i in range(n):
        find_surface_impact(mesh, obstacles, w, settings, i)
    predict_motion(w, settings, n)
    for q in range(w.counters[counter.PAIRS]):
        i, j = w.pairs[q, ball_pair.FIRST], w.pairs[q, ball_pair.SECOND]
        if may_collide(w.positions, w.velocities, i, j, min(w.restitution_thresholds[i], w.restitution_thresholds[j])):
            find_pair_impact(w, settings, i, j)


@inner
def process_events(
    mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, n: int, side: float
) -> None:
    """Resolve all impacts of the tick; afterwards each ball is at the time of its last one. side: width of a grid
    column."""
    b, k, heap, threshold = w.balls, w.status, w.event_heap, settings[setting.RESTITUTION_THRESHOLD]
    while w.counters[counter.EVENTS] > 0:
        time, i, j = heap[0, event_row.TIME], int(heap[0, event_row.BALL]), int(heap[0, event_row.OTHER_BALL])
        is_valid = heap[0, event_row.STAMP] == float(k[i, status.EVENT_STAMP]) and (
            j < 0 or heap[0, event_row.OTHER_STAMP] == float(k[j, status.EVENT_STAMP])
        )
        pop_event(w)
        if not is_valid:
            continue
        w.counters[counter.EVENTS_DONE] += 1
        advance_ball(b, i, time)
        invalidate_events(w, i)
        if j < 0:
            restitution = apply_surface_impulse(b, i, threshold)
            if restitution <= 0.0:
                rest_against(
                    w, settings, i, b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2]
                )
                follow_mover(obstacles, w, i, settings[setting.DT])
        else:
            advance_ball(b, j, time)
            resolve_ball_impact(w, settings, i, j)
            invalidate_events(w, j)
        for q in range(1 if j < 0 else 2):
            find_next_impacts(mesh, obstacles, w, settings, n, side, i if q == 0 else j)


@inner
def resolve_ball_impact(w: BallScratch, settings: Floats, i: int, j: int) -> None:
    """Resolve the impact of balls i and j. A sleeping ball wakes if it is hit fast enough, else it acts as if it were
    fixed."""
    b, k = w.balls, w.status
    nx, ny, nz = (
        b[i, ball.POSITION] - b[j, ball.POSITION],
        b[i, ball.POSITION + 1] - b[j, ball.POSITION + 1],
        b[i, ball.POSITION + 2] - b[j, ball.POSITION + 2],
    )
    distance = sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = (nx / distance, ny / distance, nz / distance) if distance > 0.0 else (0.0, 1.0, 0.0)
    vn = (
        nx * (b[i, ball.VELOCITY] - b[j, ball.VELOCITY])
        + ny * (b[i, ball.VELOCITY + 1] - b[j, ball.VELOCITY + 1])
        + nz * (b[i, ball.VELOCITY + 2] - b[j, ball.VELOCITY + 2])
    )
    threshold = min(w.restitution_thresholds[i], w.restitution_thresholds[j])
    if vn < -threshold:
        for hit in (i, j):
            if k[hit, status.ASLEEP] != 0:
                k[hit, status.ASLEEP] = k[hit, status.STILL_TICKS] = 0
                b[hit, ball.INVERSE_MASS] = 1.0 / b[hit, ball.MASS]
                b[hit, ball.ACCELERATION], b[hit, ball.ACCELERATION + 1], b[hit, ball.ACCELERATION + 2] = (
                    settings[setting.GRAVITY_X],
                    settings[setting.GRAVITY_Y],
                    settings[setting.GRAVITY_Z],
                )
    restitution = apply_ball_impulse(b, i, j, nx, ny, nz, threshold)
    if restitution <= 0.0:
        # no bounce: the higher ball comes to rest on the other
        weight_along_normal = (
            nx * settings[setting.GRAVITY_X] + ny * settings[setting.GRAVITY_Y] + nz * settings[setting.GRAVITY_Z]
        )
        if weight_along_normal <= 0.0:
            rest_against(w, settings, i, nx, ny, nz)
        else:
            rest_against(w, settings, j, -nx, -ny, -nz)
