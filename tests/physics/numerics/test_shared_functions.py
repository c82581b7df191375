"""Functions that several compiled programs share: kernels of ours, Numba functions of a user that call them, in each
order, compiled and from the kernel cache. Each case runs in a child process, because a wrong call can crash it."""

import numba
import numpy as np
import pytest

from game.physics.numerics import jit
from game.physics.numerics.trigonometry import heading_sin_cos
from tests.support.child_processes import run_python

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="without the JIT nothing is compiled")

ORDERS = ("otpk", "tou", "ktu", "upko")  # of the functions below, by their first letter
STEP = """    if s > {k}.5:
        s -= a[(i + {k}) % 3] / b[j] + {k}.0
    else:
        s += b[(j + {k}) % 3] * a[i]
"""
STEPS = "".join(STEP.format(k=k) for k in range(12))
# `shared` is too long to be inlined, and LLVM drops most of its arguments where it may: an array is seven of them.
INNER = f"""
from {jit.__name__} import inner

@inner
def shared(a, i, b, j):
    s = 0.0
{STEPS}    return s
"""
KERNELS = f"""
import numba
from {jit.__name__} import kernel
from NAME_inner import shared

@kernel
def ours(a, b):
    return shared(a, 0, b, 1) + shared(b, 2, a, 1)

@kernel
def partner(a, b):
    return shared(b, 1, a, 2) - shared(a, 2, b, 2) * ours(b, a)

@numba.njit
def theirs(a, b):
    return shared(a, 2, b, 0) * 2.0 + shared(b, 0, a, 0)

@numba.njit
def users(a, b):
    return shared(a, 1, b, 0) - shared(b, 0, a, 2)

@numba.njit
def kernel_user(a, b):
    return ours(a, b) + partner(b, a)
"""
KEPT = """
import numba
from fine_inner import shared

@numba.njit(cache=True)
def kept(a, b):
    return shared(a, 0, b, 1) * shared(b, 0, a, 1)
"""
RUN = """
import importlib, sys
import numpy as np

a, b = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25, -1.0])
for order in sys.argv[1:]:
    module = importlib.import_module(f"set_{order}")
    for letter in order:
        (function,) = (each for name, each in vars(module).items() if name[0] == letter and hasattr(each, "py_func"))
        before = function(a, b)
        print(order, letter, before == function.py_func(a, b), flush=True)
"""


def run(folder, code, *arguments):
    """What a process prints that finds the modules of the folder; an assertion that names its end where it crashes."""
    return run_python(code, *arguments, folder=folder, WALKER_CACHE=str(folder / "cache")).splitlines()


@pytest.mark.full
def test_programs_that_share_a_function_call_it_rightly_in_every_order(tmp_path):
    """The loader of LLVM knows functions by their names: none of two programs may take that of the other."""
    for order in ORDERS:
        (tmp_path / f"set_{order}.py").write_text(KERNELS.replace("NAME", order), encoding="utf-8")
        (tmp_path / f"{order}_inner.py").write_text(INNER, encoding="utf-8")
    expected = [f"{order} {letter} True" for order in ORDERS for letter in order]
    assert run(tmp_path, RUN, *ORDERS) == expected
    files = {path: path.read_bytes() for path in tmp_path.rglob("*.kernel")}
    assert len(files) == 2 * len(ORDERS) - ORDERS.count("tou")  # nothing calls the partner there
    assert run(tmp_path, RUN, *ORDERS) == expected  # the kernels from the cache
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.kernel")} == files


@pytest.mark.full
def test_a_program_that_numba_kept_does_not_replace_a_function_that_has_changed(tmp_path):
    """Numba keeps a user's function with its copies of ours, and does not see that ours has changed since."""
    (tmp_path / "fine_inner.py").write_text(INNER, encoding="utf-8")
    (tmp_path / "kept.py").write_text(KEPT, encoding="utf-8")
    code = """
import numba, numpy as np
from kept import kept
from fine_inner import shared

@numba.njit
def fresh(a, b):
    return shared(a, 0, b, 2), shared(b, 1, a, 2)

a, b = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25, -1.0])
kept(a, b)
print(sum(kept.stats.cache_hits.values()), fresh(a, b) == fresh.py_func(a, b))
"""
    assert run(tmp_path, code) == ["0 True"]
    (tmp_path / "fine_inner.py").write_text(INNER.replace("return s", "return s, a[0]"), encoding="utf-8")
    assert run(tmp_path, code) == ["1 True"]


@pytest.mark.full
def test_numba_itself_keeps_its_settings():
    """Closures, and one machine code for each literal, as numba has them, after our kernels are compiled."""
    heading_sin_cos(1)

    @numba.njit
    def closure(values):
        def square(x):
            return x * x

        return square(values[0]) + sum([square(x) for x in values])

    assert closure(np.array([2.0, 3.0])) == 17.0

    @numba.njit
    def callee(k):
        return k + 1

    @numba.njit
    def caller(n):
        return callee(1) + callee(n)

    assert caller(4) == 7
    assert len(callee.overloads) == 2
