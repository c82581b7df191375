"""The sliders of the player's body in the editor, by keys, without a window: live, in the file, undone, cancelled."""

from __future__ import annotations

import pytest

from game.app.editor.document.body_fields import given_settings, write_body, written_preset
from game.core.walker_settings import DEFAULT_SETTINGS, SETTING_RANGES, WALKER_PRESETS, preset_settings
from game.level import load
from game.level.edit import YamlDocument
from game.level.format.schema.player import PLAYER_SETTINGS
from tests.support.editor_author import Author

LEVEL = """\
format: 1
# who walks here
spawn: {at: [0, 0, 6], facing: north}   # the door
surfaces: {stone: {colour: "#8d8a83"}}
pieces:
  - floor: {from: [-20, -20], to: [20, 22], surface: stone}
  - box: {from: [-2, 0, -4], to: [2, 1, -3]}     # a step too far
  - box: {from: [8, 1.85, -10], to: [12, 2.5, 10]}   # low
"""


def write(folder, player=""):
    path = folder / "level.yaml"
    path.write_text(LEVEL.replace("surfaces:", f"{player}surfaces:"), encoding="utf-8", newline="")
    return path


@pytest.fixture
def author(tmp_path):
    return Author(write(tmp_path))


def panel(author):
    return author.game.modes["body"].body_panel


def choose(author, label):
    """Choose a row by its label."""
    rows = [row.label for row in panel(author).rows()]
    author.press(*["DOWN"] * ((rows.index(label) - panel(author).index) % len(rows)))
    assert panel(author).chosen_row().label == label


def body(author):
    return author.game.session.world.settings


def shown(author):
    card = next(card for card in author.shown.hud.cards if card.title == "The player's body")
    return {row.label: row for row in card.rows}


def test_a_slider_changes_the_body_at_once_and_enter_writes_it(author):
    before = author.text
    author.press("B")
    assert author.game.mode == "body"
    choose(author, "Jump height")
    assert shown(author)["Jump height"].value == "1 m"
    author.press("RIGHT", "RIGHT", "RIGHT")
    assert body(author).jump_height == pytest.approx(1.3)
    assert shown(author)["Jump height"].value == "1.3 m"
    assert shown(author)["Jump height"].fraction == pytest.approx(0.13)
    assert author.text == before
    author.press("RETURN")
    assert author.game.mode == "editing"
    assert author.text == before.replace("surfaces:", "player: {jump_height: 1.3}\nsurfaces:")
    assert load(author.path).player.jump_height == 1.3
    author.press("Z")
    assert author.text == before
    author.press("Y")
    assert "jump_height: 1.3" in author.text


def test_the_player_walks_and_jumps_with_the_new_body(author):
    author.press("B")
    choose(author, "Jump height")
    author.type("3.5")
    assert body(author).jump_height == 3.5
    tick, start = author.tick, author.feet
    author.hold("W", 0.3)
    assert author.tick > tick
    assert author.feet[2] < start[2] - 0.5
    author.wait(0.3)
    author.game.key_pressed("SPACE")
    heights = []
    for _ in range(60):
        author.wait(1 / 60)
        heights.append(author.feet[1])
    author.game.key_released("SPACE")
    assert max(heights) == pytest.approx(3.5, abs=0.05)


def test_escape_restores_the_body_and_writes_nothing(author):
    before, settings = author.text, body(author)
    author.press("B")
    choose(author, "Half height")
    author.press(*["RIGHT"] * 4)
    assert body(author).radii[1] == pytest.approx(1.1)
    assert author.game.session.world.walker_state.radii[1] == pytest.approx(1.1)
    author.press("ESCAPE")
    assert author.game.mode == "editing"
    assert body(author) == settings
    assert author.game.session.world.walker_state.radii[1] == 0.9
    assert author.text == before
    assert not author.tools.open_history().undo_steps


@pytest.mark.full
def test_a_preset_sets_all_sliders_and_is_written_by_its_name(author):
    author.press("B")
    choose(author, "Preset")
    while panel(author).preset != "moon":
        author.press("RIGHT")
    assert body(author) == preset_settings("moon")
    choose(author, "Walking speed")
    author.press("LEFT")
    author.press("RETURN")
    assert "player: {preset: moon, walk_speed: 2.75}\n" in author.text
    assert load(author.path).player == preset_settings("moon", walk_speed=2.75)
    author.press("B")
    assert panel(author).preset == "moon"
    choose(author, "Walking speed")
    author.press("R", "RETURN")
    assert "player: {preset: moon}\n" in author.text


def test_the_file_keeps_its_layout_comments_and_expressions(tmp_path):
    own = "player:   # a giant\n  radii: [2*0.4, 1.2, 0.5]   # broad\n  jump_height: 2   # high\n  eye: 0.9\n"
    author = Author(write(tmp_path, own))
    author.press("B")
    choose(author, "Jump height")
    author.press("RIGHT")
    choose(author, "Eye")
    author.press("R")
    author.press("RETURN")
    expected = own.replace("jump_height: 2 ", "jump_height: 2.1 ").replace("  eye: 0.9\n", "")
    assert author.text == LEVEL.replace("surfaces:", f"{expected}surfaces:")


@pytest.mark.full
def test_a_single_word_becomes_fields(tmp_path):
    author = Author(write(tmp_path, "player: moon   # one sixth\n"))
    author.press("B")
    choose(author, "Gravity")
    author.type("2")
    author.press("RETURN")
    assert "player: {preset: moon, gravity: 2}   # one sixth\n" in author.text


@pytest.mark.full
def test_the_usual_body_leaves_no_field(tmp_path):
    author = Author(write(tmp_path, "player: {jump_height: 2}\n"))
    author.press("B")
    choose(author, "Jump height")
    author.press("R", "RETURN")
    assert author.text == LEVEL


@pytest.mark.full
def test_a_smaller_body_lowers_what_it_is_too_small_for(author):
    author.press("B")
    choose(author, "Half height")
    author.type("0.3")
    assert body(author).radii[1] == 0.3
    assert (body(author).crouch_height, body(author).step_height, body(author).snap_down) == (0.6, 0.3, 0.3)
    author.press("RETURN")
    assert "player: {radii: [0.35, 0.3, 0.25]}\n" in author.text


def test_a_body_without_room_is_taken_back(tmp_path):
    path = write(tmp_path)
    path.write_text(path.read_text("utf-8").replace("[8, 1.85, -10], to: [12", "[-9, 1.85, -10], to: [12"), "utf-8")
    author = Author(path)
    author.press("B")
    choose(author, "Half height")
    author.type("8")
    assert body(author) == DEFAULT_SETTINGS
    assert shown(author)["Half height"].value == "0.9 m"
    assert any("no room" in card.note for card in author.shown.hud.cards)


@pytest.mark.full
def test_numbers_outside_their_range_wait_and_are_refused(author):
    before = author.text
    author.press("B")
    choose(author, "Steepest slope")
    author.type("95")
    assert body(author).max_slope == 9.0  # of the first digit
    author.press("RETURN")
    assert author.game.mode == "body"
    assert author.text == before
    author.press("BACKSPACE")
    assert body(author).max_slope == 9.0


@pytest.mark.full
def test_shift_makes_finer_steps_and_a_held_arrow_repeats(author):
    author.press("B")
    choose(author, "Gravity")
    author.with_shift("RIGHT")
    assert body(author).gravity == pytest.approx(9.86)
    author.hold("RIGHT", 1.0)
    assert body(author).gravity > 12.0


def test_the_walker_starts_where_the_editor_looks_from(author):
    author.stand((10, 1.4, -15), (10, 1.4, -20))
    author.press("B")
    assert author.feet[2] == pytest.approx(-15, abs=0.1)
    author.press("ESCAPE")
    assert author.shown.view.eye[2] == pytest.approx(-15, abs=0.2)


@pytest.mark.full
def test_losing_the_focus_stops_time(author):
    author.press("B")
    author.game.pause()
    tick = author.tick
    author.wait(0.3)
    assert author.tick == tick
    author.game.mouse_button("LEFT", True)
    author.wait(0.3)
    assert author.tick > tick


def test_every_setting_of_a_level_has_a_slider_with_its_unit(author):
    author.press("B")
    labels = {field.name.partition(" ")[0]: field for field in panel(author).fields()[1:]}
    assert set(labels) == set(PLAYER_SETTINGS)
    assert all(field.unit == SETTING_RANGES[name].unit for name, field in labels.items())
    assert all(0.0 <= row.fraction <= 1.0 for label, row in shown(author).items() if row.fraction is not None)


@pytest.mark.parametrize("preset", ["", *WALKER_PRESETS])
@pytest.mark.parametrize("changes", [{}, {"eye": 0.5}, {"radii": (0.2, 0.3, 0.2)}, {"radii": (0.4, 1.5, 0.4)}])
@pytest.mark.parametrize("old", ["", "player: quake\n", "player:\n", "player: {preset: heavy, eye: 0.7}\n"])
@pytest.mark.sample(3)
def test_what_is_written_loads_to_the_same_body(tmp_path, preset, changes, old):
    path = write(tmp_path, old)
    document, before = YamlDocument(path.read_text("utf-8")), load(path).player
    wanted = load(text=LEVEL.replace("surfaces:", f"player: {_yaml(preset, changes)}\nsurfaces:")).player
    write_body(document, preset, wanted, before)
    assert load(text=document.text).player == wanted
    assert written_preset(document) == preset
    assert set(given_settings(preset, wanted)) == set(changes)


def _yaml(preset, changes):
    fields = [f"preset: {preset}"] if preset else []
    fields += [f"{name}: {list(value) if isinstance(value, tuple) else value}" for name, value in changes.items()]
    return f"{{{', '.join(fields)}}}"
