"""Types of the kernels' arrays that only the physics uses (the others are in core/vectors.py), and arrays by address.

A call from Python takes 0.07 us for each array. A table of addresses stands for many: `floats_2d(table, k)` and its
like are array k of a table. Only compiled code can call them. The caller keeps the arrays until the call has returned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

from ...core.vectors import Floats, Indices, Ints

Bytes = NDArray[np.uint8]
Unsigned = NDArray[np.uint32]
Bitmasks = NDArray[np.uint64]

MeshArrayTuple = tuple[Floats, Ints, Floats, Ints, Floats]  # nodes, links, triangles, mates, materials

WIDTH = 4  # columns of a table: address, then three dimensions, 0 where the array has fewer


def address_table(*arrays: np.ndarray[Any, Any]) -> Indices:
    """Table (n, WIDTH) i8 of n arrays of up to three dimensions. ValueError if one has gaps."""
    if not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("arrays that a kernel reads by their addresses must be contiguous")
    rows = [(array.__array_interface__["data"][0], *array.shape, 0, 0)[:WIDTH] for array in arrays]
    return np.array(rows, np.int64).reshape(-1, WIDTH)


def _array_reader(dtype: Any, dimensions: int, is_constant: bool = False) -> Any:
    """The function (table, k) that gives array k of a table. is_constant: read-only, as the arrays of a mesh are."""
    kind = types.Array(dtype, dimensions, "C", readonly=is_constant)

    @intrinsic  # type: ignore[untyped-decorator]
    def array_at(typingctx: Any, table: Any, k: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            rows, row = make_array(signature.args[0])(context, builder, arguments[0]).data, arguments[1]
            first = builder.mul(row, row.type(WIDTH))
            column = [builder.load(builder.gep(rows, [builder.add(first, row.type(n))])) for n in range(dimensions + 1)]
            item = context.get_abi_sizeof(context.get_data_type(dtype))
            strides = [row.type(item)]
            for length in reversed(column[2:]):
                strides.insert(0, builder.mul(strides[0], length))
            array = make_array(kind)(context, builder)
            data = builder.inttoptr(column[0], array.data.type)
            populate_array(array, data=data, shape=column[1:], strides=strides, itemsize=row.type(item), meminfo=None)
            return array._getvalue()

        return kind(table, types.int64), generate

    return array_at


floats_1d, floats_2d, floats_3d = (_array_reader(types.float64, n) for n in (1, 2, 3))
ints_1d, indices_1d = _array_reader(types.int32, 1), _array_reader(types.int64, 1)
constant_floats_2d, constant_ints_2d = _array_reader(types.float64, 2, True), _array_reader(types.int32, 2, True)
