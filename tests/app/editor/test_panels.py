"""The panels by their keys: palette and findings; what they write, and undo."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from game.app.editor.pieces.palette_entries import NEW_PIECES
from game.app.editor.tools.placement import preview_edges
from game.level import check, load
from game.level.build.pieces import PIECES
from tests.support.editor_author import LEVEL, Author, write_level

TOP = ((0.5, 3, 4), (0.5, 1.0, 0.5))  # an eye, and the middle of the box's top


def chosen(author):
    return [row.label for row in author.shown.hud.cards[-1].rows if row.chosen]


def choose(author, word, label=None):
    author.type(word)
    for _ in range(40):
        if chosen(author) == [label or word]:
            return
        author.press("DOWN")
    raise AssertionError(chosen(author))


def warnings(path):
    return [str(finding) for finding in check(path) if finding.severity != "warning"]


# New pieces


def test_the_palette_has_every_kind_of_piece(author):
    (author.path.parent / "castle.glb").write_bytes(b"")
    (author.path.parent / "textures").mkdir()
    (author.path.parent / "textures" / "poster.png").write_bytes(b"")
    author.press("N")
    texts = [row.subject.text for row in author.editor.side_panel.rows() if row.subject is not None]
    labels = [row.label for row in author.editor.side_panel.rows() if row.subject is not None]
    assert len(set(labels)) == len(labels), "each has a name of its own"
    assert {"lift platform", "lift with landing"} < set(labels)
    kinds = {text.partition(":")[0] for text in texts if text}
    assert kinds >= set(PIECES)
    author.press("ESCAPE")
    (author.path.parent / "castle.glb").unlink()
    author.press("N")
    choose(author, "model")
    author.press("RETURN")
    assert author.editor.view.message == "Put a .glb or .obj file beside the level first."
    assert author.text == LEVEL


def test_the_palette_finds_a_piece_before_its_group(author):
    author.press("N")
    for typed, first in (("sign", "sign"), ("light", "light"), ("lamp", "lamp post"), ("stairs", "stairs"),
                         ("elevator", "lift platform"), ("elev", "lift platform"), ("cube", "box")):  # fmt: skip
        author.editor.side_panel.typed = typed
        author.editor.side_panel.index = 0
        assert author.editor.side_panel.chosen_row().label == first, typed
    author.editor.side_panel.typed = "light"
    assert "stairs" not in [row.label for row in author.editor.side_panel.rows()], "a flight"


def test_the_palette_offers_no_way_from_the_level_to_itself(author):
    author.press("N")
    names = {row.label for row in author.editor.side_panel.rows()}
    assert {"exit to part.yaml", "include part.yaml"} < names
    assert not {"exit to level.yaml", "include level.yaml"} & names


def test_a_decal_lies_on_the_wall_that_is_looked_at(author):
    from PIL import Image

    Image.new("RGB", (8, 8), "red").save(author.path.parent / "poster.png")
    author.stand((-1.5, 1.4, 9), (-1.5, 1.4, 6))
    author.stand((-3.4, 1.4, 9), (-3.4, 1.2, 6.1))
    author.press("N")
    choose(author, "poster", "decal poster.png")
    author.press("RETURN")
    assert "- decal: {picture: poster.png, at: [-3.4, 1.2, 6.1], size: 1, facing: south}" in author.text
    assert warnings(author.path) == []


ON_LIST = [entry for entry in NEW_PIECES if entry.label not in ("spawn", "goal")]


@pytest.mark.parametrize("entry", ON_LIST, ids=lambda entry: entry.label)
@pytest.mark.sample(3)
def test_a_new_piece_is_valid_stands_on_the_ground_and_takes_the_surface(tmp_path, entry):
    text = "format: 1\nspawn: {at: [0, 1, 5]}\nsurfaces: {oak: {}}\npieces:\n"
    text += "  - floor: {from: [-20, -20], to: [20, 20], y: 1, surface: oak}\n"
    author = Author(write_level(tmp_path, text))
    author.stand((0, 3, 5), (0, 1, 0))
    author.press("N")
    choose(author, entry.label)
    author.press("RETURN")
    new = author.text[len(text) :]
    assert new.startswith(f"  - {entry.text.partition(':')[0]}:")
    assert "@" not in new
    assert ("oak" in new) == ("surface: @" in entry.text)
    assert warnings(author.path) == []
    assert "facing: 3" not in new
    author.press("Z")
    assert author.text == text


def test_a_new_pad_throws_the_walker_away_from_the_eye(author):
    author.stand((4, 3, 5), (0, 0, 5))  # to the west
    author.press("N")
    choose(author, "pad")
    author.press("RETURN")
    x, _, z = dict(load(author.path).all_zones[-1].physics)["launch"]
    assert x < -1.0
    assert abs(z) < 1e-9


@pytest.mark.parametrize(("word", "height"), [("light", 2.4), ("sign", 1.6), ("target", 1.0), ("ball", 1.0)])
@pytest.mark.sample(1)
def test_the_preview_of_a_piece_above_the_ground_shows_where_it_will_be(author, word, height):
    author.stand((0, 3, 4), (-2, -0.5, 1))
    author.press("N")
    choose(author, word)
    x, y, z = author.editor.side_panel.placement.point(author.editor.side_panel.entry)
    lines = np.concatenate([np.asarray(lines.segments).reshape(-1, 2, 3) for lines in
                            author.editor.side_panel.overlay().lines])  # fmt: skip
    near = np.linalg.norm(lines - (x, y + height, z), axis=2).max(axis=1) < 0.3
    assert near.sum() >= 12, "a box"
    assert (lines[..., 1].min(), lines[..., 1].max() >= y + height) == (pytest.approx(y, abs=1e-6), True)


@pytest.mark.parametrize("facing", [30.0, 90.0, 200.0])
def test_the_preview_of_a_ladder_turns_with_it(author, facing):
    entry = next(entry for entry in NEW_PIECES if entry.label == "ladder")
    level = load(author.path)
    ahead, turned = preview_edges(entry, 0.0, level), preview_edges(entry, facing, level)
    s, c = math.sin(math.radians(facing)), math.cos(math.radians(facing))
    expected = ahead @ np.array(((c, 0.0, -s), (0.0, 1.0, 0.0), (s, 0.0, c)))
    assert np.sort(turned.reshape(-1, 3), axis=0) == pytest.approx(np.sort(expected.reshape(-1, 3), axis=0), abs=2e-3)


@pytest.mark.full
def test_a_new_piece_stands_on_the_ground_ahead_where_nothing_is_looked_at(author):
    author.stand((0, 2, 18), (0, 2, -30))
    author.game.input.view.yaw = 65536 * 31 / 360  # 31 degrees, over the end of the floor
    author.game.input.view.pitch = 8000
    author.wait(1 / 60)
    assert author.editor.view.picked is None
    author.press("N")
    choose(author, "stairs")
    author.press("RETURN")
    assert ", -0.5, " in author.text[len(LEVEL) :], "on the floor"
    assert "surface: stone" in author.text[len(LEVEL) :], "the level's first"
    assert "facing" not in author.text[len(LEVEL) :], "quarter turns"


@pytest.mark.full
def test_a_new_piece_aimed_at_a_handle_near_a_wall_does_not_reach_into_it(tmp_path):
    text = LEVEL + "  - box: {from: [-3, -0.5, 13], to: [3, 3, 13.5]}\n  - light: {at: [0, 2, 14]}\n"
    author = Author(write_level(tmp_path, text))
    author.stand((0, 2, 18), (0, 2, 14))
    author.game.input.view.yaw = 65536 / 4 * 0.02
    author.wait(1 / 60)
    assert author.editor.view.picked.handle is not None
    author.game.input.view.yaw = 65536 / 4 * 0.02
    author.press("N")
    choose(author, "moving platform")  # 6 m long
    author.press("RETURN")
    mover = load(author.path).movers[0]
    assert (mover.triangles + np.array(mover.at))[..., 2].min() >= 13.5


@pytest.mark.parametrize(("lift", "eye", "aim", "light"), [
    ("mover: {at: [-12, 0, 15], facing: west, path: [[0, 1, 0], [0, 3, 0]], of: [\n"
     "      box: {from: [-1, 0, -3], to: [1, 0.2, 3]}]}", (-9, 4, 15), (-10, 0.2, 15), "[0, 2.6, 2]"),
    ("group: {at: [-12, 0, 15], facing: 180, scale: 2, of: [\n"
     "      mover: {at: [1, 0, 0], path: [[0, 0, 0], [0, 1, 0]], of: [\n"
     "      box: {from: [-1, 0, -1], to: [1, 0.2, 1]}]}]}", (-9, 4, 15), (-13, 0.4, 14), "[-0.5, 2.6, 0.5]"),
])  # fmt: skip
@pytest.mark.full
def test_a_light_is_put_into_the_selected_mover(tmp_path, lift, eye, aim, light):
    text = f"{LEVEL}  - {lift}\n"
    author = Author(write_level(tmp_path, text))
    author.pick(eye, aim)
    author.press("N")
    author.type("light")
    assert "Tab: into the mover at line" in author.shown.hud.cards[-1].subtitle
    author.press("TAB")
    assert "into: mover at line" in author.shown.hud.cards[-1].subtitle
    at = author.editor.side_panel.placement.point(author.editor.side_panel.entry)
    author.press("RETURN")
    assert f"light: {{at: {light}, colour" in author.text
    level = load(author.path)
    (new,) = level.lights
    assert new.at[0::2] == pytest.approx(at[0::2], abs=1e-3)
    assert author.tools.selection.kind == "light"
    author.press("Z")
    assert author.text == text


def test_without_a_group_tab_says_what_to_select(author):
    author.pick(*TOP)
    author.press("N", "TAB")
    assert "Select a group or mover" in author.editor.view.message
    assert "into" not in author.shown.hud.cards[-1].subtitle


@pytest.mark.full
def test_a_prefab_is_copied_as_a_group_with_its_surfaces(author):
    author.stand((0, 3, 4), (-2.1, -0.5, 1.2))
    author.press("N")
    choose(author, "lamp post")
    assert author.shown.hud.cards[-1].picture.endswith("prefabs-lamp_post.jpg")
    assert any(len(lines.segments) > 20 for lines in author.shown.overlay.lines), "previewed"
    author.press("RETURN")
    assert author.text.count("include") == LEVEL.count("include"), "the level stays one file"
    assert "- group: {name: Lamp post, at: [-2, -0.5, 1], of: [\n" in author.text
    assert "  metal: {colour:" in author.text
    assert author.tools.selection.kind == "group"
    assert warnings(author.path) == []
    author.press("Z")
    assert author.text == LEVEL


# Findings

MISTAKES = """\
format: 1
spawn: {at: [0, 0, 5]}
surfaces: {stone: {}, brick: {}}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}  # ground
  - box: {from: [0, 0, 0], to: [1, 1, 1], surfce: stone}
  - box: {from: [9, 0, 0], to: [10, 0.6, 1], surface: brik}
"""


def test_findings_are_walked_through_and_fixed_one_by_one_or_all(tmp_path):
    author = Author(write_level(tmp_path, MISTAKES))
    author.press("J")
    author.wait(1.0)
    assert author.shown.hud.cards[-1].title == "Findings"
    for _ in range(20):
        if "surfce" not in author.shown.hud.cards[-1].note:
            author.press("DOWN")
    card = author.shown.hud.cards[-1]
    assert "did you mean `surface`" in card.note.lower()
    assert "Enter fixes it" in card.note
    author.press("RETURN")
    once = MISTAKES.replace("surfce", "surface")
    assert author.text == once
    author.wait(0.5)
    assert all("surfce" not in row.label for row in author.shown.hud.cards[-1].rows)
    author.press("Z")
    assert author.text == MISTAKES
    author.wait(0.5)
    author.with_shift("RETURN")
    assert author.text == once.replace("brik", "brick")
    author.press("Z")
    assert author.text == MISTAKES


def test_a_fix_of_another_text_than_the_present_one_is_refused(tmp_path):
    """The offsets of an edit belong to the text that was checked."""
    author = Author(write_level(tmp_path, MISTAKES))
    author.press("J")
    author.wait(1.0)
    panel = author.editor.side_panel
    (listed,) = (one for one in panel._found if "surfce" in one.finding.message)
    panel._fix(replace(listed, text=MISTAKES.replace("ground", "the ground")))
    author.wait(0.5)
    assert author.text == MISTAKES
    assert "any more" in author.editor.view.message
    panel._fix(listed)
    author.wait(0.5)
    assert author.text == MISTAKES.replace("surfce", "surface")


@pytest.mark.full
def test_a_finding_flies_to_its_piece(tmp_path):
    text = MISTAKES.replace("surfce", "surface").replace("brik", "brick")
    text += "  - box: {from: [-12, 0, -12], to: [-11, 1, -11], surface: stone}\n"
    text += "  - box: {from: [-11.5, 0, -12], to: [-10.5, 1, -11], surface: brick}\n"
    author = Author(write_level(tmp_path, text))
    author.press("J")
    author.wait(1.5)
    for _ in range(20):
        if "flickers" not in author.shown.hud.cards[-1].note:
            author.press("DOWN")
    author.wait(1.0)
    assert author.tools.selection.source_place.line in (8, 9)
    assert math.dist(author.editor.view.eye, (-11.2, 0.5, -11.5)) < 8.0
    author.press("RETURN")
    assert author.text == text, "this needs the author"
