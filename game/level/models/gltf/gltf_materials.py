"""glTF materials: names, colours, factors and textures.

Source: glTF 2.0 specification, section 3.9; KHR_materials_unlit, KHR_materials_emissive_strength and
KHR_materials_pbrSpecularGlossiness.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ....core.srgb import linear_to_srgb
from ....core.vectors import Colour
from ...format.findings import quote_text
from ...materials import AlphaMode, PbrMaterial, TextureMap
from ..model_pictures import ModelPictures
from ..triangle_soup import MAX_MATERIALS, ModelError, ModelMaterial, ModelNote, finite_numbers
from .gltf_container import GltfContainer, Json
from .gltf_textures import GltfTextures, extension_of

MAX_EMISSION = 1000.0  # of a factor times its strength
_ALPHA_MODES = {"OPAQUE": AlphaMode.OPAQUE, "MASK": AlphaMode.MASK, "BLEND": AlphaMode.BLEND}
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
        read = _read_material(entry, index, index in used, textures if index in used else None, notes)
        found.append(read if index in used else GltfMaterial(replace(read.material, pbr=None)))
    return tuple(found)


def _read_material(
    entry: Json, index: int, used: bool, textures: GltfTextures | None, notes: list[ModelNote]
) -> GltfMaterial:
    """Colour and shading of a material, with notes if it is used.

    glTF stores linear colours; the colour of a ModelMaterial is sRGB. A white material with a texture has no colour of
    its own.
    """
    name = entry.get("name")
    look = entry.get("pbrMetallicRoughness", {})
    look = look if isinstance(look, dict) else {"baseColorFactor": None}
    factor = look.get("baseColorFactor", [1.0] * 4)
    base_texture = look.get("baseColorTexture")
    older = extension_of(entry, "KHR_materials_pbrSpecularGlossiness")
    if older is not None:
        factor, base_texture = older.get("diffuseFactor", factor), older.get("diffuseTexture", base_texture)
    channels = finite_numbers(factor, 4)
    named = name if isinstance(name, str) and name else f"material {index + 1}"
    if used:
        _note_broken_values(entry, f"materials[{index}]", named, notes)
    shading, texcoord = _read_shading(entry, look, older, channels, base_texture, textures, notes)
    textured = base_texture is not None
    colour = None if channels is None or (textured and min(channels[:3]) >= 1.0) else _srgb_colour(channels)
    return GltfMaterial(ModelMaterial(named, colour, pbr=None if _is_plain(shading) else shading), texcoord)


def _note_broken_values(entry: Json, place: str, named: str, notes: list[ModelNote]) -> None:
    """Note the values of a material that are of a wrong kind, for which the defaults are taken."""
    look = entry.get("pbrMetallicRoughness", {})
    mode = entry.get("alphaMode", "OPAQUE")
    wrong = []
    if not isinstance(look, dict):
        wrong.append(("pbrMetallicRoughness", look, "an object", "no factor is read"))
        look = {}
    for key, count, default in (
        ("baseColorFactor", 4, "the colour is the default"),
        ("metallicFactor", 1, "it is taken as 1"),
        ("roughnessFactor", 1, "it is taken as 1"),
        ("emissiveFactor", 3, "it is taken as black"),
        ("alphaCutoff", 1, "it is taken as 0.5"),
    ):
        inside = key in ("baseColorFactor", "metallicFactor", "roughnessFactor")
        value = (look if inside else entry).get(key)
        if value is not None and finite_numbers([value] if count == 1 else value, count) is None:
            path = f"pbrMetallicRoughness.{key}" if inside else key
            wrong.append((path, value, "a number" if count == 1 else f"a list of {count} numbers", default))
    if not isinstance(mode, str) or mode not in _ALPHA_MODES:
        wrong.append(("alphaMode", mode, "OPAQUE, MASK or BLEND", "it is taken as OPAQUE"))
    for path, value, wanted, default in wrong:
        written = quote_text(str(value)[:40])
        message = f"`{place}.{path}` of material {quote_text(named[:40])} is {written}, not {wanted}: {default}"
        notes.append(ModelNote(message, "export it again"))


def _read_shading(
    entry: Json,
    look: Json,
    older: Json | None,
    channels: list[float] | None,
    base_texture: object,
    textures: GltfTextures | None,
    notes: list[ModelNote],
) -> tuple[PbrMaterial, int]:
    """Factors and textures of a material, and its set of texture coordinates."""
    gloss = extension_of(entry, "KHR_materials_emissive_strength")
    strength = _factor((gloss or {}).get("emissiveStrength"), 1.0, MAX_EMISSION)
    emission = finite_numbers(entry.get("emissiveFactor", [0.0] * 3), 3) or [0.0] * 3
    normal = entry.get("normalTexture")
    occlusion = entry.get("occlusionTexture")
    # glTF's default is metal. A plain colour without any other factor is taken as none: it would be black.
    metallic = 1.0 if look.keys() - {"baseColorFactor"} else 0.0
    mode = entry.get("alphaMode", "OPAQUE")
    red_light, green_light, blue_light = (min(MAX_EMISSION, max(0.0, channel * strength)) for channel in emission)
    red, green, blue, alpha = (min(1.0, max(0.0, channel)) for channel in channels or [1.0] * 4)
    shading = PbrMaterial(
        base_colour=(red, green, blue, alpha),
        normal_scale=_factor(_field(normal, "scale"), 1.0, 10.0),
        metallic=_factor(look.get("metallicFactor"), metallic) if not older else 0.0,
        roughness=1.0 - _factor(older.get("glossinessFactor"), 1.0)
        if older
        else _factor(look.get("roughnessFactor"), 1.0),
        occlusion_strength=_factor(_field(occlusion, "strength"), 1.0),
        emission=(red_light, green_light, blue_light),
        alpha_mode=_ALPHA_MODES.get(mode, AlphaMode.OPAQUE) if isinstance(mode, str) else AlphaMode.OPAQUE,
        alpha_cutoff=_factor(entry.get("alphaCutoff"), 0.5),
        unlit=extension_of(entry, "KHR_materials_unlit") is not None,
        double_sided=entry.get("doubleSided") is True,
    )
    if textures is None:
        return shading, 0
    written: dict[str, Any] = {"base_colour_map": base_texture}
    if not shading.unlit:
        written |= {
            "normal_map": normal,
            "metallic_roughness_map": None if older else look.get("metallicRoughnessTexture"),
            "occlusion_map": occlusion,
            "emission_map": entry.get("emissiveTexture") if any(shading.emission) else None,
        }
    found = {
        field: read
        for field, texture in written.items()
        if (read := textures.read_map(texture, _MAP_ROLES[field])) is not None
    }
    return _with_one_texcoord(shading, found, entry, notes)


def _with_one_texcoord(
    shading: PbrMaterial, found: dict[str, tuple[TextureMap, int]], entry: Json, notes: list[ModelNote]
) -> tuple[PbrMaterial, int]:
    """The material with the textures that use the same coordinates as its first one; others are left out."""
    texcoord = next((number for _, number in found.values()), 0)
    others = [_MAP_ROLES[field] for field, (_, number) in found.items() if number != texcoord]
    if others:
        message = (
            f"the {' and '.join(others)} texture of material {quote_text(str(entry.get('name', ''))[:40])} is left "
            f"out: it uses other texture coordinates than the {_MAP_ROLES[next(iter(found))]} texture"
        )
        notes.append(ModelNote(message, "bake it to the same UV map"))
    maps: dict[str, Any] = {field: texture for field, (texture, number) in found.items() if number == texcoord}
    return replace(shading, **maps), texcoord


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


def _srgb_colour(linear: list[float]) -> Colour:
    red, green, blue = linear_to_srgb(linear[:3]).tolist()
    return red, green, blue
