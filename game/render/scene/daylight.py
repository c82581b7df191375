"""Colours of sun, sky and air by the height of the sun."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..camera import Vector
from .render_mesh import Floats, srgb_to_linear
from .scene import SkyAppearance

# Optical depth of clear air straight up for red, green and blue: Rayleigh scattering falls with the fourth
# power of the wavelength (about 0.04, 0.10, 0.23), and a little dust adds the same to all three.
OPTICAL_DEPTH = np.array((0.075, 0.13, 0.25))
REFERENCE_SUN_HEIGHT = 40.0  # degrees: the height at which the "day" palette shows its own colours
SUN_RADIANCE = 3.2  # radiance of a white surface that faces the sun by day; the film's shoulder is made for this
SKY_RADIANCE = 1.2  # radiance of the sky, of its colour on the screen
SUN_DISC_COSINE, MOON_DISC_COSINE = (
    0.99975,
    0.99945,
)  # cosines: the discs are drawn larger than they are, as one remembers them
STAR_RADIANCE = 0.55  # radiance of the brightest stars
NIGHT_AMBIENT = np.array((0.0045, 0.0076, 0.016))  # what is left of the day's sky at night, so that one finds one's way


@dataclass(frozen=True, slots=True)
class SkyPaletteSettings:
    """What a palette says beside its colours: strength of sun or moon, its disc's, cover of the sky by clouds."""

    light_strength: float
    disc_strength: float
    cloud_cover: float


SKY_PALETTES = {
    "day": SkyPaletteSettings(1.0, 1.0, 0.46),
    "morning": SkyPaletteSettings(0.85, 1.0, 0.42),
    "evening": SkyPaletteSettings(0.80, 1.0, 0.44),
    "overcast": SkyPaletteSettings(0.22, 0.0, 1.15),
    "night": SkyPaletteSettings(0.16, 0.5, 0.36),
}


@dataclass(frozen=True, slots=True)
class Daylight:
    """Linear radiances (3,) of a white surface facing the sun, and of the sky's parts; haze per metre as the
    exponent of two; `to_sun` unit; disc 0..1 and cover of clouds (0 clear, over 1 closed); stars: their strength;
    rim: the cosine at the disc's edge."""

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


def smoothstep(low: float, high: float, x: float) -> float:
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def air_mass(height: float) -> float:
    """How many times the air straight up the sun's light passes (Kasten and Young 1989); degrees."""
    h = max(height, 0.0)
    return 1.0 / float(math.sin(math.radians(h)) + 0.50572 * (h + 6.07995) ** -1.6364)


def compute_daylight(sky: SkyAppearance) -> Daylight:
    """The light of a level's sky. The "day" palette goes by the sun's height: dusk below about 12 degrees, night
    below -8. The others are as they are."""
    height = min(max(sky.sun_height, -90.0), 90.0)
    weather = SKY_PALETTES.get(sky.palette, SKY_PALETTES["day"])
    sunlight = SUN_RADIANCE * weather.light_strength * srgb_to_linear(sky.sun) * smoothstep(-1.5, 4.0, height)
    zenith, horizon = SKY_RADIANCE * srgb_to_linear(sky.zenith), SKY_RADIANCE * srgb_to_linear(sky.horizon)
    glow = np.zeros(3)
    if sky.palette == "day":
        sunlight *= np.exp(-OPTICAL_DEPTH * (air_mass(height) - air_mass(REFERENCE_SUN_HEIGHT)))
        day = smoothstep(-8.0, 18.0, height)
        low = smoothstep(-10.0, 1.0, height) * (1.0 - smoothstep(3.0, 24.0, height))  # the colours of dusk
        zenith = (NIGHT_AMBIENT + day * zenith) * (1.0 - 0.35 * low) + low * np.array((0.05, 0.05, 0.10))
        horizon = (1.6 * NIGHT_AMBIENT + day * horizon) * (1.0 - 0.45 * low) + low * np.array((0.52, 0.27, 0.12))
        glow = low * np.array((0.55, 0.25, 0.08))
    halo = 0.16 * sunlight + glow
    ground = 0.30 * horizon + 0.04 * sunlight
    part = min(max(sky.haze, 0.0), 0.99)
    dark = 1.0 if sky.palette == "night" else 1.0 - smoothstep(-9.0, -3.0, height) if sky.palette == "day" else 0.0
    rim = MOON_DISC_COSINE if sky.palette == "night" else SUN_DISC_COSINE
    return Daylight(
        sky.to_sun(), sunlight, zenith, horizon, ground, halo, -math.log2(1.0 - part), weather.disc_strength, weather.cloud_cover,
        STAR_RADIANCE * dark, rim,
    )  # fmt: skip
