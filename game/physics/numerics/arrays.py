"""Types of the kernels' arrays that only the physics uses (the others are in core/vectors.py), and tables of arrays.

In compiled code an array is nine numbers, and a tuple of thirty arrays passes 270 arguments in each call. An
`ArrayTable` passes one pointer instead, which also makes its kernels compile in half the time.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

from ...core.vectors import Floats, Indices, Ints

Bytes = NDArray[np.uint8]
Unsigned = NDArray[np.uint32]
Bitmasks = NDArray[np.uint64]

MeshArrayTuple = tuple[Floats, Ints, Floats, Ints, Floats]  # nodes, links, triangles, mates, materials

# Members of an ArrayTable, contiguous: type and number of dimensions; "Constant": read-only, as the arrays of a mesh
Floats1 = Annotated[Floats, types.Array(types.float64, 1, "C")]
Floats2 = Annotated[Floats, types.Array(types.float64, 2, "C")]
Floats3 = Annotated[Floats, types.Array(types.float64, 3, "C")]
Ints1 = Annotated[Ints, types.Array(types.int32, 1, "C")]
Ints2 = Annotated[Ints, types.Array(types.int32, 2, "C")]
Ints3 = Annotated[Ints, types.Array(types.int32, 3, "C")]
Indices1 = Annotated[Indices, types.Array(types.int64, 1, "C")]
Indices2 = Annotated[Indices, types.Array(types.int64, 2, "C")]
Bytes2 = Annotated[Bytes, types.Array(types.uint8, 2, "C")]
Unsigned1 = Annotated[Unsigned, types.Array(types.uint32, 1, "C")]
Unsigned2 = Annotated[Unsigned, types.Array(types.uint32, 2, "C")]
Unsigned3 = Annotated[Unsigned, types.Array(types.uint32, 3, "C")]
ConstantFloats1 = Annotated[Floats, types.Array(types.float64, 1, "C", readonly=True)]
ConstantFloats2 = Annotated[Floats, types.Array(types.float64, 2, "C", readonly=True)]
ConstantInts2 = Annotated[Ints, types.Array(types.int32, 2, "C", readonly=True)]
ConstantIndices2 = Annotated[Indices, types.Array(types.int64, 2, "C", readonly=True)]
ConstantBytes1 = Annotated[Bytes, types.Array(types.uint8, 1, "C", readonly=True)]

ADDRESS_WIDTH = 4  # columns of a row of addresses: address, then three dimensions, 0 where the array has fewer


class ArrayTable:
    """Arrays that kernels take as one argument; a subclass names and types them.

        class Scratch(ArrayTable):
            body: Floats1  # (body.SIZE,)
            planes: Annotated[Floats2, plane.WIDTH]

    The number of columns may be given, as in `planes`, so that it is a constant of the compiled code.

    A member may also be an ArrayTable, whose addresses it copies. `replace` puts another array in the place of one.
    Only kernels without reference counting (`jit.kernel`) can take a table.

    addresses (n, ADDRESS_WIDTH) i8: what compiled code reads, one row an array. ValueError for an array of another
    type, or with gaps.
    """

    members: ClassVar[dict[str, tuple[int, Any, int]]] = {}  # name: first row of addresses, Numba's type, columns or 0
    numba_type: ClassVar[Any]

    addresses: Indices
    address: int  # of `addresses` in memory

    def __init_subclass__(cls) -> None:
        cls.members, row = {}, 0
        for name, hint in get_type_hints(cls, include_extras=True).items():
            if get_origin(hint) is Annotated:
                _, kind, *columns = get_args(hint)
                cls.members[name], row = (row, kind, sum(columns)), row + 1
            elif isinstance(hint, type) and issubclass(hint, ArrayTable):
                cls.members[name], row = (row, hint.numba_type, 0), row + hint.numba_type.rows
        cls.numba_type = _TableType(cls.__name__, cls.members, row)

    def __init__(self, *arrays: Any) -> None:
        self.addresses = np.zeros((self.numba_type.rows, ADDRESS_WIDTH), np.int64)
        self.address = self.addresses.__array_interface__["data"][0]
        for name, array in zip(self.members, arrays, strict=True):
            self.replace(name, array)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), tuple(getattr(self, name) for name in self.members))

    def replace(self, name: str, array: Any) -> None:
        """Put an array, or a table of arrays, in the place of a member."""
        row, kind, columns = self.members[name]
        if isinstance(array, ArrayTable):
            self.addresses[row : row + len(array.addresses)] = array.addresses
        else:
            flags = array.flags
            if not (flags.c_contiguous and array.ndim == kind.ndim and array.dtype.name == kind.dtype.name) or (
                kind.mutable and not flags.writeable
            ):
                raise ValueError(f"{name} must be a contiguous {kind}, not {array.dtype} of shape {array.shape}")
            if columns and len(array) and array.shape[-1] != columns:
                raise ValueError(f"{name} must have {columns} columns, not {array.shape[-1]}")
            address: int = array.__array_interface__["data"][0]
            self.addresses[row, : 1 + array.ndim] = address, *array.shape
        setattr(self, name, array)


class _TableType(types.Type):  # type: ignore[misc]
    """Numba's type of an ArrayTable: a pointer to its addresses."""

    def __init__(self, name: str, members: dict[str, tuple[int, Any, int]], rows: int) -> None:
        self.members, self.rows = members, rows
        shown = [f"{member}: {kind} {columns}" for member, (_, kind, columns) in members.items()]
        super().__init__(f"{name}({', '.join(shown)})")


@register_model(_TableType)
class _TableModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: _TableType) -> None:
        super().__init__(manager, kind, ir.IntType(64).as_pointer())


@typeof_impl.register(ArrayTable)  # type: ignore[untyped-decorator]
def _typeof_table(table: ArrayTable, _: object) -> Any:
    return table.numba_type


@unbox(_TableType)  # type: ignore[untyped-decorator]
def _unbox_table(kind: _TableType, table: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(table, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.bitcast(address, ir.IntType(64).as_pointer()))


@infer_getattr
class _TableMembers(AttributeTemplate):  # type: ignore[misc]
    key = _TableType

    def generic_resolve(self, kind: _TableType, name: str) -> Any:
        return kind.members[name][1] if name in kind.members else None


@lower_getattr_generic(_TableType)  # type: ignore[untyped-decorator]
def _read_member(context: Any, builder: Any, kind: _TableType, table: Any, name: str) -> Any:
    """The array of a member, whose address and shape do not change during a call: the optimizer loads them once."""
    row, member, width = kind.members[name]
    integer = ir.IntType(64)
    first = builder.gep(table, [integer(ADDRESS_WIDTH * row)])
    if isinstance(member, _TableType):
        return first
    unchanging = builder.module.add_metadata([])
    columns = [builder.load(builder.gep(first, [integer(n)])) for n in range(member.ndim + 1)]
    for column in columns:
        column.set_metadata("invariant.load", unchanging)
    if width:
        columns[-1] = integer(width)
    item = integer(context.get_abi_sizeof(context.get_data_type(member.dtype)))
    strides = [item]
    for length in reversed(columns[2:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = make_array(member)(context, builder)
    data = builder.inttoptr(columns[0], array.data.type)
    populate_array(array, data=data, shape=columns[1:], strides=strides, itemsize=item, meminfo=None)
    return array._getvalue()
