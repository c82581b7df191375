"""Whether a misspelt word is plainly one that is known, and which others it could be."""

from __future__ import annotations

import difflib
import re

from ...format.findings import Finding
from ...format.schema import LEVEL, PIECES
from ...format.schema.fields import SYNONYMS, Kind, Record
from ...format.values import COLOURS, FACINGS
from .. import Draft

NEAR = 0.7  # how alike a word and the one that was meant are at least, of 1
CLEAR = 0.05  # by how much any other word is less alike

_CHOICES = re.compile(r"` is none of (.*)")


def plainly(word: str, known: str, others: list[str]) -> bool:
    """Whether `word` is `known` misspelt, or another's word for it, and none of `others` is as near."""
    near = word.strip().lower().replace("-", "_")
    if SYNONYMS.get(near) == known:
        return True
    best = _alike(near, known)
    return best >= NEAR and all(_alike(near, other) <= best - CLEAR for other in others if other != known)


def rivals(finding: Finding, draft: Draft) -> list[str]:
    """All the words that could stand where a finding says that one is not known."""
    if finding.message.startswith("there is no piece"):
        return list(PIECES)
    if finding.message.startswith("there is no field"):
        record = _record(finding.where.split("."))
        return [field.name for field in record.fields] if record is not None else []
    for what, top in (("there is no surface", "surfaces"), ("there is no prefab", "define")):
        if finding.message.startswith(what):
            entry = draft.top(top)
            return list(entry.fields) if entry is not None else []
    if "is no direction" in finding.message:
        return list(FACINGS)
    if "is no colour" in finding.message:
        return list(COLOURS)
    choices = _CHOICES.search(finding.message)
    return re.split(", | or ", choices[1]) if choices else []


def _record(where: list[str]) -> Record | None:
    """The record that "wall.doors" speaks of: a piece's, or the level's own."""
    record = PIECES.get(where[0]) if where[0] else LEVEL
    if record is None:
        record, where = LEVEL, ["", *where]
    for name in where[1:]:
        field = record.field(name)
        if field is None:  # a name of the author's own, as in "surfaces.stone"
            continue
        if field.kind not in (Kind.RECORD, Kind.RECORDS, Kind.NAMED) or field.record is None:
            return None
        record = field.record
    return record


def _alike(word: str, known: str) -> float:
    return difflib.SequenceMatcher(None, word, known.lower()).ratio()
