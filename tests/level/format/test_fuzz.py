"""Mutated level files: no exception except LevelError, bounded time, and the same findings from check and load."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.level import LevelError, check, load, severity_exit_code
from game.level.build.pieces import PIECES
from game.level.format.command_spans import parse_spans
from game.level.format.level_tests.level_test import WalkPlayer
from tests.support.hostile_input.fuzzed_values import RECORDS, level_text, random_piece

COURTYARD = (Path(__file__).parents[1] / "data" / "courtyard.yaml").read_text(encoding="utf-8")
ROUNDS = int(os.environ.get("LEVEL_FUZZ", "400"))
LONGEST = 20.0  # s of processor time: a hang, not a timing

TOKENS = (
    ".nan", "-.inf", "1e308", "1e5", "-1e5", "0", "-1", "1e-9", "99999999999", "null", "~", "true", "[]", "{}", "[[", "]]", "}",
    "{", ":", "- ", "&a", "*a", "!!x", "|", ">", "'", '"', "#", "\t", "\r\n", "\ufeff", "\x00", "日本", "?", ",", "%", "@", "\x85",
    "---", "...", "<<: *a", *PIECES, "count", "at", "from", "to", "corners", "surface", "of", "facing", "tile", "steps",
)  # fmt: skip


def mutated(rng: random.Random, text: str) -> bytes:
    """The text with up to six changes of bytes, tokens or structure."""
    for _ in range(rng.randint(0, 6)):
        where = rng.randrange(len(text) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            text = text[:where] + rng.choice(TOKENS) + text[where:]
        elif kind == 1:
            text = text[:where] + text[where + rng.randint(1, 30) :]
        elif kind == 2:
            text = (
                text[:where]
                + chr(rng.choice((0, 9, 10, 13, 27, 0x7F, 0x85, 0x2028, 0xFFFF, 0x1F600, 65)))
                + text[where:]
            )
        elif kind == 3:
            rows = text.split("\n")
            first, second = rng.randrange(len(rows)), rng.randrange(len(rows))
            rows[first] = " " * rng.randint(0, 6) + rows[second].strip()
            text = "\n".join(rows)
        else:
            words = text.split(" ")
            words[rng.randrange(len(words))] = rng.choice((*TOKENS, *words))
            text = " ".join(words)
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1 and data:
        where = rng.randrange(len(data))
        data = data[:where] + bytes([rng.randrange(256)]) + data[where + 1 :]
    return data


@pytest.mark.full
@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_mutated_levels_are_read_or_refused_without_a_crash(scratch: Callable[[bytes], Path], seed: int) -> None:
    rng = random.Random(seed)
    codes = set()
    for _ in range(ROUNDS // 8):
        data = mutated(rng, COURTYARD)
        path = scratch(data)
        began = time.process_time()
        findings = check(path)
        assert time.process_time() - began < LONGEST, data
        codes.add(severity_exit_code(findings))
        for finding in findings:
            shown = finding.render()
            assert all(char.isprintable() or char == "\n" for char in shown), data
            assert finding.message
        if severity_exit_code(findings) == 2:
            with pytest.raises(LevelError):
                load(path)
            continue
        level = load(path)
        assert np.isfinite(level.triangles).all()
        assert np.abs(level.triangles).max() <= 1e5
    assert codes >= {0, 2}, "levels that are read and levels that are not were tried"


PICTURES = """\
format: 1
spawn: {at: [0, 0, 6]}
surfaces:
  a: {picture: good.png, size: [2, 1], normal: good.png, roughness: 0.4, colour: red, cutout: true, scroll: [1, -0.5]}
  b: {picture: wide.png, roughness: good.png, metallic: good.png, occlusion: text.png, emission: good.png, brightness: 2}
  c: {emission: orange, brightness: 3, align: level, sampling: nearest, see_through: true, flow: [0, 1]}
pieces:
  - floor: {from: [-9, -9], to: [9, 9], surface: a}
  - group: {at: [1, 0, 2], facing: 30, scale: [1, 2, 1], of: [pillar: {at: [0, 0, 0], surface: a}, arch: {from: [-4, 0], to: [4, 0], surface: c}]}
  - decal: {picture: good.png, at: [0, 0, 0], on: floor, facing: east, size: 0.5, pitch: 10, roll: 5, colour: blue, opacity: 0.5}
  - decal: {picture: cut.png, at: [0, 1, -4], facing: south, size: [1, 2]}
  - terrain: {from: [20, 0], to: [24, 4], formula: "x / 9", surface: b}
"""


@pytest.mark.full
@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_mutated_pictures_leave_a_level_with_finite_coordinates(tmp_path: Path, seed: int) -> None:
    """Pictures and decals with mistakes: the level is read, and its texture coordinates are numbers."""
    rng, coordinates, path = random.Random(seed), 0, tmp_path / "level.yaml"
    Image.effect_noise((9, 5), 40).save(tmp_path / "good.png")
    Image.new("1", (40_000, 3)).save(tmp_path / "wide.png")
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "cut.png").write_bytes((tmp_path / "good.png").read_bytes()[:60])
    for _ in range(ROUNDS // 10):
        path.write_bytes(mutated(rng, PICTURES))
        try:
            level = load(path)
        except LevelError:
            continue
        assert severity_exit_code(check(path)) >= severity_exit_code(level.findings)
        for triangles, surface, uv in (
            (level.drawn, level.drawn_surface, level.drawn_uv),
            *((mover.drawn, mover.drawn_surface, mover.drawn_uv) for mover in level.movers),
        ):
            pictured = np.array([one.pbr is not None and bool(one.pbr.maps) for one in level.surfaces])[surface]
            assert (uv is not None) or not pictured.any()
            if uv is not None:
                assert uv.shape == (*triangles.shape[:2], 2)
                assert np.isfinite(uv[pictured]).all()
                coordinates += int(pictured.sum())
    assert coordinates > 100, "some pictures are still read"


TESTS_HEAD = (
    "format: 1\nspawn: {at: [0, 0, 6]}\ngoal: {at: [0, 0, -6]}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n"
)
TESTS = """\
tests:
  - name: the stairs
    walk: ["60 forward 1", 30]
    expect: [{goal: {within: 75}}, {at: {point: [0, 0, -8], radius: 0.5, tick: 80}, touches: [floor], hash: }]
  - {name: the wall, bot: explore, seed: 3, seconds: 9, expect: {never: {inside: {from: [10, 0, -4], to: [14, 3, 4]}}}}
  - name: the belt
    walk:
      - 60 forward 1
      - 30 jump
    expect:
      always: {grounded: true}
      deaths: 0
      targets: all
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_mutated_tests_never_reach_the_level(scratch: Callable[[bytes], Path], seed: int) -> None:
    """Mistakes in tests never reach the level, and what is read can be used: lengths, walks."""
    rng = random.Random(seed)
    kept = 0
    for _ in range(ROUNDS // 8):
        path = scratch(TESTS_HEAD.encode() + mutated(rng, TESTS))
        try:
            level = load(path)
        except LevelError:
            continue  # the file is not YAML any more, or another field of the level was hit
        assert severity_exit_code(check(path)) >= severity_exit_code(level.findings)
        assert len(level.triangles) == 2
        for test in level.tests:
            kept += 1
            assert test.name
            assert test.expect
            assert (test.length(60.0) or 0) >= 0
            assert (
                not isinstance(test.player, WalkPlayer) or test.player.path or parse_spans("\n".join(test.player.lines))
            )
    assert kept > 3, "some tests are still read"


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_random_pieces_with_random_numbers(scratch: Callable[[str], Path], seed: int) -> None:
    """Fields of the right kind at the limits of their ranges: the result obeys the limits of a level."""
    rng = random.Random(seed)
    for _ in range(ROUNDS // 40):
        rows = [f"  - {random_piece(rng, rng.choice(RECORDS), 0)}" for _ in range(rng.randint(1, 4))]
        path = scratch(level_text(rows, "surfaces: {stone: {}}\n"))
        began = time.process_time()
        findings = check(path)
        assert time.process_time() - began < LONGEST, path.read_text()
        assert severity_exit_code(findings) < 2, path.read_text()
        level = load(path)
        assert np.isfinite(level.triangles).all()
        assert np.abs(level.triangles).max() <= 1e5
