"""Damaged tests of a level, and pieces with random numbers. Damaged levels are in tests/properties."""

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
from game.level.format.command_spans import parse_spans
from game.level.format.level_tests.level_test import WalkPlayer
from tests.support.hostile_input.fuzzed_values import RECORDS, level_text, random_piece
from tests.support.model_files import mutated

ROUNDS = int(os.environ.get("LEVEL_FUZZ", "400"))
LONGEST = 20.0  # s of processor time: a hang, not a timing
TOKENS = (b"1e308", b"-1", b"null", b"[]", b"{", b"]]", b": ", b"- ", b"&a", b"*a", b"|", b"\t", b"\x00", b"of")
PICTURES = b"""\
format: 1
spawn: {at: [0, 0, 6]}
surfaces:
  a: {picture: good.png, size: [2, 1], normal: good.png, roughness: 0.4, cutout: true, scroll: [1, -0.5]}
  b: {picture: cut.png, roughness: good.png, metallic: good.png, emission: good.png, brightness: 2}
  c: {emission: orange, brightness: 3, align: level, sampling: nearest, flow: [0, 1]}
pieces:
  - floor: {from: [-9, -9], to: [9, 9], surface: a}
  - group: {at: [1, 0, 2], facing: 30, scale: [1, 2, 1], of: [pillar: {at: [0, 0, 0], surface: a}]}
  - decal: {picture: good.png, at: [0, 0, 0], on: floor, size: 0.5, pitch: 10, roll: 5, colour: blue}
  - terrain: {from: [20, 0], to: [24, 4], formula: "x / 9", surface: b}
"""


@pytest.mark.full
def test_damaged_pictures_leave_a_level_with_finite_coordinates(tmp_path: Path) -> None:
    rng, coordinates, path = random.Random(1), 0, tmp_path / "level.yaml"
    Image.effect_noise((9, 5), 40).save(tmp_path / "good.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "good.png").read_bytes()[:60])
    for _ in range(ROUNDS // 5):
        path.write_bytes(mutated(rng, PICTURES, TOKENS))
        try:
            level = load(path)
        except LevelError:
            continue
        pictured = np.array([one.pbr is not None and bool(one.pbr.maps) for one in level.surfaces])[level.drawn_surface]
        if pictured.any():
            assert np.isfinite(level.drawn_uv[pictured]).all()
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
        path = scratch(TESTS_HEAD.encode() + mutated(rng, TESTS.encode(), TOKENS))
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
