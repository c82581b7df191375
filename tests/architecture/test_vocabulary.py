"""One word for one idea: the glossary is short and in order."""

from __future__ import annotations

import re
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parents[2] / "docs" / "glossary.md"
MAX_WORDS = 60


def test_the_glossary_is_short_and_sorted():
    _heading, *found = re.findall(r"^\| ([^|]+?) \| .+ \|$", GLOSSARY.read_text(encoding="utf-8"), re.M)
    assert 30 < len(found) <= MAX_WORDS
    assert found == sorted(found, key=str.lower)
    assert len(set(found)) == len(found)
