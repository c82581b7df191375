"""Materials of surfaces: pictures and factors of physically based shading, as plain data without pixels."""

from .pbr_material import AlphaMode, PbrMaterial, TextureMap, Wrap
from .picture_header import PictureError, read_picture_file
from .picture_source import PictureSource

__all__ = ["AlphaMode", "PbrMaterial", "PictureError", "PictureSource", "TextureMap", "Wrap", "read_picture_file"]
