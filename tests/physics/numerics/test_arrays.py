"""Arrays that a kernel reads by their arrays."""

import numpy as np
import pytest

from game.physics.numerics import arrays
from game.physics.numerics.arrays import address_table
from game.physics.numerics.jit import kernel

ARRAYS = (
    np.arange(5.0),
    np.arange(6.0).reshape(2, 3),
    np.arange(24.0).reshape(2, 3, 4),
    np.arange(4, dtype=np.int32),
    np.arange(7, dtype=np.int64),
    np.arange(8.0).reshape(4, 2),
    np.arange(9, dtype=np.int32).reshape(3, 3),
    np.zeros((0, 4)),
)


@kernel
def read_and_write(table, shapes, values):
    a, b, c = arrays.floats_1d(table, 0), arrays.floats_2d(table, 1), arrays.floats_3d(table, 2)
    d, e = arrays.ints_1d(table, 3), arrays.indices_1d(table, 4)
    f, g = arrays.constant_floats_2d(table, 5), arrays.constant_ints_2d(table, 6)
    none = arrays.floats_2d(table, 7)
    shapes[0], shapes[1], shapes[2] = len(a), b.shape[0] * 10 + b.shape[1], c.shape[1] * 10 + c.shape[2]
    shapes[3], shapes[4], shapes[5] = len(d), len(e), f.shape[0] * 10 + f.shape[1]
    shapes[6], shapes[7] = g.shape[0] * 10 + g.shape[1], none.shape[0] * 10 + none.shape[1]
    values[0], values[1], values[2], values[3] = a[4], b[1, 1], c[1, 2, 3], d[3]
    values[4], values[5], values[6] = e[6], f[3, 1], g[2, 0]
    b[1, 2], d[0], e[1] = -1.0, -2, -3
    return 0


@pytest.mark.jit
def test_a_kernel_reads_and_writes_arrays_by_their_addresses():
    copies = [array.copy() for array in ARRAYS]
    shapes, values = np.zeros(8, np.int64), np.zeros(7)
    read_and_write(address_table(*copies), shapes, values)
    assert shapes.tolist() == [5, 23, 34, 4, 7, 42, 33, 4]
    assert values.tolist() == [4.0, 4.0, 23.0, 3.0, 6.0, 7.0, 6.0]
    assert (copies[1][1, 2], copies[3][0], copies[4][1]) == (-1.0, -2, -3)


def test_an_array_with_gaps_is_refused():
    with pytest.raises(ValueError, match="contiguous"):
        address_table(np.zeros((4, 4))[:, ::2])
