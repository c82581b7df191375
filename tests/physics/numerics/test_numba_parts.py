"""Parts of Numba that the kernel compiler relies on; plain Numba, with the same bits, where one is not as expected."""

import ast
import json
from pathlib import Path

import numba
import pytest

from game.physics.numerics import jit, numba_parts
from tests.support.child_processes import run_python
from tools.verify import golden

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT or numba_parts.plain_reason()), reason="this package's compiler compiles nothing"
)

ROOT = Path(__file__).resolve().parents[3]
NUMERICS = ROOT / "game" / "physics" / "numerics"

# What a later Numba might do: one method takes another argument.
CHANGED = """
from numba.core.codegen import JITCodeLibrary
JITCodeLibrary.get_pointer_to_function = lambda self, name, flags=0, usual=JITCodeLibrary.get_pointer_to_function: (
    usual(self, name)
)
"""
SMALL = f"""
from {jit.__name__} import allocating, inlined, inner, kernel
import numpy as np

@inner
def scaled(x, factor=0.1):
    return x * factor / 3.0

@inlined
def outer(rows, k):
    if k < 0:
        raise ValueError("k must be at least 0")
    return scaled(rows[k]) - scaled(rows[0], 0.7) / rows[k]

@kernel
def total(rows, first):
    s = 0.0
    for k in range(first, len(rows)):
        s += outer(rows, k)
    return s

@allocating
def each(rows):
    out = np.zeros(len(rows))
    for k in range(len(rows)):
        out[k] = outer(rows, k)
    return out
"""
RUN = """
import json, sys
import numpy as np
from small import each, outer, total
from game.app.commands import doctor
from game.physics.numerics import jit

rows = np.random.default_rng(7).normal(size=100)
rows[5] = 0.0  # divides by zero, as NumPy does
bits = [total(rows[6:], 1).hex(), each(rows).tobytes().hex(), outer(rows, 9).hex()]
try:
    error = total(rows, -1)
except ValueError as raised:
    error = str(raised)
jit.record_compiled("part")
hits = sum(sum(kernel.stats.cache_hits.values()) for kernel in (total, each))
lines = [str(line) for line in doctor.check_kernel_compiler()]
ours = type(total).__module__.endswith(".kernel_compiler")
print(json.dumps([bits, error, lines, ours, hits, jit.is_compiled("part"), callable(outer)]))
"""


def run(code, folder=ROOT, **extra):
    """What a process prints, as JSON."""
    printed = run_python(code, folder=folder, seconds=3600, WALKER_BACKGROUND_COMPILE="0", **extra)
    return json.loads(printed.splitlines()[-1])


def test_another_numba_is_described_in_words():
    """A name that is gone, another kind of object, other arguments."""
    part = "numba.core.codegen", "JITCodeLibrary.finalize"
    assert numba_parts.unexpected_part((*part, "self")) is None
    assert numba_parts.unexpected_part((*part, "self more")) == f"{'.'.join(part)} takes other arguments (self)"
    assert (
        numba_parts.unexpected_part((part[0], "JITCodeLibrary.gone", None))
        == f"{part[0]}.JITCodeLibrary.gone is missing"
    )
    assert numba_parts.unexpected_part(("numba.gone", "x", "self")) == "numba.gone.x is missing"
    assert numba_parts.unexpected_part(("numba", "__version__", "self")) == "numba.__version__ is of another kind"


def test_every_part_that_is_imported_is_checked():
    """Imports from `numba.core` and of names that begin with an underscore."""
    checked = {f"{module}.{name.partition('.')[0]}" for module, name, _ in numba_parts.PARTS}
    checked |= {module for module, *_ in numba_parts.PARTS}
    imported = {
        f"{node.module}.{each.name}"
        for path in NUMERICS.glob("kernel_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("numba.")
        for each in node.names
    }
    assert len(imported) > 8
    assert imported - {"numba.core.types"} <= checked


@pytest.mark.full
def test_plain_numba_gives_the_same_bits_and_doctor_says_why(tmp_path):
    """Compiled with this package's compiler; with plain Numba, where a part of it has changed; from Numba's cache."""
    (tmp_path / "small.py").write_text(SMALL, encoding="utf-8")
    places = {"folder": tmp_path, "WALKER_CACHE": str(tmp_path / "cache")}
    usual, error, lines, ours, hits, is_compiled, _ = run(RUN, **places)
    assert (error, ours, hits, is_compiled) == ("k must be at least 0", True, 0, True)
    assert lines == ["ok   shipped kernels: none"]
    for expected_hits in (0, 2):
        bits, error, lines, ours, hits, is_compiled, _ = run(CHANGED + RUN, **places)
        assert bits == usual
        assert (error, ours, hits, is_compiled) == ("k must be at least 0", False, expected_hits, True)
        assert lines[0].startswith("ok   kernel compiler: plain Numba")
        assert lines[0].endswith("JITCodeLibrary.get_pointer_to_function takes other arguments (self name flags usual)")


@pytest.mark.full
def test_plain_numba_walks_as_the_golden_hashes_say():
    """The whole tick as plain Numba compiles it. The switch is the one that docs/packaging.md names."""
    code = """
import json
from game.physics import prepare
from game.physics.numerics import numba_parts
from tools.verify import golden
prepare.compile_whole()
hashes = golden.walk_hash(golden.LEVELS / "demo.yaml"), golden.scene_hash("yard")
print(json.dumps([numba_parts.plain_reason(), *hashes]))
"""
    expected = [golden.walk_hash(golden.LEVELS / "demo.yaml"), golden.scene_hash("yard")]
    assert run(code, WALKER_PLAIN_NUMBA="1") == ["WALKER_PLAIN_NUMBA is set", *expected]
