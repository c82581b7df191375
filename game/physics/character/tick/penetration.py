"""Recovery from penetration: pushing the body out of what it overlaps (docs/physics.md)."""

from __future__ import annotations

from math import sqrt

from ...numerics.jit import inner
from ..broad_phase import require_candidates
from ..contacts import find_contacts
from ..rows import body, counter, tick_event
from ..scratch import Scratch
from ..slide import displace, project_displacement, sweep_and_move

MAX_RECOVERY_ITERATIONS = 8  # pushes in a tick
MAX_RECOVERY_STEP = 0.25  # m of one push
PENETRATION_TOLERANCE = 1e-6  # ellipsoid space: a gap below half the skin by more than this is a penetration


@inner
def recover_penetration(w: Scratch, among_platforms: bool) -> tuple[bool, float]:
    """Push the body out of what it overlaps, by at most 8 times 0.25 m; (is clear at the end, distance moved in m).

    Each push is the smallest displacement that restores all gaps. among_platforms: a push out of movers has no limit
    and is swept against everything else, and without one there is no room.
    """
    b = w.body
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    clear = False
    for push in range(MAX_RECOVERY_ITERATIONS + 1):
        require_candidates(w, 0.0, 0.0, 0.0)
        if find_contacts(w) >= 0.5 * b[body.SKIN] - PENETRATION_TOLERANCE:
            clear = True
            break
        if push == MAX_RECOVERY_ITERATIONS:
            break
        w.counters[counter.EVENTS] |= tick_event.PUSHED
        dx, dy, dz = project_displacement(w, 0.0, 0.0, 0.0)
        if among_platforms:
            if dx == 0.0 and dy == 0.0 and dz == 0.0:
                break
            sweep_and_move(w, dx, dy, dz)
            continue
        length = sqrt(dx * dx + dy * dy + dz * dz)
        if length > MAX_RECOVERY_STEP:
            dx, dy, dz = (
                dx / length * MAX_RECOVERY_STEP,
                dy / length * MAX_RECOVERY_STEP,
                dz / length * MAX_RECOVERY_STEP,
            )
        displace(w, dx, dy, dz)
    dx, dy, dz = b[body.OFFSET] - x, b[body.OFFSET + 1] - y, b[body.OFFSET + 2] - z
    return clear, sqrt(dx * dx + dy * dy + dz * dz)
