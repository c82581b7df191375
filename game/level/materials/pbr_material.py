"""Metallic-roughness material with its textures.

Source: glTF 2.0 specification, section 3.9, and the extensions KHR_texture_transform, KHR_materials_unlit and
KHR_materials_emissive_strength.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .picture_file import PictureSource

Rows = tuple[tuple[float, float, float], tuple[float, float, float]]


class Wrap(Enum):
    """What a texture shows outside 0..1."""

    REPEAT = "repeat"
    CLAMP = "clamp"
    MIRROR = "mirror"


class AlphaMode(Enum):
    """How opacity is drawn. MASK leaves out what is below the cutoff; BLEND mixes with what is behind."""

    OPAQUE = "opaque"
    MASK = "mask"
    BLEND = "blend"


@dataclass(frozen=True, slots=True)
class TextureMap:
    """One texture of a material.

    nearest: sampled without interpolation, for pixel art. transform: rows of the affine map from the level's texture
    coordinates to this texture's (KHR_texture_transform). Texture coordinates are 0..1 over the picture with the
    origin at its upper left and v down, as in glTF.
    """

    picture: PictureSource
    wrap_u: Wrap = Wrap.REPEAT
    wrap_v: Wrap = Wrap.REPEAT
    nearest: bool = False
    transform: Rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@dataclass(frozen=True, slots=True)
class PbrMaterial:
    """Material whose factors multiply its textures. Without any texture it is a plain colour.

    base_colour: linear red, green, blue and opacity. base_colour_map: sRGB picture with opacity.
    normal_map: tangent space, green up (OpenGL); normal_scale multiplies x and y.
    metallic, roughness: 0..1. metallic_roughness_map: green is roughness, blue is metallic, linear.
    occlusion_map: red, linear; occlusion_strength 0..1.
    emission: linear, may exceed 1 (KHR_materials_emissive_strength). emission_map: sRGB.
    unlit: the base colour is shown without light. double_sided: back faces are drawn.
    scroll: speed of the pictures across the surface in texture coordinates per second (u, v).
    size: metres that one picture covers (across, up) on faces without texture coordinates of their own.
    """

    base_colour: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    base_colour_map: TextureMap | None = None
    normal_map: TextureMap | None = None
    normal_scale: float = 1.0
    metallic: float = 0.0
    roughness: float = 1.0
    metallic_roughness_map: TextureMap | None = None
    occlusion_map: TextureMap | None = None
    occlusion_strength: float = 1.0
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    emission_map: TextureMap | None = None
    alpha_mode: AlphaMode = AlphaMode.OPAQUE
    alpha_cutoff: float = 0.5
    unlit: bool = False
    double_sided: bool = False
    scroll: tuple[float, float] = (0.0, 0.0)
    size: tuple[float, float] = (1.0, 1.0)

    @property
    def maps(self) -> tuple[TextureMap, ...]:
        """All textures of the material, without gaps."""
        maps = (
            self.base_colour_map,
            self.normal_map,
            self.metallic_roughness_map,
            self.occlusion_map,
            self.emission_map,
        )
        return tuple(entry for entry in maps if entry is not None)
