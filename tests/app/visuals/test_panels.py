"""Door panels: where they hang, and what is written on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.app.display.door_panels import GAP, WIDTHS, find_panel_place
from game.app.visuals.panel_pictures import PANEL_SIZE, PICTURE_GROUND, PanelText, draw_panel
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import TriangleMesh
from tests.support.level_builder import quad


def wall_at(z: float, x0: float = -3.0, x1: float = 3.0, height: float = 4.0) -> list:
    return quad((x0, 0, z), (x1, 0, z), (x1, height, z), (x0, height, z))


SPAWN = (0.0, 0.0, 6.0)


def mesh_of(*walls: list) -> TriangleMesh:
    floor = quad((-9, 0, 9), (9, 0, 9), (9, 0, -9), (-9, 0, -9))
    return TriangleMesh(np.array([triangle for part in (floor, *walls) for triangle in part], float))


@pytest.mark.parametrize("turn", range(0, 360, 30))
def test_a_panel_hangs_on_the_nearest_wall_and_faces_the_exit(turn: int) -> None:
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    mesh = TriangleMesh(np.array(wall_at(-1.0), float) @ spin.T)
    place = find_panel_place(mesh, (0.0, 0.0, 0.0), 0.6, SPAWN)
    assert place is not None
    assert place.width == WIDTHS[0]
    expected = spin @ (0.0, place.at[1], -1.0 + GAP)
    assert np.allclose(place.at, expected, atol=1e-6)
    outward = spin @ (0.0, 0.0, 1.0)
    facing = place.heading * 2 * np.pi / 65536
    assert np.allclose((-np.sin(facing), -np.cos(facing)), outward[[0, 2]], atol=1e-3)


@pytest.mark.parametrize(
    "walls",
    [
        [],
        [wall_at(-4.0)],
        [wall_at(-0.5, height=1.0)],
        [wall_at(-0.5, -3.0, -0.2), wall_at(-0.5, 0.2, 3.0)],
        [quad((-3, 0, -0.3), (3, 0, -0.3), (3, 4, -2.3), (-3, 4, -2.3))],
    ],
    ids=["no wall", "too far", "too low", "a gap", "a slope"],
)
def test_without_a_free_upright_wall_a_panel_stands_in_the_exit_and_faces_the_room(walls: list) -> None:
    place = find_panel_place(mesh_of(*walls), (0.0, 0.0, 0.0), 0.6, SPAWN)
    assert place.at == (0.0, pytest.approx(0.2 + WIDTHS[1]), 0.0)
    assert abs((place.heading - 32768) * 360 / 65536) < 30.0  # to the south, away from the walls, where the spawn is


@pytest.mark.parametrize("name", ["demo", "museum/hall", "surfaces", "waters", "escher", "ballroom", "lab"])
@pytest.mark.sample(1)
def test_every_door_of_the_game_has_a_panel_that_can_be_seen_from_4_m(name: str) -> None:
    level = load(SHIPPED_LEVELS / f"{name}.yaml")
    for exit_ in level.exits:
        place = find_panel_place(level.mesh, exit_.at, exit_.radius, level.spawns[0].feet)
        assert place is not None, exit_.name
        angle = place.heading * 2 * np.pi / 65536
        eye = np.array((place.at[0] - 1.2 * np.sin(angle), 1.44, place.at[2] - 1.2 * np.cos(angle)))
        for share in (-0.49, 0.0, 0.49):  # of the height: nothing stands before the panel
            point = np.add(place.at, (0.0, share * place.height, 0.0))
            hit = level.mesh.raycast(eye, point - eye, max_distance=float(np.linalg.norm(point - eye)))
            assert hit is None, (exit_.name, share)


MEDALS = ("gold", "silver", "bronze", "", "tin")
LONG = "Antidisestablishmentarianism " * 12


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "text",
    [
        PanelText(""),
        PanelText(LONG, LONG, LONG),
        PanelText("Ω €→✓ 日本", "Zwölf Boxkämpfer", "Best 0:00.01"),
        pytest.param(PanelText("x" * 300, "y" * 300, "z" * 300, "missing.jpg"), marks=pytest.mark.full),
        PanelText(LONG, LONG, LONG, "", "gold"),
    ],
)
def test_any_text_fits_into_its_panel(text: PanelText) -> None:
    pixels = draw_panel(text).pixels
    assert pixels.shape == (PANEL_SIZE[1], PANEL_SIZE[0], 4)
    edges = pixels[24:-24, 7:12], pixels[24:-24, -12:-7], pixels[-12:-7, 24:-24]  # between the frame and the text
    border = np.concatenate([edge.reshape(-1, 4) for edge in edges])
    assert (border == border[0]).all()  # no letter reaches the border


def test_a_panel_without_a_readable_picture_is_plain(tmp_path: Path) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    for name in ("", str(tmp_path / "broken.jpg"), str(tmp_path / "missing.jpg"), str(tmp_path)):
        assert tuple(draw_panel(PanelText("Here", picture=name)).pixels[200, 256]) == PICTURE_GROUND


def test_medals_differ_in_the_picture_and_an_unknown_one_is_left_out() -> None:
    pictures = {medal: draw_panel(PanelText("", "", "Best 1:02.35", "", medal)).pixels for medal in MEDALS}
    assert len({pixels.tobytes() for pixels in pictures.values()}) == 4  # gold, silver, bronze, and none twice
    assert (pictures["tin"] == pictures[""]).all()
