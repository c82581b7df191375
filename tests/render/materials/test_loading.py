"""Loading of pictures: decoding in threads, memory, broken files, and pictures that are saved again."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageOps

from game.level.materials import PbrMaterial, PictureSource
from game.level.materials.texture_memory import estimate_texture_bytes
from game.render import Hud, Renderer, Snapshot
from game.render.materials.picture_decoder import (
    TextureKey,
    build_mip_levels,
    decode_picture,
    mean_colour,
)
from game.render.materials.picture_textures import PictureLoader, PictureTextures
from tests.render.materials.boards import LOW, SIZE, VIEW, board, middle, plain_picture, source_of, write
from tests.support.until import repeat_until, wait_until

SEED = np.random.default_rng(5)


def saved(
    folder: Path, name: str, size: tuple[int, int] = (64, 32), mode: str = "RGB", **options: Any
) -> PictureSource:
    pixels = SEED.integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    Image.fromarray(pixels).convert(mode).save(folder / name, **options)
    return source_of(folder / name)


# Mipmaps


def test_the_mean_colour_is_weighted_by_opacity() -> None:
    pixels = np.zeros((64, 64, 4), np.uint8)
    pixels[:, :32] = (255, 0, 0, 255)
    pixels[:, 32:] = (0, 255, 0, 0)
    assert mean_colour(build_mip_levels(pixels, True)) == pytest.approx((1.0, 0.0, 0.0, 0.5), abs=0.01)


# Decoder


@pytest.mark.parametrize(
    ("name", "mode", "options"),
    [("a.png", "RGB", {}), ("b.png", "P", {}), ("c.png", "L", {}), ("d.png", "LA", {}), ("e.png", "RGBA", {}),
     ("f.jpg", "RGB", {"quality": 95}), ("g.jpg", "CMYK", {}), ("h.webp", "RGB", {"lossless": True}),
     ("i.png", "1", {}), ("j.tga", "RGB", {})],
)  # fmt: skip
def test_a_picture_of_each_format_and_mode_is_decoded_to_rgba(
    tmp_path: Path, name: str, mode: str, options: dict[str, Any]
) -> None:
    picture = decode_picture(TextureKey(saved(tmp_path, name, mode=mode, **options)), 1024)
    assert picture is not None
    assert picture.levels[0].shape == (32, 64, 4)
    expected = np.asarray(Image.open(tmp_path / name).convert("RGBA")).astype(int)
    assert np.abs(picture.levels[0] - expected).max() <= 2


@pytest.mark.parametrize(("orientation", "longest"), [*((number, 1024) for number in range(1, 9)), (6, 32), (8, 32)])
def test_a_photo_stands_upright(tmp_path: Path, orientation: int, longest: int) -> None:
    exif = Image.Exif()
    exif[0x112] = orientation
    pixels = np.zeros((32, 64, 3), np.uint8)
    pixels[:8, :8] = 255  # a corner
    Image.fromarray(pixels).save(tmp_path / "a.jpg", exif=exif, quality=95)
    picture = decode_picture(TextureKey(source_of(tmp_path / "a.jpg")), longest)
    expected = ImageOps.exif_transpose(Image.open(tmp_path / "a.jpg"))
    assert picture is not None
    width, height = (side * min(longest, 64) // 64 for side in expected.size)
    expected = expected.resize((width, height)).convert("RGBA")
    assert picture.levels[0].shape == (expected.height, expected.width, 4)
    assert np.abs(picture.levels[0] - np.asarray(expected).astype(int)).max() < 60
    assert np.abs(picture.levels[0] - np.asarray(expected).astype(int)).mean() < 4


def test_a_picture_inside_a_file_or_in_the_source_itself(tmp_path: Path) -> None:
    whole = saved(tmp_path, "a.png")
    data = whole.path.read_bytes()
    (tmp_path / "b.glb").write_bytes(b"x" * 100 + data + b"y" * 50)
    inside = PictureSource(tmp_path / "b.glb", 100, len(data))
    held = PictureSource(tmp_path / "c.gltf", data=data)
    first, *others = (decode_picture(TextureKey(source), 1024) for source in (whole, inside, held))
    assert all((first.levels[0] == other.levels[0]).all() for other in others)
    assert decode_picture(TextureKey(replace(inside, offset=101)), 1024) is None


def test_channels_that_are_not_used_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    Image.new("L", (4, 4), 90).save(path)
    for channels, pixel in (("", [90, 90, 90, 255]), ("g", [255, 90, 255, 255]), ("b", [255, 255, 90, 255])):
        decoded = decode_picture(TextureKey(PictureSource(path, channels=channels), False), 64)
        assert decoded is not None
        assert decoded.levels[0][0, 0].tolist() == pixel
        assert decoded.levels[-1][0, 0].tolist() == pixel


def test_a_large_picture_is_reduced(tmp_path: Path) -> None:
    for name in ("a.png", "b.jpg"):
        picture = decode_picture(TextureKey(saved(tmp_path, name, (600, 150))), 256)
        assert picture is not None
        assert picture.levels[0].shape == (64, 256, 4)


def test_sides_become_powers_of_two_where_the_processor_draws(tmp_path: Path) -> None:
    def size(width: int, height: int, is_nearest: bool = False) -> tuple[int, ...]:
        key = TextureKey(saved(tmp_path, "a.png", (width, height)), is_nearest=is_nearest)
        picture = decode_picture(key, 256, powers_of_two=True)
        assert picture is not None
        return picture.levels[0].shape[1::-1]

    assert [size(256, 64), size(250, 100), size(600, 150), size(3, 1)] == [(256, 64), (256, 128), (256, 64), (4, 1)]
    assert size(24, 20, is_nearest=True) == (24, 20), "pixels of pixel art keep their size"


def test_clear_texels_do_not_darken_the_edge(tmp_path: Path) -> None:
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[:, :3] = (200, 100, 50, 255)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    picture = decode_picture(TextureKey(source_of(tmp_path / "a.png")), 1024)
    assert picture is not None
    assert (picture.levels[0][..., :3] == (200, 100, 50)).all()
    assert picture.levels[0][0, 7, 3] == 0


def test_what_is_no_picture_gives_none(tmp_path: Path) -> None:
    good = saved(tmp_path, "good.png").path.read_bytes()
    Image.new("RGB", (8, 8)).save(
        tmp_path / "moves.webp", save_all=True, append_images=[Image.new("RGB", (8, 8), "red")]
    )
    flipped = good[:60] + bytes(255 - byte for byte in good[60:90]) + good[90:]
    broken = {"text.png": b"hello", "empty.png": b"", "gif.gif": b"GIF89a" + b"x" * 60, "flipped.png": flipped}
    broken["cut.png"] = good[: len(good) // 2]
    for name, data in broken.items():
        (tmp_path / name).write_bytes(data)
    for name in (*broken, "missing.png", "moves.webp", "."):
        assert decode_picture(TextureKey(PictureSource(tmp_path / name)), 1024) is None, name


# Threads


def test_the_loader_bounds_what_waits_and_its_threads_end(tmp_path: Path) -> None:
    decoded: list[str] = []
    decoding, most = [0, 0], [0, 0]  # threads that decode, and pictures that are not taken; and the most of each
    lock = threading.Lock()

    def count(number: int, by: int) -> None:
        with lock:
            decoding[number] += by
            most[number] = max(most[number], decoding[number])

    def decode(key: TextureKey, longest: int, powers_of_two: bool) -> Any:
        count(0, 1)
        count(1, 1)
        time.sleep(0.002)
        decoded.append(key.source.label)
        count(0, -1)

    loader = PictureLoader(64, decode=decode)
    keys = [TextureKey(PictureSource(tmp_path, n, label=str(n))) for n in range(30)]
    loader.request(keys)
    taken = []
    while loader.pending:
        wait_until(lambda: decoding[0] == 0)  # as in a frame that takes long
        count(1, -1)
        result = loader.take(wait=True)
        assert result is not None
        taken.append(result[0])
    assert sorted(decoded, key=int) == [str(n) for n in range(30)]
    assert set(taken) == set(keys)
    assert most[0] <= 2
    assert most[1] <= 6, "others wait until these are taken"
    assert loader.take() is None
    wait_until(lambda: not any(thread.name == "pictures" for thread in threading.enumerate()))
    loader.request(keys[:1])
    assert loader.take(wait=True) == (keys[0], None), "it starts again"


# Uploads


@pytest.fixture
def textures(ctx: Any) -> Iterator[PictureTextures]:
    one = PictureTextures(ctx, LOW)
    yield one
    one.release()


def settle(textures: PictureTextures) -> int:
    """Number of updates until all pictures are there."""

    def update() -> None:
        textures.update()
        time.sleep(0.001)

    update()
    return 1 + repeat_until(lambda: textures.is_complete, update, 60_000)


def test_figures_state_the_memory_of_all_levels(textures: PictureTextures, tmp_path: Path) -> None:
    sources = [saved(tmp_path, "a.png", (128, 64)), saved(tmp_path, "b.jpg", (2048, 512))]
    textures.require(map(TextureKey, sources))
    assert (textures.figures.ready, textures.figures.total, textures.figures.memory) == (0, 2, 0)
    settle(textures)
    expected = estimate_texture_bytes(128, 64) + estimate_texture_bytes(2048, 512, LOW.picture_size)
    assert (textures.figures.ready, textures.figures.total, textures.figures.memory) == (2, 2, expected)
    assert estimate_texture_bytes(1024, 1024) == 4 * (4**11 - 1) // 3


def test_a_half_written_version_leaves_the_old_one(textures: PictureTextures, tmp_path: Path) -> None:
    key = TextureKey(saved(tmp_path, "a.png"))
    textures.require([key])
    settle(textures)
    first = textures.texture(key)
    whole = key.source.path.read_bytes()
    key.source.path.write_bytes(whole[:100])
    assert textures.reload([(key.source.path, (1, 100))]) == 1
    settle(textures)
    assert textures.texture(key) is first
    key.source.path.write_bytes(whole)
    assert textures.reload([(key.source.path, (2, len(whole)))]) == 1
    settle(textures)
    assert textures.texture(key) is not first
    assert textures.reload([(key.source.path, (2, len(whole)))]) == 0, "known"


# In the renderer


def test_the_first_frame_shows_colours_and_pictures_follow(ctx: Any, tmp_path: Path) -> None:
    colour = (0.2, 0.7, 0.3)
    scene = board(PbrMaterial(base_colour_map=plain_picture(tmp_path, 250, 10, 10), unlit=True), colour=colour)
    renderer = Renderer(ctx, scene, LOW, eager=False)
    try:
        shot = Snapshot(VIEW, Hud(crosshair=False))
        assert not renderer.pictures.is_complete
        renderer.render(shot, SIZE)
        assert np.abs(middle(renderer.image().astype(int)) - 255 * np.array(colour)).max() <= 3
        repeat_until(lambda: renderer.pictures.is_complete, lambda: (time.sleep(0.002), renderer.render(shot, SIZE)))
        renderer.render(shot, SIZE)
        assert np.abs(middle(renderer.image().astype(int)) - (250, 10, 10)).max() <= 3
        assert renderer.pictures.figures.ready == 1
    finally:
        renderer.release()


def test_a_saved_picture_is_shown_without_another_level(ctx: Any, tmp_path: Path) -> None:
    picture = write(tmp_path, np.full((8, 8, 3), (250, 10, 10)))
    renderer = Renderer(ctx, board(PbrMaterial(base_colour_map=picture, unlit=True)), LOW, eager=False)
    try:
        renderer.load_pictures()
        Image.new("RGB", (16, 4), (10, 10, 250)).save(picture.picture.path)
        status = os.stat(picture.picture.path)
        assert renderer.pictures.reload([(picture.picture.path, (status.st_mtime_ns, status.st_size))]) == 1
        renderer.load_pictures()
        renderer.render(Snapshot(VIEW, Hud(crosshair=False)), SIZE)
        assert np.abs(middle(renderer.image().astype(int)) - (10, 10, 250)).max() <= 3
    finally:
        renderer.release()
