"""What low, medium and high mean: one table of numbers, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quality:
    """Costs and looks of one setting. The reasons stand beside the fields; the values in `QUALITIES`."""

    name: str
    scale: float  # of the width and height of the world's picture (the HUD is always sharp); 0.5..1
    least_scale: float  # where a processor draws and frames take too long, the scale falls to this
    samples: int  # MSAA samples a pixel, cut to what the driver has; 0 or 2..8
    shadow_size: int  # texels along the sun's map; 2048 over a level of 80 m is 4 cm
    dynamic_shadow_size: int  # texels along the sun's map of what moves, drawn anew for every picture; 0: none
    shadow_taps: int  # compared taps of the sun's penumbra, each the hardware's own 2x2
    light_size: int  # texels along the atlas of baked sky and bounced light; the texel follows from it
    light_rays: int  # rays a texel; nine neighbours share theirs, so that 16 look like 144
    tile_size: int  # texels along a surface's tile; 512 over 2..4 m is 4..8 mm
    anisotropy: float  # of surface textures at grazing angles; the floor shimmers below 4
    smooth_mipmaps: bool  # blend between mipmaps; without, a floor's detail changes in steps
    relief: bool  # bump lighting and mirrored sky: as costly as all the rest of a fragment
    exact_tone_mapping: bool  # sRGB by its power and haze in the sky's colour beyond, or both to within what one sees
    bloom: float  # how much what is nearly white glows into its surroundings; 0: not at all
    clouds: int  # octaves of the clouds and ranges of hills; 0 leaves a clear sky


QUALITIES = {
    "low": Quality(
        name="low",
        scale=0.68,
        least_scale=0.5,
        samples=0,
        shadow_size=2048,
        dynamic_shadow_size=1024,
        shadow_taps=3,
        light_size=512,
        light_rays=16,
        tile_size=512,
        anisotropy=1.0,
        smooth_mipmaps=False,
        relief=False,
        exact_tone_mapping=False,
        bloom=0.0,
        clouds=1,
    ),
    "medium": Quality(
        name="medium",
        scale=1.0,
        least_scale=1.0,
        samples=4,
        shadow_size=4096,
        dynamic_shadow_size=2048,
        shadow_taps=8,
        light_size=1024,
        light_rays=24,
        tile_size=512,
        anisotropy=4.0,
        smooth_mipmaps=True,
        relief=True,
        exact_tone_mapping=True,
        bloom=0.14,
        clouds=2,
    ),
    "high": Quality(
        name="high",
        scale=1.0,
        least_scale=1.0,
        samples=8,
        shadow_size=4096,
        dynamic_shadow_size=2048,
        shadow_taps=16,
        light_size=1024,
        light_rays=40,
        tile_size=1024,
        anisotropy=16.0,
        smooth_mipmaps=True,
        relief=True,
        exact_tone_mapping=True,
        bloom=0.16,
        clouds=3,
    ),
}


def quality_named(name: str) -> Quality:
    """The setting of that name. ValueError names the ones there are."""
    try:
        return QUALITIES[name]
    except KeyError:
        raise ValueError(f"unknown quality {name!r}; there are {', '.join(QUALITIES)}") from None


def is_software_renderer(driver: str) -> bool:
    """Whether the processor draws, by the GL_RENDERER string."""
    software = ("llvmpipe", "softpipe", "swiftshader", "software", "gdi generic")
    return any(name in driver.lower() for name in software)


def suggested_quality(driver: str) -> str:
    """The setting for a driver by its GL_RENDERER string: low where the processor has to draw."""
    return "low" if is_software_renderer(driver) else "high"
