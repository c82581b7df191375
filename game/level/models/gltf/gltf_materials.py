"""glTF materials: names, colours, factors and textures.

Source: glTF 2.0 specification, section 3.9; KHR_materials_unlit, KHR_materials_emissive_strength and
KHR_materials_pbrSpecularGlossiness.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ....core.srgb import linear_to_srgb
from ....core.vectors import to_point
from ...format.findings import quote_text
from ...materials import AlphaMode, PbrMaterial
from ..model_pictures import ModelPictures
from ..triangle_soup import MAX_MATERIALS, ModelError, ModelMaterial, ModelNote, finite_numbers
from .gltf_container import GltfContainer, Json
from .gltf_textures import GltfTextures, extension_of

MAX_EMISSION = 1000.0  # of a factor times its strength
_ALPHA_MODES = {"OPAQUE": AlphaMode.OPAQUE, "MASK": AlphaMode.MASK, "BLEND": AlphaMode.BLEND}
_LOOK_KEYS = ("baseColorFactor", "metallicFactor", "roughnessFactor")  # of `pbrMetallicRoughness`
PLAIN_ROUGHNESS = 0.9  # a material without pictures that is at least as rough, and no metal, is a plain colour
_MAP_ROLES = {
    "base_colour_map": "base colour", "normal_map": "normal", "metallic_roughness_map": "metallic-roughness",
    "occlusion_map": "occlusion", "emission_map": "emission",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GltfMaterial:
    """A material and the number of its set of texture coordinates."""

    material: ModelMaterial
    texcoord: int = 0


def read_gltf_materials(
    container: GltfContainer, used: set[int], pictures: ModelPictures | None, notes: list[ModelNote]
) -> tuple[GltfMaterial, ...]:
    """All materials of a document. Only the used ones have a shading, and only with `pictures` textures.

    Problems become notes.
    """
    listed = container.checked_list("materials")
    if len(listed) > MAX_MATERIALS:
        raise ModelError(f"it has {len(listed)} materials; the limit is {MAX_MATERIALS}", "export it again")
    textures = None if pictures is None else GltfTextures(container, pictures, notes)
    found = []
    for index, entry in enumerate(listed):
        is_used = index in used
        reader = _MaterialReader(entry, index, textures if is_used else None, notes if is_used else [])
        read = reader.read()
        found.append(read if is_used else GltfMaterial(replace(read.material, pbr=None)))
    return tuple(found)


class _MaterialReader:
    """Reader of one material. A value of a wrong kind is the default, with a note."""

    def __init__(self, entry: Json, index: int, textures: GltfTextures | None, notes: list[ModelNote]) -> None:
        self.entry = entry
        self.textures = textures
        self.notes = notes
        self.place = f"materials[{index}]"
        name = entry.get("name")
        self.name = name if isinstance(name, str) and name else f"material {index + 1}"

    def read(self) -> GltfMaterial:
        """Colour and shading of the material.

        glTF stores linear colours; the colour of a ModelMaterial is sRGB. A white material with a texture has no colour
        of its own.
        """
        entry = self.entry
        look = entry.get("pbrMetallicRoughness", {})
        if not isinstance(look, dict):
            self._note("pbrMetallicRoughness", look, "an object", "no factor is read")
            look = {}
        older = extension_of(entry, "KHR_materials_pbrSpecularGlossiness")
        colour = self._numbers(look, "baseColorFactor", [1.0] * 4, "the colour is the default")
        base_texture = look.get("baseColorTexture")
        # glTF's default is metal. A plain colour without any other factor is taken as none: it would be black.
        metallic = self._number(look, "metallicFactor", 1.0 if look.keys() - {"baseColorFactor"} else 0.0)
        roughness = self._number(look, "roughnessFactor", 1.0)
        if older is not None:
            colour = finite_numbers(older.get("diffuseFactor"), 4) or colour
            base_texture = older.get("diffuseTexture", base_texture)
            metallic, roughness = 0.0, 1.0 - _factor(older.get("glossinessFactor"), 1.0)
        strength = extension_of(entry, "KHR_materials_emissive_strength") or {}
        emission = self._numbers(entry, "emissiveFactor", [0.0] * 3, "it is taken as black")
        emission = [channel * _factor(strength.get("emissiveStrength"), 1.0, MAX_EMISSION) for channel in emission]
        mode = entry.get("alphaMode", "OPAQUE")
        if not isinstance(mode, str) or mode not in _ALPHA_MODES:
            self._note("alphaMode", mode, "OPAQUE, MASK or BLEND", "it is taken as OPAQUE")
            mode = "OPAQUE"
        normal, occlusion = entry.get("normalTexture"), entry.get("occlusionTexture")
        red, green, blue, alpha = (min(1.0, max(0.0, channel)) for channel in colour)
        red_light, green_light, blue_light = (min(MAX_EMISSION, max(0.0, channel)) for channel in emission)
        shading = PbrMaterial(
            base_colour=(red, green, blue, alpha),
            normal_scale=_factor(_field(normal, "scale"), 1.0, 10.0),
            metallic=metallic,
            roughness=roughness,
            occlusion_strength=_factor(_field(occlusion, "strength"), 1.0),
            emission=(red_light, green_light, blue_light),
            alpha_mode=_ALPHA_MODES[mode],
            alpha_cutoff=self._number(entry, "alphaCutoff", 0.5),
            unlit=extension_of(entry, "KHR_materials_unlit") is not None,
            double_sided=entry.get("doubleSided") is True,
        )
        maps: dict[str, object] = {"base_colour_map": base_texture}
        if not shading.unlit:
            maps |= {
                "normal_map": normal,
                "metallic_roughness_map": None if older else look.get("metallicRoughnessTexture"),
                "occlusion_map": occlusion,
                "emission_map": entry.get("emissiveTexture") if any(shading.emission) else None,
            }
        shading, texcoord = self._with_textures(shading, maps)
        has_colour = base_texture is None or min(colour[:3]) < 1.0
        plain_colour = to_point(linear_to_srgb(colour[:3])) if has_colour else None
        return GltfMaterial(
            ModelMaterial(self.name, plain_colour, pbr=None if _is_plain(shading) else shading), texcoord
        )

    def _numbers(self, entry: Json, key: str, default: list[float], otherwise: str) -> list[float]:
        if (value := entry.get(key)) is None:
            return default
        if (numbers := finite_numbers(value, len(default))) is None:
            self._note(key, value, f"a list of {len(default)} numbers", otherwise)
        return numbers or default

    def _number(self, entry: Json, key: str, default: float) -> float:
        """A number within 0..1."""
        value = entry.get(key)
        if value is not None and finite_numbers([value], 1) is None:
            self._note(key, value, "a number", f"it is taken as {default:g}")
        return _factor(value, default)

    def _note(self, key: str, value: object, wanted: str, otherwise: str) -> None:
        path = f"{self.place}.pbrMetallicRoughness.{key}" if key in _LOOK_KEYS else f"{self.place}.{key}"
        written = quote_text(str(value)[:40])
        message = f"`{path}` of material {quote_text(self.name[:40])} is {written}, not {wanted}: {otherwise}"
        self.notes.append(ModelNote(message, "export it again"))

    def _with_textures(self, shading: PbrMaterial, maps: dict[str, object]) -> tuple[PbrMaterial, int]:
        """The material with the textures that use the same coordinates as its first one, and the number of these."""
        if self.textures is None:
            return shading, 0
        found = {
            field: read
            for field, texture in maps.items()
            if (read := self.textures.read_map(texture, _MAP_ROLES[field])) is not None
        }
        texcoord = next((number for _, number in found.values()), 0)
        others = [_MAP_ROLES[field] for field, (_, number) in found.items() if number != texcoord]
        if others:
            message = (
                f"the {' and '.join(others)} texture of material {quote_text(self.name[:40])} is left "
                f"out: it uses other texture coordinates than the {_MAP_ROLES[next(iter(found))]} texture"
            )
            self.notes.append(ModelNote(message, "bake it to the same UV map"))
        used: dict[str, Any] = {field: texture for field, (texture, number) in found.items() if number == texcoord}
        return replace(shading, **used), texcoord


def _is_plain(shading: PbrMaterial) -> bool:
    """True for a material that a level's own plain surface shows as well."""
    return (
        not shading.maps
        and not any(shading.emission)
        and shading.alpha_mode is AlphaMode.OPAQUE
        and not shading.unlit
        and shading.metallic <= 0.0
        and shading.roughness >= PLAIN_ROUGHNESS
    )


def _field(entry: object, name: str) -> object:
    return entry.get(name) if isinstance(entry, dict) else None


def _factor(value: object, default: float, largest: float = 1.0) -> float:
    """A number within 0..largest; the default if it is none."""
    numbers = finite_numbers([value], 1)
    return default if numbers is None else min(largest, max(0.0, numbers[0]))
