"""Which edit a finding asks for, where it is plain what was meant; None where only the author can know."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...format.findings import Finding
from .. import Draft, EditRefused, written
from . import quad_corners
from .spelling import plainly, rivals
from .surface_guess import look_of

FILES = ("to", "file", "image")  # a name that is near may still be another file

_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_WRONG = re.compile(
    r"there is no (?:field|piece|surface|prefab) `([^`]+)`|`([^`]+)` is (?:none of|no direction|no colour)"
)
_UNIT = re.compile(r"leave the unit out: (\S+)")
_POINT = re.compile(r"write (-?[0-9.]+)")
_SURFACE = re.compile(r"there is no surface `([^`]+)`")
_COLOUR = re.compile(r"[ \t]+(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})(?![0-9a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit, what it does in words, and where: the finding's place. Two with the same key are the same edit.

    What is wrong inside an anchor is wrong wherever that is used, and mended there too.
    """

    key: tuple[str, ...]
    words: str
    line: int
    column: int
    edit: Callable[[Draft], None]

    @property
    def kind(self) -> tuple[str, ...]:
        """What many findings of the same words have in common."""
        return self.key[:3]


def fix_for(finding: Finding, draft: Draft, misnamed: frozenset[str] = frozenset()) -> Fix | None:
    """The edit of a draft of the finding's file that mends it. misnamed: surfaces that may be misspelt themselves."""
    for rule in (_format, _number, _colour, _surface, _corners):
        fix = rule(finding, draft)
        if fix is not None:
            return fix
    return _word(finding, draft, misnamed)


def _at(finding: Finding, what: str, words: str, edit: Callable[[Draft], None]) -> Fix:
    key = (what, finding.where, finding.message, finding.excerpt, str(finding.column))
    return Fix(key, f"line {finding.line}: {words}", finding.line, finding.column, edit)


def _format(finding: Finding, draft: Draft) -> Fix | None:
    if finding.message != "`format` is missing" or finding.where:
        return None
    return Fix(("format",), "line 1: `format: 1` added", 0, 0, lambda draft: _first(draft, "format", "1"))


def _first(draft: Draft, name: str, value: str) -> None:
    names = draft.names()
    if not names:
        raise EditRefused("there is nothing to put it above")
    draft.add_top(name, value, before=names[0])


def _word(finding: Finding, draft: Draft, misnamed: frozenset[str]) -> Fix | None:
    """A misspelt name or word with one that is near, and no other as near."""
    meant, wrong = _MEANT.match(finding.cure), _WRONG.match(finding.message)
    if meant is None or wrong is None or finding.where.split(".")[-1] in FILES:
        return None
    word, known = wrong[1] or wrong[2], meant[1]
    if draft.said(finding.line, finding.column) != word or not plainly(word, known, rivals(finding, draft)):
        return None
    line, column = finding.line, finding.column
    if wrong[0].startswith("there is no surface") and known in misnamed:
        # It is written so wherever it is used: then it is the surface's own name that is misspelt.
        words = f"surface `{known}` is now `{word}`"
        return Fix(("surface", known), words, 0, 2, lambda draft: _renamed(draft, known, word))

    def edit(draft: Draft) -> None:
        if wrong[0].startswith(("there is no field", "there is no piece")):
            draft.rename(line, column, known, everywhere=True)
        else:
            draft.put(line, column, written(known), everywhere=True)

    return _at(finding, "word", f"`{word}` is now `{known}`", edit)


def _renamed(draft: Draft, name: str, to: str) -> None:
    surfaces = draft.top("surfaces")
    if surfaces is None:
        raise EditRefused("there are no surfaces")
    draft.rename_field(surfaces, name, written(to), everywhere=True)


def _number(finding: Finding, draft: Draft) -> Fix | None:
    """A unit where none belongs; a decimal comma."""
    value = _UNIT.fullmatch(finding.cure) or _POINT.fullmatch(finding.cure)
    said = draft.said(finding.line, finding.column)
    if value is None or said is None or "is no number" not in finding.message:
        return None
    number, line, column = value[1], finding.line, finding.column
    words = f"`{said}` is now {number}"
    return _at(finding, "number", words, lambda draft: draft.put(line, column, number, everywhere=True))


def _colour(finding: Finding, draft: Draft) -> Fix | None:
    """`colour: #ff0000`, which YAML takes for a comment."""
    if not finding.message.startswith("nothing where a colour") or draft.said(finding.line, finding.column) != "":
        return None
    start = draft.index_of(finding.line, finding.column)
    found = _COLOUR.match(draft.text, start) or _COLOUR.match(draft.text, start - 1)
    if found is None:
        return None
    where, colour = found.span(1), found[1]
    return _at(
        finding, "colour", f"quotes around {colour}", lambda draft: draft.replace(*where, f'"{colour}"')
    )


def _surface(finding: Finding, draft: Draft) -> Fix | None:
    """A surface that is used and not there: added with a look that goes with its name."""
    found = _SURFACE.match(finding.message)
    said = draft.said(finding.line, finding.column)
    if found is None or said is None or said != found[1] or finding.cure.startswith("did you mean"):
        return None
    name, look = written(said), look_of(said)

    def edit(draft: Draft) -> None:
        surfaces = draft.top("surfaces")
        if surfaces is not None:
            draft.set(surfaces, name, look)
        else:
            draft.add_top("surfaces", f"{{{name}: {look}}}")

    return Fix(("surface", said), f"surface `{said}` added: {look}", 0, 1, edit)


def _corners(finding: Finding, draft: Draft) -> Fix | None:
    """Corners of a quad that are crossed, doubled, a little off the plane, one too few or many, the wrong way round."""
    plan = quad_corners.plan(finding, draft)
    return None if plan is None else _at(finding, "corners", *plan)
