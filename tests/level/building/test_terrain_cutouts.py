"""Patches and cups of terrain: no cracks, unchanged heights, and every triangle is found by its cell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from game.level import Level

Built = Callable[..., Level]
HILLS = "from: [-8, -7], to: [7, 8], cell: 0.9, formula: '0.8 * noise(x / 3, z / 3)'"
DISC = "5**2 - (x - 1)**2 - z**2"
TWO = f"paint: [{{surface: default, where: '{DISC}'}}, {{surface: default, where: '2**2 - (x - 4)**2 - (z + 3)**2'}}]"
CUP = "cups: [{at: [1.3, -2.1], radius: 0.15, depth: 0.25}]"


def top_of(level: Level) -> tuple[np.ndarray, np.ndarray]:
    """Triangles (N,3,3) of the top of the terrain, and their rows among the level's triangles."""
    rows = np.flatnonzero(level.faces.smooth[level.quad_index])
    return level.triangles[rows], rows


def plan_area(triangles: np.ndarray) -> np.ndarray:
    a, b = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    return (a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]) / 2.0


def below(level: Level, plan: np.ndarray) -> np.ndarray:
    points = np.column_stack((plan[:, 0], np.full(len(plan), 9.0), plan[:, 1]))
    return level.mesh.ground_below_many(points).point[:, 1]


def test_a_patch_moves_no_ground_and_opens_nothing(built: Built) -> None:
    plain, patched = built(f"terrain: {{{HILLS}}}"), built(f"terrain: {{{HILLS}, {TWO}}}")
    triangles, _ = top_of(patched)
    assert len(triangles) > len(top_of(plain)[0])
    sides = Counter(tuple(sorted((tuple(t[k]), tuple(t[(k + 1) % 3])))) for t in triangles.tolist() for k in range(3))
    rim = sum(count == 1 for count in sides.values())
    assert set(sides.values()) == {1, 2}
    assert rim == sum(count == 1 for count in Counter(
        tuple(sorted((tuple(t[k]), tuple(t[(k + 1) % 3])))) for t in top_of(plain)[0].tolist() for k in range(3)
    ).values())  # no patch reaches the rim  # fmt: skip
    plan = np.random.default_rng(2).uniform((-8, -7), (7, 8), (2000, 2))
    assert np.abs(below(plain, plan) - below(patched, plan)).max() < 1e-12  # a cut lies in its plane, but for rounding
    area = plan_area(triangles)
    assert area.min() > 0.9 * 0.9 / 2.0 * 1e-3
    assert area.sum() == pytest.approx(15.0 * 15.0, rel=1e-12)


def test_a_patch_is_as_large_as_its_formula_says(built: Built) -> None:
    patched = f"terrain: {{{HILLS}, paint: [{{surface: wet, where: '{DISC}'}}]}}"
    level = built(patched, more="surfaces: {wet: {colour: blue}}\n")
    triangles, rows = top_of(level)
    wet = level.surface_index[rows] == 1
    # Along a side of up to 1.28 m the formula is taken as straight, and its ends are left a twenty-fifth of it.
    off = 1.28**2 / 8.0 * 2.0 / (2.0 * 5.0) + 0.04 * 1.28
    corners = triangles[wet].reshape(-1, 3)
    assert np.hypot(corners[:, 0] - 1.0, corners[:, 2]).max() < 5.0 + off
    assert math.pi * (5.0 - 2.0 * off) ** 2 < plan_area(triangles[wet]).sum() < math.pi * (5.0 + off) ** 2


@pytest.mark.parametrize("group", ["{}", "group: {{facing: 90, at: [3, 0, 2], of: [{}]}}"])
def test_a_cup_is_a_round_hole_with_a_wall_and_a_bottom(built: Built, group: str) -> None:
    plain = built(group.format(f"terrain: {{{HILLS}, {TWO}}}"))
    dug = built(group.format(f"terrain: {{{HILLS}, {TWO}, {CUP}}}"))
    (mark,) = (mark for mark in dug.faces.marks if mark.kind == "cup")
    x, y, z = mark.at
    angle = np.linspace(0.0, math.tau, 41)[:-1]
    ring = np.column_stack((np.sin(angle), np.cos(angle)))
    middle = np.array((x, z))
    for radius in (0.151, 0.3, 0.6, 1.5):
        assert np.abs(below(plain, middle + radius * ring) - below(dug, middle + radius * ring)).max() < 1e-12
    for radius in (0.0, 0.07, 0.147):  # a polygon of 20 sides: its middles lie at 0.988 of the radius
        assert below(dug, middle + radius * ring) == pytest.approx(y - 0.25, abs=1e-12)
    for dx, dz in ring:  # from within, the wall is met at the same distance all around, its front first
        hit = dug.mesh.raycast((x, y - 0.125, z), (dx, 0.0, dz), 1.0)
        assert hit is not None
        assert 0.15 * math.cos(math.pi / 20) - 1e-9 < hit.distance < 0.15 + 1e-9
        row = np.flatnonzero(dug.mesh.source == hit.triangle)[0]
        assert dug.mesh.triangles12[row, 9] * dx + dug.mesh.triangles12[row, 11] * dz < -0.9
    around = plan_area(top_of(plain)[0]).sum() - plan_area(top_of(dug)[0]).sum()
    assert around == pytest.approx(20 / 2 * 0.15**2 * math.sin(math.tau / 20), rel=1e-9)
