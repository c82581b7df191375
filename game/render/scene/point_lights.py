"""What lamps give: rows of numbers for the shader, and their light without shadows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .daylight import SUN_RADIANCE
from .render_mesh import srgb_to_linear
from .scene import LampAppearance

Floats32 = npt.NDArray[np.float32]

REFERENCE_DISTANCE = 2.0  # metres from a lamp of brightness 1 where a white surface is as bright as in the sun by day
BULB_RADIUS = 0.10  # metres: radius of what shines, which softens shadows and keeps what is nearest from glaring


def pack_point_lights(lamps: Sequence[LampAppearance]) -> Floats32:
    """(L, 8): place and reach in metres; linear light of a white surface that faces it a metre away, and 0."""
    rows = np.zeros((len(lamps), 8), np.float32)
    for row, lamp in zip(rows, lamps, strict=True):
        row[:3], row[3] = lamp.at, lamp.reach
        row[4:7] = (
            SUN_RADIANCE * REFERENCE_DISTANCE * REFERENCE_DISTANCE * lamp.brightness * srgb_to_linear(lamp.colour)
        )
    return rows


def unshadowed_irradiance(places: Floats32, normals: Floats32, lamps: Floats32) -> Floats32:
    """Light (..., 3) at places of unit normals (..., 3) from `pack_point_lights`, as if nothing stood between. As the shader
    does it: by the square of the distance, and softly to nothing at the reach."""
    points, facing = places.reshape(-1, 3), normals.reshape(-1, 3)
    found = np.zeros_like(points)
    for lamp in lamps:
        reach = lamp[3]
        near = np.flatnonzero((np.abs(points - lamp[:3]) < reach).all(axis=1))
        towards = lamp[:3] - points[near]
        square = np.einsum("ij,ij->i", towards, towards)
        within = np.clip(1.0 - (square / (reach * reach)) ** 2, 0.0, 1.0) ** 2
        slant = np.maximum(np.einsum("ij,ij->i", towards, facing[near]), 0.0) / np.sqrt(square + 1e-12)
        found[near] += (slant * within / (square + BULB_RADIUS * BULB_RADIUS))[:, None] * lamp[4:7]
    return found.reshape(places.shape)
