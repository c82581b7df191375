"""docs/level_pictures.md: its fields exist, its texts are levels, and its figures are those of the program."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from PIL import Image

from game.app.commands.command_line import main
from game.level import check, load
from game.level.build.texture_coordinates import MAX_STRETCH
from game.level.lint.faces import TEXTURE_BUDGET
from game.level.materials.picture_file import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE
from game.level.materials.texture_memory import estimate_texture_bytes
from tools.assets import textures
from tools.docs.pictures.level_pictures import LEVEL, without_pictures

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "level_pictures.md").read_text("utf-8")


def test_the_texts_of_the_page_are_a_level(tmp_path: Path) -> None:
    surface, more, decals, jet = re.findall(r"```yaml\n(.*?)```", TEXT, re.S)
    shutil.copytree(LEVEL.parent / "textures", tmp_path / "textures")
    Image.new("RGB", (3, 4)).save(tmp_path / "textures" / "pixels.png")
    names = ("brick", "belt", "fence", "sign", "lamp", "jet")
    places = "".join(
        f"  - floor: {{from: [{20 * k + 20}, 0], to: [{20 * k + 30}, 9], surface: {name}}}\n"
        for k, name in enumerate(names)
    )
    ground = "  - floor: {from: [-9, -9], to: [9, 9]}\n  - wall: {from: [-8, -1.9], to: [-2, -1.9]}\n"
    ramp = "  - ramp: {at: [-5, 0, 6], facing: west, length: 3, rise: 1, width: 2}\n"
    head = "format: 1\nspawn: {at: [0, 0, 8]}\n"
    path = tmp_path / "level.yaml"
    path.write_text(f"{head}{surface}{more}{jet}pieces:\n{ground}{ramp}{decals}{places}", "utf-8")
    assert check(path) == []
    assert len(load(path).pictures) == 7


def test_the_example_is_faultless_and_check_says_what_the_page_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(LEVEL.parent)
    assert main(["check", "--strict", "pictures.yaml"]) == 0
    assert capsys.readouterr().out in TEXT
    assert check(text=without_pictures(LEVEL.read_text("utf-8")), base=LEVEL) == []


def test_the_page_has_the_limits_of_pictures() -> None:
    assert f"at\n  most {MAX_STRETCH + 0.005:.2f}" in TEXT
    assert f"larger than {MAX_PICTURE_SIDE} pixels or\n{MAX_PICTURE_BYTES >> 20} MiB" in TEXT
    assert f"of {TEXTURE_BUDGET >> 20} MiB" in TEXT
    assert f"1024 by 1024 pixels needs {estimate_texture_bytes(1024, 1024) / 2**20:.1f} MiB" in TEXT


@pytest.mark.full
@pytest.mark.parametrize("folder", textures.PICTURES)
def test_the_pictures_of_levels_are_those_of_their_tools(folder: Path) -> None:
    drawn = textures.PICTURES[folder]()
    assert sorted(f"{name}.png" for name in drawn) == sorted(path.name for path in folder.iterdir())
    for name, picture in drawn.items():
        made, kept = picture.convert("RGBA"), Image.open(folder / f"{name}.png").convert("RGBA")
        difference = max(abs(a - b) for a, b in zip(made.tobytes(), kept.tobytes(), strict=True))
        assert difference <= 2, name
