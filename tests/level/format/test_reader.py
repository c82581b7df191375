"""Every mistake is reported at its position, in words and with a fix, all in one run."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from game.level import Finding, check, load, severity_exit_code
from game.level.format import values
from game.level.format.findings import MAX_FINDINGS, sanitize_text

Said = Callable[..., list[Finding]]
Written = Callable[[str], Path]


def test_the_caret_stands_right_under_wide_letters_and_in_long_lines(said: Said) -> None:
    _, finding = said("box: {name: 日本語, from: [0, 0, 0], to: [1, q, 1]}")
    _, quote, caret, *_ = finding.render().split("\n")
    assert caret.index("^") == quote.index("q") + 3, "three letters two columns wide"
    (finding,) = said(f"box: {{name: {'a' * 3000}, from: [0, 0, 0], to: [1, 1, 1]}}")
    _, quote, caret, *_ = finding.render().split("\n")
    assert max(len(quote), len(caret)) < 200
    assert quote[caret.index("^")] == "a"


def test_what_can_be_kept_is_kept(written: Written) -> None:
    """A wrong value costs only itself."""
    path = written(
        "format: 1\nspawn: {at: [0, 0, 0], facing: up}\ngoal: {at: [0, 0, 0], radius: x}\nsky: {haze: thick, sun: {height: 200, from: west}}\n"
        "surfaces: {ice: {friction: 0.1, colour: nocolour}}\npieces:\n  - floor: {from: [0, 0], to: [9, 9], surface: ice}\n"
        "  - wall: {from: [0, 0], to: [4, 0], surface: isce, doors: [{at: 99}, {at: 2}]}\n"
    )
    level = load(path)
    assert [finding.where for finding in level.findings] == [
        "spawn.facing", "goal.radius", "sky.haze", "sky.sun.height", "surfaces.ice.colour", "wall.surface", "wall.doors.at",
    ]  # fmt: skip
    assert (level.sky.haze, level.sky.sun_height, level.sky.sun_from) == (0.004, 40.0, 90.0)
    assert level.goal is not None
    assert (level.spawns[0].heading, level.goal.radius, level.surfaces[1].friction) == (0, 1.0, 0.1)
    assert {origin.kind for origin in level.origins} == {"floor", "wall"}


def test_many_findings_are_cut_and_counted(written: Written) -> None:
    rows = "\n".join(f"  - nothing{k}: 1" for k in range(3000))
    findings = check(
        written(f"format: 1\nspawn: {{at: [0, 0, 0]}}\npieces:\n  - floor: {{from: [0, 0], to: [1, 1]}}\n{rows}\n")
    )
    assert len(findings) == MAX_FINDINGS + 1
    assert findings[-1].message == f"{3000 - MAX_FINDINGS} more dropped findings not shown"


def test_findings_cannot_steer_a_terminal(said: Said) -> None:
    for piece in (
        r'"\e[31mred": 1',
        r'box: {"\e]0;x\a": 1, from: [0, 0, 0], to: [1, 1, 1]}',
        r'floor: {from: ["\b", 0], to: [1, 1]}',
    ):
        for finding in said(piece):
            assert all(char.isprintable() or char == "\n" for char in finding.render())
    assert sanitize_text("a\x1b[2Jb") == r"a\x1b[2Jb"
    assert sanitize_text("\u2028\udcff\U000e0001") == r"\u2028\udcff\U000e0001"


def test_warnings_alone_leave_zero_but_not_when_strict(written: Written) -> None:
    path = written(
        "format: 1\nspawn: {at: [0, 0, 0]}\nsurfaces: {stone: {}, ice: {}, icy: {}}\n"
        "pieces: [floor: {from: [-1, -1], to: [1, 1], surface: ice}]\n"
    )
    findings = check(path)
    assert [(finding.severity, finding.message) for finding in findings] == [
        ("warning", "`stone` is never used"),
        ("warning", "`icy` is never used"),
    ]
    assert findings[1].cure == "use it, or remove it"
    assert (severity_exit_code(findings), severity_exit_code(findings, strict=True)) == (0, 1)
    assert severity_exit_code([]) == severity_exit_code([], strict=True) == 0


def test_aliases_serve_as_shorthand(written: Written) -> None:
    level = load(
        written(
            "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n"
            "  - group: {of: &pair [box: {from: [0, 0, 0], to: [1, 1, 1]}, box: {from: [2, 0, 0], to: [3, 1, 1]}]}\n"
            "  - group: {at: [0, 0, 4], of: *pair}\n"
        )
    )
    assert len(level.faces) == 1 + 4 * 5


@pytest.mark.full
def test_quads_of_nested_arrays_are_counted_before_they_are_made(said: Said) -> None:
    inside = "box: {from: [0, 0, 0], to: [1, 1, 1]}"
    for _ in range(12):
        inside = f"array: {{count: 1000000, step: [1, 0, 0], of: [{inside}]}}"
    findings = said(inside)
    assert {finding.where for finding in findings} == {"array"}
    many = ", ".join(["array: {count: 50000, of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}"] * 110)
    findings = said(f"group: {{of: [{many}]}}")
    assert sum(finding.message.startswith("this needs 299994 quads") for finding in findings) > 100


def test_the_edit_for_a_missing_surface_is_made_once(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes long in a large file, which may name the surface thousands of times."""
    made: list[str] = []
    define = values.define_surface
    monkeypatch.setattr(values, "define_surface", lambda root, name: made.append(name) or define(root, name))
    boxes = "".join(f"  - box: {{from: [{k}, 0, 0], to: [{k}.5, 1, 1], surface: wood}}\n" for k in range(20))
    text = "format: 1\nspawn: {at: [0, 0, 6]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n" + boxes
    findings = [finding for finding in check(written(text)) if "no surface" in finding.message]
    assert (len(findings), made) == (20, ["wood"])
    assert {finding.edit for finding in findings} == {findings[0].edit}
    assert findings[0].edit is not None
