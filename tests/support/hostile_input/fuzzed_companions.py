"""Companion files of damaged levels: parts, models and pictures."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import io
import random
import zlib

from PIL import Image

from game.drawing.canvas import encode_png
from tests.support.hostile_input.fuzzed_values import RECORDS, level_text, random_piece
from tests.support.model_files import Glb


def companion_files(rng: random.Random) -> list[tuple[str, bytes]]:
    """Valid companion files of each kind."""
    obj = (
        "".join(f"v {k % 4} {k // 4 % 2} {k // 8}\n" for k in range(16))
        + "usemtl wood\nf 1 2 6 5\nf 2 3 7 6\nf 9 10 14 13\n"
    )
    brush = "".join(f"( {a} ) ( {b} ) ( {c} ) wall 0 0 0 1 1\n" for a, b, c in (
        ("0 0 0", "0 1 0", "0 0 1"), ("64 0 0", "64 0 1", "64 1 0"), ("0 0 0", "0 0 1", "1 0 0"), ("0 64 0", "1 64 0", "0 64 1"),
        ("0 0 0", "1 0 0", "0 1 0"), ("0 0 64", "0 1 64", "1 0 64"),
    ))  # fmt: skip
    size = rng.randint(2, 30), rng.randint(2, 30)
    grey = Image.frombytes("L", size, rng.randbytes(size[0] * size[1]))
    return [
        ("part.yaml", level_text([f"  - {random_piece(rng, rng.choice(RECORDS), 1)}"]).encode()),
        ("part.obj", obj.encode()),
        ("part.map", f'{{\n"classname" "worldspawn"\n{{\n{brush}}}\n}}\n{{\n"classname" "info_player_start"\n"origin" "0 0 9"\n}}\n'.encode()),
        ("part.glb", _glb()),
        ("part.gltf", rng.choice((b"{}", b'{"asset": {"version": "2.0"}, "meshes": []}', b'{"asset": 1}'))),
        ("part.png", encode_png(grey)),
        *_pictures(rng, grey),
    ]  # fmt: skip


def _pictures(rng: random.Random, grey: Image.Image) -> list[tuple[str, bytes]]:
    """Pictures of each format and mode, cut short, damaged and 40 000 pixels wide."""
    images = []
    for kind in ("JPEG", "WEBP"):
        file = io.BytesIO()
        grey.convert(rng.choice(("L", "RGB", "CMYK" if kind == "JPEG" else "RGBA"))).save(file, kind)
        images.append(file.getvalue())
    png = encode_png(grey.convert(rng.choice(("RGBA", "P", "LA", "1"))))
    wide = bytearray(png)
    wide[16:20] = (40_000).to_bytes(4, "big")
    wide[29:33] = zlib.crc32(wide[12:29]).to_bytes(4, "big")
    damaged = bytearray(rng.choice((png, *images)))
    for _ in range(rng.randint(1, 8)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    cut = png[: rng.randrange(len(png))]
    return [("part.jpg", images[0]), ("part.webp", images[1]), ("cut.png", rng.choice((cut, bytes(damaged)))),
            ("wide.png", bytes(wide))]  # fmt: skip


def _glb() -> bytes:
    """A GLB file with one triangle."""
    glb = Glb()
    glb.node(mesh=glb.mesh(glb.primitive([[0, 0, 0], [2, 0, 0], [0, 2, 0]], indices=None)))
    return glb.glb()


def damage_bytes(data: bytes, rng: random.Random) -> bytes:
    """Some bytes changed or cut, or a number made huge."""
    damaged = bytearray(data)
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randrange(len(damaged) + 1)
        match rng.randrange(5):
            case 0:
                damaged[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del damaged[at : at + rng.choice((1, 30))]
            case 2:
                damaged[at : at + 4] = b"\xff\xff\xff\x7f"
            case 3:
                damaged[at:at] = rng.choice((b"999999999", b"-1", b"1e308", b"nan", b"\n", b"[", b"}", b"/"))
            case _:
                del damaged[at + 1 :]
    return bytes(damaged)
