"""Materials of surfaces: pictures and factors of physically based shading, as plain data without pixels."""

from .pbr_material import AlphaMode, PbrMaterial, TextureMap, Wrap
from .picture_file import PictureError, PictureSource, read_picture_file

__all__ = ["AlphaMode", "PbrMaterial", "PictureError", "PictureSource", "TextureMap", "Wrap", "read_picture_file"]
