"""Surfaces: look and physical material by name, for a level and its included files."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...core.srgb import srgb_to_linear
from ...core.vectors import Colour
from ..materials import AlphaMode, PbrMaterial, PictureSource, TextureMap
from ..materials.picture_header import PictureHeader
from .findings import FindingCollector, SourceSpan
from .pictures import PictureFinder, keep_channels
from .records import RecordValues
from .schema import DEFAULT_SURFACE

if TYPE_CHECKING:
    from ...physics import Material


# The fields that replace the procedural texture
MATERIAL_FIELDS = ("picture", "normal", "roughness", "metallic", "occlusion", "emission")
WHITE = (1.0, 1.0, 1.0)

_FOOTSTEP_BY_TEXTURE = {
    "planks": "wood", "grass": "grass", "leaves": "grass", "earth": "grass", "sand": "sand", "tiles": "tile",
    "metal": "metal", "ice": "ice",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Surface:
    """Look, footstep sound and material of faces.

    colour: sRGB 0..1. texture: one of `TEXTURES`. footstep: name of the sound. The other fields, from `friction`
    to `soft`, are those of `physics.Material`. pbr: pictures and factors that replace colour and texture; None for a
    procedural texture. align: "piece" or "level", see the schema. spray: metres that drops fly up from it, in the
    picture alone. place: in the level file.
    """

    name: str
    colour: Colour
    texture: str
    friction: float
    footstep: str
    bounce: float = 0.0
    speed: float = 1.0
    flow: tuple[float, float] = (0.0, 0.0)
    rub: float = 0.0
    roll: float = 0.0
    soft: float = 0.0
    pbr: PbrMaterial | None = None
    align: str = "piece"
    spray: float = 0.0
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)

    @property
    def material(self) -> Material:
        """Physical material for walkers and balls."""
        from ...physics import Material

        return Material(self.friction, self.bounce, self.speed, self.flow, self.rub, self.roll, self.soft)


DEFAULT_LEVEL_SURFACE = Surface(DEFAULT_SURFACE, (0x9A / 255, 0x9A / 255, 0x96 / 255), "plain", 1.0, "stone")


def footstep_for_texture(texture: str) -> str:
    """Footstep sound of a texture, for surfaces that name none."""
    return _FOOTSTEP_BY_TEXTURE.get(texture, "stone")


def read_surface(name: str, record: RecordValues, pictures: PictureFinder) -> Surface:
    """Surface of a checked record. Its pictures are looked up; without them it keeps its colour and texture."""
    texture = record.text("texture")
    return Surface(
        name=name,
        colour=record.colour("colour"),
        texture=texture,
        friction=record.number("friction"),
        footstep=record.text("footstep") or footstep_for_texture(texture),
        bounce=record.number("bounce"),
        speed=record.number("speed"),
        flow=record.plan_point("flow"),
        rub=record.number("rub"),
        roll=record.number("roll"),
        soft=record.number("soft"),
        pbr=_read_material(record, pictures) if _wants_material(record, pictures.report) else None,
        align=record.text("align"),
        spray=record.number("spray"),
        place=record.place,
    )


def _wants_material(record: RecordValues, report: FindingCollector) -> bool:
    """True if a field makes a material of pictures or factors. Fields without effect are reported."""

    def warn(idle: str, missing: str) -> None:
        message = f"`{idle}` has no effect without {missing}"
        cure = f"add {missing}, or remove `{idle}`"
        report.add("warning", record.place_of(idle), f"{record.where}.{idle}", message, cure)

    for name in ("cutout", "see_through"):
        if record.is_given(name) and not record.is_given("picture"):
            warn(name, "`picture`")
    for name in ("size", "align", "sampling", "scroll"):
        if record.is_given(name) and not any(isinstance(record.value(picture), str) for picture in MATERIAL_FIELDS):
            warn(name, "`picture`")
    if record.is_given("brightness") and not record.is_given("emission"):
        warn("brightness", "`emission`")
    given = [name for name in MATERIAL_FIELDS if record.is_given(name)]
    if given and record.is_given("texture"):
        message = f"`texture` is not drawn: `{given[0]}` replaces it"
        cure = "remove one of them"
        report.add("warning", record.place_of("texture"), f"{record.where}.texture", message, cure)
    return bool(given)


def _read_material(record: RecordValues, pictures: PictureFinder) -> PbrMaterial | None:
    """Material of a surface; None if its `picture` cannot be used."""
    nearest = record.text("sampling") == "nearest"
    found: dict[str, tuple[PictureSource, PictureHeader]] = {}
    for name in MATERIAL_FIELDS:
        text = record.value(name)
        if isinstance(text, str):
            picture = pictures.find(text, record.place_of(name), f"{record.where}.{name}")
            if picture is not None:
                found[name] = picture
    if record.is_given("picture") and "picture" not in found:
        return None

    def texture_map(name: str) -> TextureMap | None:
        return TextureMap(found[name][0], nearest=nearest) if name in found else None

    across, up = record.picture_size("size")
    first = next(iter(found.values()), None)
    up = up or (across * first[1].height / first[1].width if first is not None else across)
    tinted = record.is_given("colour") or not record.is_given("picture")
    red, green, blue = srgb_to_linear(record.colour("colour") if tinted else WHITE).tolist()
    roughness, metallic, packed = _roughness_and_metal(record, pictures, found)
    brightness = record.number("brightness")
    glow = record.value("emission")
    emission = (0.0, 0.0, 0.0)
    if "emission" in found:
        emission = (brightness, brightness, brightness)
    elif isinstance(glow, tuple):
        r, g, b = (brightness * srgb_to_linear(record.point("emission"))).tolist()
        emission = (r, g, b)
    return PbrMaterial(
        base_colour=(red, green, blue, 1.0),
        base_colour_map=texture_map("picture"),
        normal_map=texture_map("normal"),
        metallic=metallic,
        roughness=roughness,
        metallic_roughness_map=TextureMap(packed, nearest=nearest) if packed is not None else None,
        occlusion_map=texture_map("occlusion"),
        emission=emission,
        emission_map=texture_map("emission"),
        alpha_mode=_alpha_mode(record, pictures.report),
        double_sided=True,  # as all surfaces of level files
        scroll=_scroll(record, across, up),
        size=(across, up),
    )


def _roughness_and_metal(
    record: RecordValues, pictures: PictureFinder, found: dict[str, tuple[PictureSource, PictureHeader]]
) -> tuple[float, float, PictureSource | None]:
    """Factors of roughness and metallic, and the picture whose green and blue channels multiply them."""
    factors = []
    for name, default in (("roughness", 1.0), ("metallic", 0.0)):
        value = record.value(name)
        factors.append(value if isinstance(value, float) else 1.0 if name in found else default)
    rough, metal = (found[name][0] if name in found else None for name in ("roughness", "metallic"))
    if rough is not None and metal is not None and rough != metal:
        message = "`roughness` and `metallic` are two pictures"
        cure = "put both into one: green is roughness, blue metal"
        pictures.report.add("dropped", record.place_of("metallic"), f"{record.where}.metallic", message, cure)
        metal = None
        factors[1] = 0.0
    if rough is None or metal is None:  # a grey picture has the same value in all channels: use one of them
        rough = keep_channels(rough, "g") if rough else keep_channels(metal, "b") if metal else None
    return factors[0], factors[1], rough


def _alpha_mode(record: RecordValues, report: FindingCollector) -> AlphaMode:
    if record.flag("cutout") and record.flag("see_through"):
        message = "`cutout` already leaves parts of the picture out"
        cure = "remove `cutout` or `see_through`"
        report.add("dropped", record.place_of("see_through"), f"{record.where}.see_through", message, cure)
    if record.flag("cutout"):
        return AlphaMode.MASK
    return AlphaMode.BLEND if record.flag("see_through") else AlphaMode.OPAQUE


def _scroll(record: RecordValues, across: float, up: float) -> tuple[float, float]:
    """Speed of the picture in texture coordinates per second, v down."""
    if record.is_given("scroll"):
        right, upwards = record.plan_point("scroll")
    else:
        right = 0.0
        upwards = math.hypot(*record.plan_point("flow"))
    return right / across + 0.0, -upwards / up + 0.0


class SurfaceTable:
    """All surfaces of a level and its included files. Index 0 is the default surface."""

    def __init__(self, pictures: PictureFinder) -> None:
        self._pictures = pictures
        self.surfaces: list[Surface] = [DEFAULT_LEVEL_SURFACE]

    def add_surfaces(self, records: dict[str, RecordValues], is_level: bool) -> dict[str, int]:
        """Index of each surface of a file by its name, DEFAULT_SURFACE included.

        is_level: True for the level's own file, which may redefine surface 0. A surface of an included file that equals
        an earlier one shares its index.
        """
        indices = {DEFAULT_SURFACE: 0}
        for name, record in records.items():
            surface = read_surface(name, record, self._pictures)
            if is_level and name == DEFAULT_SURFACE:
                self.surfaces[0] = surface
            elif not is_level and surface in self.surfaces:
                indices[name] = self.surfaces.index(surface)
            else:
                indices[name] = len(self.surfaces)
                self.surfaces.append(surface)
        return indices
