"""Each mistake of an author has one finding, at its place, and the cure that it names, applied to the letter, works."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.level import LevelError, check, load
from game.level.edit.autofix import autofix_level
from game.level.format.mistakes import yaml_errors

HEAD = """\
format: 1
spawn: {at: [0, 0, 6], facing: north}
surfaces:
  stone: {colour: grey, texture: flagstone}
define:
  table: [box: {from: [-1, 0, -1], to: [1, 0.8, 1]}]
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}
  - place: {what: table, at: [8, 0, 8]}
"""
SIGNS = """\
  - sign: {at: [0, 1.5, -3], text: "Welcome"}
  - box: {from: [1, 0, 0], to: [2, 1, 1]}
  - sign: {at: [0, 1.5, -5], text: "Farewell"}
"""
MOVER = """\
  - mover:
      path: [[0, 0, 0], [0, 3, 0]]
    of:
      - box: {from: [4, 0, 0], to: [6, 0.2, 2]}
"""
PREFAB = """\
  table:
    box:
      from: [-1, 0, -1]
      to: [1, 0.8, 1]
"""
FLIGHT = """\
  - stairs: {at: [-4, 0, -4], facing: east, steps: 16, rise: 0.18, run: 0.3, width: 1.2}
  - floor: {from: [-6, -9], to: [9, 0], y: 2.88, thickness: 0.18}
"""
POOL = "  - water: {from: [1, -1.5, -4], to: [5, -0.1, 0], intended: [floating]}\n"
BOX = "  - box: {from: [1, 0, 0], to: [2, 1, 1]}\n"
# name: (pieces, right words, wrong words in their place, line and column of the finding, words of it)
MISTAKES = {
    "quotes on a sign": (SIGNS, 'Welcome"', "Welcome", (10, 36), "a quotation mark is not closed"),
    "quotes of a name": (SIGNS, "format: 1\n", 'format: 1\nname: "Yard\n', (2, 7), "a quotation mark is not closed"),
    "quotes before a field": (
        BOX, "colour: grey", 'colour: "grey', (4, 19), "a quotation mark is not closed"),
    "slashes on a line": (BOX, "pieces:", "// all\npieces:", (7, 1), "a comment begins with `#`"),
    "slashes at the start": (BOX, "format: 1", "// Yard\nformat: 1", (1, 1), "write `#` in place of `//`"),
    "slashes after a piece": (BOX, "1, 1]}\n", "1, 1]} // chest\n", (10, 43), "a comment begins with `#`"),
    "two comments": (BOX, BOX, "  // a\n" + BOX + "  // b\n" + BOX, (10, 3), "a comment begins with `#`"),
    "brace": (BOX, "1, 1]}\n", "1, 1]}}\n", (10, 42), "this `}` closes nothing"),
    "bracket": (BOX, "1, 1]}\n", "1, 1]]}\n", (10, 41), "this `]` closes nothing"),
    "brace in the head": (BOX, "north}", "north}}", (2, 38), "this `}` closes nothing"),
    "joined colon": (BOX, "box: {from: [1", "box:{from: [1", (10, 8), "write `box: {`, with a space after the colon"),
    "joined colon of a point": (BOX, "from: [1", "from:[1", (10, 15), "write `from: [`, with a space after the colon"),
    "of beside a mover": (
        MOVER.replace("    of:\n      -", "      of:\n      -"),
        "      of:", "    of:", (12, 5), "`of` belongs to the mover in line 10: indent it by two more spaces"),
    "of beside braces": (
        "  - group: {at: [4, 0, 0], of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}\n",
        ", of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}", "}\n    of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]",
        (11, 5), "`of` belongs to the group in line 10: put it into its braces"),
    "prefab without brackets": (BOX, "[box: {from: [-1, 0, -1], to: [1, 0.8, 1]}]",
        "\n    box: {from: [-1, 0, -1], to: [1, 0.8, 1]}", (7, 5), "write `table: [box: {...}]`"),
    "prefab on lines": (BOX, "  table: [box: {from: [-1, 0, -1], to: [1, 0.8, 1]}]\n", PREFAB, (7, 5),
        "start each piece"),
    "Pieces": (BOX, "\npieces:", "\nPieces:", (7, 1), "did you mean `pieces`?"),
    "Surfaces": (BOX, "surfaces:", "Surfaces:", (3, 1), "did you mean `surfaces`?"),
    "Define": (BOX, "define:", "Define:", (5, 1), "did you mean `define`?"),
    "Spawn": (BOX, "spawn:", "Spawn:", (2, 1), "did you mean `spawn`?"),
    "Format": (BOX, "format:", "Format:", (1, 1), "did you mean `format`?"),
    "stair": (FLIGHT.partition("\n")[0] + "\n", "stairs:", "stair:", (10, 5), "did you mean `stairs`?"),
    "a percentage": ("  - light: {at: [0, 2, 0], brightness: 0.6}\n", "brightness: 0.6", "brightness: 60%", (10, 40),
        "write 0.6"),
    "centimetres": (FLIGHT.partition("\n")[0] + "\n", "rise: 0.18", "rise: 18", (10, 62), "for 18 cm write 0.18"),
    "Cyrillic piece": (BOX, "box: {from: [1", "b\u043ex: {from: [1", (10, 5), "has the Cyrillic `\u043e` (U+043E)"),
    "Cyrillic field": (BOX, "from: [1", "fr\u043em: [1", (10, 11), "did you mean `from`?"),
    "Cyrillic surface": (BOX, "surface: stone", "surface: st\u043ene", (8, 54), "did you mean `stone`?"),
    "Cyrillic definition": (BOX, "  stone:", "  st\u043ene:", (8, 54), "`st\u043ene` has the Cyrillic"),
    "Greek direction": (BOX, "north", "n\u03bfrth", (2, 32), "has the Greek `\u03bf` (U+03BF)"),
    "letter as digit": (BOX, "[1, 0, 0]", "[1, \u041e, 0]", (10, 21), "write 0"),
    "point as mapping": (BOX, "[1, 0, 0]", "{x: 1, y: 0, z: 0}", (10, 17), "write [1, 0, 0]"),
    "point on the plan": (BOX, "[-20, -20]", "{z: -20, x: -20}", (8, 19), "write [-20, -20]"),
    "curly name": (BOX, "format: 1\n", "format: 1\nname: \u201cYard\u201d\n", (2, 7), 'write "Yard"'),
    "curly colour": (BOX, "grey", "\u201cgrey\u201d", (4, 19), 'write "grey"'),
    "angle with a unit": (BOX, "north", "90deg", (2, 32), "write 90"),
    "stairs without a hole": (
        FLIGHT.replace("0.18}\n", "0.18, holes: [{from: [-3.4, -4.6], to: [0.8, -3.4]}]}\n"),
        ", holes: [{from: [-3.4, -4.6], to: [0.8, -3.4]}]", "", (11, 5),
        "holes: [{from: [-3.4, -4.6], to: [0.8, -3.4]}]"),
    "pool without a hole": (POOL, "stone}\n  - p", "stone}\n  - p", (8, 5),
        "add `holes: [{from: [1, -4], to: [5, 0]}]`"),
    "an item a space too far right": (
        BOX, "  - box: {from: [1,", "   - box: {from: [1,", (10, 4), "indent it by 2 spaces"),
    "an item two spaces too far right": (
        BOX, "  - box: {from: [1,", "    - box: {from: [1,", (10, 5), "indent it by 2 spaces"),
    "an item too far left": (BOX, "  - box: {from: [1,", " - box: {from: [1,", (10, 2), "indent it by 2 spaces"),
    "the first item too far right": (BOX, "  - floor:", "   - floor:", (8, 4), "indent it by 2 spaces"),
    "a definition with another name": (
        BOX.replace("1]}", "1], surface: stone}"), "  stone:", "  granite:", (4, 3), "rename it to `stone`, or define"),
    "a piece without its dash": (
        BOX, "  - box: {from: [1,", "    box: {from: [1,", (10, 5), "write `- box:` after 2 spaces, as in line 9"),
    "spawn beside spawns": (BOX, "surfaces:", "spawns: [{at: [3, 0, 3]}]\nsurfaces:", (3, 10),
        "write all starts in `spawns`"),
}  # fmt: skip
HOLE_OF_POOL = ", holes: [{from: [1, -4], to: [5, 0]}]"
FIXED = (
    "Pieces", "Surfaces", "stair", "Cyrillic piece", "Cyrillic field", "Cyrillic surface", "Greek direction",
    "letter as digit", "point as mapping", "point on the plan", "curly name", "curly colour", "angle with a unit",
)  # fmt: skip


def level_texts(name: str) -> tuple[str, str]:
    """The right level and the one with the mistake."""
    pieces, right, wrong, _, _ = MISTAKES[name]
    text = HEAD + pieces
    assert right in text
    if name == "pool without a hole":
        return text.replace("surface: stone}", f"surface: stone{HOLE_OF_POOL}}}"), text
    return text, text.replace(right, wrong, 1)


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_has_one_finding_at_its_place_and_its_cure_works(name: str) -> None:
    right, wrong = level_texts(name)
    assert [str(finding) for finding in check(text=right)] == []
    (finding,) = check(text=wrong)
    *_, place, words = MISTAKES[name]
    assert (finding.line, finding.column) == place
    assert words in f"{finding.message}; {finding.cure}"


@pytest.mark.parametrize("name", FIXED)
def test_fix_does_what_the_message_says(tmp_path: Path, name: str) -> None:
    _, wrong = level_texts(name)
    path = tmp_path / "level.yaml"
    path.write_text(wrong, "utf-8")
    result = autofix_level(path, wrong)
    assert result.done
    assert not result.remaining
    path.write_text(result.text, "utf-8")
    assert not check(path)


@pytest.mark.parametrize(
    "text",
    [
        'about: "two\n  lines"\npieces: [box {}]\n',  # a quoted text of two lines is no mistake
        "name: a }\npieces: [box: {]\n",
        "name: http://yard\npieces: [box: {]\n",
        "tile: {a: ]}\n",
    ],
)
def test_what_is_no_mistake_is_not_blamed_for_another(text: str) -> None:
    (finding,) = check(text="format: 1\n" + text)
    assert not finding.message.startswith(("a quotation mark", "a comment", "this `}`"))


def test_errors_in_a_long_text_are_found_without_repairs() -> None:
    text = HEAD + "  // a comment\n" + BOX * (yaml_errors.MAX_REPAIRED_TEXT // len(BOX) + 1)
    (finding,) = check(text=text)
    assert "colon" in finding.message


def test_an_error_takes_few_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    monkeypatch.setattr(yaml_errors, "_repairs", lambda text, _: (tried.append(text) or repair for _ in range(99)))
    repair = yaml_errors._Repair(0, 1, "", "", "a: }")
    check(text="format: 1\npieces: [}\n")
    assert len(tried) <= yaml_errors.MAX_REPAIRS + 1


def test_a_missing_level_suggests_a_name_in_its_error() -> None:
    with pytest.raises(LevelError, match="did you mean `demo`"):
        load("dmeo")


def test_what_a_left_out_piece_lacks_is_no_second_finding() -> None:
    far = "1000000"
    tested = "tests:\n  - {name: all, walk: ['9'], expect: {targets: [bell]}}\n"
    for text in (
        HEAD + f"  - target: {{at: [0, {far}, 0], name: bell}}\n" + tested,
        HEAD.replace("surface: stone}", f"surface: stone, holes: [{{from: [1, -4], to: [{far}, 0]}}]}}") + POOL,
        "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9], tile: 0.0001}\n",
    ):
        (finding,) = check(text=text)
        assert finding.message.endswith(("limit, 100000 m", "minimum, 0.05 m", "too many", "minimum, 0.01 m"))
