"""Places of what movers carry: points and zones at the poses of a frame. No GL."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.vectors import Floats, Ints, to_point
from ..scene.scene import MoverAppearance, Scene, ZoneAppearance


def carry_points(points: Floats, carriers: Ints, movers: Sequence[MoverAppearance], poses: Floats | None) -> Floats:
    """Points (n, 3) of the level as it is with all movers at home, at the poses (K, 3, 4) of their movers.

    carriers: (n,) mover of each point, -1 for none. poses: None for movers at home.
    """
    carried = np.array(points, dtype=np.float64)
    if poses is None or len(poses) != len(movers):
        return carried
    for number in np.unique(carriers[carriers >= 0]).tolist():
        rows = carriers == number
        pose = poses[number]
        carried[rows] = (carried[rows] - np.asarray(movers[number].at)) @ pose[:, :3].T + pose[:, 3]
    return carried


def carry_zones(scene: Scene, poses: Floats | None) -> tuple[ZoneAppearance, ...]:
    """The zones of a scene at the poses (K, 3, 4) of its movers; None: at home. Boxes stay upright."""
    if poses is None or len(poses) != len(scene.movers) or all(zone.mover < 0 for zone in scene.zones):
        return scene.zones
    return tuple(
        zone if zone.mover < 0 else _carry_zone(zone, scene.movers[zone.mover], poses[zone.mover])
        for zone in scene.zones
    )


def _carry_zone(zone: ZoneAppearance, mover: MoverAppearance, pose: Floats) -> ZoneAppearance:
    rotation = pose[:, :3]
    centre = rotation @ (np.asarray(zone.centre) - np.asarray(mover.at)) + pose[:, 3]
    turned = math.atan2(-rotation[2, 0], rotation[0, 0]) / math.tau * HEADING_UNITS_PER_TURN
    return replace(
        zone,
        centre=to_point(centre),
        heading=zone.heading + round(turned),
        flow=to_point(rotation @ np.asarray(zone.flow)),
        down=to_point(rotation @ np.asarray(zone.down)),
    )
