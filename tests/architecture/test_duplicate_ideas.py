"""Ideas that stand once: keys stand in the tables of the actions, and plans and charts are drawn in one package."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest

from game.app.input import actions
from game.app.input.actions import Action
from tools.verify.duplicate_ideas import DRAWING_DEFINITIONS, DRAWING_USES, drawing_duplicates, key_name_comparisons

CONTEXTS = [
    value for value in vars(actions).values() if inspect.isclass(value) and issubclass(value, Action) and len(value) > 0
]


def test_no_module_but_the_bindings_compares_key_names():
    assert key_name_comparisons() == [], "handle an action of game/app/input/actions.py"


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ('if key == "R": pass', 1),
        ('if "ESCAPE" != key: pass', 1),
        ('if key in ("RETURN", "NUM_ENTER"): pass', 1),
        ("if key in STEP_KEYS: pass", 1),
        ("if key not in keys.STEP_KEYS: pass", 1),
        ('match key:\n    case "F1" | "TAB": pass', 2),
        ('commands = {"Z": undo, "PAGEUP": up}', 2),
        ('STEP_KEYS: dict = {"LEFT": -1}', 1),
        ('if name == "left" or mode == "RGBA" or number == "1": pass', 0),
        ('show("R")', 0),
    ],
)
def test_a_comparison_with_a_key_name_is_seen(tmp_path, line, count):
    (tmp_path / "mode.py").write_text(f"{line}\n")
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "actions.py").write_text('STEP_KEYS = frozenset(("LEFT", "RIGHT"))\nif key == "R": pass\n')
    found = key_name_comparisons(tmp_path)
    assert len(found) == count
    assert all(place.startswith("mode.py:") for place in found)


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.__name__)
def test_a_key_has_one_action_in_a_context(context):
    keys = Counter(key for action in context for key in action.keys)
    shared = {key for key, count in keys.items() if count > 1}
    assert shared <= {"NUM_SUBTRACT"}, "the sign of the number pad decreases in a panel, as it comes first"
    assert all(action.keys or action.followed or action.shown for action in context)


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.__name__)
def test_no_action_is_an_alias_of_another(context):
    """Members of an enumeration with equal values, here keys and help, are one member."""
    assert list(context) == list(context.__members__.values())


@pytest.mark.parametrize("idea", [*DRAWING_DEFINITIONS, *DRAWING_USES])
def test_plans_and_charts_are_drawn_in_one_package(idea):
    assert drawing_duplicates(idea) == [], "use game/drawing"


@pytest.mark.parametrize(
    ("idea", "line"),
    [
        ("scale bars", "def _draw_scale_bar(): pass"),
        ("layouts of plans in columns", "def _choose_columns(): pass"),
        ("plan drawers", "floor_plans.paint_plan(view)"),
        ("canvases", "pen = ImageDraw.Draw(image)"),
    ],
)
def test_a_second_drawing_of_an_idea_is_seen(tmp_path, idea, line):
    (tmp_path / "sheet.py").write_text(f"{line}\n")
    assert drawing_duplicates(idea, tmp_path) == ["sheet.py:1"]
