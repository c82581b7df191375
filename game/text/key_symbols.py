"""Key symbols in text: labels of keys and buttons in private-use delimiters, which the HUD draws as pictures.

`key_symbol("Space")` is the label between SYMBOL_START and SYMBOL_END (Unicode private-use characters). A text may hold
any number of them: f"{key_symbol('F1')} for help". `HeldActions.describe` returns its keys in this form, for the device
in use. Every text of the HUD may hold symbols: the layout measures, wraps and draws them. `plain_text` is the text with
the labels alone, for a terminal or a test.
"""

from __future__ import annotations

import re
from functools import lru_cache

SYMBOL_START, SYMBOL_END = "\ue000", "\ue001"
_SYMBOL_PATTERN = re.compile(f"{SYMBOL_START}([^{SYMBOL_START}{SYMBOL_END}]*){SYMBOL_END}")
# Labels of two words, as `key_bindings.key_label` gives them, and other labels up to a space or a comma.
_LABEL_PATTERN = re.compile(
    r"(?:Left|Right) (?:Ctrl|Shift|Alt|mouse|shoulder|trigger|stick)\b|Middle mouse|Wheel (?:up|down)"
    r"|Page (?:Up|Down)|Caps Lock|(?:Num|Mouse|Pad) [A-Za-z0-9]+|(?<!\S),(?!\S)|[^\s,]+"
)
_WORD_PATTERN = re.compile("[a-z]{2,}")
_DELIMITERS = str.maketrans("", "", SYMBOL_START + SYMBOL_END)


def key_symbol(label: str) -> str:
    """Symbol of one key or button, by its label (`Space`, `Left mouse`, `Pad A`); empty for an empty label."""
    return f"{SYMBOL_START}{label.translate(_DELIMITERS)}{SYMBOL_END}" if label else ""


def key_symbols(labels: str) -> str:
    """A list of keys as symbols: `W A S D`, `Ctrl or C`, `Left mouse`. Words in small letters stay text.

    A text that has symbols stays as it is.
    """
    if has_symbols(labels):
        return labels
    parts = _LABEL_PATTERN.findall(labels)
    return " ".join(part if _WORD_PATTERN.fullmatch(part) else key_symbol(part) for part in parts)


def has_symbols(text: str) -> bool:
    """Whether a text holds a symbol, or a delimiter without partner."""
    return SYMBOL_START in text or SYMBOL_END in text


def plain_text(text: str) -> str:
    """The text with the labels of its symbols."""
    return text.translate(_DELIMITERS) if has_symbols(text) else text


@lru_cache(maxsize=1024)
def split_symbols(text: str) -> tuple[tuple[bool, str], ...]:
    """Parts of a text from left to right: (is_symbol, label or text). Delimiters without partner are dropped."""
    parts: list[tuple[bool, str]] = []
    for number, part in enumerate(_SYMBOL_PATTERN.split(text)):
        cleaned = part.translate(_DELIMITERS)
        if cleaned:
            parts.append((number % 2 == 1, cleaned))
    return tuple(parts)
