"""Which balls touch each other and the ground in a tick, and what is made of it before and after the rounds of impulses
(game.physics.balls.solver)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inlined
from .layout import ball, counter, pair, plane, setting, status
from .scratch import (
    ALLOWED_PAIR_OVERLAP,
    BALL_SKIN,
    MAX_BALL_PLANES,
    MAX_PAIR_GAP,
    MIN_STACK_NORMAL_UP,
    OVERLAP_CORRECTION_PART,
    PILE_MIN_CONTACTS,
    BallScratch,
)

MIN_APPROACH_SPEED = 1e-9  # m/s: an approach slower than this is none


@inlined
def find_ball_contacts(w: BallScratch, numbers: Any, n: int) -> None:
    """Pairs that touch and do not strike each other, in w.contacts, by the higher of their balls; but one that shares
    no ball with those before it may come before them: that changes no bit, and lets a processor do several at once."""
    b, contacts, spots, v, last, starts = w.balls, w.contacts, w.positions, w.velocities, w.next_batches, w.batch_starts
    for i in range(n):
        spots[i, 0], spots[i, 1], spots[i, 2], spots[i, 3] = (
            b[i, ball.POSITION],
            b[i, ball.POSITION + 1],
            b[i, ball.POSITION + 2],
            b[i, ball.RADIUS],
        )
        v[i, 0], v[i, 1], v[i, 2], v[i, 3] = (
            b[i, ball.START_VELOCITY],
            b[i, ball.START_VELOCITY + 1],
            b[i, ball.START_VELOCITY + 2],
            b[i, ball.INVERSE_MASS],
        )
        last[i] = 0
        w.restitution_thresholds[i] = 0.0  # how many it touches, at first
    at, top = 0, 0
    margin, rate = max(numbers[setting.CONTACT_MARGIN], MAX_PAIR_GAP), 1.0 / numbers[setting.DT]
    near = 0
    for q in range(w.counters[counter.PAIRS]):  # a first look that no guess has to be made for
        i, j = w.pairs[q, 0], w.pairs[q, 1]
        dx, dy, dz = spots[i, 0] - spots[j, 0], spots[i, 1] - spots[j, 1], spots[i, 2] - spots[j, 2]
        reach = spots[i, 3] + spots[j, 3] + margin
        w.found_contacts[near, 0], w.found_contacts[near, 1] = i, j
        touch = 1 if dx * dx + dy * dy + dz * dz <= reach * reach else 0
        near += touch
        w.restitution_thresholds[i] += touch
        w.restitution_thresholds[j] += touch
    for i in range(n):
        w.restitution_thresholds[i] = (
            numbers[setting.PILE_RESTITUTION_THRESHOLD]
            if w.restitution_thresholds[i] >= PILE_MIN_CONTACTS
            else numbers[setting.RESTITUTION_THRESHOLD]
        )
    for q in range(near):
        i, j = w.found_contacts[q, 0], w.found_contacts[q, 1]
        dx, dy, dz = spots[i, 0] - spots[j, 0], spots[i, 1] - spots[j, 1], spots[i, 2] - spots[j, 2]
        nx, ny, nz, away = normalize_offset(numbers, dx, dy, dz, dx * dx + dy * dy + dz * dz)
        closing = nx * (v[i, 0] - v[j, 0]) + ny * (v[i, 1] - v[j, 1]) + nz * (v[i, 2] - v[j, 2])
        gap = max(away - spots[i, 3] - spots[j, 3], 0.0)
        if is_impact(closing, gap, min(w.restitution_thresholds[i], w.restitution_thresholds[j]), numbers):
            continue
        turn = max(last[i], last[j])
        if turn == top:
            starts[turn] = 0
            top += 1
        last[i] = last[j] = turn + 1
        starts[turn] += 1
        w.found_contacts[at, 0], w.found_contacts[at, 1], w.found_contacts[at, 2] = i, j, turn
        w.contact_normals[at, 0], w.contact_normals[at, 1], w.contact_normals[at, 2], w.contact_normals[at, 3] = (
            nx,
            ny,
            nz,
            gap * rate,
        )
        at += 1
    w.counters[counter.CONTACTS] = at
    begin = 0
    for turn in range(top):
        count = starts[turn]
        starts[turn] = begin
        begin += count
    gx, gy, gz, steep = (
        numbers[setting.GRAVITY_X],
        numbers[setting.GRAVITY_Y],
        numbers[setting.GRAVITY_Z],
        MIN_STACK_NORMAL_UP * numbers[setting.GRAVITY],
    )
    for q in range(at):
        i, j, turn = w.found_contacts[q, 0], w.found_contacts[q, 1], w.found_contacts[q, 2]
        slot = starts[turn]
        starts[turn] = slot + 1
        w.contact_pairs[slot, 0], w.contact_pairs[slot, 1] = i, j
        nx, ny, nz = w.contact_normals[q, 0], w.contact_normals[q, 1], w.contact_normals[q, 2]
        contacts[slot, pair.NORMAL], contacts[slot, pair.NORMAL + 1], contacts[slot, pair.NORMAL + 2] = nx, ny, nz
        contacts[slot, pair.APPROACH_LIMIT], contacts[slot, pair.NORMAL_IMPULSE] = w.contact_normals[q, 3], 0.0
        contacts[slot, pair.REDUCED_MASS] = 1.0 / (v[i, 3] + v[j, 3])
        contacts[slot, pair.FRICTION] = sqrt(b[i, ball.FRICTION] * b[j, ball.FRICTION])
        contacts[slot, pair.IS_STACKED] = 1.0 if abs(nx * gx + ny * gy + nz * gz) > steep else 0.0


@inlined
def normalize_offset(numbers: Any, dx: float, dy: float, dz: float, square: float) -> tuple[float, float, float, float]:
    """Unit vector along d, and its length."""
    away = sqrt(square)
    part = 1.0 / max(away, 1e-9)
    if away < 1e-9:
        return (
            -numbers[setting.UP_X],
            -numbers[setting.UP_Y],
            -numbers[setting.UP_Z],
            away,
        )  # the one listed first is the lower
    return part * dx, part * dy, part * dz, away


@inlined
def correct_overlaps(w: BallScratch, n: int) -> None:
    """Where balls that lie on each other overlap, note how they are to give way: from the lowest up, and the higher
    one alone where it lies on the other."""
    b, contacts, spots, light, push = w.balls, w.contacts, w.positions, w.velocities, w.angular_velocities
    for i in range(n):
        push[i, 0] = push[i, 1] = push[i, 2] = 0.0
    for q in range(w.counters[counter.CONTACTS]):
        i, j = w.contact_pairs[q, 0], w.contact_pairs[q, 1]
        dx = spots[j, 0] + push[j, 0] - spots[i, 0] - push[i, 0]
        dy = spots[j, 1] + push[j, 1] - spots[i, 1] - push[i, 1]
        dz = spots[j, 2] + push[j, 2] - spots[i, 2] - push[i, 2]
        away = sqrt(dx * dx + dy * dy + dz * dz)
        depth = spots[i, 3] + spots[j, 3] - away - ALLOWED_PAIR_OVERLAP
        li, lj = light[i, 3], light[j, 3]
        if contacts[q, pair.IS_STACKED] > 0.0 and lj > 0.0:
            li = 0.0
        share = li + lj
        if depth <= 0.0 or share <= 0.0 or away < 1e-9:
            continue
        depth *= OVERLAP_CORRECTION_PART / (share * away)
        push[i, 0] -= depth * li * dx
        push[i, 1] -= depth * li * dy
        push[i, 2] -= depth * li * dz
        push[j, 0] += depth * lj * dx
        push[j, 1] += depth * lj * dy
        push[j, 2] += depth * lj * dz
    for i in range(n):
        b[i, ball.POSITION_CORRECTION], b[i, ball.POSITION_CORRECTION + 1], b[i, ball.POSITION_CORRECTION + 2] = (
            push[i, 0],
            push[i, 1],
            push[i, 2],
        )


@inlined
def is_impact(closing: float, gap: float, slow: float, numbers: Any) -> bool:
    """Whether who moves so (m/s, away where positive) will be fast enough over the gap to bounce."""
    return bool((closing < 0.0) & (closing * closing + 2.0 * numbers[setting.GRAVITY] * gap > slow * slow))


@inlined
def mark_impacts(w: BallScratch, i: int, numbers: Any) -> None:
    """Mark the planes that ball i strikes: these are events, not contacts."""
    b, planes = w.balls, w.planes
    for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]):
        closing = (
            planes[p, plane.NORMAL] * (b[i, ball.START_VELOCITY] - planes[p, plane.SURFACE_VELOCITY])
            + planes[p, plane.NORMAL + 1] * (b[i, ball.START_VELOCITY + 1] - planes[p, plane.SURFACE_VELOCITY + 1])
            + planes[p, plane.NORMAL + 2] * (b[i, ball.START_VELOCITY + 2] - planes[p, plane.SURFACE_VELOCITY + 2])
        )
        gap = max(planes[p, plane.GAP] - BALL_SKIN, 0.0)
        planes[p, plane.APPROACH_LIMIT] = gap / numbers[setting.DT]
        planes[p, plane.NORMAL_IMPULSE] = (
            plane.IMPACT_MARK if is_impact(closing, gap, numbers[setting.RESTITUTION_THRESHOLD], numbers) else 0.0
        )


@inlined
def apply_contact_velocity(w: BallScratch, i: int, numbers: Any) -> None:
    """What the contacts made of ball i's velocity becomes its acceleration in this tick, so that its way is exact; at
    once where it was not free to go on as it did."""
    b, planes = w.balls, w.planes
    at_once = False
    for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]):
        closing = (
            planes[p, plane.NORMAL] * (b[i, ball.START_VELOCITY] - planes[p, plane.SURFACE_VELOCITY])
            + planes[p, plane.NORMAL + 1] * (b[i, ball.START_VELOCITY + 1] - planes[p, plane.SURFACE_VELOCITY + 1])
            + planes[p, plane.NORMAL + 2] * (b[i, ball.START_VELOCITY + 2] - planes[p, plane.SURFACE_VELOCITY + 2])
        )
        at_once = at_once or (
            closing < -planes[p, plane.APPROACH_LIMIT] - MIN_APPROACH_SPEED
            and planes[p, plane.NORMAL_IMPULSE] != plane.IMPACT_MARK
        )
    if at_once:
        b[i, ball.ACCELERATION] = b[i, ball.ACCELERATION + 1] = b[i, ball.ACCELERATION + 2] = 0.0
        return
    for axis in range(3):
        b[i, ball.ACCELERATION + axis] = (b[i, ball.VELOCITY + axis] - b[i, ball.START_VELOCITY + axis]) / numbers[
            setting.DT
        ]
        b[i, ball.VELOCITY + axis] = b[i, ball.START_VELOCITY + axis]
