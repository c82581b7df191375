"""The rules of a level: what a tick of the world does after that of its walkers.

A run is one walker's way through a level: what it keeps beside the walker's state is a row of `Runs`. `apply_rules`
takes the states of many walkers after their tick; a `World` is the case of one row. In the order of a tick:

*zones*  a body that was crushed, is stuck, or has left the level respawns; else it may reach a checkpoint, be killed or
         enter a teleport, in this order, so that one killed in a checkpoint respawns there
*goals*  targets, the goal, exits; last, movers that wait are set off, and move from the next tick on

Balls and golf are between the two, in Python. `sim.level_rules` makes the rules of a Level.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Floats, Indices, Vector
from .character.rows import command_row, state_flag, state_row, tick_event
from .character.state import RISE_TOLERANCE
from .character.tick.run import whole_tick
from .environment.carried_zones import Pose, carry_point, point_at_home
from .environment.motion import AT_HOME, mover_pose
from .environment.rows import motion_row
from .numerics.arrays import ArrayTable, Bytes, Bytes2, ConstantFloats1, ConstantFloats2, Floats3, Indices2
from .numerics.jit import inner, is_interpreted, kernel

OUT_OF_LEVEL_DISTANCE = 20.0  # m beyond the bounding box of a level in which gravity turns
TELEPORT_CLEARANCE = 0.02  # m between the feet and the landing point, so that nothing pushes the body
NEVER = -1  # tick of what has not happened
NO_ZONE = -1  # index of the checkpoint or teleport of a walker that is in none
NO_EXIT = -1

# Columns of the counts of a run. The first five and the next two are a file format (`World.state`).
TICK, GOAL_TICK, GROUND_TICKS, FALL_TICK, EXIT, CHECKPOINT, TELEPORT, BITS, ZONE = range(9)
COUNT_WIDTH = 9
# Places of a run, state rows: where it respawns; at rest in the last checkpoint, with the mover of that at home; where
# a body that was stuck was put in the last tick, if it has respawned as well
RESPAWN, LAST_CHECKPOINT, UNSTUCK = range(3)
PLACE_COUNT = 3

# Bits of what happened in a tick, column BITS
STUCK = 1 << 0  # the tick has put the body to its safe place
BLOCKED = 1 << 1  # stuck at its safe place: it respawned
CRUSHED, FELL, KILLED = 1 << 2, 1 << 3, 1 << 4  # it respawned
TELEPORTED = 1 << 5
KEEPS_VIEW = 1 << 6  # who respawned goes on looking where it looked
CHECKPOINT_REACHED, TARGETS_REACHED, GOAL_REACHED, EXIT_REACHED = 1 << 7, 1 << 8, 1 << 9, 1 << 10
SET_OFF = 1 << 11  # a mover that waited was set off
DIED = STUCK | BLOCKED | CRUSHED | FELL | KILLED
MOVED = DIED | TELEPORTED  # the walker is not where its tick has left it
ANYTHING = MOVED | CHECKPOINT_REACHED | TARGETS_REACHED | GOAL_REACHED | EXIT_REACHED | SET_OFF

ZONES, GOALS = 1, 2  # halves of the rules

# Entries of the numbers of a level
KILL_HEIGHT, LEVEL_BOX, GOAL_WAITS, SAFE_TICKS, RELAPSE_TICKS = 0, 1, 7, 8, 9
FIRST_KILL, FIRST_TELEPORT = 10, 11  # rows of the boxes: checkpoints, then kill zones, then teleports
GOAL = 12  # row of the spheres: targets, then the goal, then exits
NUMBER_COUNT = 13
# Columns of a box
MOVER, CENTRE, HALF, SINE, COSINE, CIRCLE, HOME, HAS_ARRIVAL, ARRIVAL, UP, NORTH, LOOK = (
    0, 1, 4, 7, 8, 9, 10, 13, 14, 17, 20, 23,
)  # fmt: skip
BOX_WIDTH = 24


class LevelRules(ArrayTable):
    """The rules of a level, as kernels take them."""

    numbers: ConstantFloats1  # (NUMBER_COUNT,)
    boxes: ConstantFloats2  # (B, BOX_WIDTH), in the order of `rule_zones`
    spheres: ConstantFloats2  # (T + 1 + E, 4): centres and radii of the targets, the goal (nan: none) and the exits
    start: ConstantFloats1  # (state_row.WIDTH,): at the spawn
    motions: ConstantFloats2  # (M, motion_row.WIDTH) of the movers, with START 0: those of the run count
    keys: ConstantFloats2  # their keyframes


class Runs(ArrayTable):
    """What N runs keep beside the states of their walkers."""

    places: Floats3  # (N, PLACE_COUNT, state_row.WIDTH)
    counts: Indices2  # (N, COUNT_WIDTH)
    targets: Bytes2  # (N, T): 1 for those that were reached
    starts: Indices2  # (N, M or more): tick at which each mover was last set off (`Movers.starts`)

    def __init__(self, *arrays: Any) -> None:
        """Arrays that are read-only, such as those of a pickle may be, are copied."""
        super().__init__(*(array if array.flags.writeable else array.copy() for array in arrays))

    def columns(self) -> tuple[NDArray[Any], ...]:
        """The arrays, in order."""
        return self.places, self.counts, self.targets, self.starts

    def copy(self) -> Runs:
        """The same in other memory."""
        return Runs(*(column.copy() for column in self.columns()))

    def row(self, number: int) -> Run:
        """One run, in the same memory."""
        return Run(self.places[number], self.counts[number], self.targets[number], self.starts[number])


class Run(NamedTuple):
    """A row of Runs, in the same memory."""

    places: Floats
    counts: Indices
    targets: Bytes
    starts: Indices


def no_rules() -> LevelRules:
    """Those of a level without any."""
    none, motions = np.zeros((0, 1)), np.zeros((0, motion_row.WIDTH))
    return LevelRules(np.zeros(NUMBER_COUNT), none, none, np.zeros(state_row.WIDTH), motions, none)


def make_runs(count: int, targets: int, movers: int) -> Runs:
    """So many runs through levels with at most so many targets and movers; each is to be begun."""
    return Runs(
        np.zeros((count, PLACE_COUNT, state_row.WIDTH)),
        np.zeros((count, COUNT_WIDTH), np.int64),
        np.zeros((count, targets), np.uint8),
        np.zeros((count, movers), np.int64),
    )


def begin_runs(rules: LevelRules, runs: Runs, rows: Indices, states: Floats, ticks: Indices) -> None:
    """Begin runs (n,) with their walkers in these states (n, state_row.WIDTH), where they also respawn."""
    places, counts, targets, starts = runs.columns()
    places[rows], targets[rows] = 0.0, 0
    waits_for = rules.motions[:, motion_row.WAITS_FOR]
    starts[rows, : len(waits_for)] = np.where(waits_for == motion_row.ALWAYS, 0, AT_HOME)
    places[rows, RESPAWN] = states
    counts[rows] = NEVER  # also NO_ZONE and NO_EXIT
    counts[rows, TICK], counts[rows, GROUND_TICKS], counts[rows, BITS] = ticks, 0, 0
    feet = states[:, state_row.POSITION : state_row.POSITION + 3]
    feet = feet - states[:, state_row.RADII + 1, None] * states[:, state_row.UP : state_row.UP + 3]
    exits = rules.spheres[int(rules.numbers[GOAL]) + 1 :]
    for number in range(len(exits) - 1, -1, -1):  # only entering an exit counts, not starting in it
        x, y, z = (feet - exits[number, :3]).T
        counts[rows[x * x + y * y + z * z <= exits[number, 3] * exits[number, 3]], EXIT] = number


def return_walker(rules: LevelRules, runs: Runs, row: int, state: Floats) -> None:
    """Put a walker, in the state row `state` (state_row.WIDTH,), back to its last checkpoint, or where it respawns."""
    run = runs.row(row)
    if run.counts[CHECKPOINT] == NO_ZONE:
        _copy(run.places[RESPAWN], state)
    else:
        _go_to_checkpoint(rules, run, state)
    _leave_platform(state)
    _put(run, state)
    mark_arrival(rules, run, state)
    run.counts[EXIT] = find_exit(rules, state)


@kernel
def apply_compiled_rules(
    rules: LevelRules, runs: Runs, before: Floats, after: Floats, commands: Floats, rows: Indices, halves: int,
    ends: int, undone: int, is_held: bool, holes_missing: int,
) -> None:  # fmt: skip
    """Apply the rules of a level after a tick of n walkers.

    before, after   state rows (n, state_row.WIDTH) before and after the tick of the walkers; `after` becomes that after
                    the tick of the world
    commands        rows of `command_columns`, of which command_row.EVENTS counts
    rows            (n,): the run of each. Several rows of one run are its ticks one after another
    halves          ZONES, GOALS or both
    ends            bits that end a run: its later rows are left as they are, until its BITS are set to 0
    undone          bits of DIED with which a run keeps the state and the counts of before the tick
    is_held         whether balls hold the walker, so that the place is not safe
    holes_missing   golf holes that the goal waits for
    """
    for j in range(len(rows)):
        k = rows[j]
        run = Run(runs.places[k], runs.counts[k], runs.targets[k], runs.starts[k])
        if run.counts[BITS] & ends != 0:
            continue
        if halves & ZONES != 0:
            _apply_zones(rules, run, before[j], after[j], int(commands[j, command_row.EVENTS]), undone, is_held)
        if halves & GOALS != 0 and run.counts[BITS] & undone == 0:
            _apply_goals(rules, run, after[j], holes_missing)
            _set_off_movers(rules, run, after[j])


def apply_rules() -> Callable[..., None]:
    """`apply_compiled_rules`; its form in Python, with the same bits, until the whole tick is compiled."""
    global _present_rules
    if _present_rules is _interpreted_rules and whole_tick.is_compiled():
        _present_rules = _load_and_apply
    return _present_rules


def _load_and_apply(*arguments: Any) -> None:
    """The first compiled call. Later ones go to the machine code: the look-up of the types takes 3 us."""
    global _present_rules
    kernel: Any = apply_compiled_rules
    kernel(*arguments)
    if not is_interpreted(kernel):
        _present_rules = kernel.overloads[tuple(map(kernel.typeof_pyval, arguments))].entry_point


_interpreted_rules: Callable[..., None] = getattr(apply_compiled_rules, "py_func", apply_compiled_rules)
_present_rules = _interpreted_rules


@inner
def _apply_zones(
    rules: LevelRules, run: Run, before: Floats, f: Floats, events: int, undone: int, is_held: bool
) -> None:
    """The first half of the rules. f: the state row after the tick of the walker."""
    counts, tick = run.counts, run.counts[TICK] + 1
    bits, zone = _find_death(rules, run, tick, before, f, events)
    counts[BITS] = bits
    if bits & undone != 0:
        _copy(before, f)
        return
    counts[TICK] = tick
    if bits & (CRUSHED | BLOCKED | FELL) != 0:
        if bits & STUCK != 0:
            _copy(f, run.places[UNSTUCK])
        _respawn_after_fall(rules, run, f)
        _put(run, f)
    else:
        _update_respawn_place(rules, run, f, is_held)
        if bits & STUCK == 0:
            _enter_checkpoint(rules, run, f)
        if bits & KILLED != 0:
            counts[ZONE] = zone
            _go_to_checkpoint(rules, run, f)
            _put(run, f)
    if bits & DIED != 0:
        mark_arrival(rules, run, f)
    else:
        _enter_teleport(rules, run, f)


@inner
def _find_death(rules: LevelRules, run: Run, tick: int, before: Floats, f: Floats, events: int) -> tuple[int, int]:
    """(bits of DIED, row of the kill zone or NO_ZONE) after a tick of the walker with these events."""
    if events & tick_event.CRUSHED != 0:
        return CRUSHED, NO_ZONE
    bits = 0
    if events & tick_event.LOST != 0:
        bits = BLOCKED
        for axis in range(3):
            if before[state_row.POSITION + axis] != before[state_row.SAFE_POSITION + axis]:
                bits = STUCK
    if bits != BLOCKED and _is_out_of_level(rules.numbers, f):
        return bits | FELL, NO_ZONE
    if bits != 0:
        return bits, NO_ZONE
    zone = _find_box(rules, run, int(rules.numbers[FIRST_KILL]), int(rules.numbers[FIRST_TELEPORT]), tick, f)
    return (0, NO_ZONE) if zone == NO_ZONE else (KILLED, zone)


@inner
def _is_out_of_level(numbers: Floats, f: Floats) -> bool:
    """Whether the feet are below the kill height, or far outside of the level where gravity turns."""
    feet = _feet(f)
    if feet[1] < numbers[KILL_HEIGHT]:
        return True
    is_upright = f[state_row.UP] == 0.0 and f[state_row.UP + 1] == 1.0 and f[state_row.UP + 2] == 0.0
    for axis in range(0 if is_upright else 3):
        low, high = numbers[LEVEL_BOX + axis], numbers[LEVEL_BOX + 3 + axis]
        if feet[axis] < low - OUT_OF_LEVEL_DISTANCE or feet[axis] > high + OUT_OF_LEVEL_DISTANCE:
            return True
    return False


@inner
def _respawn_after_fall(rules: LevelRules, run: Run, f: Floats) -> None:
    """Back to where the walker last stood; after a second fall so soon to the checkpoint, or to the spawn."""
    counts = run.counts
    last, counts[FALL_TICK] = counts[FALL_TICK], counts[TICK]
    is_again = last != NEVER and float(counts[TICK] - last) < rules.numbers[RELAPSE_TICKS]
    if is_again and counts[CHECKPOINT] != NO_ZONE:
        _go_to_checkpoint(rules, run, f)
        return
    _copy(rules.start if is_again else run.places[RESPAWN], f)
    _leave_platform(f)
    if not is_again and not _is_same(f, rules.start):
        counts[BITS] |= KEEPS_VIEW


@inner
def _update_respawn_place(rules: LevelRules, run: Run, f: Floats, is_held: bool) -> None:
    """Keep a respawn place every half second of uninterrupted ground: a run off a ledge leaves one behind."""
    places, counts = run.places, run.counts
    flags = f.view(np.int64)[state_row.FLAGS]
    is_standing = flags & state_flag.GROUNDED != 0 and flags & state_flag.SLIDING == 0
    if not is_standing or is_held or _is_near_movers(rules.motions, f):
        counts[GROUND_TICKS] = 0
        return
    counts[GROUND_TICKS] += 1
    if counts[GROUND_TICKS] % int(rules.numbers[SAFE_TICKS]) == 0:
        _copy(f, places[RESPAWN])
        _stop(places[RESPAWN])


@inner
def _is_near_movers(motions: Floats, f: Floats) -> bool:
    """Whether any mover can ever come to the body; such a place is not safe (`Movers.reach`)."""
    far = max(f[state_row.RADII], f[state_row.RADII + 1], f[state_row.RADII + 2])
    for k in range(len(motions)):
        is_near = True
        for axis in range(3):
            x, low, high = f[state_row.POSITION + axis], motion_row.BOUNDS + axis, motion_row.BOUNDS + 3 + axis
            is_near = is_near and motions[k, low] - far <= x <= motions[k, high] + far
        if is_near:
            return True
    return False


@inner
def _enter_checkpoint(rules: LevelRules, run: Run, f: Floats) -> None:
    """Keep the checkpoint that the walker stands or swims in, where it is not the last one."""
    places, counts = run.places, run.counts
    if f.view(np.int64)[state_row.FLAGS] & (state_flag.GROUNDED | state_flag.SWIMMING) == 0:
        return
    reached = _find_box(rules, run, 0, int(rules.numbers[FIRST_KILL]), counts[TICK], f)
    if reached == NO_ZONE or reached == counts[CHECKPOINT]:
        return
    counts[CHECKPOINT] = reached
    counts[BITS] |= CHECKPOINT_REACHED
    place, mover = places[LAST_CHECKPOINT], int(rules.boxes[reached, MOVER])
    _copy(f, place)
    _stop(place)
    if mover < 0:
        _copy(place, places[RESPAWN])  # a fall leads back here, too
    else:
        pose = _mover_pose(rules, run, mover, counts[TICK])
        _set_position(place, point_at_home(pose, _home(rules.boxes, reached), _position(place)))


@inner
def _go_to_checkpoint(rules: LevelRules, run: Run, f: Floats) -> None:
    """Put the walker to its last checkpoint, where that is now; before the first to the spawn. It leaves its mover."""
    places, counts = run.places, run.counts
    reached = counts[CHECKPOINT]
    _copy(rules.start if reached == NO_ZONE else places[LAST_CHECKPOINT], f)
    mover = -1 if reached == NO_ZONE else int(rules.boxes[reached, MOVER])
    if mover >= 0:
        pose = _mover_pose(rules, run, mover, counts[TICK])
        _set_position(f, carry_point(pose, _home(rules.boxes, reached), _position(f)))
    _leave_platform(f)


@inner
def _enter_teleport(rules: LevelRules, run: Run, f: Floats) -> None:
    """Use the teleport that the walker entered in this tick. Leaving one inside another is no entering."""
    counts, last = run.counts, run.counts[TELEPORT]
    mark_arrival(rules, run, f)
    zone = counts[TELEPORT] + int(rules.numbers[FIRST_TELEPORT])
    if counts[TELEPORT] == NO_ZONE or counts[TELEPORT] == last or rules.boxes[zone, HAS_ARRIVAL] == 0.0:
        return
    box, i, high = rules.boxes[zone], f.view(np.int64), f[state_row.RADII + 1] + TELEPORT_CLEARANCE
    for axis in range(3):
        f[state_row.POSITION + axis] = box[ARRIVAL + axis] + high * box[UP + axis]
        f[state_row.VELOCITY + axis] = f[state_row.CARRIED_VELOCITY + axis] = 0.0
        f[state_row.UP + axis], f[state_row.NORTH + axis] = box[UP + axis], box[NORTH + axis]
    f[state_row.FALL_VELOCITY] = 0.0
    i[state_row.HEADING] = int(box[LOOK])
    i[state_row.FLAGS] &= ((1 << state_flag.MOVER_SHIFT) - 1) & ~state_flag.GROUNDED
    counts[ZONE], counts[GROUND_TICKS] = zone, 0
    counts[BITS] |= TELEPORTED
    mark_arrival(rules, run, f)


@inner
def mark_arrival(rules: LevelRules, run: Run, f: Floats) -> None:
    """The walker was put elsewhere: a teleport at that place works only after it is left and entered again."""
    first = int(rules.numbers[FIRST_TELEPORT])
    found = _find_box(rules, run, first, len(rules.boxes), run.counts[TICK], f)
    run.counts[TELEPORT] = NO_ZONE if found == NO_ZONE else found - first


@inner
def _apply_goals(rules: LevelRules, run: Run, f: Floats, holes_missing: int) -> None:
    """The second half of the rules."""
    targets, counts = run.targets, run.counts
    goal, missing = int(rules.numbers[GOAL]), 0
    for n in range(goal):
        if targets[n] == 0:
            if _touches_body(rules.spheres[n], f):
                targets[n] = 1
                counts[BITS] |= TARGETS_REACHED
            else:
                missing += 1
    is_open = (rules.numbers[GOAL_WAITS] == 0.0 or missing == 0) and holes_missing == 0
    if is_open and counts[GOAL_TICK] == NEVER and _contains_feet(rules.spheres[goal], f):
        counts[GOAL_TICK] = counts[TICK]
        counts[BITS] |= GOAL_REACHED
    exit_ = find_exit(rules, f)
    if exit_ != NO_EXIT and exit_ != counts[EXIT] and counts[BITS] & MOVED == 0:
        counts[BITS] |= EXIT_REACHED
    counts[EXIT] = exit_


@inner
def _set_off_movers(rules: LevelRules, run: Run, f: Floats) -> None:
    """Set off the movers that wait at their first stop for the walker. One that moves ends its period first."""
    motions, tick, flags, feet = rules.motions, run.counts[TICK], f.view(np.int64)[state_row.FLAGS], _feet(f)
    ridden = flags >> state_flag.MOVER_SHIFT if flags & state_flag.GROUNDED != 0 else 0
    for k in range(len(motions)):
        waits_for = motions[k, motion_row.WAITS_FOR]
        if waits_for == motion_row.ALWAYS:
            continue
        t = float(tick - run.starts[k]) / motions[k, motion_row.TICKS_PER_SECOND] + motions[k, motion_row.PHASE]
        if 0.0 <= t < motions[k, motion_row.PERIOD]:
            continue
        is_set_off = ridden == k + 1
        if waits_for == motion_row.NEAR:
            is_set_off = True
            for axis in range(3):
                low, high = motion_row.NEAR_BOX + axis, motion_row.NEAR_BOX + 3 + axis
                is_set_off = is_set_off and motions[k, low] <= feet[axis] <= motions[k, high]
        if is_set_off:
            run.starts[k] = tick
            run.counts[BITS] |= SET_OFF


@inner
def _mover_pose(rules: LevelRules, run: Run, mover: int, tick: int) -> Pose:
    """Pose of a mover of a run at a tick."""
    return mover_pose(rules.motions, rules.keys, mover, float(tick - run.starts[mover]))


@inner
def find_exit(rules: LevelRules, f: Floats) -> int:
    """Index of the first exit that contains the feet, or NO_EXIT."""
    first = int(rules.numbers[GOAL]) + 1
    for n in range(first, len(rules.spheres)):
        if _contains_feet(rules.spheres[n], f):
            return n - first
    return NO_EXIT


@inner
def _contains_feet(sphere: Floats, f: Floats) -> bool:
    feet = _feet(f)
    x, y, z = feet[0] - sphere[0], feet[1] - sphere[1], feet[2] - sphere[2]
    return bool(x * x + y * y + z * z <= sphere[3] * sphere[3])


@inner
def _touches_body(sphere: Floats, f: Floats) -> bool:
    """Whether a point of the segment from the feet to the top of the head lies in the sphere."""
    feet, tall = _feet(f), 2.0 * f[state_row.RADII + 1]
    u, v, w = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
    x, y, z = sphere[0] - feet[0], sphere[1] - feet[1], sphere[2] - feet[2]
    along = min(max(x * u + y * v + z * w, 0.0), tall)
    x, y, z = x - along * u, y - along * v, z - along * w
    return bool(x * x + y * y + z * z <= sphere[3] * sphere[3])


@inner
def _find_box(rules: LevelRules, run: Run, first: int, end: int, tick: int, f: Floats) -> int:
    """The last of the boxes `first` to before `end` that contains the centre or the feet of the body, or NO_ZONE."""
    for k in range(end - 1, first - 1, -1):
        centre, feet, mover = _position(f), _feet(f), int(rules.boxes[k, MOVER])
        if mover >= 0:
            pose, home = _mover_pose(rules, run, mover, tick), _home(rules.boxes, k)
            centre, feet = point_at_home(pose, home, centre), point_at_home(pose, home, feet)
        if _contains(rules.boxes[k], centre) or _contains(rules.boxes[k], feet):
            return k
    return NO_ZONE


@inner
def _contains(box: Floats, point: Vector) -> bool:
    """Whether a point is in a box, the mover of which is at home (`LevelZone.contains`)."""
    x, y, z = point[0] - box[CENTRE], point[1] - box[CENTRE + 1], point[2] - box[CENTRE + 2]
    if not abs(y) <= box[HALF + 1] or x * x + z * z > box[CIRCLE]:
        return False
    s, c = box[SINE], box[COSINE]
    return bool(abs(c * x - s * z) <= box[HALF] and abs(s * x + c * z) <= box[HALF + 2])


@inner
def _home(boxes: Floats, k: int) -> Vector:
    return boxes[k, HOME], boxes[k, HOME + 1], boxes[k, HOME + 2]


@inner
def _position(f: Floats) -> Vector:
    return f[state_row.POSITION], f[state_row.POSITION + 1], f[state_row.POSITION + 2]


@inner
def _feet(f: Floats) -> Vector:
    (x, y, z), high = _position(f), f[state_row.RADII + 1]
    return x - high * f[state_row.UP], y - high * f[state_row.UP + 1], z - high * f[state_row.UP + 2]


@inner
def _stop(f: Floats) -> None:
    """Take the velocity of a body (`WalkerState.replace`)."""
    for axis in range(3):
        f[state_row.VELOCITY + axis] = f[state_row.CARRIED_VELOCITY + axis] = 0.0
    f[state_row.FALL_VELOCITY] = 0.0 * f[state_row.UP] + 0.0 * f[state_row.UP + 1] + 0.0 * f[state_row.UP + 2]


@inner
def _set_position(f: Floats, position: Vector) -> None:
    """Put a body there, on no mover; one that moves upwards leaves the ground (`WalkerState.replace`)."""
    i, rise, square = f.view(np.int64), 0.0, 0.0
    i[state_row.FLAGS] &= (1 << state_flag.MOVER_SHIFT) - 1
    for axis in range(3):
        f[state_row.POSITION + axis], v = position[axis], f[state_row.VELOCITY + axis]
        rise, square = rise + v * f[state_row.UP + axis], square + v * v
    if rise > RISE_TOLERANCE * sqrt(square):
        i[state_row.FLAGS] &= ~state_flag.GROUNDED
        for axis in range(3):
            f[state_row.GROUND_NORMAL + axis] = 0.0


@inner
def _leave_platform(f: Floats) -> None:
    """The body on no moving platform, for a place that was kept: its platform has moved on, or is gone."""
    if f.view(np.int64)[state_row.FLAGS] >> state_flag.MOVER_SHIFT != 0:
        _set_position(f, _position(f))


@inner
def _put(run: Run, f: Floats) -> None:
    """The walker was put to a place, where it also respawns until it has stood elsewhere for half a second."""
    _copy(f, run.places[RESPAWN])
    run.counts[GROUND_TICKS] = 0


@inner
def _copy(state: Floats, into: Floats) -> None:
    """Copy a state row, bit for bit."""
    source, target = state.view(np.int64), into.view(np.int64)
    for column in range(state_row.WIDTH):
        target[column] = source[column]


@inner
def _is_same(state: Floats, other: Floats) -> bool:
    """Whether two state rows have the same bits."""
    a, b, is_same = state.view(np.int64), other.view(np.int64), True
    for column in range(state_row.WIDTH):
        is_same = is_same and a[column] == b[column]
    return is_same
