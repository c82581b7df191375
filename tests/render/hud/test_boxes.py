"""Boxes: nothing in a tree leaves its parent or covers its neighbour, and text is fitted to its room."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from game.render.hud.boxes import Box, Column, Fit, Frame, Row, Text, flow, place, spread
from game.render.hud.primitives import HudItems, TextRun
from game.render.hud.slots import TOP_LEFT
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
