"""Places of door panels: the free upright rectangle on the wall behind an exit, found by rays against the mesh."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats, Point, Vector
from ...physics import TriangleMesh

WIDTHS = (1.1, 0.96, 0.8)  # m, tried in this order; the frame of a door of 1 m leaves 0.96
ASPECT = 2.0  # height over width
FOOT = 0.2  # m from the floor to the lower edge
SEARCH_HEIGHT = 1.2  # m above the feet of the rays that look for the wall
SEARCH_DIRECTIONS = 16
SEARCH_REACH = 0.9  # m beyond the radius of the exit
PROBE_DISTANCE = 0.45  # m in front of the wall, where the probes of its shape start
MAX_RELIEF = 0.09  # m that the surface behind a panel may vary, such as the boards of a door leaf
GAP = 0.006  # m in front of the surface
MAX_LEAN = 0.05  # vertical part of the unit normal of a wall
PROBES = np.array([(x, y) for y in np.linspace(-0.5, 0.5, 6) for x in np.linspace(-0.5, 0.5, 5)])  # of the panel


@dataclass(frozen=True, slots=True)
class PanelPlace:
    """Rectangle in the world: centre (m), heading that it faces (65536 per turn), width and height (m)."""

    at: Vector
    heading: int
    width: float
    height: float


def find_panel_place(mesh: TriangleMesh, feet: Point, radius: float) -> PanelPlace | None:
    """Place for a panel on the nearest wall around an exit; None where no upright wall is near enough and flat."""
    angles = np.arange(SEARCH_DIRECTIONS) * (2.0 * math.pi / SEARCH_DIRECTIONS)
    around = np.column_stack((np.sin(angles), np.zeros(SEARCH_DIRECTIONS), np.cos(angles)))
    origin = np.add(feet, (0.0, SEARCH_HEIGHT, 0.0))
    hits = mesh.raycast(np.tile(origin, (SEARCH_DIRECTIONS, 1)), around, max_distance=radius + SEARCH_REACH)
    is_wall = (hits.triangle >= 0) & (np.abs(hits.normal[:, 1]) < MAX_LEAN)
    for number in np.argsort(np.where(is_wall, hits.distance, np.inf))[: np.count_nonzero(is_wall)][:3]:
        outward = np.array((hits.normal[number][0], 0.0, hits.normal[number][2]))
        outward /= np.linalg.norm(outward)
        foot = np.asarray(feet) - outward * float(np.dot(np.asarray(feet) - hits.point[number], outward))
        for width in WIDTHS:
            place = _place_on_wall(mesh, foot, outward, width)
            if place is not None:
                return place
    return None


def _place_on_wall(mesh: TriangleMesh, foot: Floats, outward: Floats, width: float) -> PanelPlace | None:
    """Panel of a width whose lower edge is centred FOOT above `foot`, if the wall is flat there. outward: unit."""
    height = ASPECT * width
    right = np.array((outward[2], 0.0, -outward[0]))
    centre = np.add(foot, (0.0, FOOT + 0.5 * height, 0.0))
    probes = centre + PROBES[:, :1] * width * right + PROBES[:, 1:] * (0.0, height, 0.0)
    inward = np.tile(-outward, (len(probes), 1))
    depths = mesh.raycast(probes + PROBE_DISTANCE * outward, inward, max_distance=PROBE_DISTANCE + MAX_RELIEF).distance
    if np.isnan(depths).any() or depths.max() - depths.min() > MAX_RELIEF:
        return None
    x, y, z = centre + outward * (PROBE_DISTANCE - float(depths.min()) + GAP)
    heading = round(math.atan2(-outward[0], -outward[2]) / RADIANS_PER_HEADING_UNIT) % 65536
    return PanelPlace((float(x), float(y), float(z)), heading, width, height)
