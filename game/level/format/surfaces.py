"""Surfaces: their fields, look and physical material by name, for a level and its included files."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core import vectors
from ...core.srgb import srgb_to_linear
from ..materials import AlphaMode, PbrMaterial, PictureSource, TextureMap
from ..materials.picture_file import PictureHeader
from .findings import FindingCollector, SourceSpan
from .numbers import Number, Pair, Plan
from .pictures import PictureFinder, keep_channels
from .record import DEFAULT_SURFACE, Record, Value
from .values import Choice, Colour, Factor, Flag, Glow, Picture, Size

if TYPE_CHECKING:
    from ...physics import Material


TEXTURES = (
    "plain", "flagstone", "brick", "plaster", "planks", "grass", "tiles", "concrete", "metal", "ice", "belt", "earth",
    "sand", "leaves",
)  # fmt: skip
FOOTSTEPS = ("stone", "wood", "grass", "metal", "tile", "ice", "carpet", "sand", "none")
WHITE = (1.0, 1.0, 1.0)

_FOOTSTEP_BY_TEXTURE = {
    "planks": "wood", "grass": "grass", "leaves": "grass", "earth": "grass", "sand": "sand", "tiles": "tile",
    "metal": "metal", "ice": "ice",
}  # fmt: skip


class SurfaceFields(Record):
    """A named surface: look and physical properties."""

    kind = "surface"
    example = 'stone: {colour: "#8d8a83", texture: flagstone, friction: 1.0}'
    colour = Colour("Colour. It multiplies a `picture`, which shows as it is without it.", "#9a9a96")
    texture = Choice("Texture pattern at true scale.", TEXTURES, "plain")
    picture = Picture("Picture that is repeated across the faces. It replaces `texture`.")
    size = Size("What one picture covers: across, or [across, up]. One number keeps the picture's proportions.")
    align = Choice(
        "Where the picture begins: at the lower left corner of each piece, or at the level's origin, so that it "
        "continues from one piece to the next.",
        ("piece", "level"),
        "piece",
    )
    normal = Picture("Normal map: green points up, as in Blender and glTF.")
    roughness = Factor("0 for polished, 1 for matt. Of a picture the green channel counts. Default: 1.")
    metallic = Factor("1 for bare metal. Of a picture the blue channel counts. Default: 0.")
    occlusion = Picture("Picture of the light that reaches the depths of the surface; its red channel counts.")
    emission = Glow("Light that the surface itself sends out. It lights no other face: add a `light`.")
    brightness = Number("Factor of `emission`; 1 shows its own colour in the dark.", 1.0, "", 0, 100)
    cutout = Flag(
        "Whether parts of the picture with less than half opacity are left out, as in a fence. The player collides "
        "with the whole face.",
        False,
    )
    see_through = Flag("Whether what is behind shows through where the picture is not opaque, as in glass.", False)
    sampling = Choice("`nearest` shows the pixels of the picture as sharp squares.", ("smooth", "nearest"), "smooth")
    scroll = Pair(
        "Speed of the picture across the surface: to the right and up. Default: the speed of `flow` upwards; the top "
        "of the picture then points along `flow`.",
        (0.0, 0.0),
        "m/s",
        -20,
        20,
    )
    friction = Number(
        "Coefficient of friction. Slopes hold up to this tangent; below 1 starting and stopping are slower.",
        1.0, "", 0, 10,
    )  # fmt: skip
    bounce = Number("Fraction of the landing speed that it returns.", 0.0, "", 0, 1)
    speed = Number("Walking speed factor; below 1 for mud.", 1.0, "", 0, 4)
    flow = Plan("Conveyor velocity: east and south.", (0.0, 0.0), "m/s", -20, 20)
    rub = Number("For walls: fraction of the speed along it that is lost.", 0.0, "", 0, 1)
    roll = Number("Extra rolling resistance for balls, as a fraction of gravity.", 0.0, "", 0, 10)
    soft = Number("Fraction of a ball's bounce that it absorbs; 1 for sand.", 0.0, "", 0, 1)
    spray = Number("Height to which drops of water fly up from its faces, in the picture alone.", 0.0, "m", 0, 20)
    footstep = Choice("Footstep sound. Default: matches the texture.", FOOTSTEPS)

    def pictures(self) -> dict[str, str]:
        """Paths of its pictures, by the fields that replace the procedural texture."""
        values = {name: self.__dict__.get(name) for name in MATERIAL_FIELDS}
        return {name: value for name, value in values.items() if isinstance(value, str)}


# The fields that replace the procedural texture
MATERIAL_FIELDS = ("picture", "normal", "roughness", "metallic", "occlusion", "emission")


@dataclass(frozen=True, slots=True)
class Surface:
    """Look, footstep sound and material of faces.

    colour: sRGB 0..1. texture: one of `TEXTURES`. footstep: name of the sound. The other fields, from `friction`
    to `soft`, are those of `physics.Material`. pbr: pictures and factors that replace colour and texture; None for a
    procedural texture. align: "piece" or "level", see the schema. spray: metres that drops fly up from it, in the
    picture alone. place: in the level file.
    """

    name: str
    colour: vectors.Colour
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


def read_surface(name: str, record: SurfaceFields, finder: PictureFinder) -> Surface:
    """Surface of a checked record. Its pictures are looked up; without them it keeps its colour and texture."""
    return Surface(
        name=name,
        colour=record.colour,
        texture=record.texture,
        friction=record.friction,
        footstep=record.footstep or footstep_for_texture(record.texture),
        bounce=record.bounce,
        speed=record.speed,
        flow=record.flow,
        rub=record.rub,
        roll=record.roll,
        soft=record.soft,
        pbr=_read_material(record, finder) if _wants_material(record, finder.report) else None,
        align=record.align,
        spray=record.spray,
        place=record.place,
    )


def _wants_material(record: SurfaceFields, report: FindingCollector) -> bool:
    """True if a field makes a material of pictures or factors. Fields without effect are reported."""
    fields = SurfaceFields

    def warn(idle: Value[Any], missing: str) -> None:
        message = f"`{idle.name}` has no effect without {missing}"
        cure = f"add {missing}, or remove `{idle.name}`"
        report.add("warning", record.place_of(idle), record.where_of(idle), message, cure)

    with_picture: tuple[Value[Any], ...] = (fields.cutout, fields.see_through)
    with_pictures: tuple[Value[Any], ...] = (fields.size, fields.align, fields.sampling, fields.scroll)
    for idle in (*([] if record.picture else with_picture), *([] if record.pictures() else with_pictures)):
        if record.is_given(idle):
            warn(idle, "`picture`")
    if record.is_given(fields.brightness) and record.emission is None:
        warn(fields.brightness, "`emission`")
    given = [name for name in MATERIAL_FIELDS if name in record.places]
    if given and record.is_given(fields.texture):
        message = f"`texture` is not drawn: `{given[0]}` replaces it"
        place, where = record.place_of(fields.texture), record.where_of(fields.texture)
        report.add("warning", place, where, message, "remove one of them")
    return bool(given)


def _read_material(record: SurfaceFields, finder: PictureFinder) -> PbrMaterial | None:
    """Material of a surface; None if its `picture` cannot be used."""
    nearest = record.sampling == "nearest"
    found: dict[str, tuple[PictureSource, PictureHeader]] = {}
    for name, path in record.pictures().items():
        written = record.fields[name]
        picture = finder.find(path, record.place_of(written), record.where_of(written))
        if picture is not None:
            found[name] = picture
    if record.picture and "picture" not in found:
        return None

    def texture_map(name: str) -> TextureMap | None:
        return TextureMap(found[name][0], nearest=nearest) if name in found else None

    across, up = record.size
    first = next(iter(found.values()), None)
    up = up or (across * first[1].height / first[1].width if first is not None else across)
    tinted = record.is_given(SurfaceFields.colour) or not record.picture
    red, green, blue = srgb_to_linear(record.colour if tinted else WHITE).tolist()
    roughness, metallic, packed = _roughness_and_metal(record, finder, found)
    brightness = record.brightness
    emission = (0.0, 0.0, 0.0)
    if "emission" in found:
        emission = (brightness, brightness, brightness)
    elif isinstance(record.emission, tuple):
        r, g, b = (brightness * srgb_to_linear(record.emission)).tolist()
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
        alpha_mode=_alpha_mode(record, finder.report),
        double_sided=True,  # as all surfaces of level files
        scroll=_scroll(record, across, up),
        size=(across, up),
    )


def _roughness_and_metal(
    record: SurfaceFields, finder: PictureFinder, found: dict[str, tuple[PictureSource, PictureHeader]]
) -> tuple[float, float, PictureSource | None]:
    """Factors of roughness and metallic, and the picture whose green and blue channels multiply them."""
    factors = []
    for name, value, default in (("roughness", record.roughness, 1.0), ("metallic", record.metallic, 0.0)):
        factors.append(value if isinstance(value, float) else 1.0 if name in found else default)
    rough, metal = (found[name][0] if name in found else None for name in ("roughness", "metallic"))
    if rough is not None and metal is not None and rough != metal:
        where = SurfaceFields.metallic
        message = "`roughness` and `metallic` are two pictures"
        cure = "put both into one: green is roughness, blue metal"
        finder.report.add("dropped", record.place_of(where), record.where_of(where), message, cure)
        metal = None
        factors[1] = 0.0
    if rough is None or metal is None:  # a grey picture has the same value in all channels: use one of them
        rough = keep_channels(rough, "g") if rough else keep_channels(metal, "b") if metal else None
    return factors[0], factors[1], rough


def _alpha_mode(record: SurfaceFields, report: FindingCollector) -> AlphaMode:
    if record.cutout and record.see_through:
        where = SurfaceFields.see_through
        message = "`cutout` already leaves parts of the picture out"
        cure = "remove `cutout` or `see_through`"
        report.add("dropped", record.place_of(where), record.where_of(where), message, cure)
    if record.cutout:
        return AlphaMode.MASK
    return AlphaMode.BLEND if record.see_through else AlphaMode.OPAQUE


def _scroll(record: SurfaceFields, across: float, up: float) -> tuple[float, float]:
    """Speed of the picture in texture coordinates per second, v down."""
    right, upwards = 0.0, math.hypot(*record.flow)
    if record.is_given(SurfaceFields.scroll):
        right, upwards = record.scroll
    return right / across + 0.0, -upwards / up + 0.0


class SurfaceTable:
    """All surfaces of a level and its included files. Index 0 is the default surface."""

    def __init__(self, pictures: PictureFinder) -> None:
        self._pictures = pictures
        self.surfaces: list[Surface] = [DEFAULT_LEVEL_SURFACE]

    def add_surfaces(self, records: dict[str, SurfaceFields], is_level: bool) -> dict[str, int]:
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
