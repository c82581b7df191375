"""Pictures of which only one channel counts: a grey picture of roughness has no metal in it."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from game.level.materials import PictureSource
from game.render.materials.picture_decoder import TextureKey, decode_picture


def test_channels_that_are_not_used_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    Image.new("L", (4, 4), 90).save(path)
    for channels, pixel in (("", [90, 90, 90, 255]), ("g", [255, 90, 255, 255]), ("b", [255, 255, 90, 255])):
        decoded = decode_picture(TextureKey(PictureSource(path, channels=channels), False), 64)
        assert decoded is not None
        assert decoded.levels[0][0, 0].tolist() == pixel
        assert decoded.levels[-1][0, 0].tolist() == pixel
