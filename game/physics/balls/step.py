"""One tick of all balls as one kernel: broad phase, contacts, solver, continuous collision, sleep (docs/balls.md).

Shorthands: b = w.balls (rows.ball), k = w.status (rows.status), settings: rows.setting, rows and ints: the state
rows as float64 and int64 (rows.ball_row), n: number of balls.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats, Indices
from ..numerics.jit import inner, kernel
from .body_contacts import find_body_contacts, is_far_from_body
from .broad_phase import find_ball_pairs, grid_cell_size
from .contacts import apply_contact_velocity, correct_overlaps, find_ball_contacts, mark_impacts
from .continuous_collision import advance_ball, find_first_impacts, process_events, resume_ball
from .mesh_contacts import find_mesh_contacts, set_sweep_radius
from .platform_contacts import find_mover_contacts, is_far_from_mover, sweep_and_push_ball, update_movers
from .rows import ball, ball_pair, ball_row, counter, mover_row, plane, setting, status
from .scratch import (
    BALL_SKIN,
    MAX_BALL_PLANES,
    MAX_DEPENETRATION_RATIO,
    MAX_PAIR_GAP,
    PILE_SLEEP_SPEED_FACTOR,
    WAKE_SEPARATION,
    WAKE_SPEED_FACTOR,
    BallScratch,
    CollisionMesh,
    Obstacles,
)
from .solver import solve_contacts
from .triangle_lists import update_triangle_lists

REACH_MARGIN = 0.12  # of the radius: margin of the sphere that contains a ball's path in the tick


@inner
def are_rows_valid(rows: Floats, limits: Floats, n: int) -> bool:
    """Whether all columns are within limits (2, columns): lowest and highest value; and no quaternion is zero.

    No early exit, so it is vectorised.
    """
    is_valid = True
    for i in range(n):
        square = 0.0
        for c in range(ball_row.TURN, ball_row.TURN + 4):
            square += rows[i, c] * rows[i, c]
        is_valid &= square >= ball_row.MIN_TURN_LENGTH * ball_row.MIN_TURN_LENGTH
        for c in range(limits.shape[1]):
            is_valid &= (rows[i, c] >= limits[0, c]) & (rows[i, c] <= limits[1, c])
    return is_valid


@inner
def load_balls(w: BallScratch, settings: Floats, rows: Floats, ints: Indices, order: Indices, n: int) -> None:
    """Copy the state rows, in canonical order, into scratch memory."""
    b, k = w.balls, w.status
    for i in range(n):
        row = order[i]
        for axis in range(3):
            b[i, ball.POSITION + axis] = b[i, ball.START_POSITION + axis] = rows[row, ball_row.POSITION + axis]
            b[i, ball.VELOCITY + axis] = b[i, ball.START_VELOCITY + axis] = rows[row, ball_row.VELOCITY + axis]
            b[i, ball.ANGULAR_VELOCITY + axis] = rows[row, ball_row.SPIN + axis]
            b[i, ball.ACCELERATION + axis] = b[i, ball.POSITION_CORRECTION + axis] = 0.0
        b[i, ball.TIME] = 0.0
        b[i, ball.RADIUS], b[i, ball.MASS] = rows[row, ball_row.RADIUS], rows[row, ball_row.MASS]
        b[i, ball.RESTITUTION], b[i, ball.FRICTION], b[i, ball.ROLLING_RESISTANCE] = (
            rows[row, ball_row.RESTITUTION],
            rows[row, ball_row.FRICTION],
            rows[row, ball_row.ROLLING],
        )
        b[i, ball.SWEEP_RADIUS] = b[i, ball.RADIUS]
        k[i, status.ASLEEP], k[i, status.STILL_TICKS] = ints[row, ball_row.ASLEEP] & 1, ints[row, ball_row.STILL]
        k[i, status.EVENT_STAMP] = k[i, status.EVENT_COUNT] = k[i, status.PLANE_COUNT] = k[i, status.LOAD] = k[
            i, status.REST_COUNT
        ] = k[i, status.TOUCHES_MOVING] = k[i, status.NO_SURFACE_NEAR] = k[i, status.SURFACE_PLANE_COUNT] = 0
        k[i, status.LIST_COUNT] = status.NO_LIST
        speed = sqrt(
            b[i, ball.VELOCITY] * b[i, ball.VELOCITY]
            + b[i, ball.VELOCITY + 1] * b[i, ball.VELOCITY + 1]
            + b[i, ball.VELOCITY + 2] * b[i, ball.VELOCITY + 2]
        )
        path_length = settings[setting.DT] * (speed + 0.5 * settings[setting.DT] * settings[setting.GRAVITY])
        b[i, ball.SWEPT_RADIUS] = (1.0 + REACH_MARGIN) * b[i, ball.RADIUS] + (
            path_length if k[i, status.ASLEEP] == 0 else 0.0
        )
        b[i, ball.INVERSE_MASS] = 1.0 / b[i, ball.MASS] if k[i, status.ASLEEP] == 0 else 0.0


@inner
def wake_neighbours(w: BallScratch, settings: Floats) -> None:
    """Wake sleeping balls that a fast ball touches."""
    b, k = w.balls, w.status
    wake_speed = WAKE_SPEED_FACTOR * PILE_SLEEP_SPEED_FACTOR * settings[setting.SLEEP_SPEED]
    for q in range(w.counters[counter.PAIRS]):
        i, j = w.pairs[q, ball_pair.FIRST], w.pairs[q, ball_pair.SECOND]
        if (k[i, status.ASLEEP] != 0) == (k[j, status.ASLEEP] != 0):
            continue
        sleeper, other = (i, j) if k[i, status.ASLEEP] != 0 else (j, i)
        vx, vy, vz = b[other, ball.VELOCITY], b[other, ball.VELOCITY + 1], b[other, ball.VELOCITY + 2]
        dx, dy, dz = (
            b[i, ball.POSITION] - b[j, ball.POSITION],
            b[i, ball.POSITION + 1] - b[j, ball.POSITION + 1],
            b[i, ball.POSITION + 2] - b[j, ball.POSITION + 2],
        )
        reach = b[i, ball.RADIUS] + b[j, ball.RADIUS] + MAX_PAIR_GAP
        if vx * vx + vy * vy + vz * vz > wake_speed * wake_speed and dx * dx + dy * dy + dz * dz <= reach * reach:
            wake_ball(w, sleeper)


@inner
def wake_separated(w: BallScratch, settings: Floats) -> None:
    """Wake sleeping balls from which another ball has moved away in this tick: they may have lain on it."""
    b, k = w.balls, w.status
    for q in range(w.counters[counter.PAIRS]):
        i, j = w.pairs[q, ball_pair.FIRST], w.pairs[q, ball_pair.SECOND]
        if (k[i, status.ASLEEP] != 0) == (k[j, status.ASLEEP] != 0):
            continue
        before, after = 0.0, 0.0
        for axis in range(3):
            d = b[i, ball.START_POSITION + axis] - b[j, ball.START_POSITION + axis]
            before += d * d
            d = b[i, ball.POSITION + axis] - b[j, ball.POSITION + axis]
            after += d * d
        reach = b[i, ball.RADIUS] + b[j, ball.RADIUS] + WAKE_SEPARATION
        if before <= reach * reach < after:
            wake_ball(w, i if k[i, status.ASLEEP] != 0 else j)


@inner
def wake_ball(w: BallScratch, i: int) -> None:
    """Wake ball i."""
    w.status[i, status.ASLEEP] = w.status[i, status.STILL_TICKS] = 0
    w.balls[i, ball.INVERSE_MASS] = 1.0 / w.balls[i, ball.MASS]


@inner
def find_surface_contacts(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, i: int) -> None:
    """Find the planes that ball i may press on in this tick."""
    b, margin = w.balls, settings[setting.CONTACT_MARGIN]
    find_mesh_contacts(mesh, w, i, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2], margin)
    find_mover_contacts(obstacles, w, i, 0.0, settings[setting.DT], margin)
    find_body_contacts(obstacles, w, i, 0.0, settings[setting.DT], margin)


@inner
def wake_by_movers(obstacles: Obstacles, w: BallScratch, n: int) -> None:
    """Wake sleeping balls near a body or the range of a moving mover."""
    m, e = obstacles.movers, obstacles.bodies
    for i in range(n):
        if w.status[i, status.ASLEEP] == 0:
            continue
        reach = w.balls[i, ball.RADIUS] + WAKE_SEPARATION
        for k in range(m.shape[0]):
            if m[k, mover_row.IS_MOVING] != 0.0 and not is_far_from_mover(m, k, w.balls, i, reach):
                wake_ball(w, i)
        for k in range(e.shape[0]):
            if not is_far_from_body(e, k, w.balls, i, reach):
                wake_ball(w, i)


@inner
def depenetrate_ball(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, i: int) -> None:
    """Find the planes of ball i; if it penetrates the level or movers, push it out by at most MAX_DEPENETRATION_RATIO
    radii."""
    b, planes = w.balls, w.planes
    if w.status[i, status.NO_SURFACE_NEAR] != 0:
        b[i, ball.SWEEP_RADIUS] = b[i, ball.RADIUS] + BALL_SKIN
        return
    for attempt in range(2):
        w.status[i, status.PLANE_COUNT] = 0
        find_surface_contacts(mesh, obstacles, w, settings, i)
        penetrates = False
        for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + w.status[i, status.SURFACE_PLANE_COUNT]):
            if planes[p, plane.GAP] < 0.0 and attempt == 0:
                penetrates = True
                push = min(BALL_SKIN - planes[p, plane.GAP], MAX_DEPENETRATION_RATIO * b[i, ball.RADIUS])
                for axis in range(3):
                    b[i, ball.POSITION + axis] += push * planes[p, plane.NORMAL + axis]
        if not penetrates:
            break
    set_sweep_radius(w, i)


@inner
def depenetrate_balls(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, n: int) -> None:
    """Depenetrate all balls that are awake; note which touch a moving surface."""
    k, planes = w.status, w.planes
    for i in range(n):
        if k[i, status.ASLEEP] == 0:
            depenetrate_ball(mesh, obstacles, w, settings, i)
            for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + k[i, status.PLANE_COUNT]):
                if (
                    planes[p, plane.SURFACE_VELOCITY] != 0.0
                    or planes[p, plane.SURFACE_VELOCITY + 1] != 0.0
                    or planes[p, plane.SURFACE_VELOCITY + 2] != 0.0
                ):
                    k[i, status.TOUCHES_MOVING] = 1


@inner
def apply_position_correction(
    mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, i: int
) -> None:
    """Move ball i by its overlap correction and out of bodies, as far as a sweep against the level and movers allows.

    Without components into its planes: those of bodies first, those of surfaces last, which hold. A body does not push
    a ball against other balls that press it into the body.
    """
    b, planes = w.balls, w.planes
    cx, cy, cz = b[i, ball.POSITION_CORRECTION], b[i, ball.POSITION_CORRECTION + 1], b[i, ball.POSITION_CORRECTION + 2]
    dx, dy, dz = cx, cy, cz
    surfaces, count = w.status[i, status.SURFACE_PLANE_COUNT], w.status[i, status.PLANE_COUNT]
    for _ in range(2):
        for q in range(surfaces, surfaces + count):
            p, required = i * MAX_BALL_PLANES + q % count, 0.0
            nx, ny, nz = planes[p, plane.NORMAL], planes[p, plane.NORMAL + 1], planes[p, plane.NORMAL + 2]
            if q < count and planes[p, plane.GAP] < 0.0 and nx * cx + ny * cy + nz * cz >= 0.0:
                required = BALL_SKIN - planes[p, plane.GAP]
            n_d = nx * dx + ny * dy + nz * dz
            missing = max(required - n_d, 0.0)
            dx, dy, dz = dx + missing * nx, dy + missing * ny, dz + missing * nz
    if dx == 0.0 and dy == 0.0 and dz == 0.0:
        return
    square = dx * dx + dy * dy + dz * dz
    limit = MAX_DEPENETRATION_RATIO * b[i, ball.RADIUS]
    if square > limit * limit:
        scale = limit / sqrt(square)
        dx, dy, dz = scale * dx, scale * dy, scale * dz
    if w.status[i, status.NO_SURFACE_NEAR] != 0:
        b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2] = (
            b[i, ball.POSITION] + dx,
            b[i, ball.POSITION + 1] + dy,
            b[i, ball.POSITION + 2] + dz,
        )
        return
    sweep_and_push_ball(mesh, obstacles, w, i, dx, dy, dz)
    w.status[i, status.PLANE_COUNT] = 0
    find_surface_contacts(mesh, obstacles, w, settings, i)
    set_sweep_radius(w, i)


@inner
def apply_position_corrections(
    mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, n: int
) -> None:
    """`apply_position_correction` for all balls."""
    for i in range(n):
        apply_position_correction(mesh, obstacles, w, settings, i)


@inner
def update_sleep(w: BallScratch, settings: Floats, i: int) -> None:
    """Count the ticks of little motion of ball i; put it to sleep when they are enough."""
    b, k = w.balls, w.status
    piled = k[i, status.LOAD] == status.LOAD_BY_BALLS
    sleep_speed = settings[setting.SLEEP_SPEED] * (PILE_SLEEP_SPEED_FACTOR if piled else 1.0)
    if (
        sleep_speed <= 0.0
        or (k[i, status.LOAD] == 0 and k[i, status.REST_COUNT] == 0)
        or k[i, status.TOUCHES_MOVING] != 0
    ):
        k[i, status.STILL_TICKS] = 0
        return
    speed, spin = 0.0, 0.0
    for axis in range(3):
        if piled:  # in a pile velocities remain that move nothing: use the displacement of the tick
            velocity = (b[i, ball.POSITION + axis] - b[i, ball.START_POSITION + axis]) / settings[setting.DT]
            speed += velocity * velocity
        else:
            speed += b[i, ball.VELOCITY + axis] * b[i, ball.VELOCITY + axis]
            spin += b[i, ball.ANGULAR_VELOCITY + axis] * b[i, ball.ANGULAR_VELOCITY + axis]
    if speed > sleep_speed * sleep_speed or spin * b[i, ball.RADIUS] * b[i, ball.RADIUS] > sleep_speed * sleep_speed:
        k[i, status.STILL_TICKS] = 0
        return
    k[i, status.STILL_TICKS] += 1
    if float(k[i, status.STILL_TICKS]) >= settings[setting.SLEEP_TICKS]:
        k[i, status.ASLEEP] = 1
        for axis in range(3):
            b[i, ball.VELOCITY + axis] = b[i, ball.ANGULAR_VELOCITY + axis] = 0.0


@inner
def store_ball(w: BallScratch, settings: Floats, rows: Floats, row: int, i: int) -> None:
    """Write ball i's state row; its orientation q changes by dt w q / 2 (first order, normalised)."""
    b = w.balls
    for axis in range(3):
        rows[row, ball_row.POSITION + axis] = b[i, ball.POSITION + axis]
        rows[row, ball_row.VELOCITY + axis] = b[i, ball.VELOCITY + axis]
        rows[row, ball_row.SPIN + axis] = b[i, ball.ANGULAR_VELOCITY + axis]
    half = 0.5 * settings[setting.DT]
    sx, sy, sz = (
        half * b[i, ball.ANGULAR_VELOCITY],
        half * b[i, ball.ANGULAR_VELOCITY + 1],
        half * b[i, ball.ANGULAR_VELOCITY + 2],
    )
    if sx == 0.0 and sy == 0.0 and sz == 0.0:
        return
    qw, qx, qy, qz = (
        rows[row, ball_row.TURN],
        rows[row, ball_row.TURN + 1],
        rows[row, ball_row.TURN + 2],
        rows[row, ball_row.TURN + 3],
    )
    tw = qw - sx * qx - sy * qy - sz * qz
    tx = qx + sx * qw + sy * qz - sz * qy
    ty = qy + sy * qw + sz * qx - sx * qz
    tz = qz + sz * qw + sx * qy - sy * qx
    scale = 1.0 / sqrt(tw * tw + tx * tx + ty * ty + tz * tz)
    rows[row, ball_row.TURN], rows[row, ball_row.TURN + 1] = scale * tw, scale * tx
    rows[row, ball_row.TURN + 2], rows[row, ball_row.TURN + 3] = scale * ty, scale * tz


@inner
def find_touching_balls(w: BallScratch, settings: Floats, n: int) -> None:
    """Find contacts between balls and the corrections of their overlaps."""
    find_ball_contacts(w, settings, n)
    correct_overlaps(w, n)


@inner
def solve_velocities(w: BallScratch, settings: Floats, n: int) -> None:
    """Apply gravity and solve contacts: velocity and acceleration of each ball at the beginning of the tick."""
    b, k = w.balls, w.status
    for i in range(n):
        if k[i, status.ASLEEP] == 0:
            mark_impacts(w, i, settings)
            for axis in range(3):
                b[i, ball.VELOCITY + axis] += settings[setting.DT] * settings[setting.GRAVITY_X + axis]
    solve_contacts(w, settings, n)
    for i in range(n):
        if k[i, status.ASLEEP] != 0:
            continue
        if k[i, status.LOAD] != 0:
            apply_contact_velocity(w, i, settings)
        else:
            for axis in range(3):
                b[i, ball.VELOCITY + axis], b[i, ball.ACCELERATION + axis] = (
                    b[i, ball.START_VELOCITY + axis],
                    settings[setting.GRAVITY_X + axis],
                )


@inner
def store_balls(w: BallScratch, settings: Floats, rows: Floats, order: Indices, n: int) -> None:
    """Advance each ball that is awake to the end of the tick; update sleep; write its state row."""
    b, k = w.balls, w.status
    for i in range(n):
        if k[i, status.ASLEEP] == 0:
            if b[i, ball.TIME] < settings[setting.DT]:
                advance_ball(b, i, settings[setting.DT])
            resume_ball(w, i)
            update_sleep(w, settings, i)
            store_ball(w, settings, rows, order[i], i)


@inner
def step_once(
    mesh: CollisionMesh,
    obstacles: Obstacles,
    clock: float,
    w: BallScratch,
    settings: Floats,
    limits: Floats,
    order: Indices,
    rows: Floats,
    ints: Indices,
) -> bool:
    """One tick of `step_balls`; False, and nothing changed, where it cannot be made."""
    n = rows.shape[0]
    w.counters[counter.INVALID_INPUT] = w.counters[counter.TRIANGLES_NEEDED] = w.counters[
        counter.EVENTS_NEEDED
    ] = w.counters[counter.FIRST_PLANE] = 0
    if not are_rows_valid(rows, limits, n):
        w.counters[counter.INVALID_INPUT] = 1
        return False
    load_balls(w, settings, rows, ints, order, n)
    update_movers(obstacles, clock, settings[setting.DT])
    wake_by_movers(obstacles, w, n)
    side = grid_cell_size(w, n)
    find_ball_pairs(w, settings, n, side)
    if w.counters[counter.PAIRS_NEEDED] > 0:
        return False
    wake_neighbours(w, settings)
    update_triangle_lists(mesh, obstacles, w, n, side)
    depenetrate_balls(mesh, obstacles, w, settings, n)
    find_touching_balls(w, settings, n)
    solve_velocities(w, settings, n)
    apply_position_corrections(mesh, obstacles, w, settings, n)
    find_first_impacts(mesh, obstacles, w, settings, n)
    process_events(mesh, obstacles, w, settings, n, side)
    if w.counters[counter.TRIANGLES_NEEDED] > 0 or w.counters[counter.EVENTS_NEEDED] > 0:
        return False
    store_balls(w, settings, rows, order, n)
    wake_separated(w, settings)
    for i in range(n):
        ints[order[i], ball_row.STILL], ints[order[i], ball_row.ASLEEP] = (
            w.status[i, status.STILL_TICKS],
            w.status[i, status.ASLEEP],
        )
    return True


@kernel
def step_balls(
    mesh: CollisionMesh,
    obstacles: Obstacles,
    clock: float,
    w: BallScratch,
    settings: Floats,
    limits: Floats,
    bounds: Floats,
    path: Floats,
    order: Indices,
    rows: Floats,
    ints: Indices,
) -> int:
    """Advance all balls in place by the ticks from `clock` on, one for each row of `path`; the number of ticks made, or
    -1 less that number where the next one cannot be made.

    limits (2, columns): lowest and highest value of each column of a state row; bounds (2, 3), m: where the first ball
    stays; path (ticks, 3): its position after each tick, m; order: canonical order. The last tick is the one after
    which the first ball sleeps or is out of bounds. Several ticks are for one ball: the order is that of the first
    tick. A tick is not made, and changes nothing, if a row is out of range (INVALID_INPUT) or scratch memory is too
    small (counters PAIRS_NEEDED, TRIANGLES_NEEDED, EVENTS_NEEDED).
    """
    ticks = int(path.shape[0])
    for tick in range(ticks):
        if not step_once(mesh, obstacles, clock + tick, w, settings, limits, order, rows, ints):
            return -1 - tick
        is_outside = False
        for axis in range(3):
            path[tick, axis] = rows[0, ball_row.POSITION + axis]
            is_outside |= not (bounds[0, axis] <= path[tick, axis] <= bounds[1, axis])
        if is_outside or ints[0, ball_row.ASLEEP] & 1 != 0:
            return tick + 1
    return ticks
