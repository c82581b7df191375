"""docs/lab.md agrees with the measurement of its quick tables."""

from __future__ import annotations

import pytest

from tools.docs import lab_table
from tools.docs.lab_scenes import SCENES


def page():
    return lab_table.PAGE.read_text(encoding="utf-8")


@pytest.mark.full
@pytest.mark.jit
@pytest.mark.parametrize("name", ["ramp", "stairs", "grazing"])
def test_a_scenes_table_is_the_pages(name):
    made = lab_table.table(name)
    assert made in page(), f"run `python -m tools.docs.lab_table`; measured now:\n{made}"


@pytest.mark.full
@pytest.mark.jit
def test_the_defects_are_the_pages():
    made = lab_table.defect_table()
    assert made in page(), f"run `python -m tools.docs.lab_table`; measured now:\n{made}"


def test_the_page_has_every_scene_and_ours_is_right_in_each():
    text = page()
    tables = text.split("### ")[1:]
    assert len(tables) == len(SCENES)
    for told, make in zip(tables, SCENES.values(), strict=True):
        assert told.startswith(make().title + "\n")
        ours = next(line for line in told.splitlines() if line.startswith("| **ours**"))
        _, _, gap, pace, stuck, backward, inside, through, _ = (cell.strip() for cell in ours.split("|"))
        assert float(gap) >= 2.0, "half the skin of 0.25 m is 1.25 mm"
        assert pace in ("", "0.0 %", "0 mm/s")
        assert (backward, inside, through) == ("0", "0", "0")
        assert stuck == "0" or "Corner" in told
