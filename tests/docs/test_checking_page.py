"""docs/checking.md: what it shows of its level is current, and the commands file of each finding reproduces it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PIL import Image

from game.sim import Respawned, World, command_script
from tools.docs import check_page

pytestmark = pytest.mark.jit
KINDS = ["fall", "pit", "unreached", "unreached"]  # what the bots find


@pytest.mark.full
def test_the_page_shows_what_the_command_prints():
    assert f"\npython run_game.py {check_page.COMMAND}\n" in check_page.PAGE.read_text(encoding="utf-8")
    assert check_page.shown() == check_page.said()


@pytest.mark.full
def test_the_bots_find_the_mistakes_of_the_page():
    _, walked = check_page.walked()
    assert [told.kind for told in walked.findings] == KINDS
    assert walked.is_complete
    lines = check_page.text().splitlines()
    for told in walked.findings:
        assert lines[told.place.line - 1].strip().startswith(f"- {told.where.split()[0]}")


@pytest.mark.full
@pytest.mark.parametrize("number", range(len(KINDS)))
def test_the_commands_file_of_each_finding_shows_the_mistake(number, tmp_path):
    level, walked = check_page.walked()
    told = walked.findings[number]
    path = tmp_path / "shown.commands"
    path.write_text(told.commands, encoding="utf-8")
    script = command_script.read_script(path)
    world = World(level)
    events, feet = [], []
    for _, command in zip(range(script.ticks), script.commands(world.start.heading), strict=False):
        events += world.step(command)
        feet.append(world.walker_state.feet)
    assert [type(event) for event in events] == ([Respawned] if told.kind == "fall" else [])
    way = np.array(feet)
    to_area = np.linalg.norm(told.area_points - way[-1], axis=1).min()
    if told.kind == "fall":
        assert np.hypot(*(way - np.array(told.position))[:, ::2].T).min() < 0.1
    elif told.kind == "pit":
        assert to_area < 0.1
        assert way[-1][1] < -2.1
    else:
        assert to_area < 1.5  # outside, on the other side of the wall


@pytest.mark.full
def test_the_picture_of_the_page_is_the_map_of_the_level():
    made = np.asarray(check_page.drawn_map(), np.int64)
    kept = np.asarray(Image.open(check_page.PICTURE).convert("RGB"), np.int64)
    assert made.shape == kept.shape
    assert np.abs(made - kept).mean() < 3.0


def test_the_table_names_every_word_that_silences():
    from game.level.format.piece_kind import INTENDED_KINDS

    words = set(re.findall(r"`(\w+)`", check_page.PAGE.read_text(encoding="utf-8").split("| finding |", 1)[1]))
    assert set(INTENDED_KINDS) - {"font"} <= words  # which the page names before its tables
