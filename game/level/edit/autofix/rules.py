"""Fix rules: the edit for a finding that has one clear correction."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...format.findings import Finding
from ...format.mistakes.value_cures import plain_number
from ...format.values import NAMED_COLOURS
from .. import EditRefused, YamlDocument, format_scalar
from . import quad_corners
from .spelling import alternative_words, is_clear_misspelling

_SUGGESTION = re.compile(r"did you mean `([^`]+)`\?")
_UNKNOWN_WORD = re.compile(
    r"there is no (?:field|piece|surface|prefab|spawn|zone|surface or piece|target|golf hole|checkpoint|exit) `([^`]+)`"
    r"|`([^`]+)` is not (?:one of|a direction|a colour)"
    r"|(?:picture|level) file `([^`]+)` does not exist"
)
_NOT_DIGITS = re.compile("[^0-9]")
_MISREAD_DIGITS = re.compile(r"the letter `.` is no digit: write (-?[0-9.]+)")
_SUPERFLUOUS_UNIT = re.compile(r"(lengths are metres|angles are degrees|times are seconds): write (\S+)")
_PLAIN_NUMBER = re.compile(r"write (-?[0-9.]+)")
_UNITS = {"lengths are metres": "m", "angles are degrees": "degrees", "times are seconds": "s"}
_WRITTEN_POINT = re.compile(r"use (?:decimal points|square brackets): write (\[.+\])")
_STRAIGHT_QUOTES = re.compile(r"use straight quotes: write (\".+\")")
_EXPECTED_POINT = re.compile(r"expected a point (\[[a-z, ]+\])")
_UNKNOWN_SURFACE = re.compile(r"there is no surface `([^`]+)`")
_RENAMED = re.compile(r"rename it to `([^`]+)`")
_COMMENTED_COLOUR = re.compile(r"[ \t]+(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})(?![0-9a-zA-Z])")
_SURFACES_BY_WORD = {
    "stone rock paving flag cobble ashlar granite slate": ("#8d8a83", "flagstone"),
    "brick": ("#a96f53", "brick"),
    "wood plank timber oak pine beam board door": ("#9a7146", "planks"),
    "grass moss lawn meadow leaf leaves hedge": ("#6d7a45", "grass"),
    "tile roof marble": ("#c4a784", "tiles"),
    "concrete cement pavement": ("#a9a59c", "concrete"),
    "plaster wall stucco paint ceiling": ("#d9cdb8", "plaster"),
    "metal iron steel copper": ("#8f979c", "metal"),
    "ice snow frost": ("#bfe3f0", "ice"),
    "glass": ("#cfe2e6", "ice"),
    "water pool river": ("#4f8a94", "ice"),
    "sand dirt earth soil mud path gravel": ("#bda57c", "plain"),
    "floor ground": ("#a08f78", "flagstone"),
}
_DEFAULT_COLOUR = "#a8a29a"


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit with its description and the place of its finding. Fixes with equal keys are the same edit.

    A mistake inside an anchor occurs wherever the anchor is used; the edit fixes all these places.
    surface: name and fields, as YAML texts, of a surface that it adds, see `add_surfaces`; else empty.
    """

    key: tuple[str, ...]
    description: str
    line: int
    column: int
    edit: Callable[[YamlDocument], None]
    surface: tuple[str, str] = ("", "")


def fix_for(finding: Finding, document: YamlDocument) -> Fix | None:
    """The fix of a finding in its file's document; None if only the author can decide."""
    rules = (_fix_format, _fix_number, _fix_list, _fix_quotes, _fix_colour, _fix_surface, _fix_corners, _fix_word)
    return next((fix for rule in rules if (fix := rule(finding, document)) is not None), None)


def _make_fix(finding: Finding, kind: str, description: str, edit: Callable[[YamlDocument], None]) -> Fix:
    key = (kind, finding.where, finding.message, finding.excerpt, str(finding.line), str(finding.column))
    return Fix(key, f"line {finding.line}: {description}", finding.line, finding.column, edit)


def _fix_format(finding: Finding, document: YamlDocument) -> Fix | None:
    if finding.message != "`format` is missing" or finding.where:
        return None
    return Fix(
        ("format",), "line 1: `format: 1` added", 0, 0, lambda document: _insert_first_field(document, "format", "1")
    )


def _insert_first_field(document: YamlDocument, name: str, value: str) -> None:
    names = document.top_names()
    if not names:
        raise EditRefused("the file has no fields")
    document.add_top_field(name, value, before=names[0])


def _fix_word(finding: Finding, document: YamlDocument) -> Fix | None:
    """Replace a misspelt word by the only similar known word."""
    suggestion = _SUGGESTION.match(finding.cure)
    unknown = _UNKNOWN_WORD.match(finding.message)
    if suggestion is None or unknown is None:
        return None
    word = next(filter(None, unknown.groups()))
    known = suggestion[1]
    if unknown[3] and (
        _NOT_DIGITS.sub("", word) != _NOT_DIGITS.sub("", known)
        or (len(word) == len(known) and sorted(word.lower()) != sorted(known.lower()))
    ):
        return None  # with another number or letter, `hall2` or `hall_b`, it may be another file
    if document.scalar_at(finding.line, finding.column) != word or not is_clear_misspelling(
        word, known, alternative_words(finding, document)
    ):
        return None
    line, column = finding.line, finding.column

    def edit(document: YamlDocument) -> None:
        if unknown[0].startswith(("there is no field", "there is no piece")):
            document.rename(line, column, known, everywhere=True)
        else:
            document.set_value_at(line, column, format_scalar(known), everywhere=True)

    kind = "value" if "` is not " in unknown[0] else "word"
    return _make_fix(finding, kind, f"`{word}` is now `{known}`", edit)


def _rename_edit(document: YamlDocument, field: str, name: str, new_name: str) -> None:
    entry = document.top_entry(field)
    if entry is None:
        raise EditRefused(f"the level has no `{field}:`")
    document.rename_field(entry, name, format_scalar(new_name), everywhere=True)


def _fix_number(finding: Finding, document: YamlDocument) -> Fix | None:
    """Remove superfluous units and replace decimal commas, in all numbers of a list."""
    rules = (_SUPERFLUOUS_UNIT, _MISREAD_DIGITS, _PLAIN_NUMBER)
    value = next((match for rule in rules if (match := rule.fullmatch(finding.cure))), None)
    written = document.scalar_at(finding.line, finding.column)
    if value is None or written is None or not re.search("is not a (number|direction)", finding.message):
        return None
    number = value[value.lastindex or 0]
    line, column = finding.line, finding.column
    if finding.message.startswith(f"`{written},"):
        return _join_decimals(finding, document, written, number)
    unit = _UNITS.get(value[1], "") if value.lastindex == 2 else ""
    numbers = {(line, column): (written, number)}
    for node in document.list_around(line, column):
        if (replaced := plain_number(node.text, unit)) and (node.line, node.column) != (line, column):
            numbers[(node.line, node.column)] = (node.text, replaced)

    def edit(document: YamlDocument) -> None:
        for place, (_, replaced) in numbers.items():
            document.set_value_at(*place, replaced, everywhere=True)

    description = ", ".join(f"`{old}` is now {new}" for old, new in numbers.values())
    return _make_fix(finding, "number", description, edit)


def _join_decimals(finding: Finding, document: YamlDocument, written: str, number: str) -> Fix:
    """Replace `reach: 0,4` or `0,4 m`, which YAML reads as two fields."""
    line, column = finding.line, finding.column
    fraction = finding.message[len(written) + 2 :].partition("`")[0]
    description = f"`{written},{fraction}` is now {number}"
    return _make_fix(
        finding, "number", description, lambda document: document.join_decimal(line, column, fraction, number)
    )


def _fix_list(finding: Finding, document: YamlDocument) -> Fix | None:
    """Write the numbers of a point with decimal points, or with the comma that is missing."""
    expected = _EXPECTED_POINT.match(finding.message)
    if expected is None:
        return None
    line, column = finding.line, finding.column
    if match := _WRITTEN_POINT.fullmatch(finding.cure):
        fixed = match[1]
    elif finding.cure.startswith("a comma is missing between"):
        texts = [text for node in document.items_at(line, column) for text in node.text.split()]
        if len(texts) != expected[1].count(",") + 1:
            return None
        fixed = f"[{', '.join(texts)}]"
    else:
        return None
    return _make_fix(
        finding, "number", f"the point is now {fixed}",
        lambda document: document.set_value_at(line, column, fixed, everywhere=True),
    )  # fmt: skip


def _fix_quotes(finding: Finding, document: YamlDocument) -> Fix | None:
    """Write straight quotation marks around a text with curly ones."""
    match = _STRAIGHT_QUOTES.fullmatch(finding.cure)
    text = document.scalar_at(finding.line, finding.column)
    if match is None or text is None:
        return None
    fixed = format_scalar(text.strip()[1:-1])
    return _make_fix(
        finding, "value", f"the text is now {match[1]}",
        lambda document: document.set_value_at(finding.line, finding.column, fixed, everywhere=True),
    )  # fmt: skip


def _fix_colour(finding: Finding, document: YamlDocument) -> Fix | None:
    """Put quotes around the colour in `colour: #ff0000`, which YAML reads as a comment."""
    if not finding.message.startswith("expected a colour") or document.scalar_at(finding.line, finding.column) != "":
        return None
    start = document.index_of(finding.line, finding.column)
    match = _COMMENTED_COLOUR.match(document.text, start) or _COMMENTED_COLOUR.match(document.text, start - 1)
    if match is None:
        return None
    span = match.span(1)
    colour = match[1]
    line, column = finding.line, finding.column
    return _make_fix(
        finding, "colour", f"quotes around {colour}", lambda document: document.quote_comment(line, column, *span)
    )


def _fix_surface(finding: Finding, document: YamlDocument) -> Fix | None:
    """Rename a surface or prefab, or add a missing surface with colour and texture guessed from its name."""
    match = _UNKNOWN_SURFACE.match(finding.message)
    written = document.scalar_at(finding.line, finding.column)
    if written and (renamed := _RENAMED.fullmatch(finding.cure)):
        field, old, new = finding.where, written, renamed[1]
        noun = "prefab" if field == "define" else "surface"
        description = f"{noun} `{old}` is now `{new}`"
        return Fix((noun, old), description, 0, 2, lambda document: _rename_edit(document, field, old, new))
    if match is None or written is None or written != match[1] or finding.cure.startswith("did you mean"):
        return None
    surface = format_scalar(written), guess_surface(written)
    description = f"surface `{written}` added: {surface[1]}"
    return Fix(
        ("surface", written), description, 0, 1, lambda document: add_surfaces(document, [surface]), surface=surface
    )


def add_surfaces(document: YamlDocument, added: Sequence[tuple[str, str]]) -> None:
    """Add surfaces of these names and fields in one edit."""
    surfaces = document.top_entry("surfaces")
    if surfaces is not None:
        document.add_fields(surfaces, added)
    else:
        document.add_top_field("surfaces", f"{{{', '.join(f'{name}: {fields}' for name, fields in added)}}}")


def _fix_corners(finding: Finding, document: YamlDocument) -> Fix | None:
    """Correct the corners of a quad or triangle."""
    plan = quad_corners.plan_corner_fix(finding, document)
    if plan is None:
        return None
    is_crossed = quad_corners.is_crossed(finding)
    return _make_fix(
        finding, "reorder" if is_crossed else "flip" if quad_corners.is_flipped(finding) else "corners", *plan
    )


def guess_surface(name: str) -> str:
    """The fields of a surface as YAML: a colour, and a texture if the name suggests one."""
    words = re.findall("[a-z]+", name.lower())
    for known, (colour, texture) in _SURFACES_BY_WORD.items():
        stems = known.split()
        if any(word.startswith(stem) or word.removesuffix("s").endswith(stem) for word in words for stem in stems):
            colour_text = next(
                (word for word in words if word in NAMED_COLOURS and word not in ("tan", "sand")), f'"{colour}"'
            )
            return f"{{colour: {colour_text}, texture: {texture}}}"
    colour_text = next((word for word in words if word in NAMED_COLOURS), f'"{_DEFAULT_COLOUR}"')
    return f"{{colour: {colour_text}}}"
