"""Differences between the inputs of two runs, in the words of the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .sweep_plan import evenly_spaced

OPTIONS = {  # of inputs and conditions whose name is another one on the command line
    "command": "the command",
    "bodies": "--body",
    "shard_ticks": "--shard-ticks",
    **{name: f"--{name}" for name in ("bot", "commands", "format", "seed", "ticks", "vary")},
    **{"package": "ellipsoid-walker", "rules": "rules", "numpy": "NumPy", "numba": "Numba", "machine": "machine"},
}
_MAX_VALUE = 60  # characters of an input that a message quotes
_FEW_VALUES = 4  # of a setting that are listed


def describe_differences(theirs: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The inputs that differ, as `--seed was 3, now 4; --ticks was 240, now none`; empty where all are equal.

    theirs: read from a file, so that values may be of any type.
    """
    names = [name for name in wanted if theirs.get(name) != wanted[name]]
    if "levels" in names or "bodies" in names:
        names = [name for name in names if name != "ticks"]  # they follow from the number of shards
    return "; ".join(_describe(name, theirs.get(name), wanted[name]) for name in names)


def _describe(name: str, theirs: Any, wanted: Any) -> str:
    """Sentence part about an input that differs."""
    if name == "levels":
        return _describe_levels(theirs, wanted)
    option = OPTIONS.get(name, name)
    if name == "commands" and isinstance(theirs, str) and isinstance(wanted, str):
        return f"{option} has other contents"
    values = [_variations(each) if name == "vary" else _shown(each) for each in (theirs, wanted)]
    if values[0] == values[1]:  # they differ after the part that is shown
        return f"{option} has other values"
    return f"{option} was {values[0]}, now {values[1]}"


def _describe_levels(theirs: Any, wanted: Iterable[Mapping[str, Any]]) -> str:
    try:
        digests = {str(one["name"]): one["digest"] for one in theirs}
        names = list(digests)
        now = [str(one["name"]) for one in wanted]
        changed = [one["name"] for one in wanted if digests.get(one["name"]) != one["digest"]]
    except (TypeError, KeyError):
        return "the levels have other contents"
    if sorted(names) == sorted(now):
        return f"other contents of {_cut(', '.join(changed))}" if changed else "the levels have another order"
    return f"the levels were {_cut(', '.join(names))}, now {_cut(', '.join(now))}"


def _variations(value: Any) -> str:
    """Settings and values as --vary takes them."""
    try:
        texts = []
        for one in value:
            values = [float(each) for each in one["values"]]
            few = ",".join(f"{each:g}" for each in values[:_FEW_VALUES])
            if len(values) > 2 and evenly_spaced(values[0], values[-1], len(values)) == values:
                few = f"{values[0]:g}:{values[-1]:g}:{len(values)}"
            elif len(values) > _FEW_VALUES:
                few += ",..."
            texts.append(f"{one['setting']}={few}" + (f" ({len(values)} values)" if len(values) > 2 else ""))
        return _cut(" ".join(texts))
    except (TypeError, KeyError, ValueError, OverflowError):
        return _shown(value)


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return _cut(", ".join(value))
    return _cut(value if isinstance(value, str) else json.dumps(value))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_VALUE else f"{text[:_MAX_VALUE]}..."
