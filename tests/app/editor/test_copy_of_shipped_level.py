"""F2 on a shipped level asks once, and opens a copy whose doors and parts lead where they led."""

from __future__ import annotations

import pytest

from game.app.editor.undo_history import UndoHistory
from game.app.menus.level_library import find_levels
from game.app.menus.new_level_page import copy_level, copy_path
from game.app.runs import progress
from game.level import check, load
from game.level.edit import EditRefused
from game.level.format.file_access import SHIPPED_LEVELS, is_shipped
from tests.support.player import Player

SMALL = SHIPPED_LEVELS / "museum" / "corridor.yaml"


@pytest.mark.parametrize(
    "name", [pytest.param("demo", marks=pytest.mark.full), "golf/one", "examples/lamps", "museum/corridor"]
)
def test_a_copy_is_a_level_with_the_same_doors_and_parts(name):
    shipped = SHIPPED_LEVELS / f"{name}.yaml"
    level, copy = load(shipped), load(copy_level(shipped))
    assert copy.path == copy_path(shipped)
    assert [way.path for way in copy.exits] == [way.path for way in level.exits]
    assert copy.triangles.tobytes() == level.triangles.tobytes()
    assert {path for path in copy.files if path != copy.path} >= set(level.pictures)
    assert check(copy.path) == []
    assert copy.name == f"{level.name} (copy)"
    assert copy.path in {entry.path for entry in find_levels()}


def test_the_key_asks_once_and_opens_the_copy_in_the_editor():
    before = {path.name: path.read_bytes() for path in SMALL.parent.iterdir() if path.is_file()}
    player = Player.in_level(load(SMALL))
    player.game.input.view.yaw, player.game.input.view.pitch = 2000.0, -700.0
    player.hold("W", 0.5)
    stood = player.feet
    player.game.key_pressed("F2")
    assert player.game.mode == "paused"
    assert player.game.menu.page.title == "Edit a copy of this level?"
    player.game.key_pressed("RETURN")
    player.wait_for(lambda: player.game.mode == "editing", frame=0.05)
    assert player.game.level.path == copy_path(SMALL)
    assert player.feet == pytest.approx(stood, abs=0.02)  # and not at the start
    assert (player.game.input.view.yaw, player.game.input.view.pitch) == (2000.0, -700.0)
    assert not progress.file_key(player.game.level.path).startswith("shipped/")
    assert {path.name: path.read_bytes() for path in SMALL.parent.iterdir() if path.is_file()} == before
    copy_path(SMALL).write_text(copy_path(SMALL).read_text() + "# mine\n")
    assert "# mine" in copy_level(SMALL).read_text()  # the copy that is there is kept


def test_a_part_of_the_game_that_a_copy_includes_stays_as_it_is():
    path = copy_level(SHIPPED_LEVELS / "museum" / "corridor.yaml")
    path.write_text(
        path.read_text().replace(
            "\npieces:\n", "\npieces:\n  - include: {file: ../prefabs/bench.yaml, at: [0, 0, -3]}\n"
        )
    )
    history = UndoHistory(load(path))
    part = next(file for file in load(path).files if is_shipped(file) and file.suffix == ".yaml")
    before = part.read_bytes()
    with pytest.raises(EditRefused, match=f"^{part.name} is a part of the game's own levels: it stays as it is$"):
        history.apply_edits([(part, lambda document: ())], "Moved", (), load(path))
    assert part.read_bytes() == before
    history.apply_edits([(path, lambda document: ())], "Moved", (), load(path))  # its own file may be changed
