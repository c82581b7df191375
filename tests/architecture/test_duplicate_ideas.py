"""Ideas that stand once: each count of tools/verify/duplicate_ideas.py stays where it is, or falls."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest

from game.app.input import actions
from game.app.input.actions import Action
from game.core.zone import ZONE_RANGES
from game.level.format.schema import PIECE_RECORDS
from game.level.format.schema.zones import ZONE_KINDS
from tools.verify.duplicate_ideas import (
    COUNTS,
    DRAWING_DEFINITIONS,
    DRAWING_USES,
    ROOT,
    context_attributes,
    defaults_of_zones,
    drawing_duplicates,
    files_of_example,
    key_name_comparisons,
    kind_lists,
    main,
    own_error_reasons,
    own_threads,
    protocols,
    repeated_class_names,
    split_classes,
)

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


def test_threads_start_in_one_place():
    assert own_threads() == [], "use run_in_thread or Worker of game/core/background.py"


def test_system_errors_are_put_into_words_in_one_place():
    assert own_error_reasons() == [], "use error_reason of game/core/errors.py"


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


def test_the_context_of_the_modes_is_small():
    assert len(context_attributes()) <= 12, "group what belongs together, or pass to a mode what it needs"


def test_few_protocols_describe_a_part_of_the_game():
    assert len(protocols()) <= 8, "pass what is needed, or take `PlayedGame`"


def test_a_class_has_a_name_of_its_own():
    assert repeated_class_names() == [], "two ideas need two names"


def test_a_name_of_two_classes_is_seen(tmp_path):
    (tmp_path / "canvas.py").write_text("class Box: ...\nclass Canvas:\n    class Line: ...\n")
    (tmp_path / "shapes.py").write_text("if True:\n    class Line: ...\nclass Box: ...\n")
    assert repeated_class_names(tmp_path) == ["Box"]


def test_no_class_inherits_only_to_split_a_file():
    assert split_classes() == [], "make the parts objects of their own"


def test_a_class_that_exists_for_one_subclass_is_seen(tmp_path):
    (tmp_path / "view.py").write_text("class View: ...\nclass Host(Protocol): ...\nclass Page: ...\n")
    (tmp_path / "mode.py").write_text(
        "class Mode(View):\n    def panel(self, page: View) -> View:\n        assert isinstance(page, View)\n"
        "class Film(Page): ...\nPAGES = (Page, Film)\nclass Shape:\n    @abstractmethod\n    def area(self): ...\n"
        "class Circle(Shape): ...\n"
    )
    assert split_classes(tmp_path) == ["view.py:View"]
    assert protocols(tmp_path) == ["view.py:Host"]


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


def test_only_the_declaration_of_a_zone_kind_tells_it_from_others():
    assert kind_lists(ZONE_KINDS) == [], "declare a fact of `ZoneKind`, and read that"


def test_what_tells_kinds_of_pieces_apart_does_not_grow():
    """What is left is the way of one kind alone, and words that name other things too, such as walls in a trace."""
    assert len(kind_lists(PIECE_RECORDS)) <= 37, "declare a fact of `PieceKind`, and read that"


def test_a_quantity_of_a_zone_has_its_default_and_range_in_the_physics_alone():
    assert defaults_of_zones({*ZONE_RANGES, "on_ground"}) == []


@pytest.mark.parametrize(("kind", "count"), [("zone kind", 6), ("piece", 3)])
def test_something_new_touches_few_files(kind, count):
    files = files_of_example(kind)
    assert 0 < len(files) <= count
    assert all((ROOT / file).is_file() for file in files)


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ('if zone.kind == "water": pass', 1),
        ('if entry.kind in ("water", "pad"): pass', 1),
        ('CARRYING = frozenset(("water", "ladder"))', 1),
        ('codes = {"water": 0.0, "pad": 1.0}', 1),
        ('if word == "water" or reason in ("water", "out"): pass', 0),
        ("if zone.kind in ZONE_KINDS: pass", 0),
    ],
)
def test_a_list_of_kinds_is_seen(tmp_path, line, count):
    (tmp_path / "module.py").write_text(f"{line}\n")
    (tmp_path / "level" / "format" / "schema").mkdir(parents=True)
    (tmp_path / "level" / "format" / "schema" / "zones.py").write_text(f"{line}\n")
    assert len(kind_lists({"water", "pad", "ladder"}, tmp_path)) == count


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("class Spec:\n    drag: float = 4.0", 1),
        ('SchemaField("drag", ValueKind.NUMBER, "Rate.", None, "1/s", 0.1, 50)', 1),
        ('SchemaField("drag", ValueKind.NUMBER, "Rate.", DRAG, low=0.1)', 1),
        ('physics_field("drag", "drag", "Rate.")', 0),
        ("class Spec:\n    drag: float\n    width: float = 4.0", 0),
    ],
)
def test_a_default_of_a_zone_is_seen(tmp_path, line, count):
    (tmp_path / "zones.py").write_text(f"{line}\n")
    assert len(defaults_of_zones({"drag"}, tmp_path)) == count


@pytest.mark.full
def test_the_command_prints_each_count_with_its_number(capsys):
    assert main([]) == 0
    printed = dict(line.rsplit(None, 1) for line in capsys.readouterr().out.splitlines())
    assert list(printed) == list(COUNTS)
    assert int(printed["names of two classes"]) == len(repeated_class_names())
    assert all(number.isdigit() for number in printed.values())
