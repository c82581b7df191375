"""Ideas that stand once: keys stand in the tables of the actions, what a kind of zone or piece is stands in the schema
of levels, and the quantities of zones have one default and one range."""

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
    ROOT,
    defaults_of_zones,
    files_of_example,
    key_name_comparisons,
    kind_lists,
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


def test_only_the_declaration_of_a_zone_kind_tells_it_from_others():
    assert kind_lists(ZONE_KINDS) == [], "declare a fact of `ZoneKind`, and read that"


def test_what_tells_kinds_of_pieces_apart_does_not_grow():
    """What is left is the way of one kind alone, and words that name other things too, such as walls in a trace."""
    assert len(kind_lists(PIECE_RECORDS)) <= 37, "declare a fact of `PieceKind`, and read that"


def test_a_quantity_of_a_zone_has_its_default_and_range_in_the_physics_alone():
    assert defaults_of_zones({*ZONE_RANGES, "on_ground"}) == []


@pytest.mark.parametrize(("kind", "count"), [("zone kind", 4), ("piece", 3)])
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


def test_every_count_is_a_number():
    assert all(count() >= 0 for count in COUNTS.values())
