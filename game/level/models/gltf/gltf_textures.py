"""glTF textures: pictures with their samplers and transforms.

Source: glTF 2.0 specification, sections 3.8.2 to 3.8.4; KHR_texture_transform; EXT_texture_webp; KHR_texture_basisu.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from urllib.parse import unquote

from ....core.errors import WalkerError
from ...format.findings import quote_text
from ...materials import PictureError, PictureSource, TextureMap, Wrap
from ...materials.picture_file import MAX_PICTURE_BYTES
from ..model_pictures import ModelPictures
from ..triangle_soup import ModelError, ModelNote, finite_numbers
from .gltf_container import GltfContainer, Json, decode_data_uri, whole_number

MAX_TEXCOORD = 7  # number of the last set of texture coordinates
_NEAREST = 9728
_WRAPS = {10497: Wrap.REPEAT, 33071: Wrap.CLAMP, 33648: Wrap.MIRROR}
_MIN_FILTERS = (9728, 9729, 9984, 9985, 9986, 9987)
_BASIS_CURE = "convert its textures, for example: npx @gltf-transform/cli png IN.glb OUT.glb"
_REEXPORT_CURE = "export it again"


class TextureError(WalkerError):
    """A texture that is left out: `note` for the author, or None if it was told before."""

    def __init__(self, note: ModelNote | None) -> None:
        super().__init__()
        self.note = note


@dataclass(slots=True)
class GltfTextures:
    """Reader of the textures of a document. A picture with a problem is told once."""

    container: GltfContainer
    pictures: ModelPictures
    notes: list[ModelNote]
    _sources: dict[int, PictureSource | None] = field(default_factory=dict)
    _bad_samplers: set[int] = field(default_factory=set)

    def read_map(self, entry: object, role: str) -> tuple[TextureMap, int] | None:
        """Texture of a textureInfo object and its set of texture coordinates; None if it is absent or left out."""
        if entry is None:
            return None
        try:
            return self._read_map(entry)
        except TextureError as error:
            if error.note is not None:
                self.notes.append(error.note)
        except ModelError as error:
            self.notes.append(ModelNote(f"its {role} texture is left out: {error.message}", error.cure))
        return None

    def _read_map(self, entry: object) -> tuple[TextureMap, int]:
        if not isinstance(entry, dict):
            raise ModelError("it is not an object", _REEXPORT_CURE)
        texture = self.container.checked_entry("textures", entry.get("index"))
        texcoord = whole_number(entry.get("texCoord", 0))
        rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
        transform = extension_of(entry, "KHR_texture_transform")
        if transform is not None:
            rows = read_texture_transform(transform)
            texcoord = whole_number(transform.get("texCoord", texcoord))
        if not 0 <= texcoord <= MAX_TEXCOORD:
            raise ModelError(f"`texCoord` is not 0 to {MAX_TEXCOORD}", _REEXPORT_CURE)
        picture = self._read_image(texture)
        wrap_u, wrap_v, nearest = self._read_sampler(texture)
        return TextureMap(picture, wrap_u, wrap_v, nearest, rows), texcoord

    def _read_sampler(self, texture: Json) -> tuple[Wrap, Wrap, bool]:
        """Wraps across and along the picture, and whether it is not interpolated. Mistakes give the defaults."""
        if "sampler" not in texture:
            return Wrap.REPEAT, Wrap.REPEAT, False
        index = texture["sampler"]
        try:
            sampler = self.container.checked_entry("samplers", index)
            values = [sampler.get(key, 10497) for key in ("wrapS", "wrapT")]
            filters = [sampler.get(key, 9729) for key in ("magFilter", "minFilter")]
            wrong = [value for value in values if not isinstance(value, int) or value not in _WRAPS]
            wrong += [value for value in filters if not isinstance(value, int) or value not in _MIN_FILTERS]
            if wrong:
                raise ModelError(f"{quote_text(str(wrong[0])[:20])} is no wrap or filter of glTF", _REEXPORT_CURE)
        except ModelError as error:
            key = whole_number(index)
            if key not in self._bad_samplers:
                self._bad_samplers.add(key)
                message = f"sampler {key if key >= 0 else ''}".rstrip() + " of a texture is ignored: " + error.message
                self.notes.append(ModelNote(message, error.cure))
            return Wrap.REPEAT, Wrap.REPEAT, False
        return _WRAPS[values[0]], _WRAPS[values[1]], filters[0] == _NEAREST

    def _read_image(self, texture: Json) -> PictureSource:
        """Picture of a texture: its WebP version if it has one, else its plain one."""
        webp = extension_of(texture, "EXT_texture_webp")
        basis = extension_of(texture, "KHR_texture_basisu")
        index = webp["source"] if webp and "source" in webp else texture.get("source")
        if index is None and basis is not None:
            raise ModelError("it is compressed with KHR_texture_basisu (KTX2), which is not supported", _BASIS_CURE)
        if index is None:
            raise ModelError("it names no picture: its `source` is missing", _REEXPORT_CURE)
        image = self.container.checked_entry("images", index)
        number = whole_number(index)
        if number not in self._sources:
            self._sources[number] = None  # told below, if it cannot be used
            try:
                self._sources[number] = self._find_picture(image, number)
            except (PictureError, ModelError) as error:
                uri = image.get("uri")
                place = self.container.find_text(uri) if isinstance(uri, str) and len(uri) < 400 else (0, 0, 1)
                cure = _BASIS_CURE if "KTX2" in error.message else error.cure
                raise TextureError(
                    ModelNote(f"{error.message}; its materials show their plain colour", cure, *place)
                ) from None
        source = self._sources[number]
        if source is None:
            raise TextureError(None)
        return source

    def _find_picture(self, image: Json, number: int) -> PictureSource:
        name = image.get("name")
        uri = image.get("uri")
        label = name[:60] if isinstance(name, str) and name else f"image {number}"
        if isinstance(uri, str):
            if uri[:5].lower() == "data:":
                return self.pictures.of_bytes(decode_data_uri(uri, MAX_PICTURE_BYTES, "picture"), label)
            if len(uri) > 400 or ":" in uri:
                raise ModelError(
                    f"it needs {quote_text(uri)}, which is not a file next to it", "export it as GLB, in one file"
                )
            return self.pictures.beside(unquote(uri))
        if "bufferView" not in image:
            raise ModelError(f"picture {quote_text(label)} has neither a file nor bytes", _REEXPORT_CURE)
        try:
            buffer, start, size = self.container.view_bytes(image["bufferView"])
        except ModelError as error:
            raise ModelError(f"picture {quote_text(label)}: {error.message}", error.cure) from None
        if buffer.file is None:
            return self.pictures.of_bytes(bytes(buffer.data[start : start + size]), label)
        return self.pictures.inside(buffer.file, buffer.offset + start, size, label)


def extension_of(entry: Json, name: str) -> Json | None:
    """An extension object of a glTF object; None if it has none, or one of the wrong kind."""
    extensions = entry.get("extensions")
    found = extensions.get(name) if isinstance(extensions, dict) else None
    return found if isinstance(found, dict) else None


def read_texture_transform(entry: Json) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Rows of offset * rotation * scale: counter-clockwise in the picture, whose v points down. Raises ModelError."""
    offset = finite_numbers(entry.get("offset", [0.0, 0.0]), 2)
    scale = finite_numbers(entry.get("scale", [1.0, 1.0]), 2)
    rotation = finite_numbers([entry.get("rotation", 0.0)], 1)
    if offset is None or scale is None or rotation is None:
        raise ModelError("its transform is not made of numbers", _REEXPORT_CURE)
    cosine, sine = math.cos(rotation[0]), math.sin(rotation[0])
    return ((cosine * scale[0], sine * scale[1], offset[0]), (-sine * scale[0], cosine * scale[1], offset[1]))
