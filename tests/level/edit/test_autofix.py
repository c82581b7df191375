"""`check --fix`: each fix edits its place and is confirmed by a check; unclear findings stay."""

# ruff: noqa: E501 (one line a level)

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from game.level import LevelError, check
from game.level.edit import read_text, yaml_document
from game.level.edit.autofix import autofix_level, fixer
from game.level.edit.autofix.rules import guess_surface
from game.level.format.reader import RecordReader
from game.level.format.values import NAMED_COLOURS
from game.level.geometry.quads import find_quad_fault
from tests.level.test_corpus import DOCUMENTS, level_text

LEVELS = Path(__file__).resolve().parents[3] / "levels"
HEAD = "format: 1\nspawn: {at: [8, 0, 8]}\nsurfaces:\n  # all\n  stone: {colour: grey}\npieces:\n"
GROUND = "  - floor: {from: [-9, -9], to: [9, 9], surface: stone}  # ground\n"

# In one line of a level, what is written and what it becomes; None: it stays.
FIXED_LINES: dict[str, str | None] = {
    "box: {form: [0, 0, 0], to: [1, 1, 1]}": "box: {from: [0, 0, 0], to: [1, 1, 1]}",
    "box: {From: [0, 0, 0], to: [1, 1, 1]} # c": "box: {from: [0, 0, 0], to: [1, 1, 1]} # c",
    "blok: {from: [0, 0, 0], to: [1, 1, 1]}": None,
    "block: {from: [0, 0, 0], to: [1, 1, 1]}": "box: {from: [0, 0, 0], to: [1, 1, 1]}",
    "bocks: {from: [0, 0, 0], to: [1, 1, 1]}": None,
    "stares: {at: [0, 0, 0], steps: 3}": "stairs: {at: [0, 0, 0], steps: 3}",
    "box: {from: [0, 0, 0], to: [1, 1, 1], surface: 'ston'}": "box: {from: [0, 0, 0], to: [1, 1, 1], surface: stone}",
    "box: {from: [0, 0, 0], to: [1, 1, 1], material: stone}": "box: {from: [0, 0, 0], to: [1, 1, 1], surface: stone}",
    "box: {from: [0, 0, 0], to: [1, 1, 1], glow: 3}": None,
    "box: {from: [0, 0, 0], to: [1, 1, 1], colour: red}": None,
    "box: {from: [0, 0, 0], to: [1, 1, 1], facing: eest}": None,  # east or west
    "box: {from: [0, 0, 0], to: [1, 1, 1], facing: eats}": "box: {from: [0, 0, 0], to: [1, 1, 1], facing: east}",
    "pilar: {at: [0, 0, 0], hight: 2 m, facing: soth}": "pillar: {at: [0, 0, 0], height: 2, facing: south}",
    "pillar: {at: [0, 0, 0], height: 2.5m}": "pillar: {at: [0, 0, 0], height: 2.5}",
    "pillar: {at: [0, 0, 0], height: 250 cm}": "pillar: {at: [0, 0, 0], height: 2.5}",
    "pillar: {at: [0, 0, 0], height: '2,5'}": "pillar: {at: [0, 0, 0], height: 2.5}",
    "pillar: {at: [0, 0, 0], height: '2,5 m'}": "pillar: {at: [0, 0, 0], height: 2.5}",
    "pillar: {at: [0, 0, 0], height: 2,5 m}": "pillar: {at: [0, 0, 0], height: 2.5}",
    "pillar: {at: [0, 0, 0], height: 250,5cm, radius: 0,4m} # c": "pillar: {at: [0, 0, 0], height: 2.505, radius: 0.4} # c",
    "pillar: {at: [0, 0, 0], height: '1,2,3 m'}": None,
    "pillar: {at: [0, 0, 0], height: 2,5 kg}": None,
    "pillar: {at: [0, 0, 0], height: 2,5}": "pillar: {at: [0, 0, 0], height: 2.5}",
    "pillar: {at: [0, 0, 0], height: 250cm, radius: 40 cm} # c": "pillar: {at: [0, 0, 0], height: 2.5, radius: 0.4} # c",
    "box: {from: [0m, 0 m, 0cm], to: [1m, 100cm, 1 m]}": "box: {from: [0, 0, 0], to: [1, 1, 1]}",
    "box: {from: [0, 0, 0], to: [1,5, 1, 2,5]}": "box: {from: [0, 0, 0], to: [1.5, 1, 2.5]}",
    "box: {from: [0, 0 0], to: [1, 1, 1]}": "box: {from: [0, 0, 0], to: [1, 1, 1]}",
    "box:\u00a0{from: [0, 0, 0],\u00a0to: [1, 1, 1], name: no\u00a0break}": "box: {from: [0, 0, 0], to: [1, 1, 1], name: no\u00a0break}",
    "pillar: {at: [0, 0, 0], height: 2 kg}": None,
    "pillar: {at: [0, 0, 0], height: tall}": None,
    "pillar: {at: [0, 0, 0], height: 0}": None,
    "box: {from: [0, 0, 0], to: [1, 1, 1], to: [2, 2, 2]}": None,
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [0, 5, -2], [2, 5, -2]]}": "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, 5, -2], [0, 5, -2]]}",
    "quad: {corners: [[0, 5, 0], [0, 5, -2], [2, 5, 0], [2, 5, -2]]}": "quad: {corners: [[0, 5, 0], [0, 5, -2], [2, 5, -2], [2, 5, 0]]}",
    "quad: {corners: [[0, 5, 0], [2, 5, -2], [2, 5, 0], [0, 5, -2]]}": "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, 5, -2], [0, 5, -2]]}",
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, 5.02, -2], [0, 5,  -2]]}": "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, 5.02, -2], [0, 5.02,  -2]]}",
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, 5.2, -2], [0, 5, -2]]}": None,
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, 5, 0], [0, 5, -2]]}": "triangle: {corners: [[0, 5, 0], [2, 5, 0], [0, 5, -2]]}",
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [0, 5, -2], [0, 5, 0]]}": "triangle: {corners: [[0, 5, 0], [2, 5, 0], [0, 5, -2]]}",
    "quad: {corners: [[0, 5, 0], [1, 5, 0], [2, 5, 0], [0, 5, -2]]}": "triangle: {corners: [[0, 5, 0], [2, 5, 0], [0, 5, -2]]}",
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [0, 5, 0], [0, 5, -2]]}": None,
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, 5, -2]]}": "triangle: {corners: [[0, 5, 0], [2, 5, 0], [2, 5, -2]]}",
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [0.5, 5, -0.5], [0, 5, -2]]}": None,
    "triangle: {corners: [[0, 5, 0], [2, 5, 0], [4, 5, 0]]}": None,
    "quad: {corners: [[0, 5, 0], [2, 5, 0], [0, 5, -2], [2, '5*1', -2]]}": "quad: {corners: [[0, 5, 0], [2, 5, 0], [2, '5*1', -2], [0, 5, -2]]}",
    "place: {what: *nobody}": None,
}  # fmt: skip


MANY = fixer.MAX_CHECKS + 10  # mistakes, more than can be tried one by one


def autofixed(path: Path, text: str) -> str:
    path.write_bytes(text.encode())
    done = autofix_level(path, text)
    was, now = check(path), list(done.remaining)
    assert path.read_bytes() == text.encode(), "nothing is written"
    path.write_bytes(done.text.encode())
    assert [str(finding) for finding in check(path)] == [str(finding) for finding in now]
    assert (done.before, done.text == text) == (len(was), len(now) == len(was))
    return done.text


@pytest.mark.sample(10)
@pytest.mark.parametrize("line", FIXED_LINES)
def test_one_wrong_line_is_fixed_or_left_as_it_is(line: str, tmp_path: Path) -> None:
    text = HEAD + GROUND + f"  - {line}\n"
    if "*" in line and "5*1" not in line:
        with pytest.raises(LevelError):
            autofix_level(tmp_path / "level.yaml", text)
        return
    assert autofixed(tmp_path / "level.yaml", text) == text.replace(line, FIXED_LINES[line] or line)


def test_surfaces_that_are_used_and_not_there(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    uses = "  - box: {from: [0, 0, 0], to: [1, 1, 1], surface: oak planks}\n  - box: {from: [3, 0, 0], to: [4, 1, 1], surface: oak planks}\n"
    added = '  stone: {colour: grey}\n  oak planks: {colour: "#9a7146", texture: planks}\n'
    assert autofixed(path, HEAD + GROUND + uses) == (HEAD + GROUND + uses).replace("  stone: {colour: grey}\n", added)
    none = "format: 1\nspawn: {at: [8, 0, 8]}\n# the pieces\npieces:\n  - floor: {from: [-9, -9], to: [9, 9], surface: moss}"
    assert autofixed(path, none) == none.replace(
        "# the", 'surfaces: {moss: {colour: "#6d7a45", texture: grass}}\n# the'
    )
    flow = (
        "{format: 1, spawn: {at: [8, 0, 8]}, surfaces: {}, pieces: [floor: {from: [-9, -9], to: [9, 9], surface: red}]}"
    )
    assert autofixed(path, flow) == flow.replace("surfaces: {}", "surfaces: {red: {colour: red}}")


def test_a_surface_misspelt_in_its_own_record_is_fixed_there(tmp_path: Path) -> None:
    text = (
        HEAD.replace("stone:", "ston: ")
        + GROUND
        + GROUND.replace("-9", "9").replace("[9, 9], surface", "[12, 12], surface")
    )
    assert autofixed(tmp_path / "level.yaml", text) == text.replace("ston: ", "stone: ")


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "name", ["stone", "Red brick wall", "ice", "tan", "zz", "wände", "dark-oak", "roof tiles", "bluegrass"]
)
def test_every_look_can_be_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    path.write_text(
        f'format: 1\nspawn: {{at: [8, 0, 8]}}\nsurfaces: {{"{name}": {guess_surface(name)}}}\npieces:\n'
        + GROUND.replace("stone", f'"{name}"')
    )
    assert check(path) == []
    assert "red" not in NAMED_COLOURS or "red" in guess_surface("a red thing")


def test_a_missing_format_and_what_comes_to_light(tmp_path: Path) -> None:
    text = "# mine\nspawn: {at: [8, 0, 8]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n  - ramp: {at: [0, 0, 0], length: 4, rise: 3.9}\n"
    assert autofixed_with_warnings(tmp_path / "level.yaml", text) == ("format: 1\n" + text, ["ramp"])


def autofixed_with_warnings(path: Path, text: str) -> tuple[str, list[str]]:
    path.write_text(text)
    done = autofix_level(path, text)
    return done.text, [finding.where for finding in done.remaining]


def test_a_prefab_that_was_renamed_in_its_definition_alone(tmp_path: Path) -> None:
    text = level_text(DOCUMENTS["names/prefab renamed"])
    path = tmp_path / "level.yaml"
    assert autofixed(path, text) == text.replace("lamppost", "lamp")
    assert check(path) == []
    unsure = level_text(DOCUMENTS["names/prefab renamed to another word"])
    assert autofixed(path, unsure) == unsure, "a prefab of another name may be missing"


def test_a_colour_that_became_a_comment(tmp_path: Path) -> None:
    text = HEAD.replace("{colour: grey}", "\n    colour: #8d8a83   # warm\n    texture: flagstone") + GROUND
    assert autofixed(tmp_path / "level.yaml", text) == text.replace("#8d8a83 ", '"#8d8a83" ')


def test_the_quad_that_looks_the_other_way(tmp_path: Path) -> None:
    def row(x: int, flipped: bool) -> str:
        corners = [[x, 4, 0], [x + 1, 4, 0], [x + 1, 4, -1], [x, 4, -1]]
        return f"  - quad: {{corners: {corners[:1] + corners[:0:-1] if flipped else corners}}}\n"

    wrong = HEAD + GROUND + "".join(row(x, x == 2) for x in range(5))
    right = HEAD + GROUND + "".join(row(x, False) for x in range(5))
    assert autofixed(tmp_path / "level.yaml", wrong) == right


def test_an_edit_that_would_bring_something_else_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    text = HEAD + GROUND + "  - quad: {corners: [[7, 1, 9], [9, 1, 9], [7, 1, 7], [9, 1, 7]]}\n"  # where one begins
    path.write_text(text)
    done = autofix_level(path, text)
    assert (done.text, done.done) == (text, ())
    assert done.rejected == (
        "line 8: corners 3 and 4 swapped: not done, because then: there is no room for the player in `quad` (line 8): "
        "the level cannot be started here",
    )


def test_what_is_wrong_in_an_included_file_is_left_to_that(tmp_path: Path) -> None:
    part = "format: 1\npieces:\n  - pilar: {at: [0, 0, 0]}\n"
    (tmp_path / "part.yaml").write_text(part)
    text = HEAD + GROUND + "  - include: {file: part.yaml}\n"
    assert autofixed(tmp_path / "level.yaml", text) == text
    assert autofixed(tmp_path / "part.yaml", part) == part.replace("pilar", "pillar")


@pytest.mark.full
def test_the_demo_level_with_fifty_misspelt_words(tmp_path: Path) -> None:
    """Letters swapped at random in names of pieces, fields and surfaces: most are fixed, the others are reported."""
    chosen = random.Random(3)
    old = read_text(LEVELS / "demo.yaml")
    lines = old.split("\n")
    words = [
        "surface:",
        "facing:",
        "height:",
        "thickness:",
        "- pillar:",
        "- floor:",
        "- stairs:",
        "ashlar",
        "terracotta",
    ]
    spots = [
        (number, lines[number].index(word) + word.index(word.strip("- :")), word.strip("- :"))
        for number in range(60, len(lines))
        for word in words
        if word in lines[number] and "#" not in lines[number].split(word)[0]
    ]
    for number, column, word in chosen.sample(spots, 50):
        k = chosen.randrange(1, len(word) - 2)
        swapped = word[:k] + word[k + 1] + word[k] + word[k + 2 :]
        if lines[number][column : column + len(word)] == word:
            lines[number] = lines[number][:column] + swapped + lines[number][column + len(word) :]
    text = "\n".join(lines)
    path = tmp_path / "demo.yaml"
    path.write_bytes(text.encode())
    for way in re.findall(r"to: ([\w/]+\.yaml)", old):
        (tmp_path / way).parent.mkdir(exist_ok=True)
        (tmp_path / way).write_text("format: 1")
    done = autofix_level(path, text)
    assert done.before > 40
    assert len(done.done) > 40
    assert not done.remaining
    changed = [(was, now) for was, now in zip(lines, done.text.split("\n"), strict=True) if was != now]
    original = set(old.split("\n"))
    assert sum(now in original for _, now in changed) > 0.9 * len(changed)


@pytest.mark.parametrize("count", [MANY, pytest.param(2000, marks=pytest.mark.full)])
def test_a_mistake_that_repeats_is_fixed_everywhere(count: int, tmp_path: Path) -> None:
    """In fewer checks than there are mistakes: their number is bounded."""
    rows = "".join(
        f"  - box: {{from: [{2 * k}, 0, 20], to: [{2 * k + 1}, 1, 21], surfce: stone}}\n" for k in range(count)
    )
    path, text = tmp_path / "level.yaml", HEAD + GROUND + rows
    path.write_text(text)
    done = autofix_level(path, text)
    assert done.text == text.replace("surfce", "surface")
    assert (len(done.done), done.rejected, done.remaining, done.untried) == (count, (), (), 0)


def test_repeated_mistakes_next_to_one_that_stays(tmp_path: Path) -> None:
    rows = [f"  - box: {{from: [{2 * k}, 0, 20], to: [{2 * k + 1}, 1, 21], surfce: stone}}\n" for k in range(20)]
    rows[7] = rows[7].replace("stone", "[1, 2]")
    path, text = tmp_path / "level.yaml", HEAD + GROUND + "".join(rows)
    path.write_text(text)
    done = autofix_level(path, text)
    assert done.text.count("surface:") == text.count("surface:") + 19
    assert [finding.line for finding in done.remaining] == [7 + 8]
    assert len(done.rejected) == 1


@pytest.mark.full
def test_a_surface_that_is_not_there_in_many_pieces(tmp_path: Path) -> None:
    names = [f"stuff {k % 40}" for k in range(400)]
    rows = "".join(
        f"  - box: {{from: [{2 * k}, 0, 20], to: [{2 * k + 1}, 1, 21], surface: {name}}}\n"
        for k, name in enumerate(names)
    )
    path, text = tmp_path / "level.yaml", HEAD + GROUND + rows
    path.write_text(text)
    assert autofix_level(path, text).remaining == ()


def test_an_error_that_was_there_before_forbids_no_fix(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    text = HEAD + GROUND + "  - decal: {picture: ok.pn, at: [0, 0, 0], on: flor}\n"
    path.write_text(text)
    done = autofix_level(path, text)
    assert (done.text, done.rejected) == (text.replace("flor}", "floor}"), ())
    assert [finding.message for finding in done.remaining] == ["`ok.pn` is not a picture file"]
    assert done.before == 2, "with the one that was not seen"


def test_a_fix_that_makes_a_copy_is_left_out_and_turns_nothing_over(tmp_path: Path) -> None:
    first = "  - quad: {corners: [[0,0,0],[4,0,0],[4,1,-4],[0,1,-4]]}\n"
    path, text = tmp_path / "level.yaml", HEAD + GROUND + first + first.replace("[0,1,", "[0,1.03,")
    path.write_text(text)
    done = autofix_level(path, text)
    assert (done.text, done.done) == (text, ())
    assert done.rejected == (
        "line 9: corner 4 moved by 29.1 mm into the plane of the others: not done, because then: "
        "a face coincides with `quad` (line 8): both face up, around (2, 0.5, -2)",
    )


def test_a_moved_corner_is_no_reason_to_turn_a_quad_over(tmp_path: Path) -> None:
    """After the move the quad faces the other way than its neighbour; its author gave it this front."""
    rows = (
        "  - quad: {corners: [[0,4,0],[1,4,0],[1,4,-1],[0,4,-1]]}\n"
        "  - quad: {corners: [[1,4,0],[1,4,-1],[2,4,-1],[2,4.01,0]]}\n"
    )
    path, text = tmp_path / "level.yaml", HEAD + GROUND + rows
    path.write_text(text)
    done = autofix_level(path, text)
    assert (done.text, done.done) == (text, ())
    assert "because then: it faces the opposite way" in done.rejected[0]


@pytest.mark.full
def test_equal_fixes_that_harm_are_rejected_together(tmp_path: Path, monkeypatch) -> None:
    rows = "".join(
        f"  - quad: {{corners: [[{3 * k},0,0],[{3 * k + 1},0,0],[{3 * k + 1},1,-1],[{3 * k},1.03,-1]]}}\n"
        for k in range(MANY)
    )
    path, text = tmp_path / "level.yaml", HEAD + rows + GROUND.replace("9, 9]", "400, 9]")
    path.write_text(text)
    done = autofix_level(path, text)
    assert (len(done.rejected), len(done.remaining), done.untried) == (MANY, MANY, 0)
    assert all("a slope of 45.0 degrees" in rejected for rejected in done.rejected)
    monkeypatch.setattr(fixer, "MAX_CHECKS", 1)
    assert autofix_level(path, text).untried == MANY


@pytest.mark.full
def test_many_surfaces_are_added_in_one_edit(tmp_path: Path, monkeypatch) -> None:
    rows = "".join(
        f"  - box: {{from: [{2 * k}m, 0, 20], to: [{2 * k + 1}, 1, 21], surfce: 'x {k}'}}\n" for k in range(40)
    )
    path, text = tmp_path / "level.yaml", HEAD + GROUND + rows
    path.write_text(text)
    parsed = []
    real = yaml_document.compose_tree
    monkeypatch.setattr(yaml_document, "compose_tree", lambda text: parsed.append(1) or real(text))
    done = autofix_level(path, text)
    assert (done.remaining, len(done.done)) == ((), 120)
    assert len(parsed) < 10
    bare = text.replace(HEAD, HEAD.replace("surfaces:\n  # all\n  stone: {colour: grey}\n", ""))
    path.write_text(bare)
    assert autofix_level(path, bare).remaining == ()


def test_rules_speak_of_what_quads_say() -> None:
    """The patterns of the rules match the messages of the quad checks."""
    assert "corners 1 and 2 are the same point" in str(find_quad_fault([(0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 1)]))
    assert "its edges cross" in str(find_quad_fault([(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 1)]))
    assert RecordReader is not None
