"""Fonts of assets/fonts: their files and the characters that they have. No Pillow, so that `check` needs none."""

from __future__ import annotations

import unicodedata
from functools import cache

from .. import shipped
from .font_tables import FontTables, read_font_tables
from .graphemes import is_blank, is_ignorable

TEXT_FONT, SYMBOL_FONT = "Inter.ttf", "symbols.ttf"
SHIPPED_FONTS = (TEXT_FONT, SYMBOL_FONT)  # in the order in which they are asked


def shipped_font_path(name: str) -> str:
    return str(shipped("assets") / "fonts" / name)


@cache
def shipped_font_tables(name: str) -> FontTables:
    return read_font_tables(shipped_font_path(name))


@cache
def shipped_font_of(char: str) -> str:
    """Name of the shipped font that has a character; empty where none has."""
    return next((name for name in SHIPPED_FONTS if shipped_font_tables(name).has(char)), "")


def characters_without_font(text: str) -> str:
    """Characters of a text that no shipped font has, each once, in the order of the text."""
    if text.isascii():
        return ""
    shown = dict.fromkeys(unicodedata.normalize("NFC", text))
    return "".join(c for c in shown if not is_blank(c) and not is_ignorable(c) and not shipped_font_of(c))


@cache
def kerning(first: str, second: str) -> float:
    """Change of the distance between two characters of the text font, em. An accent does not change it."""
    tables = shipped_font_tables(TEXT_FONT)
    if not tables.has(first) or not tables.has(second):
        return 0.0
    return tables.pair_kerning(_base_letter(first), _base_letter(second))


def _base_letter(char: str) -> str:
    return char if char.isascii() else unicodedata.normalize("NFD", char)[0]
