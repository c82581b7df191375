"""MTL files: the materials of Wavefront OBJ models.

Source: Wavefront MTL specification (Ramey et al. 1995), and its extension for physically based shading (`Pr`, `Pm`,
`Ke`, `norm`), which Blender and other programs write.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from ...core.srgb import srgb_to_linear
from ...core.vectors import Colour
from ..format.findings import quote_text
from ..materials import AlphaMode, PbrMaterial, PictureError, PictureSource, TextureMap, Wrap
from .model_pictures import ModelPictures
from .model_text import decode_model_text, iterate_statements, path_beside
from .triangle_soup import ModelMaterial, ModelNote

MAX_MTL_BYTES = 2**20
MAX_EMISSION = 1000.0
_COLOURS = {"Kd", "Ke"}
_NUMBERS = {"d", "Tr", "Pr", "Pm"}
_UNREAD = {"disp", "decal", "refl", "map_pr", "map_pm", "map_ps"}  # that change the look
_MAPS = {"map_kd", "map_ke", "map_bump", "bump", "norm", "map_d"}
_OPTION_COUNTS = {
    "-blendu": 1, "-blendv": 1, "-cc": 1, "-clamp": 1, "-texres": 1, "-boost": 1, "-bm": 1, "-imfchan": 1, "-type": 1,
    "-mm": 2,
}  # fmt: skip
_VECTOR_OPTIONS = {"-o", "-s", "-t"}  # one to three numbers


@dataclass(slots=True)
class MtlTexture:
    """A texture statement: file name, scale and offset of the coordinates, clamping, and its line from 1."""

    name: str
    line: int
    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)
    clamp: bool = False


@dataclass(slots=True)
class MtlMaterial:
    """Statements of a material by keyword. problems: statements without the numbers that they need, in words. unread:
    keywords of statements that are not read."""

    colours: dict[str, Colour] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    textures: dict[str, MtlTexture] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def has_pictures(self) -> bool:
        """True if its faces need texture coordinates."""
        return bool(self.textures)


def read_mtl(data: bytes, file: str = "the MTL file") -> dict[str, MtlMaterial]:
    """The materials of a file by name. Broken numbers are problems of their material, other oddities are skipped.

    file: its name, for the problems.
    """
    materials: dict[str, MtlMaterial] = {}
    current = MtlMaterial()
    for line_number, line in iterate_statements(decode_model_text(data, "MTL")):
        words = line.split()
        keyword = words[0]
        if keyword == "newmtl" and len(words) > 1:
            problems = current.problems if not materials else []
            current = materials.setdefault(line.split(None, 1)[1], MtlMaterial())
            current.problems += problems
        elif not materials and (keyword in _COLOURS or keyword in _NUMBERS or keyword.lower() in _MAPS):
            written = quote_text(line.strip()[:40])
            current.problems.append(
                f"{written} in line {line_number} of {quote_text(file[:60])} is before any `newmtl`"
            )
        elif keyword in _COLOURS or keyword in _NUMBERS:
            wanted = _read_numbers(current, keyword, words[1:])
            if wanted:
                written = quote_text(line.strip()[:40])
                current.problems.append(f"{written} in line {line_number} of {quote_text(file[:60])} needs {wanted}")
        elif (
            keyword.lower() in _MAPS
            and len(words) > 1
            and (texture := _read_texture(line.split(None, 1)[1], line_number)) is not None
        ):
            current.textures["map_bump" if keyword.lower() == "bump" else keyword.lower()] = texture
        elif keyword.lower() in _UNREAD:
            current.unread.append(keyword)
    return materials


def _read_numbers(material: MtlMaterial, keyword: str, words: list[str]) -> str:
    """Set the colour or number of a statement. What it should have, in words, where it has something else."""
    if keyword in _COLOURS:
        if words[:1] in (["spectral"], ["xyz"]):
            return ""  # kinds of colour that are not read
        numbers = _finite(words[:3])
        if numbers is None or len(numbers) not in (1, 3):
            return "three numbers"
        red, green, blue = numbers * 3 if len(numbers) == 1 else numbers  # one number is a grey
        material.colours[keyword] = red, green, blue
        return ""
    numbers = _finite(words[1:2] if words[:1] == ["-halo"] else words[:1])
    if not numbers:
        return "a number"
    material.numbers[keyword] = numbers[0]
    return ""


def _finite(words: list[str]) -> list[float] | None:
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _read_texture(text: str, line: int) -> MtlTexture | None:
    """Options and file name of a texture statement; the name may have blanks."""
    texture = MtlTexture("", line)
    rest = text.strip()
    while rest.startswith("-"):
        option, rest = [*rest.split(None, 1), ""][:2]
        words = rest.split()
        if option in _VECTOR_OPTIONS:
            count = 0
            while count < min(3, len(words) - 1) and _finite(words[count : count + 1]) is not None:
                count += 1
            numbers = _finite(words[:count]) or []
            if option == "-s":
                texture.scale = (*numbers[:2], *(1.0, 1.0)[len(numbers) :])[:2]  # type: ignore[assignment]
            elif option == "-o":
                texture.offset = (*numbers[:2], *(0.0, 0.0)[len(numbers) :])[:2]  # type: ignore[assignment]
        elif option in _OPTION_COUNTS:
            count = _OPTION_COUNTS[option]
            texture.clamp |= option == "-clamp" and words[:1] == ["on"]
        else:
            return None
        rest = rest.split(None, count)[count].strip() if len(words) > count else ""
    texture.name = rest
    return texture if rest else None


@dataclass(slots=True)
class MtlShading:
    """Maker of model materials from MTL materials. Problems become notes, each picture's once."""

    pictures: ModelPictures | None
    notes: list[ModelNote]
    line: int  # of `mtllib` in the OBJ file: notes stand there
    _sources: dict[str, PictureSource | None] = field(default_factory=dict)

    def make_material(self, name: str, written: MtlMaterial) -> ModelMaterial:
        """The material; a plain colour if it has neither pictures nor light nor transparency.

        `Kd` is taken as sRGB; the format does not define the colour space.
        """
        for problem in written.problems:
            message = f"{problem}; material {quote_text(name[:40])} has the default"
            self.notes.append(ModelNote(message, "export it again", self.line, 1))
        diffuse = written.colours.get("Kd")
        colour = None if diffuse is None else (_unit(diffuse[0]), _unit(diffuse[1]), _unit(diffuse[2]))
        opacity = _unit(written.numbers.get("d", 1.0 - written.numbers.get("Tr", 0.0)))
        maps = {key: self._read_map(texture) for key, texture in written.textures.items() if key != "map_d"}
        normal = maps.get("norm") or self._bump_as_normal(name, written, maps)
        mask = written.textures.get("map_d")
        cutout = mask is not None and maps.get("map_kd") is not None and mask.name == written.textures["map_kd"].name
        if mask is not None and not cutout:
            message = f"map_d of material `{name[:40]}` is left out: opacity is read from its map_Kd"
            self.notes.append(ModelNote(message, "put it into the transparency of that picture", self.line, 1))
        picture = maps.get("map_kd")
        glow = maps.get("map_ke")
        light = written.colours.get("Ke", (1.0, 1.0, 1.0) if glow else (0.0, 0.0, 0.0))
        emission = tuple(min(MAX_EMISSION, max(0.0, channel)) for channel in light)
        # Programs write black beside a picture, which would hide it.
        tint = (1.0, 1.0, 1.0) if colour is None or (picture and not any(colour)) else colour
        red, green, blue = srgb_to_linear(tint).tolist()
        shading = PbrMaterial(
            base_colour=(red, green, blue, opacity),
            base_colour_map=picture,
            normal_map=normal,
            metallic=_unit(written.numbers.get("Pm", 0.0)),
            roughness=_unit(written.numbers.get("Pr", 1.0)),
            emission=(emission[0], emission[1], emission[2]),
            emission_map=glow if any(emission) else None,
            alpha_mode=AlphaMode.MASK if cutout else AlphaMode.BLEND if opacity < 1.0 else AlphaMode.OPAQUE,
        )
        plain = replace(shading, base_colour=(1.0, 1.0, 1.0, 1.0)) == PbrMaterial(roughness=shading.roughness)
        return ModelMaterial(name or "unnamed", colour, pbr=None if plain and opacity >= 1.0 else shading)

    def _bump_as_normal(self, name: str, written: MtlMaterial, maps: dict[str, TextureMap | None]) -> TextureMap | None:
        """The bump map if its name says that it is a normal map, which programs write as a bump map."""
        bump = written.textures.get("map_bump")
        if bump is None:
            return None
        if any(word in bump.name.lower() for word in ("norm", "nrm", "nor_gl", "_n.")):
            return maps["map_bump"]
        message = f"the bump map of material `{name[:40]}` is left out: heights are not drawn"
        self.notes.append(ModelNote(message, "for a normal map write `norm` instead of `map_Bump`", self.line, 1))
        return None

    def _read_map(self, texture: MtlTexture) -> TextureMap | None:
        if self.pictures is None:
            return None
        if texture.name not in self._sources:
            self._sources[texture.name] = self._find_picture(self.pictures, texture)
        source = self._sources[texture.name]
        if source is None:
            return None
        wrap = Wrap.CLAMP if texture.clamp else Wrap.REPEAT
        across, up = texture.scale
        right, rise = texture.offset
        # The file's v points up: v_down = 1 - v_up, before and after scale and offset.
        rows = ((across, 0.0, right), (0.0, up, 1.0 - up - rise))
        return TextureMap(source, wrap, wrap, transform=rows)

    def _find_picture(self, pictures: ModelPictures, texture: MtlTexture) -> PictureSource | None:
        try:
            return pictures.beside(path_beside(texture.name))
        except PictureError as error:
            message = f"{error.message}; its materials show their plain colour"
            self.notes.append(ModelNote(message, error.cure, self.line, 1))
        return None


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
