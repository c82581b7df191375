"""Spelling: decides if a misspelt word has one clear correction among the known words."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

from ...format.findings import Finding, latin_letters
from ...format.schema import LEVEL, PIECE_RECORDS
from ...format.schema.fields import SYNONYMS, SchemaRecord, ValueKind
from ...format.values import FACING_DEGREES, NAMED_COLOURS
from .. import YamlDocument

MIN_SIMILARITY = 0.7  # similarity (0 to 1) of a word and its correction, at least
MIN_SIMILARITY_LEAD = 0.05  # the best correction leads all others by this

_CHOICES = re.compile(r"`(?: is not one of|; the level has) (.*)")


def is_clear_misspelling(word: str, known: str, others: list[str]) -> bool:
    """True if `word` is a misspelling or a synonym of `known`, and no word of `others` is as similar."""
    normalized = word.strip().lower().replace("-", "_")
    if SYNONYMS.get(normalized) == known or (known.isascii() and latin_letters(word) == known):
        return True
    best = _word_similarity(normalized, known)
    return best >= MIN_SIMILARITY and all(
        _word_similarity(normalized, other) <= best - MIN_SIMILARITY_LEAD for other in others if other != known
    )


def alternative_words(finding: Finding, document: YamlDocument) -> list[str]:
    """All words that are valid in the place of a finding about an unknown word."""
    if finding.message.startswith("there is no piece"):
        return list(PIECE_RECORDS)
    if finding.message.startswith("there is no field"):
        record = _schema_record_at(finding.where.split("."))
        return [field.name for field in record.fields] if record is not None else []
    for message_start, field_name in (("there is no surface", "surfaces"), ("there is no prefab", "define")):
        if finding.message.startswith(message_start):
            entry = document.top_entry(field_name)
            return list(entry.fields) if entry is not None else []
    if "is not a direction" in finding.message:
        return list(FACING_DEGREES)
    if "is not a colour" in finding.message:
        return list(NAMED_COLOURS)
    choices = _CHOICES.search(finding.message)
    return re.split(", | or | and ", choices[1]) if choices else []


def _schema_record_at(path: list[str]) -> SchemaRecord | None:
    """The schema record at a path such as `wall.doors`, which begins at a piece or at the level."""
    record = PIECE_RECORDS.get(path[0]) if path[0] else LEVEL
    if record is None:
        record = LEVEL
        path = ["", *path]
    for name in path[1:]:
        field = record.field(name)
        if field is None:  # a name that the author chose, as in `surfaces.stone`
            continue
        if field.kind is ValueKind.PREFABS or field.record is None:
            return None
        record = field.record
    return record


@lru_cache(maxsize=4096)
def _word_similarity(word: str, known: str) -> float:
    return difflib.SequenceMatcher(None, word, known.lower()).ratio()
