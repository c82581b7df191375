"""docs/queries.md: its examples run and its pictures are current."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.support.page_code import run_python_blocks
from tools.docs.pictures import queries

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "queries.md"


def test_every_example_runs():
    assert run_python_blocks(PAGE)[0] == 9


def test_every_query_of_the_library_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    for name in ("overlaps", "gap", "sweep", "raycast", "raycast_any", "raycast_all", "closest", "overlap"):
        assert re.search(rf"\b{name}\(", text), name
    for name in ("ground_below", "point_in_polygon", "Sphere", "Capsule", "Box", "Camera"):
        assert re.search(rf"\b{name}\(", text), name


def test_every_picture_is_shown_and_small():
    shown = dict(re.findall(r"!\[([^\]]+)\]\(pictures/queries/(\w+)\.png\)", PAGE.read_text(encoding="utf-8")))
    assert sorted(shown.values()) == sorted(queries.PICTURES)
    assert sorted(path.stem for path in queries.FOLDER.glob("*")) == sorted(queries.PICTURES)
    assert all(len(words) > 30 for words in shown)
    for name in shown.values():
        path = queries.FOLDER / f"{name}.png"
        assert path.stat().st_size < 150_000, name
        with Image.open(path) as image:
            assert image.size == (queries.WIDTH, queries.HEIGHT)


def test_pictures_are_made_again_as_they_are(tmp_path):
    """One picture is rendered again and compared by pixels, since encoders differ."""
    assert queries.main(["picking", "-o", str(tmp_path)]) == 0
    kept = np.asarray(Image.open(ROOT / "docs/pictures/queries/picking.png").convert("RGB"), np.int16)
    made = np.asarray(Image.open(tmp_path / "picking.png").convert("RGB"), np.int16)
    assert np.abs(kept - made).max() <= 8
    with pytest.raises(SystemExit):
        queries.main(["no such"])
