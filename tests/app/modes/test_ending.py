"""The ending: who has won every medal sees it, from the page of results and from the main menu."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.game import Game
from game.app.menus import level_library
from game.app.modes import ending
from game.app.modes.ending import SHOTS
from game.app.runs.medals import Medal
from game.app.settings.mode_names import ENDING, PLAYING, TITLE
from game.app.settings.settings_file import Settings
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from tests.support.player import Player

MEDALS = (Medal.GOLD, Medal.BRONZE)


def player_of(name: str, monkeypatch: pytest.MonkeyPatch, medals=MEDALS, **settings: object) -> Player:
    monkeypatch.setattr(level_library, "best_medals", lambda: medals)
    return Player(Game(load(SHIPPED_LEVELS / f"{name}.yaml"), Settings(**settings), "low"))


@pytest.mark.parametrize(("medals", "is_there"), [(MEDALS, True), ((*MEDALS, None), False)])
def test_the_main_menu_has_the_ending_once_every_medal_is_won(monkeypatch, medals, is_there) -> None:
    player = player_of("demo", monkeypatch, medals)
    player.game.push_mode(TITLE)
    assert ("ending" in [row.name for row in player.game.menu.rows]) == is_there


def test_the_ending_lasts_a_minute_and_changes_nothing(monkeypatch) -> None:
    player = player_of("demo", monkeypatch)
    before = player.game.world.hash()
    player.game.push_mode(TITLE)
    player.choose("ending")
    mesh = player.game.level.mesh
    assert player.game.mode == ENDING
    titles = []
    for second in range(round(sum(shot.seconds for shot in SHOTS)) + 5):
        shot = player.wait(1.0, 1 / 25)
        eye, body = np.array(shot.view.eye), np.array(shot.body.centre)
        assert mesh.closest(eye).distance > 0.3, second
        if player.game.current_mode.scene.camera.shot[0].walks:
            assert mesh.raycast(eye, body - eye, max_distance=float(np.linalg.norm(body - eye))) is None, second
        if shot.hud.title_card is not None and shot.hud.title_card.name not in titles:
            titles.append(shot.hud.title_card.name)
    assert titles == [shot.title for shot in SHOTS if shot.title]
    assert titles[-1] == "Thank you for playing"
    assert shot.goal_reached
    assert shot.body.centre[0] == pytest.approx(ending.STOP_X, abs=0.1)
    player.press("ESCAPE")
    assert player.game.mode == TITLE
    player.choose("continue")
    assert player.game.mode == PLAYING
    assert player.game.world.hash() == before


@pytest.mark.parametrize(("limit", "medals", "is_there"), [(9, MEDALS, True), (0.3, MEDALS, False), (9, [None], False)])
def test_the_run_that_wins_the_last_medal_offers_the_ending(tmp_path, monkeypatch, limit, medals, is_there) -> None:
    monkeypatch.setattr(level_library, "best_medals", lambda: medals)
    path = tmp_path / "short.yaml"
    path.write_text(
        f"format: 1\nname: Short\nmedals: {{gold: 0.1, silver: 0.2, bronze: {limit}}}\nspawn: {{at: [0, 0, 0]}}\n"
        "goal: {at: [0, 0, -3]}\npieces: [floor: {from: [-4, -9], to: [4, 4]}]\n",
        encoding="utf-8",
    )
    player = Player.in_level(load(path))
    player.hold("W", 1.5)
    player.wait_for(lambda: player.game.menu is not None)
    names = [row.name for row in player.game.menu.rows]
    assert (names[0] == "ending") == is_there == ("ending" in names)


def test_from_another_level_it_goes_to_the_courtyard(monkeypatch) -> None:
    player = player_of("escher", monkeypatch)
    player.hold("W", 0.5)
    player.game.push_mode(TITLE)
    player.choose("ending")
    player.wait_for(lambda: player.game.mode == ENDING)
    assert player.game.level.path == level_library.HALL_FILE
    player.press("SPACE")
    assert player.game.mode == TITLE
