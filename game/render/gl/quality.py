"""Quality levels low, medium and high: sizes, sample counts and features of the renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Quality:
    """Parameters of one quality level; values in `QUALITIES`."""

    name: str
    scale: float  # 0.5..1: resolution scale of the world; the HUD has full resolution
    min_scale: float  # lower limit of dynamic resolution on software rasterisers
    samples: int  # MSAA samples per pixel, limited by the driver; 0 or 2..8
    shadow_size: int  # texels along the shadow map; 2048 over a level of 80 m is 4 cm
    near_shadow: bool  # a second shadow map near the eye, in levels whose map has coarse texels
    dynamic_shadow_size: int  # texels along the dynamic shadow map, drawn every frame; 0: none
    shadow_taps: int  # PCF taps; each is a hardware-filtered 2x2 comparison
    min_penumbra: float  # texels of the shadow map: a narrower edge shows them; 0 with a near map, which it would blur
    lamp_shadow_size: int  # texels along each of the six shadow maps of a carried lamp; 0: none
    light_size: int  # texels along the lightmap; the metres per texel follow from it
    light_rays: int  # rays per lightmap texel; a 3x3 filter shares them, so that 10 look like 90
    tile_size: int  # texels along a surface tile; 512 over 2..4 m is 4..8 mm
    picture_size: int  # texels along a side to which a level's pictures are reduced
    anisotropy: float  # of surface textures; floors shimmer below 4
    smooth_mipmaps: bool  # trilinear filter; without it the detail of a floor changes in visible steps
    relief: bool  # bump mapping and sky reflections; doubles the cost of a fragment
    exact_tone_mapping: bool  # exact tone curve, haze in the colour of the sky behind; else approximations
    leaf_cards: int  # largest number of cards with leaves on hedges and trees; 0: none
    tufts: bool  # tufts of grass near the eye
    bloom: float  # bloom strength; 0: off
    clouds: int  # octaves of the clouds and number of hill ranges; 0: clear sky


MAX_SHADOWED_LAMPS = 4  # carried lamps that cast shadows, those nearest to the eye; others give light alone
LAMP_SHADOW_UNIT = 8  # texture unit of their shadow maps
LIGHT_PROBE_UNIT = 9  # texture unit of the ambient light of what moves

_VALUES: dict[str, tuple[float, float, float]] = {  # of low, medium and high
    "scale": (0.66, 1.0, 1.0),
    "min_scale": (0.5, 1.0, 1.0),
    "samples": (0, 4, 8),
    "shadow_size": (2048, 4096, 4096),
    "near_shadow": (False, False, True),
    "dynamic_shadow_size": (1024, 2048, 2048),
    "shadow_taps": (3, 8, 16),
    "min_penumbra": (1.75, 0.0, 0.0),
    "lamp_shadow_size": (0, 256, 512),
    "light_size": (512, 1024, 2048),
    "light_rays": (16, 24, 10),
    "tile_size": (512, 512, 1024),
    "picture_size": (1024, 2048, 4096),
    "anisotropy": (1.0, 4.0, 16.0),
    "smooth_mipmaps": (False, True, True),
    "relief": (False, True, True),
    "exact_tone_mapping": (False, True, True),
    "leaf_cards": (0, 6000, 14000),
    "tufts": (False, False, True),
    "bloom": (0.0, 0.14, 0.16),
    "clouds": (1, 2, 3),
}
QUALITIES = {
    name: Quality(name, **{field: values[k] for field, values in _VALUES.items()})  # type: ignore[arg-type]
    for k, name in enumerate(("low", "medium", "high"))
}


def quality_named(name: str) -> Quality:
    """Quality level of that name. Raises ValueError, which lists the names, for another one."""
    try:
        return QUALITIES[name]
    except KeyError:
        raise ValueError(f"unknown quality {name!r}; there are {', '.join(QUALITIES)}") from None


def shader_defines(reversed_depth: bool, quality: Quality | None = None) -> dict[str, object]:
    """Preprocessor defines that several passes share; quality: adds its tone mapping and haze approximations."""
    defines: dict[str, object] = {"REVERSED_DEPTH": 1} if reversed_depth else {}
    if quality is not None and not quality.exact_tone_mapping:
        defines |= {"FAST_TONE_MAPPING": 1, "HORIZON_HAZE": 1}
    return defines


def shadow_defines(quality: Quality) -> dict[str, object]:
    """Defines of a shader with the sun's shadows (shaders/include/sun_shadow.glsl)."""
    near: dict[str, object] = {"NEAR_SHADOW": 1} if quality.near_shadow else {}
    return {"SHADOW_TAPS": quality.shadow_taps, **near}


def lamp_defines(lamp_count: int, shadow_size: int) -> dict[str, object]:
    """Defines of a shader of surfaces that so many carried lamps light. shadow_size: `Quality.lamp_shadow_size`."""
    if not lamp_count:
        return {}
    shadows = {"LAMP_SHADOW_SIZE": shadow_size, "LAMP_SHADOW_SLOTS": min(lamp_count, MAX_SHADOWED_LAMPS)}
    return {"MOVING_LAMPS": lamp_count, **(shadows if shadow_size else {})}


def is_software_renderer(driver: str) -> bool:
    """Whether the GL_RENDERER string names a software rasteriser."""
    software = ("llvmpipe", "softpipe", "swiftshader", "software", "gdi generic")
    return any(name in driver.lower() for name in software)


def usable_anisotropy(ctx: Any, quality: Quality) -> float:
    """Anisotropy of textures with repeated pictures.

    The anisotropic filter of Mesa's software rasteriser steps through all texels between neighbouring pixels. With
    MSAA, extrapolated coordinates outside of triangles made a frame take minutes.
    """
    steps_through_texels = quality.samples >= 2 and is_software_renderer(ctx.info["GL_RENDERER"])
    return min(1.0 if steps_through_texels else quality.anisotropy, max(1.0, float(ctx.max_anisotropy)))


def smooths_edges(ctx: Any, quality: Quality) -> bool:
    """Whether a filter smooths edges after the frame: without multisampling, and where no processor draws."""
    return min(quality.samples, ctx.max_samples) < 2 and not is_software_renderer(ctx.info["GL_RENDERER"])


def suggested_quality(driver: str) -> str:
    """Quality level for a GL_RENDERER string: low for software rasterisers, else high."""
    return "low" if is_software_renderer(driver) else "high"
