"""Automatic fixes of a level file: misspelt names with one similar known name, surfaces that are not defined, `format`.

A finding tells its fix: the edit replaces the word at its place by the one that the cure asks for.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..format.file_access import is_tests_file
from ..format.findings import Finding, LevelError, sanitize_text
from ..format.written_values import format_scalar
from ..format.source import find_level
from ..format.text_source import read_any_source
from ..loader import check, check_source, gc_paused
from .layout import EditRefused
from .yaml_document import YamlDocument

MAX_ROUNDS = 8  # a fix may bring others to light
MAX_FINDINGS = 100_000  # of one check: all of them, so that mistakes that repeat are fixed in one pass
NEW_SURFACE = "{colour: grey}"

_PLAIN_WORD = re.compile(r"[\w -]+")  # `radius:0.2` is a name and a value
_SUGGESTION = re.compile(r"did you mean `([^`]+)`\?")
_UNKNOWN_WORD = re.compile(r"there is no [a-z ]+ `([^`]+)`|`([^`]+)` is not (?:one of|a direction|a colour)")
_UNKNOWN_SURFACE = re.compile(r"there is no surface `([^`]+)`")


@dataclass(frozen=True, slots=True)
class AutofixResult:
    """Result of a run: `text` with all fixes, and `done`, their descriptions.

    remaining: findings after the run. elsewhere: those of them in other files of the level.
    """

    text: str
    done: tuple[str, ...]
    remaining: tuple[Finding, ...]
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit with its description. in_place: it replaces one word. surface: name of the one that it adds, as YAML.

    A mistake inside an anchor occurs wherever the anchor is used; the edit fixes all these places.
    """

    description: str
    edit: Callable[[YamlDocument], None]
    in_place: bool = False
    surface: str = ""


def autofix_level(level: str | os.PathLike[str], text: str) -> AutofixResult:
    """Fix `text`, the content of the level file `level`. Writes nothing.

    Raises LevelError if the text is not YAML.
    """
    path = find_level(level)
    shown = sanitize_text(str(path), 400)
    done: list[str] = []
    with gc_paused():
        document = YamlDocument(text)
        findings = _check_text(path, document.text)
        for _ in range(MAX_ROUNDS):
            fixes = {fix.description: fix for one in findings if one.file == shown and (fix := fix_for(one, document))}
            made = _apply_fixes(document, list(fixes.values()))
            if not made:
                break
            done += made
            findings = _check_text(path, document.text)
    return AutofixResult(document.text, tuple(done), tuple(findings), sum(one.file != shown for one in findings))


def fix_for(finding: Finding, document: YamlDocument) -> Fix | None:
    """The fix of a finding in its file's document; None if only the author can decide."""
    if finding.message == "`format` is missing" and not finding.where:
        return Fix("line 1: `format: 1` added", _add_format)
    word = document.scalar_at(finding.line, finding.column)
    unknown = _UNKNOWN_WORD.match(finding.message)
    if unknown is None or not word or word.strip() not in unknown.groups() or not _PLAIN_WORD.fullmatch(word):
        return None
    suggestion = _SUGGESTION.fullmatch(finding.cure)
    if suggestion is not None:
        line, column, known = finding.line, finding.column, suggestion[1]

        def edit(document: YamlDocument) -> None:
            if unknown[0].startswith(("there is no field", "there is no piece")):
                document.rename(line, column, known, everywhere=True)
            else:
                document.set_value_at(line, column, format_scalar(known), everywhere=True)

        return Fix(f"line {line}, column {column}: `{word}` is now `{known}`", edit, in_place=True)
    if _UNKNOWN_SURFACE.match(finding.message) and finding.cure.startswith("define"):
        name = format_scalar(word)
        return Fix(
            f"surface `{word}` added", lambda document: add_surfaces(document, [(name, NEW_SURFACE)]), surface=name
        )
    return None


def add_surfaces(document: YamlDocument, added: Sequence[tuple[str, str]]) -> None:
    """Add surfaces of these names and fields, as YAML texts, in one edit."""
    surfaces = document.top_entry("surfaces")
    if surfaces is not None:
        document.add_fields(surfaces, added)
    else:
        document.add_top_field("surfaces", f"{{{', '.join(f'{name}: {fields}' for name, fields in added)}}}")


def _add_format(document: YamlDocument) -> None:
    names = document.top_names()
    if not names:
        raise EditRefused("the file has no fields")
    document.add_top_field("format", "1", before=names[0])


def _apply_fixes(document: YamlDocument, fixes: Sequence[Fix]) -> list[str]:
    """Apply fixes and return the descriptions of those that were made."""
    made: list[str] = []
    with contextlib.suppress(EditRefused):
        words: list[str] = []
        with document.edit_batch():  # one parse for all of them
            for fix in fixes:
                with contextlib.suppress(EditRefused):
                    if fix.in_place:
                        fix.edit(document)
                        words.append(fix.description)
        made += words
    added = [fix for fix in fixes if fix.surface]
    with contextlib.suppress(EditRefused):
        if added:
            add_surfaces(document, [(fix.surface, NEW_SURFACE) for fix in added])
            made += [fix.description for fix in added]
    for fix in fixes:
        with contextlib.suppress(EditRefused):
            if not fix.in_place and not fix.surface:
                fix.edit(document)
                made.append(fix.description)
    return made


def _check_text(path: Path, text: str) -> list[Finding]:
    """All findings of a level or of a file of tests with another text."""
    overrides = {Path(os.path.realpath(path)): text.encode("utf-8")}
    if is_tests_file(path):
        return check(path, overrides)
    try:
        source = read_any_source(path, overrides, None, None)
    except LevelError as error:
        return list(error.findings)
    source.report.limit = MAX_FINDINGS
    return check_source(source)
