"""The materials of a glTF file: their names, and the colours that a level can use."""

from __future__ import annotations

from typing import Any

from ...core.vectors import Colour
from .triangle_soup import MAX_MODEL_COORDINATE, ModelMaterial


def read_gltf_material(entry: dict[str, Any], index: int) -> ModelMaterial:
    """Name and base colour; glTF writes colours in linear light."""
    name = entry.get("name")
    look = entry.get("pbrMetallicRoughness", {})
    factor = look.get("baseColorFactor", [1.0] * 4) if isinstance(look, dict) else None
    extensions = entry.get("extensions")
    older = extensions.get("KHR_materials_pbrSpecularGlossiness") if isinstance(extensions, dict) else None
    if isinstance(older, dict):
        factor = older.get("diffuseFactor", factor)
    parts = finite_numbers(factor, 4)
    textured = isinstance(look, dict) and "baseColorTexture" in look
    colour = None if parts is None or (textured and min(parts[:3]) >= 1.0) else linear_to_srgb(parts)
    return ModelMaterial(name if isinstance(name, str) and name else f"material {index + 1}", colour)


def linear_to_srgb(linear: list[float]) -> Colour:
    """Linear light 0..1 as sRGB (IEC 61966-2-1)."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in linear[:3])
    return _srgb_transfer(red), _srgb_transfer(green), _srgb_transfer(blue)


def _srgb_transfer(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


def finite_numbers(value: object, count: int) -> list[float] | None:
    """So many finite numbers, or None."""
    if not isinstance(value, list) or len(value) != count:
        return None
    good = all(
        isinstance(part, int | float) and not isinstance(part, bool) and abs(part) <= MAX_MODEL_COORDINATE
        for part in value
    )
    return [float(part) for part in value] if good else None
