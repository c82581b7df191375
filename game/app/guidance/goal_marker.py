"""Goal marker: objectives projected into the picture, at its edge where they are outside of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...render.guidance_content import ScreenMarker
from .objectives import Objective, ObjectiveKind

if TYPE_CHECKING:
    from ...render import Camera

# Part of the picture for markers, as fractions of it: timer, counter and hints stay free.
LEFT, RIGHT, TOP, BOTTOM = 0.05, 0.95, 0.16, 0.86
HIDDEN_DISTANCE, FULL_DISTANCE = 2.0, 4.5  # m from the eye: invisible up to the first, opaque from the second on
MIN_DIRECTION = 1e-6  # of a direction in the picture; a place right behind the eye has none


def project_objective(objective: Objective, view: Camera, aspect: float) -> ScreenMarker | None:
    """Marker of an objective in the picture of a camera; None where it is too near. aspect: width over height."""
    offset = [a - b for a, b in zip(objective.at, view.eye, strict=True)]
    distance = math.hypot(*offset)
    opacity = min(max((distance - HIDDEN_DISTANCE) / (FULL_DISTANCE - HIDDEN_DISTANCE), 0.0), 1.0)
    if opacity <= 0.0:
        return None
    kind = ObjectiveKind(objective.kind).name.lower()
    right, up, forward = (sum(a * b for a, b in zip(offset, axis.tolist(), strict=True)) for axis in view.basis())
    horizontal, vertical = view.half_fov_tangents(aspect)
    across, down = right / horizontal, -up / vertical  # times 1 / forward: -1..1 in the picture
    if forward > view.near:
        x, y = 0.5 + 0.5 * across / forward, 0.5 + 0.5 * down / forward
        if LEFT <= x <= RIGHT and TOP <= y <= BOTTOM:
            return ScreenMarker(kind, x, y, distance, opacity)
    length = math.hypot(across, down)
    across, down = (across / length, down / length) if length > MIN_DIRECTION * distance else (0.0, 1.0)
    x, y = _edge_point(across, down)
    pixels = math.hypot(across * aspect, down)
    return ScreenMarker(kind, x, y, distance, opacity, (across * aspect / pixels, down / pixels))


def _edge_point(across: float, down: float) -> tuple[float, float]:
    """Point at the border of the part for markers, in a direction from the centre of the picture."""
    reach_across = (RIGHT - 0.5 if across > 0.0 else 0.5 - LEFT) / abs(across) if across else math.inf
    reach_down = (BOTTOM - 0.5 if down > 0.0 else 0.5 - TOP) / abs(down) if down else math.inf
    reach = min(reach_across, reach_down)
    return 0.5 + reach * across, 0.5 + reach * down
