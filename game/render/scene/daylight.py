"""Daylight: radiances of sun, sky and haze as functions of the sun's height."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ...core.springs import smoothstep
from ...core.srgb import srgb_to_linear
from ...core.vectors import Floats, Vector
from ...level.level import Sky

# Vertical optical depth of clear air for red, green and blue: Rayleigh scattering, proportional to wavelength^-4
# (about 0.04, 0.10, 0.23), plus the same amount of dust for all three.
OPTICAL_DEPTH = np.array((0.075, 0.13, 0.25))
REFERENCE_SUN_HEIGHT = 40.0  # degrees: sun height for which the colours of the "day" palette are given
SUN_RADIANCE = 3.2  # radiance of a white surface facing the sun by day; the tone curve is tuned for it
SKY_RADIANCE = 1.2  # radiance of the sky per unit of its linear colour
SUN_DISC_COSINE, MOON_DISC_COSINE = 0.99975, 0.99945  # cosine of the angular radius; larger than in reality
STAR_RADIANCE = 0.55  # radiance of the brightest stars
NIGHT_AMBIENT = np.array((0.0045, 0.0076, 0.016))  # minimum sky radiance at night, so that a player can see


@dataclass(frozen=True, slots=True)
class SkyPaletteSettings:
    """Parameters of a sky palette besides its colours: intensity of sun or moon, of its disc, cloud cover, exposure."""

    light_strength: float
    disc_strength: float
    cloud_cover: float
    exposure: float


SKY_PALETTES = {
    "day": SkyPaletteSettings(1.0, 1.0, 0.46, 1.18),
    "morning": SkyPaletteSettings(0.85, 1.0, 0.42, 1.18),
    "evening": SkyPaletteSettings(0.80, 1.0, 0.44, 1.25),
    "overcast": SkyPaletteSettings(0.22, 0.0, 1.15, 1.35),
    "night": SkyPaletteSettings(0.16, 0.5, 0.36, 1.6),
}


@dataclass(frozen=True, slots=True)
class Daylight:
    """Linear radiances (3,) of a white surface facing the sun and of the parts of the sky.

    to_sun: unit. haze: extinction per metre as an exponent of 2. disc_strength: 0..1. cloud_cover: 0 clear, above 1
    overcast. stars: their radiance. disc_cosine: cosine of the angular radius of the disc. exposure: factor of radiance
    before the tone curve.
    """

    to_sun: Vector
    sunlight: Floats
    zenith: Floats
    horizon: Floats
    ground: Floats
    halo: Floats
    haze: float
    disc_strength: float
    cloud_cover: float
    stars: float = 0.0
    disc_cosine: float = SUN_DISC_COSINE
    exposure: float = field(default=1.0, repr=False)  # not in the repr: baked light does not depend on it


def direction_to_sun(sky: Sky) -> Vector:
    """Unit vector towards the sun."""
    height, azimuth = math.radians(sky.sun_height), math.radians(sky.sun_from)
    return (-math.sin(azimuth) * math.cos(height), math.sin(height), -math.cos(azimuth) * math.cos(height))


def _rise(low: float, high: float, x: float) -> float:
    """0 below `low`, 1 above `high`, and a soft step between them."""
    return smoothstep(min(max((x - low) / (high - low), 0.0), 1.0))


def air_mass(height: float) -> float:
    """Relative optical air mass for a sun height in degrees (Kasten and Young 1989)."""
    h = max(height, 0.0)
    return 1.0 / float(math.sin(math.radians(h)) + 0.50572 * (h + 6.07995) ** -1.6364)


def compute_daylight(sky: Sky) -> Daylight:
    """Daylight of a level's sky. The palette "day" follows the sun's height: dusk below 12 degrees, night below -8."""
    height = min(max(sky.sun_height, -90.0), 90.0)
    palette = SKY_PALETTES.get(sky.palette, SKY_PALETTES["day"])
    sunlight = SUN_RADIANCE * palette.light_strength * srgb_to_linear(sky.sun) * _rise(-1.5, 4.0, height)
    zenith, horizon = SKY_RADIANCE * srgb_to_linear(sky.zenith), SKY_RADIANCE * srgb_to_linear(sky.horizon)
    glow = np.zeros(3)
    if sky.palette == "day":
        sunlight *= np.exp(-OPTICAL_DEPTH * (air_mass(height) - air_mass(REFERENCE_SUN_HEIGHT)))
        day = _rise(-8.0, 18.0, height)
        dusk = _rise(-10.0, 1.0, height) * (1.0 - _rise(3.0, 24.0, height))
        zenith = (NIGHT_AMBIENT + day * zenith) * (1.0 - 0.35 * dusk) + dusk * np.array((0.05, 0.05, 0.10))
        horizon = (1.6 * NIGHT_AMBIENT + day * horizon) * (1.0 - 0.45 * dusk) + dusk * np.array((0.52, 0.27, 0.12))
        glow = dusk * np.array((0.55, 0.25, 0.08))
    halo = 0.16 * sunlight + glow
    ground = 0.30 * horizon + 0.04 * sunlight
    haze_per_metre = min(max(sky.haze, 0.0), 0.99)
    darkness = 1.0 if sky.palette == "night" else 1.0 - _rise(-9.0, -3.0, height) if sky.palette == "day" else 0.0
    disc_cosine = MOON_DISC_COSINE if sky.palette == "night" else SUN_DISC_COSINE
    return Daylight(
        direction_to_sun(sky), sunlight, zenith, horizon, ground, halo, -math.log2(1.0 - haze_per_metre),
        palette.disc_strength, palette.cloud_cover,
        STAR_RADIANCE * darkness, disc_cosine, palette.exposure,
    )  # fmt: skip
