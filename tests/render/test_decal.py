"""Decals as data: axes, checks of the pixels, and picture files that cannot be read."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.render.decal import MAX_SIDE, Decal, DecalPicture, read_picture


def picture(width: int = 4, height: int = 8) -> DecalPicture:
    return DecalPicture(np.full((height, width, 4), 255, np.uint8))


@pytest.mark.parametrize("heading", [0, 16384, 32768, 49152, 12345])
def test_axes_are_a_right_handed_frame_that_a_viewer_sees_upright(heading: int) -> None:
    right, up, outward = (np.array(axis) for axis in Decal(picture(), (0.0, 0.0, 0.0), heading, 1.0, 2.0).axes())
    assert np.allclose(np.cross(right, up), outward)
    angle = heading * 2.0 * np.pi / 65536
    assert np.allclose(outward, (-np.sin(angle), 0.0, -np.cos(angle)))


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((4, 4, 3), np.uint8),
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.float32),
        np.zeros((0, 4, 4), np.uint8),
        np.zeros((1, MAX_SIDE + 1, 4), np.uint8),
    ],
)
def test_other_pixels_are_refused(pixels: np.ndarray) -> None:
    with pytest.raises(ValueError, match="a picture"):
        DecalPicture(pixels)


def test_a_picture_is_read_and_reduced(tmp_path: Path) -> None:
    Image.new("RGB", (600, 300), (10, 200, 30)).save(tmp_path / "one.png")
    found = read_picture(tmp_path / "one.png", (100, 100))
    assert found is not None
    assert found.pixels.shape == (50, 100, 4)
    assert tuple(found.pixels[25, 50]) == (10, 200, 30, 255)


def png_of_size(width: int, height: int) -> bytes:
    """A PNG header that claims this size, without pixels."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"")
    chunks = (struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in (header, data))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def test_pictures_that_cannot_be_read_are_none(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jpg"
    Image.effect_noise((640, 480), 80).convert("RGB").save(whole, quality=95)
    bad = {
        "empty.png": b"",
        "text.jpg": b"this is no picture",
        "cut.jpg": whole.read_bytes()[:2000],
        "huge.png": png_of_size(100_000, 100_000),
        "wide.png": png_of_size(2_000_000_000, 1),
        "no size.png": png_of_size(0, 0),
        "no pixels.png": png_of_size(64, 64),
        "nul.gif": bytes(500),
        "header.jpg": b"\xff\xd8\xff\xe0",
        "script.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
        assert read_picture(tmp_path / name) is None, name
    (tmp_path / "large.png").write_bytes(bytes((16 << 20) + 1))
    for path in (tmp_path / "missing.png", tmp_path, tmp_path / "large.png", Path("a\0b"), Path("x" * 5000)):
        assert read_picture(path) is None, path
    assert read_picture(whole) is not None
