"""glTF materials: names and base colours."""

from __future__ import annotations

from typing import Any

from ...core.vectors import Colour
from .triangle_soup import MAX_MODEL_COORDINATE, ModelMaterial


def read_gltf_material(entry: dict[str, Any], index: int) -> ModelMaterial:
    """Name and base colour of a glTF material. glTF stores linear colours; the result is sRGB.

    A white material with a texture has no colour: the texture would give it, and levels do not use it.
    """
    name = entry.get("name")
    look = entry.get("pbrMetallicRoughness", {})
    factor = look.get("baseColorFactor", [1.0] * 4) if isinstance(look, dict) else None
    extensions = entry.get("extensions")
    older = extensions.get("KHR_materials_pbrSpecularGlossiness") if isinstance(extensions, dict) else None
    if isinstance(older, dict):
        factor = older.get("diffuseFactor", factor)
    channels = finite_numbers(factor, 4)
    textured = isinstance(look, dict) and "baseColorTexture" in look
    colour = None if channels is None or (textured and min(channels[:3]) >= 1.0) else linear_to_srgb(channels)
    return ModelMaterial(name if isinstance(name, str) and name else f"material {index + 1}", colour)


def linear_to_srgb(linear: list[float]) -> Colour:
    """sRGB colour of a linear colour; both 0..1. Source: IEC 61966-2-1."""
    red, green, blue = (min(1.0, max(0.0, channel)) for channel in linear[:3])
    return _srgb_transfer(red), _srgb_transfer(green), _srgb_transfer(blue)


def _srgb_transfer(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else float(1.055 * linear ** (1 / 2.4) - 0.055)


def finite_numbers(value: object, count: int) -> list[float] | None:
    """`value` as a list of `count` finite numbers; None if it is anything else."""
    if not isinstance(value, list) or len(value) != count:
        return None
    valid = all(
        isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= MAX_MODEL_COORDINATE
        for number in value
    )
    return [float(number) for number in value] if valid else None
