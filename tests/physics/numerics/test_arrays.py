"""Tables of arrays: what a kernel reads and writes by one pointer."""

import numpy as np
import pytest

from game.physics.numerics.arrays import (
    ArrayTable,
    ConstantFloats2,
    ConstantInts2,
    Floats1,
    Floats2,
    Floats3,
    Indices1,
    Ints1,
)
from game.physics.numerics.jit import kernel


class Inner(ArrayTable):
    a: Floats1
    b: Floats2


class Table(ArrayTable):
    inner: Inner
    c: Floats3
    d: Ints1
    e: Indices1
    f: ConstantFloats2
    g: ConstantInts2
    none: Floats2


def arrays():
    """Arrays for the members of Inner, and for those of Table behind it."""
    others = np.arange(24.0).reshape(2, 3, 4), np.arange(4, dtype=np.int32), np.arange(7, dtype=np.int64)
    constant = np.arange(8.0).reshape(4, 2), np.arange(9, dtype=np.int32).reshape(3, 3)
    constant[0].flags.writeable = False
    return (np.arange(5.0), np.arange(6.0).reshape(2, 3)), (*others, *constant, np.zeros((0, 4)))


@kernel
def read_and_write(table, shapes, values):
    a, b = table.inner.a, table.inner.b
    shapes[0], shapes[1] = len(a), b.shape[0] * 10 + b.shape[1]
    shapes[2], shapes[3], shapes[4] = table.c.shape[1] * 10 + table.c.shape[2], len(table.d), table.e.size
    shapes[5], shapes[6] = table.f.shape[0] * 10 + table.f.shape[1], table.g.shape[0] * 10 + table.g.shape[1]
    shapes[7] = table.none.shape[0] * 10 + table.none.shape[1]
    values[0], values[1], values[2], values[3] = a[4], b[1, 1], table.c[1, 2, 3], table.d[3]
    values[4], values[5], values[6] = table.e[6], table.f[3, 1], table.g[2, 0]
    b[1, 2], table.d[0], table.e[1] = -1.0, -2, -3


def test_a_kernel_reads_and_writes_the_members_and_a_replaced_one_from_then_on():
    (a, b), others = arrays()
    table = Table(Inner(a, b), *others)
    shapes, values = np.zeros(8, np.int64), np.zeros(7)
    read_and_write(table, shapes, values)
    assert shapes.tolist() == [5, 23, 34, 4, 7, 42, 33, 4]
    assert values.tolist() == [4.0, 4.0, 23.0, 3.0, 6.0, 7.0, 6.0]
    assert (b[1, 2], others[1][0], others[2][1]) == (-1.0, -2, -3)
    table.replace("d", np.full(9, 5, np.int32))
    table.replace("inner", Inner(np.full(6, 8.0), b))
    read_and_write(table, shapes, values)
    assert (shapes[0], shapes[3], values[0], values[3]) == (6, 9, 8.0, 5.0)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("none", np.zeros((4, 4))[:, ::2]),
        ("none", np.zeros(4)),
        ("none", np.zeros((2, 2), np.float32)),
        ("none", np.zeros((2, 2), np.int64)),
        ("none", np.broadcast_to(np.zeros((2, 2)), (2, 2))),
    ],
)
def test_an_array_of_another_type_is_refused(name, array):
    own, others = arrays()
    with pytest.raises(ValueError, match=f"{name} must be a contiguous"):
        Table(Inner(*own), *others).replace(name, array)
