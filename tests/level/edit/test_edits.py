"""The exact text of every edit, in every style in which a piece can be written."""

# ruff: noqa: E501 (one line a text)
from __future__ import annotations

from collections.abc import Callable

import pytest

from game.level import LevelError
from game.level.edit import EditRefused, YamlDocument, format_number, format_point, format_scalar, unified_diff

HEAD = "format: 1\npieces:\n"


def at(number: int, *edit: object) -> Callable[[YamlDocument], object]:
    """A call of that method with the piece of that number."""
    name, *rest = edit
    return lambda draft: getattr(draft, str(name))(draft.top_pieces()[number], *rest)


EDITS: dict[str, tuple[str, Callable[[YamlDocument], object], str]] = {
    # --------------------------------------------------------------------------------- set
    "flow number": ("- box: {from: [0, 0,  0], to: [1, 1, 1]} # c", at(0, "set_field", "from", "[0, 2, 0]"), "- box: {from: [0, 2,  0], to: [1, 1, 1]} # c"),
    "flow all numbers": ("- box: {from: [0,0,0]}", at(0, "set_field", "from", "[1, 2, 3]"), "- box: {from: [1,2,3]}"),
    "same value": ("- box: {from: [ 0, 0 ,0]}", at(0, "set_field", "from", "[0,0,0]"), "- box: {from: [ 0, 0 ,0]}"),
    "other length": ("- box: {from: [0, 0], to: 1}", at(0, "set_field", "from", "[1, 2, 3]"), "- box: {from: [1, 2, 3], to: 1}"),
    "quoted": ("- box: {surface: 'stone' }", at(0, "set_field", "surface", "ice"), "- box: {surface: ice }"),
    "quoted key": ("- \"box\": {'from': [0, 0, 0]}", at(0, "set_field", "from", "[0, 0, 1]"), "- \"box\": {'from': [0, 0, 1]}"),
    "block value": ("- box:\n    from: [0, 0, 0]   # a\n    to: 1", at(0, "set_field", "from", "[0, 0, 4]"), "- box:\n    from: [0, 0, 4]   # a\n    to: 1"),
    "block list": ("- box:\n    from:\n      - 0  # x\n      - 1  # y\n    to: 1", at(0, "set_field", "from", "[0, 5]"), "- box:\n    from:\n      - 0  # x\n      - 5  # y\n    to: 1"),
    "block list, other length": ("- box:\n    from: # here\n      - 0\n      - 1\n    to: 1", at(0, "set_field", "from", "[7]"), "- box:\n    from: [7] # here\n    to: 1"),
    "unindented list": ("- box:\n    from:\n    - 0\n    - 1\n    to: 1", at(0, "set_field", "from", "[7, 8, 9]"), "- box:\n    from: [7, 8, 9]\n    to: 1"),
    "block fields": ("- wall:\n    doors:\n      - width: 1\n        at: 2 # b\n", at(0, "set_field", "doors", "[{width: 1, at: 3}]"), "- wall:\n    doors:\n      - width: 1\n        at: 3 # b\n"),
    "nothing there, block": ("- box:\n    surface:\n    to: 1", at(0, "set_field", "surface", "ice"), "- box:\n    surface: ice\n    to: 1"),
    "nothing there, flow": ("- box: {surface: , to: 1}", at(0, "set_field", "surface", "ice"), "- box: {surface: ice , to: 1}"),
    "no colon": ("- box: {open, to: 1}", at(0, "set_field", "open", "true"), "- box: {open: true, to: 1}"),
    "literal": ("- sign:\n    text: |\n      Up\n      there\n\n    at: 1", at(0, "set_field", "text", '"Down"'), "- sign:\n    text: \"Down\"\n\n    at: 1"),
    "folded": ("- sign:\n    text: >-\n      Up\n      there\n    at: 1", at(0, "set_field", "text", "Down"), "- sign:\n    text: Down\n    at: 1"),
    "words over lines": ("- sign:\n    text: Up\n      there\n    at: 1", at(0, "set_field", "text", "Down"), "- sign:\n    text: Down\n    at: 1"),
    "own anchor": ("- box: {from: &a [0, 0, 0]}", at(0, "set_field", "from", "[0, 0, 1]"), "- box: {from: &a [0, 0, 1]}"),
    "own anchor, block": ("- box:\n    from: &a # c\n      - 1\n", at(0, "set_field", "from", "[2, 3]"), "- box:\n    from: &a [2, 3] # c\n"),
    "alias replaced": ("- box: {from: &a [0, 0, 0], to: *a }", at(0, "set_field", "to", "[1, 1, 1]"), "- box: {from: &a [0, 0, 0], to: [1, 1, 1] }"),
    "alias written": ("- box: {from: &a [0, 0, 0], to: 1}", at(0, "set_field", "to", "*a"), "- box: {from: &a [0, 0, 0], to: *a}"),
    "sum": ("- stairs: {rise: 0.18}", at(0, "set_field", "rise", "2 * 0.09"), "- stairs: {rise: 2 * 0.09}"),
    # --------------------------------------------------------------------------------- set: a new field
    "add, flow": ("- box: {from: 1} # c", at(0, "set_field", "to", "[2]"), "- box: {from: 1, to: [2]} # c"),
    "add, spaced": ("- box: { from: 1 }", at(0, "set_field", "to", "2"), "- box: { from: 1, to: 2 }"),
    "add, empty braces": ("- box: {}", at(0, "set_field", "to", "2"), "- box: {to: 2}"),
    "add, empty braces with space": ("- box: { }", at(0, "set_field", "to", "2"), "- box: {to: 2 }"),
    "add, nothing there": ("- box:\n- box: {a: 1}", at(0, "set_field", "to", "2"), "- box: {to: 2}\n- box: {a: 1}"),
    "add, block": ("- box:\n    from: 1  # c\n\n# d\n- box: {a: 1}", at(0, "set_field", "to", "2"), "- box:\n    from: 1  # c\n    to: 2\n\n# d\n- box: {a: 1}"),
    "add, block below a list": ("- box:\n    from:\n      - 1\n      - 2 # c\n", at(0, "set_field", "to", "2"), "- box:\n    from:\n      - 1\n      - 2 # c\n    to: 2\n"),
    "add, block, no last break": ("- box:\n    from: 1", at(0, "set_field", "to", "2"), "- box:\n    from: 1\n    to: 2"),
    "add, block below a literal": ("- sign:\n    text: |\n      Up\n", at(0, "set_field", "to", "2"), "- sign:\n    text: |\n      Up\n    to: 2\n"),
    "add, flow over lines": ("- box: {\n    from: 1,\n    to: 2\n  }", at(0, "set_field", "y", "3"), "- box: {\n    from: 1,\n    to: 2,\n    y: 3\n  }"),
    "add, flow over lines, comment": ("- box: {\n    from: 1,\n    to: 2 # c\n  }", at(0, "set_field", "y", "3"), "- box: {\n    from: 1,\n    to: 2, y: 3 # c\n  }"),
    "add, last comma": ("- box: {from: 1,}", at(0, "set_field", "y", "3"), "- box: {from: 1, y: 3,}"),
    # --------------------------------------------------------------------------------- items of a list
    "item, first": ("- wall: {to: 1} # c", at(0, "append_item", "doors", "{at: 2}"), "- wall: {to: 1, doors: [{at: 2}]} # c"),
    "item, flow": ("- wall: {doors: [{at: 1*1}]} # c", at(0, "append_item", "doors", "{at: 2}"), "- wall: {doors: [{at: 1*1}, {at: 2}]} # c"),
    "item, block": ("- wall:\n    doors:\n      - at: 1*1 # a\n", at(0, "append_item", "doors", "{at: 2}"), "- wall:\n    doors:\n      - at: 1*1 # a\n      - {at: 2}\n"),
    "item removed": ("- wall:\n    doors:\n      - at: 1*1 # a\n      - at: 2 # b\n", at(0, "remove_item", "doors", 1), "- wall:\n    doors:\n      - at: 1*1 # a\n"),
    "last item removed": ("- wall: {to: 1, doors: [{at: 2}]} # c", at(0, "remove_item", "doors", 0), "- wall: {to: 1} # c"),
    # --------------------------------------------------------------------------------- unset
    "unset first, flow": ("- box: {from: 1, to: 2} # c", at(0, "remove_field", "from"), "- box: {to: 2} # c"),
    "unset last, flow": ("- box: {from: 1, to: 2} # c", at(0, "remove_field", "to"), "- box: {from: 1} # c"),
    "unset only, flow": ("- box: {from: 1} # c", at(0, "remove_field", "from"), "- box: {} # c"),
    "unset middle, flow": ("- box: {from: 1 , to: 2, y: 3} # c", at(0, "remove_field", "to"), "- box: {from: 1 , y: 3} # c"),
    "unset, flow over lines": ("- box: {\n    from: 1, # a\n    to: 2, # b\n    y: 3 # c\n  }", at(0, "remove_field", "to"), "- box: {\n    from: 1, # a\n    y: 3 # c\n  }"),
    "unset last, flow over lines": ("- box: {from: 1,\n    to: 2}", at(0, "remove_field", "to"), "- box: {from: 1,\n    }"),
    "unset, block": ("- box:\n    from: 1 # a\n    # b\n    to: 2 # c\n", at(0, "remove_field", "to"), "- box:\n    from: 1 # a\n    # b\n"),
    "unset first, block": ("- box:\n    from: 1 # a\n    # b\n    to: 2 # c\n", at(0, "remove_field", "from"), "- box:\n    # b\n    to: 2 # c\n"),
    "unset only, block": ("- box:\n    from: 1 # a\n", at(0, "remove_field", "from"), "- box:\n    {} # a\n"),
    "unset what is not there": ("- box: {from: 1}", at(0, "remove_field", "to"), "- box: {from: 1}"),
    # --------------------------------------------------------------------------------- remove
    "remove first": ("- a: 1 # one\n# two\n- b: 2\n", at(0, "remove_piece"), "# two\n- b: 2\n"),
    "remove last": ("- a: 1 # one\n# two\n- b: 2 # three\n", at(1, "remove_piece"), "- a: 1 # one\n# two\n"),
    "remove last, no last break": ("- a: 1\n- b: 2", at(1, "remove_piece"), "- a: 1"),
    "remove over lines": ("- a:\n    from: 1\n    to: 2 # x\n\n- b: 2", at(0, "remove_piece"), "\n- b: 2"),
    "remove below its dash": ("-\n  a: 1\n- b: 2", at(0, "remove_piece"), "- b: 2"),
    # --------------------------------------------------------------------------------- insert and copy
    "insert after": ("  - a: 1 # one\n  # two\n  - b: 2\n", at(0, "insert_piece_after", "c: {}"), "  - a: 1 # one\n  - c: {}\n  # two\n  - b: 2\n"),
    "insert, wide dash": ("-   a: 1\n-   b: 2\n", at(1, "insert_piece_after", "c: {}"), "-   a: 1\n-   b: 2\n-   c: {}\n"),
    "insert, no last break": ("- a: 1 # x", at(0, "insert_piece_after", "c: {}"), "- a: 1 # x\n- c: {}"),
    "insert at the end": ("- a: 1\n- b:\n    c: 2\n\n# end\n", lambda draft: draft.insert_piece_after(None, "c: {}"), "- a: 1\n- b:\n    c: 2\n- c: {}\n\n# end\n"),
    "insert, before more fields": ("- a: 1\nsky: {}\n", lambda draft: draft.insert_piece_after(None, "c: {}"), "- a: 1\n- c: {}\nsky: {}\n"),
    "duplicate_piece": ("- a: {b: 1} # c\n- d: 1", at(0, "duplicate_piece"), "- a: {b: 1} # c\n- a: {b: 1}\n- d: 1"),
    "copy block": ("- a:\n    # why\n    b: 1\n    c:\n    - 1 # x\n- d: 1", at(0, "duplicate_piece"), "- a:\n    # why\n    b: 1\n    c:\n    - 1 # x\n- a:\n    # why\n    b: 1\n    c:\n    - 1\n- d: 1"),
    "copy without anchors": ("- a: {b: &x 1, c: &y [1], d: *x}", at(0, "duplicate_piece"), "- a: {b: &x 1, c: &y [1], d: *x}\n- a: {b: 1, c: [1], d: *x}"),
}  # fmt: skip


@pytest.mark.each_once
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "BOM"])
@pytest.mark.parametrize("name", EDITS)
def test_each_edit_changes_only_its_own_text(name: str, mark: str, ends: str) -> None:
    before, edit, after = EDITS[name]
    old, new = (mark + (HEAD + text).replace("\n", ends) for text in (before, after))
    draft = YamlDocument(old)
    edit(draft)
    assert draft.text == new


FLOW = "format: 1\npieces: [a: {b: 1}, group: {of: [c: {d: 1}, e: {f: 2}]}]\n"


def test_pieces_in_flow_lists_are_added_copied_and_removed() -> None:
    draft = YamlDocument(FLOW)
    inner = draft.find_piece(2, FLOW.index("c: {") - len("format: 1"))
    assert inner.kind == "c"
    added = draft.insert_piece_after(inner, "g: {}")
    draft.duplicate_piece(draft.top_pieces()[0])
    assert draft.text == FLOW.replace("c: {d: 1}", "c: {d: 1}, g: {}").replace("a: {b: 1}", "a: {b: 1}, a: {b: 1}")
    assert (added.kind, inner.text) == ("g", "c: {d: 1}")
    draft.remove_piece(added)
    draft.remove_piece(draft.top_pieces()[0])
    assert draft.text == FLOW
    draft.remove_piece(inner)
    assert draft.text == FLOW.replace("c: {d: 1}, ", "")


def test_the_first_piece_of_an_empty_list() -> None:
    for text in ("format: 1\npieces: []\n", "format: 1\npieces:\n", "format: 1\npieces: [ ]\n"):
        draft = YamlDocument(text)
        assert draft.insert_piece_after(None, "box: {a: 1}").field_text("a") == "1"
        assert "pieces: [box: {a: 1}" in draft.text


def test_entries_stay_the_same_while_other_parts_change() -> None:
    draft = YamlDocument(HEAD + "- a: {at: 1}\n- b: {at: 1}\n- c: {at: 1}\n")
    a, b, c = draft.top_pieces()
    draft.set_field(a, "name", "longer")
    draft.duplicate_piece(a)
    draft.remove_piece(b)
    draft.set_field(c, "at", "2")
    assert [a.text, c.text, c.field_text("at"), c.field_text("name")] == [
        "a: {at: 1, name: longer}",
        "c: {at: 2}",
        "2",
        None,
    ]
    assert (c.kind, c.fields, a.fields, draft.line_of(c.span[0])) == ("c", ("at",), ("at", "name"), 5)
    assert draft.text[slice(*c.span)] == c.text
    with pytest.raises(EditRefused, match="no longer exists"):
        draft.set_field(b, "at", "3")


def test_the_top_of_the_file() -> None:
    draft = YamlDocument("# A level\nformat: 1\n\n# What it is made of\n# and how\npieces:\n  - a: {b: 1}\n")
    assert draft.top_entry("goal") is None
    surfaces = draft.add_top_field("surfaces", "{stone: {colour: red}}")
    draft.set_field(surfaces, "ice", "{friction: 0}")
    draft.add_top_field("goal", "{at: [0, 0, 0]}", before="nothing of that name")
    assert draft.text == (
        "# A level\nformat: 1\n\nsurfaces: {stone: {colour: red}, ice: {friction: 0}}\n"
        "# What it is made of\n# and how\npieces:\n  - a: {b: 1}\ngoal: {at: [0, 0, 0]}\n"
    )
    goal = draft.top_entry("goal")
    assert goal is not None
    draft.remove_piece(goal)
    assert "goal" not in draft.text
    flow = YamlDocument("{format: 1, pieces: [a: {}]}")
    flow.add_top_field("sky", "{}")
    assert flow.text == "{format: 1, pieces: [a: {}], sky: {}}"


SHARED = "format: 1\nhere: &home [1, 2, 3]\npieces:\n- a: &a {at: *home, of: &b [c: {d: 1}]}\n- e: *a\n- *p\n".replace(
    "- *p\n", ""
)


def test_anchors_used_elsewhere_need_a_word() -> None:
    draft = YamlDocument(SHARED)
    a, e = draft.top_pieces()
    for edit in (
        lambda: draft.set_field(a, "at", "[0, 0, 0]"),
        lambda: draft.set_field(a, "to", "1"),
        lambda: draft.remove_field(a, "at"),
        lambda: draft.duplicate_piece(draft.find_piece(4, 29)),
    ):
        with pytest.raises(EditRefused, match="`&a`, which is used elsewhere"):
            edit()
    with pytest.raises(EditRefused, match=r"the alias `\*a`: edit the anchor instead"):
        draft.set_field(e, "at", "[0, 0, 0]")
    with pytest.raises(EditRefused, match=r"would make the file unreadable: the alias `\*a` has no anchor"):
        draft.remove_piece(a)
    assert draft.text == SHARED
    draft.remove_piece(e)
    draft.set_field(draft.top_pieces()[0], "at", "[0, 0, 1]")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("1, 2", "would change something else here"),
        ("]", "is not a valid value"),
        ("", "the value is empty"),
        ("*nobody", "has no anchor"),
        ("&a 1", "already defined"),
        ("--- 1\n--- 2", "a second YAML document"),
        ("x" * 1_000_001, "too long"),
        ("[" * 70 + "]" * 70, "nested more than"),
        ("a: b: c", "is not a valid value"),
    ],
)
def test_values_that_would_change_something_else(value: str, words: str) -> None:
    draft = YamlDocument(HEAD + "- a: {b: &a 1, c: 2}\n")
    for field in ("c", "new"):
        with pytest.raises(EditRefused, match=words):
            draft.set_field(draft.top_pieces()[0], field, value)
    assert draft.text == HEAD + "- a: {b: &a 1, c: 2}\n"


def test_an_edit_that_cannot_be_made_is_refused_in_words() -> None:
    draft = YamlDocument(HEAD + "- a: {b: 1, b: 2}\n")
    (a,) = draft.top_pieces()
    with pytest.raises(EditRefused, match="`b` is given twice"):
        draft.set_field(a, "b", "3")
    with pytest.raises(EditRefused, match="the only piece in its list"):
        draft.remove_piece(a)
    for piece in ("box", "[1]", "{a: 1, b: 2}"):
        with pytest.raises(EditRefused, match="write a piece as"):
            draft.insert_piece_after(a, piece)
    with pytest.raises(EditRefused, match="there is no piece at line 3, column 1"):
        draft.find_piece(3, 1)
    with pytest.raises(EditRefused, match="no `pieces:`"):
        YamlDocument("format: 1").insert_piece_after(None, "box: {}")


def test_several_edits_are_one() -> None:
    draft = YamlDocument(HEAD + "- a: {b: 1, c: 2}\n")
    (a,) = draft.top_pieces()
    with draft.edit_group():
        draft.set_field(a, "b", "3")
        draft.set_field(a, "c", "4")
    assert draft.text == HEAD + "- a: {b: 3, c: 4}\n"

    def half_wrong() -> None:
        with draft.edit_group():
            draft.set_field(a, "b", "5")
            draft.set_field(a, "c", "]")

    with pytest.raises(EditRefused):
        half_wrong()
    assert draft.text == HEAD + "- a: {b: 3, c: 4}\n"


@pytest.mark.parametrize("text", ["a: [", "a: *b", "[" * 70, "--- a\n--- b", "a: !x b", "a: &a 1\nb: &a 2"])
def test_texts_that_are_no_level_text(text: str) -> None:
    with pytest.raises(LevelError):
        YamlDocument(text)


def test_a_unified_diff_keeps_line_ends_and_a_missing_last_newline() -> None:
    old = HEAD + "- a: {b: 1}\r\n# é\n- c: {b: 1}"
    assert unified_diff(old, old.replace("c: {b: 1}", "c: {b: 2}"), "x.yaml") == (
        "--- x.yaml\n+++ x.yaml\n@@ -2,4 +2,4 @@\n pieces:\n - a: {b: 1}\r\n # é\n"
        "-- c: {b: 1}\n\\ No newline at end of file\n+- c: {b: 2}\n\\ No newline at end of file\n"
    )
    assert unified_diff("a\n", "a\n", "x") == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.25, "1.25"), (3.0, "3"), (-0.5, "-0.5"), (-0.00001, "0"), (0.1 + 0.2, "0.3"), (1e5, "100000"), (0.00005001, "0.0001"), (-2.0, "-2"), (100.0, "100")],
)  # fmt: skip
def test_numbers_are_written_in_their_shortest_form(value: float, text: str) -> None:
    assert format_number(value) == text
    assert format_point((value, 1.0)) == f"[{text}, 1]"


@pytest.mark.parametrize(
    "words",
    [
        "stone",
        "Up there",
        'a "b" \\ c',
        "a: b",
        "#x",
        "",
        " ",
        "tr\n\tü\u2028\x07\U0001f600",
        "- x",
        "a, b",
        "1",
        "[x]",
        "a #b",
    ],
)
def test_any_text_is_quoted_so_that_it_reads_back(words: str) -> None:
    draft = YamlDocument(HEAD + "- a: {b: 1, c: 2}\n")
    draft.set_field(draft.top_pieces()[0], "b", format_scalar(words))
    import yaml

    assert yaml.load(draft.text, Loader=yaml.BaseLoader)["pieces"] == [{"a": {"b": words, "c": "2"}}]
