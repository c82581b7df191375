"""Sweeps verified by the oracle (a smaller run of `python -m tools.verify.oracle`), and tests of the oracle itself."""

import numba
import numpy as np
import pytest

from tests.support.oracle import EXTENDED, LONG, Approach, check_backwards, distance
from tests.support.oracle_cases import aim, families, scene, tally_batches

CASES = 100 if numba.config.DISABLE_JIT else 1500
pytestmark = pytest.mark.skipif(not EXTENDED, reason="no floats longer than a double here")


@pytest.mark.sample(11)
@pytest.mark.parametrize(("entry", "kind", "approach"), families(), ids=map("-".join, families()))
def test_sweeps_pass_the_oracle(entry, kind, approach):
    """At the reported fraction the distance is the radius, and never less before; fractions agree to 1e-9."""
    *_, tally = tally_batches(entry, kind, approach, CASES, seed=1)
    assert not tally.wrong, tally.wrong[0]
    assert tally.cases >= CASES
    assert tally.hits > CASES / 50


def cases(count=600):
    random = np.random.default_rng(2)
    tri = scene(random, "plain", count)
    tri = tri - tri.mean(1, keepdims=True)
    start, displacement = aim(random, tri, "headlong")
    return tri, start, displacement


def test_closest_approach_of_a_sweep():
    """No sample of the path is closer, and some are nearly as close."""
    tri, start, displacement = cases(200)
    approach = Approach(tri, start, displacement)
    comb = np.stack([approach.at(np.full(len(tri), t)) for t in np.linspace(0, 1, 400)])
    assert (comb.min(0) >= approach.nearest - 1e-15).all()
    assert (comb.min(0) - approach.nearest <= np.linalg.norm(displacement, axis=1) / 799 + 1e-15).all()
    assert (np.abs(approach.at(approach.when) - approach.nearest) <= 1e-15).all()


def test_the_oracle_detects_wrong_results():
    """True first touches pass; touches reported late, early or not at all do not."""
    tri, start, displacement = cases()
    outside = distance(tri, start) > 1.001
    tri, start, displacement = tri[outside], start[outside], displacement[outside]
    approach = Approach(tri, start, displacement)
    first = approach.first(LONG(1))
    hit = np.isfinite(first) & (approach.nearest < 0.99)
    tri, start, displacement, first = tri[hit], start[hit], displacement[hit], first[hit].astype(float)
    assert len(tri) > 100
    true = check_backwards(tri, start, displacement, first, 1.0)
    size = np.maximum(np.abs(tri).max((1, 2)), np.abs(displacement).max(1)) + np.abs(start).max(1)
    assert (np.abs(true.at_hit) <= 1e-15 * size).all()
    assert (true.early <= 1e-15 * size).all()
    assert (np.abs(true.fraction) * np.linalg.norm(displacement, axis=1) * true.slope <= 1e-15 * size).all()
    step = 1e-9 / np.linalg.norm(displacement, axis=1)
    fair = true.slope > 0.1
    late = check_backwards(tri, start, displacement, first + step, 1.0)
    assert (late.at_hit[fair] < -0.9e-10).all()
    early = check_backwards(tri, start, displacement, first - step, 1.0)
    assert (early.at_hit[fair] > 0.9e-10).all()
    np.testing.assert_allclose(early.fraction[fair], step[fair], rtol=1e-3)
    missed = check_backwards(tri, start, displacement, np.full(len(tri), np.inf), 1.0)
    assert (missed.early > 0.009).all()
    np.testing.assert_allclose(missed.early, 1 - np.minimum(approach.nearest[hit], 1).astype(float), atol=1e-15)
