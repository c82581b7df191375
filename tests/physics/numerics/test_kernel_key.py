"""The key of a compiled kernel: what changes it and what does not."""

import itertools
import json
import sys
import types

import numba
import numpy as np
import pytest

from game.physics import prepare
from game.physics.numerics import jit, kernel_key
from tests.support.child_processes import run_python

MODULES = ["batch", "character.tick.run", "query.rays", "query.shape_mesh", "balls.balls", "query.closest_points"]

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="without the JIT nothing is compiled")

SOURCES = {
    "layout": "SKIN = 1\nGAP = 2\nUNREAD = 3\n",
    "helpers": """
from enum import IntEnum
from typing import NamedTuple
import numpy as np
from JIT import inner, inlined, kernel

TOLERANCE = 1e-9
WEIGHTS = (1.0, 0.5)
TABLE = np.array([1.0, 2.0])
SIZE = np.dtype([("a", "f8")])

class Side(IntEnum):
    FRONT = 1
    BACK = 2

class Pair(NamedTuple):
    first: float
    second: float

@inner
def deepest(x):
    '''Deepest helper.'''
    return x * TOLERANCE if x > Side.FRONT else TABLE[0]  # a comment

@inlined
def middle(x, factor=2.0):
    return deepest(x) * factor + WEIGHTS[1]

@inner
def unused(x):
    return x - 1.0
""",
    "kernels": """
import helpers
import layout
from JIT import allocating, kernel
from helpers import Pair, middle, unused

def make(shift):
    @kernel
    def shifted(x):
        return x + shift
    return shifted

shifted = make(1.0)

@kernel
def entry(b):
    '''The kernel whose key is asked for.'''
    return middle(b[layout.SKIN]) + layout.GAP

@kernel
def reads_pair(p: Pair):
    return p.first

@kernel
def other(x):
    return unused(x)
""",
}
NAMES = ("entry", "shifted", "reads_pair", "other")
MODULES: list[types.ModuleType] = []  # all that were made: a new one at the address of a freed one would look changed


@pytest.fixture
def keys_of(monkeypatch):
    """Function: keys of the kernels of SOURCES after `edits` (module, old text, new text)."""
    copies = itertools.count()

    def keys(*edits):
        texts = dict(SOURCES)
        for module, old, new in edits:
            assert texts[module].count(old) == 1, (module, old)
            texts[module] = texts[module].replace(old, new)
        number = next(copies)
        for name, text in texts.items():
            module = types.ModuleType(name)
            MODULES.append(module)
            monkeypatch.setitem(sys.modules, name, module)
            code = compile(text.replace("JIT", jit.__name__), f"{name}{number}.py", "exec", dont_inherit=True)
            exec(code, vars(module))
        return {name: kernel_key.kernel_key(getattr(sys.modules["kernels"], name))[0] for name in NAMES}

    return keys


CHANGES = {
    "a helper two calls down": ("helpers", "x * TOLERANCE", "x / TOLERANCE", {"entry"}),
    "its constant": ("helpers", "1e-9", "1e-8", {"entry"}),
    "a constant of another type": ("layout", "GAP = 2", "GAP = 2.0", {"entry"}),
    "the sign of a zero": ("helpers", "(1.0, 0.5)", "(1.0, -0.5)", {"entry"}),
    "a value in an array": ("helpers", "[1.0, 2.0]", "[1.5, 2.0]", {"entry"}),
    "the type of an array": ("helpers", "np.array([1.0, 2.0])", "np.array([1, 2])", {"entry"}),
    "a member of an enumeration": ("helpers", "FRONT = 1", "FRONT = 3", {"entry"}),
    "a default": ("helpers", "factor=2.0", "factor=3.0", {"entry"}),
    "a constant of a layout module": ("layout", "SKIN = 1", "SKIN = 4", {"entry"}),
    "an option of a helper": ("helpers", "@inlined\n", "@inner\n", {"entry"}),
    "an option of the kernel": ("kernels", "@kernel\ndef entry", "@allocating\ndef entry", {"entry"}),
    "a closure": ("kernels", "make(1.0)", "make(2.0)", {"shifted"}),
    "the order of fields": (
        "helpers",
        "first: float\n    second: float",
        "second: float\n    first: float",
        {"reads_pair"},
    ),
    "another helper": ("helpers", "x - 1.0", "x - 2.0", {"other"}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_kernel_is_compiled_from_changes_its_key_and_no_other(keys_of, name):
    *edit, expected = CHANGES[name]
    before, after = keys_of(), keys_of(edit)
    assert {kernel for kernel in NAMES if before[kernel] != after[kernel]} == expected


@pytest.mark.parametrize(
    "edit",
    [
        ("helpers", "  # a comment", "  # another one"),
        ("helpers", "Deepest helper.", "Another sentence."),
        ("kernels", "The kernel whose key is asked for.", "Another sentence."),
        ("layout", "UNREAD = 3", "UNREAD = 4\nADDED = 5"),
        ("helpers", "TOLERANCE = 1e-9", "\n\nTOLERANCE = 1e-9"),
        ("helpers", 'SIZE = np.dtype([("a", "f8")])', 'SIZE = np.dtype([("b", "f8")])'),
        ("kernels", "@kernel\ndef other", "def plain(x):\n    return x\n\n@kernel\ndef other"),
    ],
)
def test_what_a_kernel_does_not_use_keeps_all_keys(keys_of, edit):
    assert keys_of() == keys_of(edit)


def test_a_value_without_description_is_refused(keys_of):
    with pytest.raises(TypeError, match=r"refers to <object object .* use a number, a tuple, an array"):
        keys_of(("layout", "GAP = 2", "GAP = object()"))
    with pytest.raises(TypeError, match="refers to the class Plain"):
        keys_of(("layout", "GAP = 2", "class Plain: pass\nGAP = Plain"))


def test_a_constant_replaced_in_the_running_process_is_noticed(keys_of, monkeypatch):
    keys_of()
    kernel, helpers = sys.modules["kernels"].entry, sys.modules["helpers"]
    first, is_stable = kernel_key.kernel_key(kernel)
    assert is_stable
    with monkeypatch.context() as patched:
        patched.setattr(helpers, "TOLERANCE", 1e-3)
        second, is_stable = kernel_key.kernel_key(kernel)
        assert second != first
        assert not is_stable
    assert kernel_key.kernel_key(kernel) == (first, False)  # numba may hold code with the other value by now
    assert kernel_key.kernel_key(sys.modules["kernels"].other)[1]


def test_argument_types_count_with_their_field_names():
    from collections import namedtuple

    from numba import typeof

    ahead, back = namedtuple("Pair", "a b"), namedtuple("Pair", "b a")
    array, frozen = np.zeros(2), np.zeros(2)
    frozen.flags.writeable = False
    values = [ahead(1.0, 2.0), back(1.0, 2.0), (1.0, 2.0), (ahead(1.0, 2.0),), (back(1.0, 2.0),), array, frozen]
    values += [1, 1.0, np.float32(1), True, np.zeros((2, 2)), np.zeros((2, 2)).T]
    keys = {kernel_key.signature_key([typeof(value)], None) for value in values}
    assert len(keys) == len(values)


def test_the_environment_names_all_that_decides_the_machine_code(monkeypatch):
    usual = kernel_key.environment()
    for setting, value, name in (
        ("CPU_NAME", "generic", "processor"),
        ("CPU_FEATURES", "", "features"),
        ("OPT", 1, "options"),
        ("BOUNDSCHECK", int(not numba.config.BOUNDSCHECK), "options"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(numba.config, setting, value)
            changed = kernel_key.environment()
        assert {each for each in usual if usual[each] != changed[each]} == {name}
    assert kernel_key.environment() == usual


KEYS = f"""
import importlib, json, sys
from {prepare.__name__} import COMPILE_PARTS
from {kernel_key.__name__} import kernel_key
package = {prepare.__package__!r} + "."
for name in {MODULES!r}:
    importlib.import_module(package + name)
found = {{}}
for name, module in list(sys.modules.items()):
    for kernel in list(vars(module).values()) if name.startswith(package) else ():
        if type(getattr(kernel, "_cache", None)).__name__ == "KernelCache" and kernel.__module__ == name:
            found[name.removeprefix(package) + "." + kernel.__name__] = kernel_key(kernel)[0]
print(json.dumps(found))
"""


@pytest.mark.full
def test_each_kernel_of_the_project_has_a_key_of_its_own_and_the_same_one_in_every_process():
    first, second = (json.loads(run_python(KEYS, NUMBA_DISABLE_JIT="0", PYTHONHASHSEED=seed)) for seed in "12")
    assert first == second
    assert len(set(first.values())) == len(first) > 60
