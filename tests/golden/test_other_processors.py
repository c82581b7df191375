"""The tools that compare processors and Pythons find what they look for."""

from __future__ import annotations

import re

import numba
import numpy as np
import pytest

from tools.verify import fused_operations, other_pythons, processors

pytestmark = pytest.mark.jit


@pytest.mark.skipif(numba.version_info < (0, 62), reason="the tool reads the assembly of newer versions of LLVM")
def test_a_fused_operation_is_found_where_it_is_allowed_and_nowhere_else():
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()

    @numba.njit
    def lines(a, b, c):
        kept = np.empty(a.size)  # an array whose references are counted
        for k in range(a.size):
            kept[k] = a[k] * b + c
        return kept.sum()

    lines(np.ones(3), 2.0, 3.0)
    (code,) = lines.inspect_llvm().values()
    for triple, processor in fused_operations.PROCESSORS:
        plain = fused_operations.assembly(code, triple, processor)
        assert fused_operations.PRODUCTS.search(plain)
        assert not fused_operations.FUSED.search(plain)
        allowed = fused_operations.assembly(fused_operations.fusible(code), triple, processor)
        assert bool(fused_operations.FUSED.search(allowed)) == (processor in fused_operations.HAS_FMA), processor


def test_a_differing_hash_is_marked_and_missing_ones_are_none():
    found = {
        "native": {"features": "znver3", "demo": "a1", "lifts": "b1"},
        "aarch64": {"features": "generic", "demo": "a2"},
        "interpreted": {"demo": "a1", "lifts": "b1", "waters": "c1"},
    }
    assert processors.differences(found) == [("aarch64", "demo")]
    rows = [re.split(r" ?\| ?", line)[1:-1] for line in processors.table(found).splitlines()]
    assert rows[0] == ["", "native", "aarch64", "interpreted"]
    assert rows[3:] == [["demo", "a1", "**a2**", "a1"], ["lifts", "b1", "-", "b1"], ["waters", "-", "-", "c1"]]


def test_the_readme_has_a_line_that_plays_and_one_that_tests():
    play, test = other_pythons.readme_lines()
    assert play.endswith("python run_game.py")
    assert test.endswith("python -m pytest")
