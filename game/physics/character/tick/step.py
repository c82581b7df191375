"""One tick of one walker: the phases in their order (docs/physics.md, "A tick")."""

from __future__ import annotations

from ....core.angles import HEADING_UNITS_PER_TURN
from ....core.vectors import Floats, Indices
from ...environment.environment import MeshArrays
from ...numerics.jit import inner
from ..broad_phase import invalidate_candidates
from ..command import TickCommand
from ..rotate import Rotation, rotate_body
from ..rows import body, button, setting, state_flag, state_row
from ..scratch import Scratch
from ..step_up import begin_step_up, limit_ledges, restore_step_support
from .begin import body_carried_velocity, body_velocity, return_to_safe_place, set_up_body
from .crouch import crouch_or_stand
from .effects import carried_velocity, has_updraft
from .jump import start_jump
from .ladders import climb_tick, is_grabbing_ladder
from .move import Fall, fall, move_horizontally
from .penetration import recover_penetration
from .swimming import climb_out_tick, find_bank, is_climbing_out, is_swimming, swim_tick
from .wish_velocity import wish_motion
from .write_state import clip_horizontal_velocity, write_counters_and_flags, write_free_state, write_motion


@inner
def step_walker(
    w: Scratch,
    settings: Floats,
    mesh: MeshArrays,
    zones: Floats,
    f: Floats,
    i: Indices,
    command: TickCommand,
    may_lift: bool,
) -> bool:
    """Advance a state row by one tick.

    f, i: the row as floats and as integers (one memory, rows.state_row); the candidates are collected and the zones
    read. Vectors are in the body frame (east, up and south of the state). may_lift: a rotation may lift the body

    Returns False if a rotation has lifted a body that then lost its ground: the tick must be made again without lift.
    """
    b = w.body
    dt = settings[setting.DT]
    set_up_body(w, settings, i)
    vx, vy, vz = body_velocity(b, f)
    cx, cy, cz = body_carried_velocity(b, f)
    made = b[body.CARRIED_MADE], b[body.CARRIED_MADE + 1], b[body.CARRIED_MADE + 2]
    invalidate_candidates(w)

    is_clear, _ = recover_penetration(w, False)
    if not is_clear:
        return_to_safe_place(w, settings, f, i)
        return True
    grounded = i[state_row.FLAGS] & state_flag.GROUNDED != 0
    if grounded:
        restore_step_support(w)

    turn = Rotation(i[state_row.HEADING], 0.0, 0.0, False)
    if turn.heading != command.heading % HEADING_UNITS_PER_TURN:
        turn = rotate_body(w, turn.heading, command.heading, grounded, settings[setting.SNAP_DOWN], may_lift)
    heading = turn.heading
    swims = is_swimming(b, i)
    wants_crouch = command.buttons & button.CROUCH != 0 and not swims
    crouched = crouch_or_stand(
        w, settings, heading, i[state_row.FLAGS] & state_flag.CROUCHED != 0, wants_crouch, grounded
    )

    holds_on = grounded or swims or is_climbing_out(i)
    climbs = b[body.LADDER_ZONE] >= 0.0 and is_grabbing_ladder(b, zones, settings, command, holds_on, vy)
    if climbs or b[body.SUBMERGED_FRACTION] > 0.0 or is_climbing_out(i):
        carried = cx, cy, cz
        if climbs or b[body.SUBMERGED_FRACTION] > 0.0:
            carried = carried_velocity(b, zones, int(b[body.LADDER_ZONE] if climbs else b[body.WATER_ZONE]))
        x, y, z = carried
        ahead = made[0] - x * dt, made[1] - y * dt, made[2] - z * dt
        if climbs:
            velocity = climb_tick(w, zones, settings, command, carried, ahead)
            write_free_state(w, f, i, command, heading, crouched, False, True, velocity, carried)
            return True
        bank = find_bank(w, zones, settings, command, i, swims, carried)
        if bank.is_found:
            velocity = climb_out_tick(w, settings, command, bank, carried, ahead)
            write_free_state(w, f, i, command, heading, crouched, True, True, velocity, carried)
            return True
        if swims:
            velocity = swim_tick(w, zones, settings, command, (vx - x, vy - y, vz - z), carried, ahead)
            write_free_state(w, f, i, command, heading, crouched, True, False, velocity, carried)
            return True

    gravity = settings[setting.GRAVITY] * b[body.STRENGTH]
    jump = start_jump(w, settings, zones, f, i, command, vx, vz, (cx, cy, cz))
    motion = wish_motion(w, settings, mesh, i, command, jump, cx, cz, crouched, gravity)
    updraft = has_updraft(b, gravity, jump.is_launched)

    walks = grounded and not jump.leaves_ground and not (updraft and b[body.CURRENT + 1] > 0.0)
    if walks:
        begin_step_up(w, motion.ux, motion.uz, turn)
    else:
        own_rise = max(jump.fall_velocity * dt - made[1], 0.0)
        limit_ledges(w, own_rise + b[body.STEP_HEIGHT] + b[body.SKIN] * b[body.RADII + 1])
    supported = move_horizontally(w, settings, walks, motion.ux, motion.uz)
    if turn.lift > 0.0 and walks and not supported:
        return False
    end = Fall(True, False, 0.0, 0.0, 0.0)
    if not supported:
        fall_velocity = 0.0 if walks else jump.fall_velocity
        end = fall(w, settings, mesh, f, i, vy, fall_velocity, cy, gravity, updraft)

    vx, vz = clip_horizontal_velocity(w, mesh, f, motion, grounded, end)
    write_motion(w, f, i, end, heading, crouched, vx, vz)
    slides = motion.slips if end.supported else end.slides
    write_counters_and_flags(settings, i, command, jump, end.supported, slides, heading, crouched)
    return True
