"""`check --fix`: each fix edits its place, a check follows; unclear findings stay."""

# ruff: noqa: E501 (one line a level)

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from game.level import LevelBuilder, LevelError, check
from game.level.edit import autofix, read_text
from game.level.edit.autofix import autofix_level
from game.level.format.findings import Edit
from game.level.format.yaml_layout import apply_edits

LEVELS = Path(__file__).resolve().parents[3] / "levels"
HEAD = "format: 1\nspawn: {at: [8, 0, 8]}\nsurfaces:\n  # all\n  stone: {colour: grey}\npieces:\n"
GROUND = "  - floor: {from: [-9, -9], to: [9, 9], surface: stone}  # ground\n"

# In one line of a level, what is written and what it becomes; None: it stays.
FIXED_LINES: dict[str, str | None] = {
    "box: {form: [0, 0, 0], to: [1, 1, 1]}": "box: {from: [0, 0, 0], to: [1, 1, 1]}",
    "box: {from: [0, 0, 0], form: [1, 1, 1], to: [1, 1, 1]}": None,  # a second `from`
    "box: {From: [0, 0, 0], to: [1, 1, 1]} # c": "box: {from: [0, 0, 0], to: [1, 1, 1]} # c",
    "blok: {from: [0, 0, 0], to: [1, 1, 1]}": None,
    "block: {from: [0, 0, 0], to: [1, 1, 1]}": None,
    "bocks: {from: [0, 0, 0], to: [1, 1, 1]}": None,
    "lamp: {at: [0, 2, 0]}": None,  # a light, not a ramp
    "pillar: {at: [0, 0, 0], light: 2}": None,  # no height
    "exhibit: {at: [0, 0, 0], player: big}": None,
    "stares: {at: [0, 0, 0], steps: 3}": "stairs: {at: [0, 0, 0], steps: 3}",
    "box: {from: [0, 0, 0], to: [1, 1, 1], surface: 'ston'}": "box: {from: [0, 0, 0], to: [1, 1, 1], surface: stone}",
    "box: {from: [0, 0, 0], to: [1, 1, 1], material: stone}": None,
    "box: {from: [0, 0, 0], to: [1, 1, 1], glow: 3}": None,
    "box: {from: [0, 0, 0], to: [1, 1, 1], colour: red}": None,
    "box: {from: [0, 0, 0], to: [1, 1, 1], facing: eest}": None,  # east or west
    "box: {from: [0, 0, 0], to: [1, 1, 1], facing: eats}": "box: {from: [0, 0, 0], to: [1, 1, 1], facing: east}",
    "pilar: {at: [0, 0, 0], hight: 2, facing: soth}": "pillar: {at: [0, 0, 0], height: 2, facing: south}",
    "pillar: {at: [0, 0, 0], height: 2 kg}": None,
    "pillar: {at: [0, 0, 0], height: tall}": None,
    "pillar: {at: [0, 0, 0], height: 0}": None,
    "box: {from: [0, 0, 0], to: [1, 1, 1], to: [2, 2, 2]}": None,
    "place: {what: *nobody}": None,
    '{"stares":{"at":[0, 0, 0], "stepz":3}}': '{"stairs":{"at":[0, 0, 0], "stepz":3}}',
    "box: {from: [0, 0, 0], to: [1, 1, 1], surface: &s ston}": "box: {from: [0, 0, 0], to: [1, 1, 1], surface: &s stone}",
    "box: {from: [0, 0, 0], to: [1, 1, 1], surface: ston\n      e}": None,  # on two lines
    "box: {form: [0, 0, 0], frm: [1, 1, 1], to: [1, 1, 1]}": "box: {from: [0, 0, 0], frm: [1, 1, 1], to: [1, 1, 1]}",
}  # fmt: skip


def autofixed(path: Path, text: str) -> str:
    path.write_bytes(text.encode())
    done = autofix_level(path, text)
    was, now = check(path), list(done.remaining)
    assert path.read_bytes() == text.encode(), "nothing is written"
    path.write_bytes(done.text.encode())
    assert [str(finding) for finding in check(path)] == [str(finding) for finding in now]
    assert (done.text == text) == (not done.done)
    assert len(now) <= len(was)
    assert done.done or len(now) == len(was)
    return done.text


@pytest.mark.sample(10)
@pytest.mark.parametrize("line", FIXED_LINES)
def test_one_wrong_line_is_fixed_or_left_as_it_is(line: str, tmp_path: Path) -> None:
    text = HEAD + GROUND + f"  - {line}\n"
    if "*" in line:
        with pytest.raises(LevelError):
            autofix_level(tmp_path / "level.yaml", text)
        return
    assert autofixed(tmp_path / "level.yaml", text) == text.replace(line, FIXED_LINES[line] or line)


def test_surfaces_that_are_used_and_not_there(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    uses = "  - box: {from: [0, 0, 0], to: [1, 1, 1], surface: oak planks}\n  - box: {from: [3, 0, 0], to: [4, 1, 1], surface: oak planks}\n"
    added = "  stone: {colour: grey}\n  oak planks: {colour: grey}\n"
    assert autofixed(path, HEAD + GROUND + uses) == (HEAD + GROUND + uses).replace("  stone: {colour: grey}\n", added)
    none = "format: 1\nspawn: {at: [8, 0, 8]}\n# the pieces\npieces:\n  - floor: {from: [-9, -9], to: [9, 9], surface: moss}"
    assert autofixed(path, none) == none.replace("# the", "surfaces: {moss: {colour: grey}}\n# the")
    flow = (
        "{format: 1, spawn: {at: [8, 0, 8]}, surfaces: {}, pieces: [floor: {from: [-9, -9], to: [9, 9], surface: red}]}"
    )
    assert autofixed(path, flow) == flow.replace("surfaces: {}", "surfaces: {red: {colour: grey}}")


def test_a_missing_format_and_what_comes_to_light(tmp_path: Path) -> None:
    text = "# mine\nspawn: {at: [8, 0, 8]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n  - target: {at: [0, 9, 0]}\n"
    assert autofixed_with_warnings(tmp_path / "level.yaml", text) == ("format: 1\n" + text, ["target"])


def autofixed_with_warnings(path: Path, text: str) -> tuple[str, list[str]]:
    path.write_text(text)
    done = autofix_level(path, text)
    return done.text, [finding.where for finding in done.remaining]


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
    assert len(done.done) > 40
    assert not done.remaining
    changed = [(was, now) for was, now in zip(lines, done.text.split("\n"), strict=True) if was != now]
    original = set(old.split("\n"))
    assert sum(now in original for _, now in changed) > 0.9 * len(changed)


@pytest.mark.parametrize("count", [70, pytest.param(2000, marks=pytest.mark.full)])
def test_a_mistake_that_repeats_is_fixed_everywhere(count: int, tmp_path: Path) -> None:
    """In fewer checks than there are mistakes: their number is bounded."""
    rows = "".join(
        f"  - box: {{from: [{2 * k}, 0, 20], to: [{2 * k + 1}, 1, 21], surfce: stone}}\n" for k in range(count)
    )
    path, text = tmp_path / "level.yaml", HEAD + GROUND + rows
    path.write_text(text)
    done = autofix_level(path, text)
    assert done.text == text.replace("surfce", "surface")
    assert (len(done.done), done.remaining) == (count, ())


def test_an_error_that_was_there_before_forbids_no_fix(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    text = HEAD + GROUND + "  - decal: {picture: ok.pn, at: [0, 0, 0], on: flor}\n"
    path.write_text(text)
    done = autofix_level(path, text)
    assert done.text == text.replace("flor}", "floor}")
    assert [finding.message for finding in done.remaining] == ["`ok.pn` is not a picture file"]


@pytest.mark.full
def test_many_surfaces_are_added_in_one_edit(tmp_path: Path, monkeypatch) -> None:
    rows = "".join(
        f"  - box: {{from: [{2 * k}, 0, 20], to: [{2 * k + 1}, 1, 21], surfce: 'x {k}'}}\n" for k in range(40)
    )
    path, text = tmp_path / "level.yaml", HEAD + GROUND + rows
    path.write_text(text)
    checked = []
    real = autofix.check_source
    monkeypatch.setattr(autofix, "check_source", lambda source: checked.append(1) or real(source))
    done = autofix_level(path, text)
    assert (done.remaining, len(done.done)) == ((), 80)
    assert len(checked) < 5
    bare = text.replace(HEAD, HEAD.replace("surfaces:\n  # all\n  stone: {colour: grey}\n", ""))
    path.write_text(bare)
    assert autofix_level(path, bare).remaining == ()


def edits(text: str) -> list[Edit]:
    return [finding.edit for finding in check(text=text) if finding.edit is not None]


def test_edits_of_one_place_follow_each_other_or_exclude_each_other() -> None:
    assert apply_edits("ab", [Edit(1, 1, "x"), Edit(1, 1, "y"), Edit(1, 1, "x"), Edit(2, 2, "z")])[0] == "axybz"
    text, made = apply_edits("abc", [Edit(1, 3, "x"), Edit(0, 2, "y"), Edit(1, 1, "z"), Edit(3, 3, "!")])
    assert (text, made) == ("yc!", [Edit(0, 2, "y"), Edit(3, 3, "!")])
    both = GROUND.replace("stone", "moss") + GROUND.replace("stone", "gravel")
    for none in ("", "surfaces: {}\n", "surfaces:\n"):
        bare = f"{HEAD.split('surfaces:')[0]}{none}pieces:\n{both}"
        first, made = apply_edits(bare, edits(bare))
        assert (first.count("surfaces:"), first.count("colour"), len(made)) == (1, 1, 1)
    given, made = apply_edits(HEAD + both, edits(HEAD + both))
    assert len(made) == 2
    assert not edits(given)


@pytest.mark.parametrize(
    "surfaces",
    ["surfaces: &s {a: {colour: red}}\nother: *s\n", "other: &s {a: {colour: red}}\nsurfaces: *s\n", "surfaces: 1\n"],
)
def test_surfaces_that_are_written_elsewhere_too_are_not_edited(surfaces: str) -> None:
    assert not edits(f"format: 1\nspawn: {{at: [8, 0, 8]}}\n{surfaces}pieces:\n{GROUND}")


def test_a_surface_is_added_behind_an_alias() -> None:
    surfaces = "surfaces: {a: &s {colour: red}, b: *s}\n"
    text = f"format: 1\nspawn: {{at: [8, 0, 8]}}\n{surfaces}pieces:\n{GROUND}"
    assert apply_edits(text, edits(text))[0] == text.replace("b: *s}", "b: *s, stone: {colour: grey}}")


def test_offsets_count_characters_without_a_byte_order_mark(tmp_path: Path) -> None:
    text = "# gr\u00f6\u00dfer \U0001f600\r\n" + (HEAD + GROUND).replace("from", "form").replace("\n", "\r\n")
    path = tmp_path / "level.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    (edit,) = (finding.edit for finding in check(path) if finding.edit is not None)
    assert apply_edits(text, [edit])[0] == text.replace("form:", "from:")


def test_a_level_made_in_python_has_findings_without_edits() -> None:
    level = LevelBuilder(spawn={"at": [0, 0, 0]})
    level.add("floor", {"from": [-9, -9], "to": [9, 9], "surface": "moss"})
    level.add("box", {"form": [0, 0, 0], "to": [1, 1, 1]})
    found = level.check()
    assert {"did you mean `from`?", "define `moss` under `surfaces:`"} <= {finding.cure for finding in found}
    assert not any(finding.edit for finding in found)
