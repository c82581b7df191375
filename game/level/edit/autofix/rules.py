"""Which edit a finding asks for, where it is plain what was meant; None where only the author can know."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...format.findings import Finding
from .. import EditRefused, YamlDocument, format_scalar
from . import quad_corners
from .spelling import alternative_words, is_clear_misspelling
from .surface_guess import guess_surface

FILE_FIELDS = ("to", "file", "image")  # a name that is near may still be another file

_SUGGESTION = re.compile(r"did you mean `([^`]+)`\?")
_UNKNOWN_WORD = re.compile(
    r"there is no (?:field|piece|surface|prefab) `([^`]+)`|`([^`]+)` is not (?:one of|a direction|a colour)"
)
_SUPERFLUOUS_UNIT = re.compile(
    r"(?:remove the unit|(?:lengths are metres|angles are degrees|times are seconds)): write (\S+)"
)
_DECIMAL_COMMA = re.compile(r"write (-?[0-9.]+)")
_UNKNOWN_SURFACE = re.compile(r"there is no surface `([^`]+)`")
_COMMENTED_COLOUR = re.compile(r"[ \t]+(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})(?![0-9a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit, what it does in words, and where: the finding's place. Two with the same key are the same edit.

    What is wrong inside an anchor is wrong wherever that is used, and mended there too.
    """

    key: tuple[str, ...]
    words: str
    line: int
    column: int
    edit: Callable[[YamlDocument], None]

    @property
    def kind(self) -> tuple[str, ...]:
        """What many findings of the same words have in common."""
        return self.key[:3]


def fix_for(finding: Finding, draft: YamlDocument, misnamed: frozenset[str] = frozenset()) -> Fix | None:
    """The edit of a draft of the finding's file that mends it. misnamed: surfaces that may be misspelt themselves."""
    for rule in (_fix_format, _fix_number, _fix_colour, _fix_surface, _fix_corners):
        fix = rule(finding, draft)
        if fix is not None:
            return fix
    return _fix_word(finding, draft, misnamed)


def _make_fix(finding: Finding, what: str, words: str, edit: Callable[[YamlDocument], None]) -> Fix:
    key = (what, finding.where, finding.message, finding.excerpt, str(finding.column))
    return Fix(key, f"line {finding.line}: {words}", finding.line, finding.column, edit)


def _fix_format(finding: Finding, draft: YamlDocument) -> Fix | None:
    if finding.message != "`format` is missing" or finding.where:
        return None
    return Fix(("format",), "line 1: `format: 1` added", 0, 0, lambda draft: _insert_first_field(draft, "format", "1"))


def _insert_first_field(draft: YamlDocument, name: str, value: str) -> None:
    names = draft.top_names()
    if not names:
        raise EditRefused("the file has no fields")
    draft.add_top_field(name, value, before=names[0])


def _fix_word(finding: Finding, draft: YamlDocument, misnamed: frozenset[str]) -> Fix | None:
    """A misspelt name or word with one that is near, and no other as near."""
    meant, wrong = _SUGGESTION.match(finding.cure), _UNKNOWN_WORD.match(finding.message)
    if meant is None or wrong is None or finding.where.split(".")[-1] in FILE_FIELDS:
        return None
    word, known = wrong[1] or wrong[2], meant[1]
    if draft.scalar_at(finding.line, finding.column) != word or not is_clear_misspelling(
        word, known, alternative_words(finding, draft)
    ):
        return None
    line, column = finding.line, finding.column
    if wrong[0].startswith("there is no surface") and known in misnamed:
        # It is written so wherever it is used: then it is the surface's own name that is misspelt.
        words = f"surface `{known}` is now `{word}`"
        return Fix(("surface", known), words, 0, 2, lambda draft: _rename_edit(draft, known, word))

    def edit(draft: YamlDocument) -> None:
        if wrong[0].startswith(("there is no field", "there is no piece")):
            draft.rename(line, column, known, everywhere=True)
        else:
            draft.set_value_at(line, column, format_scalar(known), everywhere=True)

    return _make_fix(finding, "word", f"`{word}` is now `{known}`", edit)


def _rename_edit(draft: YamlDocument, name: str, to: str) -> None:
    surfaces = draft.top_entry("surfaces")
    if surfaces is None:
        raise EditRefused("the level has no `surfaces:`")
    draft.rename_field(surfaces, name, format_scalar(to), everywhere=True)


def _fix_number(finding: Finding, draft: YamlDocument) -> Fix | None:
    """A unit where none belongs; a decimal comma."""
    value = _SUPERFLUOUS_UNIT.fullmatch(finding.cure) or _DECIMAL_COMMA.fullmatch(finding.cure)
    said = draft.scalar_at(finding.line, finding.column)
    if value is None or said is None or "is not a number" not in finding.message:
        return None
    number, line, column = value[1], finding.line, finding.column
    words = f"`{said}` is now {number}"
    return _make_fix(finding, "number", words, lambda draft: draft.set_value_at(line, column, number, everywhere=True))


def _fix_colour(finding: Finding, draft: YamlDocument) -> Fix | None:
    """`colour: #ff0000`, which YAML takes for a comment."""
    if not finding.message.startswith("expected a colour") or draft.scalar_at(finding.line, finding.column) != "":
        return None
    start = draft.index_of(finding.line, finding.column)
    found = _COMMENTED_COLOUR.match(draft.text, start) or _COMMENTED_COLOUR.match(draft.text, start - 1)
    if found is None:
        return None
    where, colour = found.span(1), found[1]
    return _make_fix(
        finding, "colour", f"quotes around {colour}", lambda draft: draft.replace_text(*where, f'"{colour}"')
    )


def _fix_surface(finding: Finding, draft: YamlDocument) -> Fix | None:
    """A surface that is used and not there: added with a look that goes with its name."""
    found = _UNKNOWN_SURFACE.match(finding.message)
    said = draft.scalar_at(finding.line, finding.column)
    if found is None or said is None or said != found[1] or finding.cure.startswith("did you mean"):
        return None
    name, look = format_scalar(said), guess_surface(said)

    def edit(draft: YamlDocument) -> None:
        surfaces = draft.top_entry("surfaces")
        if surfaces is not None:
            draft.set_field(surfaces, name, look)
        else:
            draft.add_top_field("surfaces", f"{{{name}: {look}}}")

    return Fix(("surface", said), f"surface `{said}` added: {look}", 0, 1, edit)


def _fix_corners(finding: Finding, draft: YamlDocument) -> Fix | None:
    """Corners of a quad that are crossed, doubled, a little off the plane, one too few or many, the wrong way round."""
    plan = quad_corners.plan_corner_fix(finding, draft)
    return None if plan is None else _make_fix(finding, "corners", *plan)
