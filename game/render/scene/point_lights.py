"""Point lights: shader rows and unshadowed irradiance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...level.build.entities.point_entities import Light
from ..gl.programs import SHADER_CONSTANTS
from .daylight import SUN_RADIANCE

Floats32 = npt.NDArray[np.float32]

REFERENCE_DISTANCE = 2.0  # metres from a lamp of brightness 1 at which a white surface is as bright as in daylight sun
BULB_RADIUS = SHADER_CONSTANTS["LAMP_BULB_RADIUS"]


def pack_point_lights(lamps: Sequence[Light]) -> Floats32:
    """Rows (L, 8): position and reach in metres; linear radiance of a white surface that faces the light at 1 m; 0."""
    rows = np.zeros((len(lamps), 8), np.float32)
    for row, lamp in zip(rows, lamps, strict=True):
        row[:3], row[3] = lamp.at, lamp.reach
        row[4:7] = (
            SUN_RADIANCE * REFERENCE_DISTANCE * REFERENCE_DISTANCE * lamp.brightness * srgb_to_linear(lamp.colour)
        )
    return rows


def unshadowed_irradiance(positions: Floats32, normals: Floats32, lamps: Floats32) -> Floats32:
    """Light (..., 3) at points with unit normals (..., 3) from `pack_point_lights` rows, without shadows.

    As in bake_point_light.frag.glsl: inverse square law with a window that falls to 0 at the reach.
    """
    points = positions.reshape(-1, 3)
    point_normals = normals.reshape(-1, 3)
    light = np.zeros_like(points)
    for lamp in lamps:
        reach = lamp[3]
        in_reach = np.flatnonzero((np.abs(points - lamp[:3]) < reach).all(axis=1))
        towards = lamp[:3] - points[in_reach]
        distance_squared = np.einsum("ij,ij->i", towards, towards)
        window = np.clip(1.0 - (distance_squared / (reach * reach)) ** 2, 0.0, 1.0) ** 2
        cos_incidence = np.maximum(np.einsum("ij,ij->i", towards, point_normals[in_reach]), 0.0) / np.sqrt(
            distance_squared + 1e-12
        )
        light[in_reach] += (cos_incidence * window / (distance_squared + BULB_RADIUS * BULB_RADIUS))[:, None] * lamp[
            4:7
        ]
    return light.reshape(positions.shape)
