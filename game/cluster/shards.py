"""Shards: the independent parts of a long check, each with a key that names all it depends on.

A key is the SHA-256 of canonical JSON: the kind of the shard, its fields (digest of the level and of all its files,
settings, body, seed, index, ticks) and the conditions (rules, package, Numba, NumPy, kind of machine). It holds no
times, hosts, paths or numbers of workers. Shards with the same key have the same result, to the bit.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..sim.replay.fingerprint import component_versions

CONDITION_NAMES = ("package", "rules", "numpy", "numba", "machine")  # of a key
ANY_MACHINE = "any"


def canonical_json(value: object) -> bytes:
    """The JSON text of a value: sorted names, no blanks, ASCII only. ValueError for a number that is not finite."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.encode("ascii")


def run_conditions(any_machine: bool = False) -> dict[str, str]:
    """Versions and kind of machine that results depend on. any_machine: they may come from any kind of machine."""
    versions = component_versions()
    machine = ANY_MACHINE if any_machine else versions["machine"]
    values = (versions["game"], versions["rules"], versions["numpy"], versions["numba"], machine)
    return dict(zip(CONDITION_NAMES, values, strict=True))


def worker_conditions(any_machine: bool = False) -> dict[str, str]:
    """The conditions of this process, and its version of Python, which must be the same on each worker."""
    return {**run_conditions(any_machine), "python": f"{sys.version_info[0]}.{sys.version_info[1]}"}


def first_difference(mine: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Sentence part about the first condition that differs, as `NumPy 2.0.1, not 2.4.6`; empty where all are equal."""
    labels = {"package": "ellipsoid-walker", "rules": "rules", "numpy": "NumPy", "numba": "Numba", "python": "Python"}
    for name, value in mine.items():
        if other.get(name) != value:
            return f"{labels.get(name, 'machine')} {other.get(name, 'unknown')}, not {value}"
    return ""


@dataclass(frozen=True)
class Shard:
    """One part of a long check.

    kind: "fuzz" or "sweep". fields: plain JSON values, all that the work needs; "level" is the digest of the level and
    of its files. conditions: see `run_conditions`. name: the beginning of its file name, not a part of the key.
    """

    kind: str
    fields: Mapping[str, Any]
    conditions: Mapping[str, str]
    name: str = field(default="", compare=False)

    @property
    def level(self) -> str:
        return str(self.fields["level"])

    @cached_property
    def key(self) -> str:
        """SHA-256 of everything that the result depends on, in hexadecimal."""
        content = {"kind": self.kind, "fields": dict(self.fields), "conditions": dict(self.conditions)}
        return hashlib.sha256(canonical_json(content)).hexdigest()
