"""Headers of pictures against Pillow, and pictures that are refused."""

from __future__ import annotations

import io
import struct
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from game.level.materials import PictureError, read_picture_file
from game.level.materials.picture_file import read_picture_header
from tests.support.model_files import encoded_picture

encoded = partial(encoded_picture, size=(37, 19))


PICTURES = {
    "PNG": encoded("PNG"),
    "JPEG": encoded("JPEG", comment=b"x" * 60_000),
    "progressive": encoded("JPEG", progressive=True),
    "WEBP": encoded("WEBP"),
    "lossless": encoded("WEBP", lossless=True),
    "extended": encoded("WEBP", exif=b"Exif\0\0abc"),
    "TGA": encoded("TGA"),
    "packed": encoded("TGA", compression="tga_rle"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_sizes_are_those_of_pillow(name: str) -> None:
    header = read_picture_header(io.BytesIO(b"....." + PICTURES[name]), 5, len(PICTURES[name]), is_tga=True)
    assert (header.width, header.height, header.animated) == (37, 19, False)
    assert header.format == Image.open(io.BytesIO(PICTURES[name])).format


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_turned_photo_has_its_upright_size(orientation: int, order: str) -> None:
    first = b"II*\0" if order == "<" else b"MM\0*"
    entries = struct.pack(f"{order}HHII", 0x10E, 2, 1, 0) + struct.pack(f"{order}HHIHH", 0x112, 3, 1, orientation, 0)
    exif = b"Exif\0\0" + first + struct.pack(f"{order}IH", 8, 2) + entries + bytes(4)
    data = encoded("JPEG", exif=exif)
    header = read_picture_header(io.BytesIO(data))
    upright = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    assert (header.width, header.height, header.orientation) == (*upright.size, orientation)


@pytest.mark.parametrize(
    "exif", [b"", b"II*\0", b"II*\0\xff\xff\xff\xff\0\0", b"MM\0*\0\0\0\x08\xff\xff\x01\x12\0\x03"]
)
def test_a_damaged_orientation_is_none(exif: bytes) -> None:
    assert read_picture_header(io.BytesIO(encoded("JPEG", exif=b"Exif\0\0" + exif))).orientation == 1


@pytest.mark.parametrize("format", ["PNG", "WEBP"])
def test_the_header_tells_an_animated_picture(format: str) -> None:
    frames = [Image.new("RGB", (8, 8), (k * 60, 0, 0)) for k in range(3)]
    buffer = io.BytesIO()
    frames[0].save(buffer, format, save_all=True, append_images=frames[1:])
    assert read_picture_header(buffer).animated


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"hello, this is text\n" * 9, "is text, not a picture"),
        (b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(60), "is a KTX2 texture"),
        (b"GIF89a" + bytes(40), "is a GIF"),
        (bytes(100), "is not a picture"),
        (PICTURES["PNG"][:20], "is cut off"),
        (PICTURES["JPEG"][:900], "is cut off or damaged"),
        (PICTURES["WEBP"][:18], "is cut off or damaged"),
        (PICTURES["PNG"][:16] + b"\0\0\x9c\x40\0\0\0\x08" + PICTURES["PNG"][24:], "has 40000 by 8 pixels"),
        (PICTURES["PNG"][:16] + bytes(8) + PICTURES["PNG"][24:], "has no pixels"),
    ],
)
def test_a_file_that_is_no_usable_picture_is_refused_with_a_cure(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(PictureError) as raised:
        read_picture_file(tmp_path / "a.png")
    assert raised.value.message.startswith(message)
    assert raised.value.cure


def test_a_saved_picture_is_another_source(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(PICTURES["PNG"])
    first = read_picture_file(path)
    assert first == read_picture_file(path)
    path.write_bytes(encoded("PNG", size=(5, 5)))
    assert first != read_picture_file(path)
    with pytest.raises(PictureError):
        read_picture_file(tmp_path / "none.png")
    with pytest.raises(PictureError):
        read_picture_file(tmp_path)


def test_any_bytes_are_a_header_or_an_error() -> None:
    rng = np.random.default_rng(3)
    for _ in range(2000):
        data = bytearray(rng.choice(list(PICTURES.values()))[: int(rng.integers(1, 400))])
        for _ in range(int(rng.integers(1, 6))):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        with suppress(PictureError):
            assert read_picture_header(io.BytesIO(data), 0, len(data), is_tga=True).width >= 0
