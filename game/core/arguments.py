"""Checks of arguments at the public interface: objects, integers, numbers, sequences. ValueError names the argument."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from numbers import Real
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

MAX_INTEGER = 2**63 - 1  # of the int64 that kernels and files use
MAX_SHOWN = 80  # characters of a value in a message


def as_instance(value: Any, kind: type[T], name: str) -> T:
    """`value`, an object of the class `kind`."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise ValueError(f"{name} must be {article} {kind.__name__}, not {describe_value(value)}")
    return value


def as_optional(value: Any, kind: type[T], name: str) -> T | None:
    """`value`, an object of the class `kind` or None."""
    return None if value is None else as_instance(value, kind, name)


def as_members(values: Any, name: str, noun: str) -> tuple[Any, ...]:
    """The members of an iterable other than text. noun: of the members, for the message."""
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)) or getattr(values, "ndim", 1) == 0:
        raise ValueError(f"{name} must be a sequence of {noun}, not {describe_value(values)}")
    return tuple(values)


def as_instances(values: Any, kind: type[T], name: str) -> tuple[T, ...]:
    """The members of an iterable, objects of the class `kind`."""
    members = as_members(values, name, f"{kind.__name__} objects")
    for index, member in enumerate(members):
        if not isinstance(member, kind):
            as_instance(member, kind, f"{name}[{index}]")
    return members


def as_integer(value: Any, name: str, low: int | None = -MAX_INTEGER, high: int | None = MAX_INTEGER) -> int:
    """`value` as an int within low..high (None: any). Neither a bool nor a float is an integer."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be an integer, not {describe_value(value)}") from None
    if low is not None and number < low:
        raise ValueError(f"{name} must be at least {low}, not {describe_value(value)}")
    if high is not None and number > high:
        raise ValueError(f"{name} must be at most {high}, not {describe_value(value)}")
    return number


def as_number(value: Any, name: str, low: float = -math.inf, high: float = math.inf) -> float:
    """`value` as a finite float within low..high."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise ValueError(f"{name} must be a number, not {describe_value(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf  # an integer beyond 1.8e308
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, not {describe_value(value)}")
    if not low <= number <= high:
        raise ValueError(f"{name} must be within {low:g}..{high:g}, not {describe_value(value)}")
    return number


def as_callable(value: T, name: str) -> T:
    """`value`, a function or another object that can be called."""
    if not callable(value):
        raise ValueError(f"{name} must be a function, not {describe_value(value)}")
    return value


def as_flag(value: Any, name: str) -> bool:
    """`value`, True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, not {describe_value(value)}")
    return bool(value)


def as_text(value: Any, name: str) -> str:
    """`value`, a string."""
    return as_instance(value, str, name)


def as_bytes(value: Any, name: str) -> bytes:
    """`value`, bytes of any kind of buffer, as `bytes`."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise ValueError(f"{name} must be bytes, not {describe_value(value)}")
    return bytes(value)


def describe_value(value: Any) -> str:
    """`repr` of an argument for a message; of a longer one the first 80 characters and "..."; shape and type of an
    array of two dimensions or more."""
    if isinstance(value, np.ndarray) and value.ndim > 1:
        return f"an array of shape {value.shape} and type {value.dtype if value.dtype.names is None else 'rows'}"
    if isinstance(value, int) and abs(value) > 10**40:
        return "an integer of more than 40 digits"
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."
