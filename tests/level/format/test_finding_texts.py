"""Every text of a finding in the sources is in the corpus of levels, or has a reason why it is not."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from game.level import edit, export, level_builder, materials, mesh_level, models
from game.level.format import command_spans, plain_values, text_source, yaml_layout, yaml_nodes
from game.level.format.record import Value
from tests.level.test_corpus import read_corpus

SOURCES = Path(__file__).resolve().parents[3] / "game" / "level"
# The words of fields, in the bodies of classes, are the page's; models and pictures have their own tests; edits of
# text, fixes, exports, wrong arguments and commands files are no findings.
SILENT = tuple(
    Path(module.__file__)
    for module in (
        *(models, materials, edit, export, level_builder, mesh_level, text_source, command_spans),
        *(plain_values, yaml_layout),
    )
)
# The parser's words, and names as `head room` in geometry/crowded.
SILENT_WORDS = {*yaml_nodes._PLAIN_ERRORS}
# What the sources can say and no document shows, each with the reason.
UNSHOWN = {
    "lint": {
        "this is an error of the program; the other checks were made": "test_check_failures.py: an error is made",
        "what is reached": "the name of a check that fails",
    },
    "findings.py": {
        " not shown": "test_reader.py: more than 200 findings",
        "fix the ones above, then check again": "the same",
    },
    "file_access.py": {
        "give one of the .yaml files in it": "test_source.py: a folder",
        "give a file in it": "a picture or model that became a folder while it was looked for",
        " is larger than the limit for a ": "test_source.py: 8 MiB",
        "the file does not exist": "test_source.py: nothing to write an example of",
        "permission to read this file is denied": "test_source.py: permissions are not kept with the tests",
        "change its permissions or run as its owner": "the same",
        "this file is larger than the limit for a ": "test_source.py: 8 MiB",
        " cannot be followed: ": "test_exits.py: links that go round in circles",
        "put the file in place of the link": "the same",
        "this is a folder, not a ": "test_source.py",
        "this is a device or pipe, not a ": "test_source.py",
        "this file cannot be read: ": "a disk that fails",
    },
    "builder.py": {
        "use `array`, `tile` or larger pieces": "a level of more than 100,000 pieces",
        " quads are used up; this piece and all after it are left out": "test_prefabs.py: takes 200,000 quads",
    },
    "includes.py": {
        "merge some of them": "a level of very many files",
        "remove some of them": "the same",
        "the level names more than ": "the same",
        "the level includes more than ": "the same",
        " cannot be followed: ": "links that go round in circles",
        "with this file the level is larger than the limit, ": "8 MiB",
        "include less": "the same",
    },
    "yaml_nodes.py": {
        "an alias `*` has no anchor `&`": "said before the parser comes to it: yaml/alias unknown",
        "write the anchor before the alias": "the same",
        "cannot start any token": "the parser's words, looked for",
        "maximum nesting depth": "the same, of PyYAML 6.0.4",
        "it cannot be read": "where the parser has no words of its own",
    },
    "models": {
        " without area in ": "test_models.py: models are made there",
        " left out": "the same",
        "merge duplicate vertices before exporting": "the same",
        " more problems in ": "the same",
        "its materials are ": "the same",
        "only the textures of a .map are looked for in a folder; other models name their own": "test_quake_textures.py",
        "there is no folder ": "the same",
        "the folder ": "the same",
        " has no picture": "the same",
        "write its path relative to this file": "the same",
        "remove `textures`": "the same",
        "it needs ": "the same",
        " files named as the textures": "the same",
    },
    "pictures.py": {
        "cannot be read: ": "a disk that fails",
        "check the file": "the same",
    },
    "pictures_and_decals.py": {
        " pictures need ": "test_pictures_and_decals.py: takes large pictures",
        " MiB of video memory; the budget is ": "the same",
        "save the largest ones with half the pixels: each then needs a quarter": "the same",
    },
    "piece_builder.py": {
        "the level has too many tiles, doors and windows": "test_pieces.py: takes a large level",
        "use larger tiles, or fewer openings": "the same",
    },
    "shared_walls.py": {
        " more quads; ": "a level of nearly 200,000 quads",
        "the shared walls need ": "the same",
        "use fewer or larger rooms": "the same",
        "too many rooms overlap; their walls are not shared": "some thousand rooms in one place",
        "spread them out, or make fewer copies": "the same",
    },
    "hidden_faces.py": {
        "the ground around floors of rooms needs ": "a level of nearly 200,000 quads",
        " more quads than the level has left": "the same",
        "use larger tiles, or fewer rooms": "the same",
    },
    "terrain": {
        "the formulas of the level take too long": "test_terrain.py: takes many cells",
        "make `cell` larger, or the formulas shorter": "the same",
        "too much terrain lies over": "the same",
        "use fewer copies, or a larger `cell`": "the same",
    },
    "quads.py": {"list them in order, counter-clockwise seen from the front": "crossed twice: no quad is known"},
    "level_tests": {
        " lines; the limit is ": "a walk of more than 5000 lines",
        "put them into a commands file, and write its path": "the same",
    },
    "tests_file.py": {
        "name the file after its level: `NAME.tests.yaml` belongs to `NAME.yaml`": "test_level_tests.py: no such name",
    },
    "source.py": {
        "shipped levels: ": "test_source.py: a name, no file",
        "its folder does not exist either": "the same: no file",
        "the text is larger than the limit for a level, ": "test_text_source.py: 8 MiB",
        "this is the text of a level, not a path": "test_text_source.py: no file",
        "call it with text=...": "the same",
        "this is a file of tests, not a level": "test_level_tests.py: `load`, not `check`",
        "give the level, ": "the same",
        ".yaml: its tests are read with it": "the same",
    },
    "fittings.py": {
        " lights are of no use; the first: ": "test_quake.py: only in a level around a map",
    },
    "values.py": {
        " characters of expressions": "takes a file of a mebibyte",
        "write plain numbers": "the same",
    },
}


def field_classes(kind: type[Value[Any]]) -> set[str]:
    """Names of the class and of all below it."""
    return {kind.__name__}.union(*map(field_classes, kind.__subclasses__()))


FIELDS = field_classes(Value)
NO_FINDINGS = (  # methods for the editor, the page and records made in Python
    *("limits", "typed", "stepped", "typed_word", "next_word", "value_of", "schema"),
    *("__init__", "__get__", "__setattr__", "__repr__", "given", "made"),
)
SPOKEN = re.compile("[A-Za-z]{2,}")
TYPES = re.compile(r"[a-z]+\[|Value\[T|\(\[")


def phrases() -> list[tuple[str, int, str]]:
    """(file, line, text) of every string in the sources with at least two words that is not a docstring."""
    found = []
    for path in sorted(SOURCES.rglob("*.py")):
        if any(path == file or (file.stem == "__init__" and file.parent in path.parents) for file in SILENT):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        silent |= {id(node.msg) for node in ast.walk(tree) if isinstance(node, ast.Assert)}
        bodies = [node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        fields = [node for body in bodies for node in body if isinstance(node, ast.Assign | ast.AnnAssign)]
        silent |= {id(part) for node in fields for part in ast.walk(node)}
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        silent |= {id(node.args[0]) for node in calls if node.args and node.func.id in FIELDS}
        methods = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in NO_FINDINGS]
        silent |= {id(part) for node in methods for part in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
                words = node.value
                if words in SILENT_WORDS or TYPES.match(words):
                    continue
                if " " in words and len(SPOKEN.findall(words)) > 1:
                    found.append((path.relative_to(SOURCES).as_posix(), node.lineno, words))
    return found


@pytest.mark.full
def test_every_finding_text_has_a_document_or_a_reason_and_no_reason_is_left_over() -> None:
    shown = "\n".join(line for document in read_corpus().values() for line in document.told)
    unshown = {words for texts in UNSHOWN.values() for words in texts}
    found = phrases()
    missing = [each for each in found if each[2] not in shown and each[2] not in unshown]
    assert not missing, "write a document into tests/level/corpus, or say in UNSHOWN why there is none"
    said_at_all = {words for _, _, words in found}
    for texts in UNSHOWN.values():
        for words in texts:
            assert words in said_at_all, f"{words!r} is said no more: take it out of UNSHOWN"
            assert words not in shown, f"{words!r} is shown: take it out of UNSHOWN"
