"""Textures of a map: layers and material of a face by the name of its texture, its picture, and its coordinates.

Source of the coordinates: QBSP (id Software, GPL release), `TextureAxisFromPlane` and `QuakeTexVecs`, for the Standard
format; the Valve 220 format writes the axes themselves.
"""

from __future__ import annotations

import colorsys
import math
import re
import zlib
from dataclasses import dataclass, field, replace

import numpy as np

from ....core.vectors import Colour, Floats
from ...format.findings import quote_text
from ...materials import AlphaMode, PbrMaterial, PictureError, TextureMap
from ..texture_folder import SizedPicture, TextureFolder
from ..triangle_soup import ModelMaterial, ModelNote
from .map_parser import BrushFace

# Tool textures of Quake and its successors, by the last part of the name.
_IGNORED_TEXTURE = re.compile(r"skip|hint|hintskip|(aaa)?trigger|origin|(area|anti|cluster)portal|donotenter|botclip")
_CLIP_TEXTURE = re.compile(r"clip|playerclip|monsterclip|weapclip|invisible|cushion")
_INVISIBLE_TEXTURE = re.compile(r"caulk|nodraw|null|nodrawsolid")
_SKY_TEXTURE = re.compile(r"(textures/)?skies/|.*sky[^/]*$")  # a folder of sky shaders, or the last part of the name
_LIQUID_TEXTURE = re.compile(r"[*!#]|(textures/)?liquids?/")
MAX_MISSING_NOTES = 3  # missing pictures that have a note of their own
_FENCE_PREFIX = "{"  # of textures with holes (GoldSrc)
MAX_TEXELS = 1e7  # a larger offset or factor is no alignment
_NUMBER = re.compile(r"[^\s\[\]]+")

# Directions of faces, the first nearest one counts, and the axes of their textures: across and down.
_FACINGS = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], np.float64)
_ACROSS = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]], np.float64)
_DOWN = np.array([[0, -1, 0], [0, -1, 0], [0, 0, -1], [0, 0, -1], [0, 0, -1], [0, 0, -1]], np.float64)


def read_alignment(face: BrushFace) -> Floats:
    """Rows (2,4) of the affine map from a point to texels across and down the picture. Mistakes give the default."""
    try:
        numbers = [float(word) for word in _NUMBER.findall(face.alignment)[:16]]
    except ValueError:
        numbers = []
    if not all(math.isfinite(number) and abs(number) <= MAX_TEXELS for number in numbers):
        numbers = []
    if "[" in face.alignment and len(numbers) >= 11:
        axes = np.array([numbers[0:3], numbers[4:7]])
        offsets = np.array([numbers[3], numbers[7]])
        scales = numbers[9:11]
    else:
        given = [*numbers[:5], *(0.0, 0.0, 0.0, 1.0, 1.0)[len(numbers) :]]
        axes = _standard_axes(face, given[2])
        offsets = np.array(given[:2])
        scales = given[3:5]
    factors = np.array([scale if abs(scale) > 1e-6 else 1.0 for scale in scales])
    return np.column_stack([axes / factors[:, None], offsets])


def _standard_axes(face: BrushFace, degrees: float) -> Floats:
    """Axes (2,3) of the Standard format: those of the nearest main direction, turned in their plane."""
    first, second, third = np.array(face.points)
    normal = np.cross(third - first, second - first)
    nearest = int(np.argmax(np.round(_FACINGS @ normal / max(float(np.linalg.norm(normal)), 1e-12), 9)))
    axes = np.stack([_ACROSS[nearest], _DOWN[nearest]])
    s, t = (int(np.argmax(axis != 0.0)) for axis in axes)
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    turned = axes.copy()
    turned[:, s] = cosine * axes[:, s] - sine * axes[:, t]
    turned[:, t] = sine * axes[:, s] + cosine * axes[:, t]
    return turned


@dataclass(slots=True)
class MapPictures:
    """Pictures of the textures that visible faces use. folder: where they are; None: there are none."""

    folder: TextureFolder | None
    found: dict[str, SizedPicture] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)  # line of the first face with it
    _broken: list[ModelNote] = field(default_factory=list)
    _broken_names: set[str] = field(default_factory=set)

    def find(self, face: BrushFace) -> SizedPicture | None:
        """The picture of a face; None if its texture has none that can be used."""
        return self.find_texture(face.texture, face.line)

    def find_texture(self, name: str, line: int) -> SizedPicture | None:
        """The picture of a texture that is used in a line, as `find`."""
        if self.folder is None or name in self.missing or name in self._broken_names:
            return None
        if name not in self.found:
            try:
                picture = self.folder.read_picture(name)
            except PictureError as error:
                self._broken_names.add(name)
                self._broken.append(ModelNote(f"{error.message}; its faces show a plain colour", error.cure, line, 1))
                return None
            if picture is None:
                self.missing[name] = line
                return None
            self.found[name] = picture
        return self.found[name]

    def with_picture(self, material: ModelMaterial) -> ModelMaterial:
        """The material of a texture, with its picture if it has one."""
        picture = self.found.get(material.name)
        if picture is None:
            return material
        mode = AlphaMode.MASK if material.name.startswith(_FENCE_PREFIX) else AlphaMode.OPAQUE
        return replace(material, pbr=PbrMaterial(base_colour_map=TextureMap(picture.source), alpha_mode=mode))

    def notes(self) -> list[ModelNote]:
        """Broken pictures, and textures without one: the first few with a near name, the others counted."""
        notes = list(self._broken)
        if self.folder is None:
            return notes
        where = quote_text(self.folder.folder.name[:60])
        names = list(self.missing)
        for name in names[:MAX_MISSING_NOTES]:
            message = f"no picture in {where} is named {quote_text(name[:60])}; its faces show a plain colour"
            cure = self.folder.suggest_name(name) or f"add {quote_text(name[:60] + '.png')} to the folder"
            notes.append(ModelNote(message, cure, self.missing[name], 1))
        more = names[MAX_MISSING_NOTES:]
        if more:
            total = len(self.found) + len(self.missing) + len(self._broken_names)
            listed = ", ".join(quote_text(name[:40]) for name in more[:8]) + (" and others" if len(more) > 8 else "")
            message = f"{len(names)} of {total} textures have no picture in {where}, also {listed}"
            notes.append(ModelNote(message, "check `textures`", self.missing[more[0]], 1))
        return notes


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
