"""The run timer, and the challenges on the results page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.render import Hud, Panel, PanelRow
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import RoundedBox, TextRun
from game.render.snapshot import DONE_AGAIN, DONE_BEFORE, DONE_FIRST, NOT_DONE, ChallengeRow, RunSummary, SplitRow

ROWS = tuple(
    PanelRow(name, selected=name == "Play again") for name in ("Play again", "Keep exploring", "Levels", "Main menu")
)
STATES = (NOT_DONE, DONE_BEFORE, DONE_AGAIN, DONE_FIRST, NOT_DONE)
MARKS = tuple(ChallengeRow(f"Challenge {n}", "never do that", state) for n, state in enumerate(STATES))
SHEET = RunSummary(
    "A level with a rather long name", "1:23.45", "12 strokes, par 9", "New best, -0.52 s", True,
    tuple(SplitRow(f"Place {n}", f"0:{n:02d}.00", "+0.10") for n in range(4)), MARKS, "map.png",
    (((1.0, 0.0, 0.0), "This run"), ((0.0, 0.0, 1.0), "Previous best")), "",
)  # fmt: skip


def shown(sheet: RunSummary = SHEET, **more: float) -> Hud:
    return Hud(panel=Panel("", ROWS, footer="Esc: keep exploring", layout="result", run_summary=sheet), **more)


def texts(hud: Hud, size: tuple[int, int]) -> list[TextRun]:
    return [item for item in arrange_hud(hud, size).items if isinstance(item, TextRun)]


def test_each_challenge_state_has_its_own_text_and_shape() -> None:
    words = [item.text for item in texts(shown(), (1280, 720))]
    assert words.count("never do that") == 2
    assert {f"never do that   {state}" for state in ("Done before", "Done", "New!")} <= set(words)

    def shapes(state: str) -> list[tuple[float, float]]:
        one = replace(SHEET, challenges=(ChallengeRow("It", "never", state),), splits=())
        other = replace(one, challenges=())
        boxes, without = (
            [(b.width, b.height) for b in arrange_hud(shown(sheet), (1280, 720)).items if isinstance(b, RoundedBox)]
            for sheet in (one, other)
        )
        return sorted(boxes[: len(boxes)])[: len(boxes) - len(without)]

    assert len({len(shapes(state)) for state in (NOT_DONE, DONE_BEFORE, DONE_AGAIN)}) == 3


def test_the_timer_does_not_move_when_its_digits_change() -> None:
    boxes = {
        tuple(
            (b.x, b.width)
            for b in arrange_hud(Hud(timer=f"0:{n:02d}.{n:02d}"), (1280, 720)).items
            if isinstance(b, RoundedBox)
        )
        for n in (0, 11, 47, 58)
    }
    assert len(boxes) == 1
    one = arrange_hud(Hud(timer="0:11.11", timer_caption="Half way   0:05.00"), (1280, 720)).items
    middle = [b.x + b.width / 2 for b in one if isinstance(b, RoundedBox) and b.width > 20]
    assert middle == pytest.approx([640.0, 640.0])
    assert not [item for item in arrange_hud(Hud(), (1280, 720)).items if isinstance(item, TextRun)]
