"""Input of the shader of a material: textures, preprocessor defines, and its row of the uniform buffer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...core.vectors import Colour
from ...level.materials import AlphaMode, PbrMaterial, TextureMap, Wrap
from .picture_decoder import TextureKey

IDENTITY_ROWS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
COLOUR_MAPS = ("base_map", "emission_map")  # sRGB; the others hold data
MAP_NAMES = (*COLOUR_MAPS, "normal_map", "roughness_map", "occlusion_map")  # samplers of level/pictured.frag.glsl
DIELECTRIC_REFLECTANCE = 0.04  # of all but metals, at normal incidence

# One row per material: the uniform block of shaders/include/material_block.glsl, field by field. std140 has no padding
# between vec4; rows start at multiples of 256 bytes, which every driver allows.
MATERIAL_ROW = np.dtype(
    {
        "names": ["base_factor", "emission", "factors", "scroll", "uv_rows"],
        "formats": [("f4", 4), ("f4", 4), ("f4", 4), ("f4", 4), ("f4", (2 * len(MAP_NAMES), 4))],
        "offsets": [0, 16, 32, 48, 64],
        "itemsize": 256,
    }
)


def material_maps(material: PbrMaterial, full: bool) -> dict[str, TextureMap]:
    """Textures of a material by the name of their sampler. full: with normals, roughness, metal and occlusion."""
    maps = {"base_map": material.base_colour_map}
    if not material.unlit:
        maps["emission_map"] = material.emission_map
        if full:
            maps["normal_map"] = material.normal_map
            maps["roughness_map"] = material.metallic_roughness_map
            maps["occlusion_map"] = material.occlusion_map
    return {name: one for name, one in maps.items() if one is not None}


def texture_keys(materials: Sequence[PbrMaterial], full: bool) -> tuple[TextureKey, ...]:
    """Textures of some materials, each once; colours come first."""
    tables = [map_keys(material_maps(material, full)) for material in materials]
    return tuple(dict.fromkeys(table[name] for name in MAP_NAMES for table in tables if name in table))


def map_keys(maps: Mapping[str, TextureMap]) -> dict[str, TextureKey]:
    """Texture of each map of a material."""
    return {name: TextureKey(one.picture, name in COLOUR_MAPS, one.nearest) for name, one in maps.items()}


def material_features(material: PbrMaterial, full: bool) -> dict[str, object]:
    """Defines of the shader of a material. full: as for material_maps."""
    maps = material_maps(material, full)
    features: dict[str, object] = {}
    if material.alpha_mode is not AlphaMode.OPAQUE:
        features["ALPHA_MASK" if material.alpha_mode is AlphaMode.MASK else "ALPHA_BLEND"] = 1
    if material.unlit:
        features["UNLIT"] = 1
    elif full:
        features["FACE_NORMAL"] = 1
        if material.metallic > 0.0 or material.roughness < 1.0 or "roughness_map" in maps:
            features["REFLECTIONS"] = 1  # others are matt
    features |= {name.upper(): 1 for name in maps if name != "base_map"}
    mirrors = any(Wrap.MIRROR in (one.wrap_u, one.wrap_v) for one in maps.values())
    if mirrors or len({one.transform for one in maps.values()}) > 1:
        features["SEPARATE_TRANSFORMS"] = 1
    return features


def sampled_maps(features: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """Names of the samplers that a program with these defines reads."""
    defined = {name for name, _ in features}
    return tuple(name for name in MAP_NAMES if name == "base_map" or name.upper() in defined)


def fill_material_row(row: npt.NDArray[np.void], material: PbrMaterial, colour: Colour, ready: set[str]) -> None:
    """Write a material into its row. ready: names of its textures that are uploaded; colour: sRGB, shown before."""
    base = material.base_colour
    if material.base_colour_map is not None and "base_map" not in ready:
        red, green, blue = srgb_to_linear(colour)
        # What a picture covers is not known yet: a decal would be a board.
        base = (float(red), float(green), float(blue), 0.0 if material.alpha_mode is AlphaMode.BLEND else 1.0)
    row["base_factor"] = base
    has_glow = material.emission_map is None or "emission_map" in ready
    row["emission"] = (*(material.emission if has_glow else (0.0, 0.0, 0.0)), material.normal_scale)
    metallic = material.metallic
    roughness = material.roughness
    reflectance = DIELECTRIC_REFLECTANCE
    if material.metallic_roughness_map is not None and "roughness_map" not in ready:
        metallic = 0.0
        roughness = 1.0
        reflectance = 0.0
    row["factors"] = (metallic, roughness, material.occlusion_strength, material.alpha_cutoff)
    row["scroll"] = (*material.scroll, reflectance, 0.0)
    maps = material_maps(material, True)
    for number, name in enumerate(MAP_NAMES):
        one = maps.get(name)
        rows = IDENTITY_ROWS if one is None else one.transform
        mirrors = (False, False) if one is None else (one.wrap_u is Wrap.MIRROR, one.wrap_v is Wrap.MIRROR)
        for axis in range(2):
            row["uv_rows"][2 * number + axis] = (*rows[axis], mirrors[axis])
