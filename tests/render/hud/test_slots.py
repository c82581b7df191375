"""Slots: elements take free places at the edges of the window."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from game.render.hud import slots
from game.render.hud.arrangement import fitting_scale, pixels_per_unit
from game.render.hud.slots import SlotPlanner, overlap

ALL_SLOTS = (slots.TOP_LEFT, slots.TOP_CENTRE, slots.TOP_RIGHT, slots.UPPER_MIDDLE, slots.BOTTOM_LEFT,
             slots.BOTTOM_CENTRE, slots.BOTTOM_RIGHT)  # fmt: skip


def take(planner: SlotPlanner, slot: slots.Slot, width: float, height: float) -> slots.Rectangle | None:
    found = planner.find(slot, width, height)
    if found is not None:
        planner.reserve(found)
    return found


def test_nothing_overlaps_and_all_is_in_the_window() -> None:
    generator = random.Random(8)
    for _ in range(300):
        size = (generator.randrange(300, 2000), generator.randrange(300, 1200))
        planner = SlotPlanner(size, generator.uniform(0.0, 20.0), generator.uniform(0.0, 15.0))
        for _ in range(generator.randrange(2, 15)):
            width, height = generator.uniform(5.0, 0.7 * size[0]), generator.uniform(5.0, 0.5 * size[1])
            if generator.random() < 0.3:
                near = planner.find_near(
                    generator.uniform(-50, size[0]), generator.uniform(-50, size[1]), width, height
                )
                if near is not None:
                    planner.reserve(near)
                continue
            slot = generator.choice(ALL_SLOTS)
            room = planner.room(slot, width)
            found = take(planner, slot, width, height)
            if width <= planner.max_width:
                assert (found is not None) == (height <= room + 0.01) or abs(height - room) < 1.0
        for first, second in combinations(planner.taken, 2):
            assert not overlap(first, second, -0.01)
        for x, y, width, height in planner.taken:
            assert x >= -0.01
            assert y >= -0.01
            assert x + width <= size[0] + 0.6
            assert y + height <= size[1] + 0.6


@pytest.mark.parametrize("size", [(800, 600), (1024, 768), (1920, 1080), (3840, 2160), (2560, 1080), (800, 1200)])
def test_the_interface_size_is_capped_to_what_fits(size: tuple[int, int]) -> None:
    """At 100 % all fits, with text of 200 % too; what is asked for is used as far as it fits."""
    for text in (0.8, 1.0, 1.5, 2.0):
        cap = fitting_scale(size, text)
        if size[0] * 3 >= size[1] * 4:
            assert cap >= 0.999
        one = pixels_per_unit(size, min(1.0, cap), text)
        assert pixels_per_unit(size, 1.6, text) == pytest.approx(one / min(1.0, cap) * min(1.6, cap))
    assert fitting_scale(size, 1.0) > fitting_scale(size, 1.5) > fitting_scale(size, 2.0)
    if size[0] * 3 >= size[1] * 4:
        assert fitting_scale(size, 1.0) >= 1.5999
