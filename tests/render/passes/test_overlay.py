"""Overlay pass: visibility and occlusion of layers; cards and key strip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from game.render import Camera, Card, CardRow, Hud, Renderer
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import RoundedBox, TextRun
from game.render.overlay_layers import Overlay, OverlayFaces, OverlayGrid, OverlayLines
from game.render.text import fonts
from tests.render.conftest import QUICK, SMALL, ground, plain, wall
from tests.render.test_picture import pixels_of, shot

VIEW = Camera((0, 1.5, 4), 0, -0.3, 60.0)


@pytest.fixture(scope="module")
def grey_renderer(context: Any) -> Any:
    """Grey floor with a grey wall in the centre."""
    renderer = Renderer(context, plain([ground(20.0), wall(-3.0, 1.0)], [(0.4, 0.4, 0.4)] * 2), QUICK, eager=False)
    yield renderer
    renderer.release()


def colours_at(image: np.ndarray, *places: tuple[float, float, float]) -> list[np.ndarray]:
    spots = pixels_of(VIEW, SMALL, np.array(places)).round().astype(int)
    return [image[y - 1 : y + 2, x - 1 : x + 2].astype(int).mean(axis=(0, 1)) for x, y in spots]


def triangle(y: float, z: float, half: float = 0.6) -> list[tuple[float, float, float]]:
    return [(-half, y, z + half), (half, y, z + half), (half, y, z - half)]


def test_faces_cover_their_surface_and_are_hidden_by_walls(ctx: Any, grey_renderer: Renderer) -> None:
    bare = shot(grey_renderer, VIEW)
    faces = OverlayFaces([triangle(0.0, 0.0), triangle(0.0, -6.0)], [(1, 0, 0, 0.8), (0, 1, 0, 0.8)], shaded=False)
    over = shot(grey_renderer, VIEW, overlay=Overlay(faces=(faces,)))
    (seen,) = colours_at(over, (0.3, 0.0, 0.0))
    assert seen[0] > 180 > 90 > seen[1]
    (hidden,) = colours_at(over, (0.3, 0.0, -6.0))
    (same,) = colours_at(bare, (0.3, 0.0, -6.0))
    assert hidden == pytest.approx(same, abs=1)
    stripes = OverlayFaces([triangle(0.0, 0.0, 1.5)], (1, 0, 0, 0.8), stripes=1.0, shaded=False)
    striped = shot(grey_renderer, VIEW, overlay=Overlay(faces=(stripes,)))
    row = np.array(colours_at(striped, *[(0.2 + 0.05 * k, 0.0, 0.0) for k in range(16)]))[:, 0]
    assert row.max() - row.min() > 25


def test_lines_fade_with_distance_and_behind_walls(ctx: Any, grey_renderer: Renderer) -> None:
    near, far = [[-1, 0.02, 1], [1, 0.02, 1]], [[-9, 0.02, -9], [9, 0.02, -9]]
    behind = [[-0.8, 0.6, -5], [0.8, 0.6, -5]]
    bare = shot(grey_renderer, VIEW).astype(int)

    def change(overlay: Overlay, place: tuple[float, float, float]) -> float:
        image = shot(grey_renderer, VIEW, overlay=overlay).astype(int)
        return float((colours_at(image, place)[0] - colours_at(bare, place)[0])[0])

    assert change(Overlay(lines=(OverlayLines([near], (1, 0, 0, 1), 4.0),)), (0.0, 0.02, 1.0)) > 60
    assert change(Overlay(lines=(OverlayLines([far], (1, 0, 0, 1), 4.0),)), (5.0, 0.02, -9.0)) > 35
    assert (
        abs(change(Overlay(lines=(OverlayLines([far], (1, 0, 0, 1), 4.0, fade_distance=2.0),)), (5.0, 0.02, -9.0))) < 4
    )
    assert abs(change(Overlay(lines=(OverlayLines([behind], (1, 0, 0, 1), 4.0),)), (0.0, 0.6, -5.0))) < 2
    part = change(Overlay(lines=(OverlayLines([behind], (1, 0, 0, 1), 4.0, occluded_opacity=0.5),)), (0.0, 0.6, -5.0))
    assert 25 < part < 80


def test_grid_lines_are_at_whole_steps(ctx: Any, grey_renderer: Renderer) -> None:
    bare = shot(grey_renderer, VIEW).astype(int)
    over = shot(grey_renderer, VIEW, overlay=Overlay(grid=OverlayGrid((1.0, 0.005, 1.0), 0.5, 6.0))).astype(int)
    places = [(1.0, 0.005, 0.25), (1.25, 0.005, 0.25), (1.0, 0.005, 1.25), (0.005, 0.005, 0.6)]
    pairs = zip(colours_at(bare, *places), colours_at(over, *places), strict=True)
    metre, between, other, axis = (b - a for a, b in pairs)
    assert metre.min() > 30
    assert other.min() > 30
    assert abs(between).max() < 12
    assert axis[2] > axis[0] + 20, "the z axis is blue"


CARDS = (
    Card("box “Tower”", "levels/a/very/long/way/to/a/file/that/has/a/name.yaml:214", (CardRow("surface", "stone"),)),
    Card("", "", note="a finding of many words, folded since it is far too long for one line of a card", urgent=True),
    Card("Views", "", tuple(CardRow(f"line {n}", str(n), (1, 0, 0), n == 40) for n in range(60)), side="right"),
)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 360), (320, 180)])
def test_cards_and_key_strip_fit_and_show_the_chosen_row(size: tuple[int, int]) -> None:
    strip = tuple((f"key {n}", "what it does") for n in range(14))
    items = arrange_hud(Hud(cards=CARDS, key_strip=strip, crosshair=False), size).items
    for item in items:
        if isinstance(item, TextRun):
            assert item.x >= 0
            assert item.x + fonts.text_width(item.text, item.size) <= size[0] + 1, item
            assert 0 < item.y <= size[1]
        else:
            assert isinstance(item, RoundedBox)
            assert item.y + item.height <= size[1] + 1
    said = [item.text for item in items if isinstance(item, TextRun)]
    if size[1] >= 360:
        assert "line 40" in said
        assert any(text.endswith("name.yaml:214") for text in said)
