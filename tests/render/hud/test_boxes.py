"""Boxes: nothing in a tree leaves its parent or covers its neighbour, text is fitted; slots: free places at edges."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

from game.render.hud import slots
from game.render.hud.arrangement import fitting_scale, pixels_per_unit
from game.render.hud.boxes import Box, Column, Fit, Frame, Row, Text, flow, place, spread
from game.render.hud.primitives import HudItems, TextRun
from game.render.hud.slots import TOP_LEFT, SlotPlanner, overlap
from game.render.text import fonts

INK = (1.0, 1.0, 1.0, 1.0)
Rectangle = tuple[float, float, float, float]


class Leaf(Box):
    """Box that keeps where it was drawn."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(width, height)
        self.drawn: list[Rectangle] = []

    def draw(self, out: HudItems, x: float, y: float) -> None:
        self.drawn.append((x, y, self.width, self.height))


def grow(generator: random.Random, leaves: list[Leaf], depth: int) -> Box:
    """A random tree, of which each leaf is added to `leaves`."""
    if depth == 0 or generator.random() < 0.2:
        leaves.append(Leaf(generator.uniform(1.0, 90.0), generator.uniform(1.0, 60.0)))
        return leaves[-1]
    children = [grow(generator, leaves, depth - 1) for _ in range(generator.randrange(1, 4))]
    gap, align = generator.uniform(0.0, 9.0), generator.choice((0.0, 0.5, 1.0))
    kind = generator.randrange(5)
    if kind == 0:
        return Row(*children, gap=gap, align=align)
    if kind == 1:
        return Column(*children, gap=gap, align=align)
    if kind == 2:
        return Column(*flow(children, generator.uniform(50.0, 300.0), gap), gap=gap)
    if kind == 3:
        return Frame(Fit(Column(*children), 200.0, 80.0, align, align), (gap, 2 * gap), INK, 5.0)
    one = Row(*children)
    leaves.append(Leaf(10.0, 10.0))
    return spread(one, leaves[-1], one.width + 10.0 + gap, align)


def test_a_tree_holds_its_leaves_and_none_covers_another() -> None:
    generator = random.Random(7)
    for _ in range(200):
        leaves: list[Leaf] = []
        tree = grow(generator, leaves, 4)
        tree.draw(HudItems(), 20.0, 30.0)
        assert all(len(leaf.drawn) == 1 for leaf in leaves)
        places = [leaf.drawn[0] for leaf in leaves]
        for number, (x, y, width, height) in enumerate(places):
            assert x >= 20.0 - 1e-6
            assert x + width <= 20.0 + tree.width + 1e-6
            assert y >= 30.0 - 1e-6
            assert y + height <= 30.0 + tree.height + 1e-6
            for left, top, wide, high in places[:number]:
                is_beside = x >= left + wide - 1e-6 or left >= x + width - 1e-6
                assert is_beside or y >= top + high - 1e-6 or top >= y + height - 1e-6


@pytest.mark.parametrize("align", [0.0, 0.5, 1.0])
def test_text_is_wrapped_and_shortened_to_its_room(align: float) -> None:
    words = "a text that needs several lines in a narrow column of the page"
    text = Text(words, 17, INK, 120.0, align)
    assert " ".join(text.lines) == words
    assert text.width <= 120.0
    out = HudItems()
    text.draw(out, 10.0, 40.0)
    runs = [item for item in out.items if isinstance(item, TextRun)]
    assert [run.text for run in runs] == text.lines
    for run in runs:
        left = 10.0 + align * (text.width - fonts.text_width(run.text, 17))
        assert run.x == pytest.approx(left, abs=1.0)
        assert 40.0 < run.y < 40.0 + text.height
    assert {below.y - above.y for above, below in pairwise(runs)} <= {text.step - 1, text.step, text.step + 1}
    two = text.shortened(2.5 * text.step, 120.0)
    assert len(two.lines) == 2
    assert two.lines[0] == text.lines[0]
    assert two.lines[1].endswith("…")
    assert text.shortened(text.height, 120.0).lines == text.lines
    assert text.shortened(0.0, 120.0).height == Text("", 17, INK).height == 0.0


def test_what_has_no_room_in_its_slot_is_not_drawn() -> None:
    out = HudItems(size=(300, 200))
    assert place(out, "wide", TOP_LEFT, Leaf(400.0, 10.0)) is None
    assert place(out, "empty", TOP_LEFT, Box()) is None
    first, second = Leaf(100.0, 50.0), Leaf(100.0, 50.0)
    assert place(out, "one", TOP_LEFT, first) == first.drawn[0]
    assert place(out, "two", TOP_LEFT, second) == second.drawn[0]
    assert second.drawn[0][1] >= first.drawn[0][1] + 50.0
    assert [element.name for element in out.elements] == ["one", "two"]


# Slots


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
