"""Layers and material of a face by its texture name."""

from __future__ import annotations

import colorsys
import re
import zlib
from dataclasses import dataclass

from ....core.vectors import Colour
from ..triangle_soup import ModelMaterial

# Tool textures of Quake and its successors, by the last part of the name.
_IGNORED_TEXTURE = re.compile(r"skip|hint|hintskip|(aaa)?trigger|origin|(area|anti|cluster)portal|donotenter|botclip")
_CLIP_TEXTURE = re.compile(r"clip|playerclip|monsterclip|weapclip|invisible|cushion")
_INVISIBLE_TEXTURE = re.compile(r"caulk|nodraw|null|nodrawsolid")
_SKY_TEXTURE = re.compile(r"(textures/)?skies/|.*sky[^/]*$")  # a folder of sky shaders, or the last part of the name
_LIQUID_TEXTURE = re.compile(r"[*!#]|(textures/)?liquids?/")


@dataclass(frozen=True, slots=True)
class TextureLayers:
    """Layers of a face: `collide` and `visible`. ignore_brush: the brush is not a part of the world."""

    ignore_brush: bool = False
    collide: bool = True
    visible: bool = True


def texture_layers(texture: str) -> TextureLayers:
    """Layers of faces with this texture. Sky collides and is invisible: the level draws its own sky there."""
    name = texture.lower()
    last = name.rsplit("/", 1)[-1]
    if _IGNORED_TEXTURE.fullmatch(last):
        return TextureLayers(True, False, False)
    if _CLIP_TEXTURE.fullmatch(last) or _INVISIBLE_TEXTURE.fullmatch(last) or _SKY_TEXTURE.match(name):
        return TextureLayers(False, True, False)
    if _LIQUID_TEXTURE.match(name):
        return TextureLayers(False, False, True)
    return TextureLayers()


# Words in texture names, with texture pattern and colour. The first match counts.
_MATERIAL_WORDS: tuple[tuple[str, str, int], ...] = (
    ("lava", "plain", 0xD8501E), ("slime", "plain", 0x5C7A2E), ("water", "plain", 0x3F6F86),
    ("tele", "plain", 0x2A2A3A),
    ("ice|snow", "ice", 0xBFE0EE), ("grass|moss|leaf|hedge", "grass", 0x5F7F3F),
    ("brick", "brick", 0x8E5B47), ("wood|plank|crate|wiz", "planks", 0x86613F),
    ("rust|cop|bronze", "metal", 0x86613F), ("met|steel|iron|tech|grate|plat|door|slip|base", "metal", 0x75797C),
    ("sand|desert", "plain", 0xC9B48A), ("ground|dirt|mud|soil|earth", "plain", 0x6E5A44),
    ("conc|cement|asphalt", "concrete", 0x8C8B86), ("tile|marble|bath", "tiles", 0xB9B7AE),
    ("rock|stone|cobble|city|med|rune|church|cave|wall|floor|flr", "flagstone", 0x8B857A),
    ("plaster|stucco|ceil", "plaster", 0xBDB5A4), ("light|lamp", "plain", 0xF2E3B6),
    ("glass|window", "plain", 0x9FB6BE),
    ("black", "plain", 0x1C1C1C), ("white", "plain", 0xE6E4DE), ("red|blood", "plain", 0x9A3B34),
    ("green", "plain", 0x4E7F4F), ("blue", "plain", 0x3F5F94), ("yellow|gold", "plain", 0xC8A443),
    ("grey|gray", "plain", 0x83837F), ("brown", "plain", 0x6F5238), ("orange", "plain", 0xC47A35),
)  # fmt: skip
_FRICTION_BY_TEXTURE = {"ice": 0.05}


def texture_material(texture: str) -> ModelMaterial:
    """Material guessed from a texture name. Names with the same word differ a little in brightness (by a hash)."""
    name = texture.lower()
    seed = zlib.crc32(name.encode())
    for words, pattern, colour in _MATERIAL_WORDS:
        if re.search(words, name):
            return ModelMaterial(texture, _vary_shade(colour, seed), pattern, _FRICTION_BY_TEXTURE.get(pattern, 1.0))
    hue = (seed & 0xFF) / 256.0
    light = 0.50 + ((seed >> 8) & 0xFF) / 256.0 * 0.18
    return ModelMaterial(texture, colorsys.hls_to_rgb(hue, light, 0.14), "plain", 1.0)


def _vary_shade(colour: int, seed: int) -> Colour:
    factor = 0.90 + (seed & 0xFF) / 256.0 * 0.2
    red, green, blue = (min(1.0, ((colour >> shift) & 255) / 255 * factor) for shift in (16, 8, 0))
    return red, green, blue
