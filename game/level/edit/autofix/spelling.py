"""Whether a misspelt word is plainly one that is known, and which others it could be."""

from __future__ import annotations

import difflib
import re

from ...format.findings import Finding
from ...format.schema import LEVEL, PIECE_RECORDS
from ...format.schema.fields import SYNONYMS, SchemaRecord, ValueKind
from ...format.values import FACING_DEGREES, NAMED_COLOURS
from .. import YamlDocument

MIN_SIMILARITY = 0.7  # how alike a word and the one that was meant are at least, of 1
MIN_SIMILARITY_LEAD = 0.05  # by how much any other word is less alike

_CHOICES = re.compile(r"` is not one of (.*)")


def is_clear_misspelling(word: str, known: str, others: list[str]) -> bool:
    """Whether `word` is `known` misspelt, or another's word for it, and none of `others` is as near."""
    near = word.strip().lower().replace("-", "_")
    if SYNONYMS.get(near) == known:
        return True
    best = _word_similarity(near, known)
    return best >= MIN_SIMILARITY and all(
        _word_similarity(near, other) <= best - MIN_SIMILARITY_LEAD for other in others if other != known
    )


def alternative_words(finding: Finding, draft: YamlDocument) -> list[str]:
    """All the words that could stand where a finding says that one is not known."""
    if finding.message.startswith("there is no piece"):
        return list(PIECE_RECORDS)
    if finding.message.startswith("there is no field"):
        record = _schema_record_at(finding.where.split("."))
        return [field.name for field in record.fields] if record is not None else []
    for what, top in (("there is no surface", "surfaces"), ("there is no prefab", "define")):
        if finding.message.startswith(what):
            entry = draft.top_entry(top)
            return list(entry.fields) if entry is not None else []
    if "is not a direction" in finding.message:
        return list(FACING_DEGREES)
    if "is not a colour" in finding.message:
        return list(NAMED_COLOURS)
    choices = _CHOICES.search(finding.message)
    return re.split(", | or ", choices[1]) if choices else []


def _schema_record_at(where: list[str]) -> SchemaRecord | None:
    """The record that "wall.doors" speaks of: a piece's, or the level's own."""
    record = PIECE_RECORDS.get(where[0]) if where[0] else LEVEL
    if record is None:
        record, where = LEVEL, ["", *where]
    for name in where[1:]:
        field = record.field(name)
        if field is None:  # a name of the author's own, as in "surfaces.stone"
            continue
        if field.kind not in (ValueKind.RECORD, ValueKind.RECORDS, ValueKind.NAMED) or field.record is None:
            return None
        record = field.record
    return record


def _word_similarity(word: str, known: str) -> float:
    return difflib.SequenceMatcher(None, word, known.lower()).ratio()
