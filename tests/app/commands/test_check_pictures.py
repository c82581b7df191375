"""`check` of a level with pictures: a line with their video memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from game.app.commands.command_line import main


def test_a_level_with_pictures_has_a_line_on_video_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (512, 512)).save(tmp_path / "p.png")
    level = tmp_path / "level.yaml"
    pieces = "pieces: [floor: {from: [-9, -9], to: [9, 9], surface: s}]\n"
    level.write_text(f"format: 1\nspawn: {{at: [0, 0, 0]}}\nsurfaces: {{s: {{picture: p.png}}}}\n{pieces}")
    assert main(["check", str(level)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 picture: 1.3 of 512 MiB of video memory", f"{level}: nothing wrong",
    ]  # fmt: skip
    level.write_text(f"format: 1\nspawn: {{at: [0, 0, 0]}}\nsurfaces: {{s: {{texture: brick}}}}\n{pieces}")
    assert main(["check", str(level)]) == 0
    assert "picture" not in capsys.readouterr().out.replace(str(level), "")
