"""Write the pages of docs/json from the schemas of `--json`: `python -m tools.docs.json_pages`.

With --check nothing is written; the exit status is 1 where a table of a page is not current. The examples come from
real runs, with the files that they use; a check does not repeat them.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from game.app.commands.command_line import main as walker
from game.reports.documents import SCHEMAS, load_schema
from tools.docs.pictures.shared import ROOT

FOLDER = ROOT / "docs" / "json"
WALL_SECONDS = 0.005  # of tests: measured, so that the page would change each time
EXAMPLE = re.compile(r"\n## Example\n.*", re.S)
LEVEL = """\
format: 1
name: Yard
spawn: {at: [0, 0, 3], facing: north}
pieces:
  - floor: {from: [-8, -8], to: [8, 8]}
goal: {at: [0, 0, -4], radius: 0.8}
"""
FILES = {  # of the folder in which the examples run
    "yard.yaml": LEVEL,
    "walk.commands": "120 forward 1\n",
    "broken.yaml": LEVEL + "surfaces: {ice: {frictoin: 0.1}}\n",
    "tested.yaml": LEVEL + 'tests:\n  - {name: to the goal, walk: ["120 forward 1"], expect: {goal: reached}}\n',
    "higher.yaml": LEVEL.replace("pieces:", "pieces:\n  - box: {from: [-1, 0, -2], to: [1, 0.2, -1]}"),
}
COMMANDS = {  # of the examples; the last one of each prints the document
    "check": ("check broken.yaml --json",),
    "sim": ("sim yard.yaml --commands walk.commands --json",),
    "test": ("test tested.yaml --json",),
    "replay": ("record yard.yaml --commands walk.commands -o walk.replay", "replay walk.replay --json"),
    "doctor": ("doctor --json",),
    "fuzz": ("fuzz yard.yaml --ticks 2000 --json -n 1",),
    "diff": ("diff yard.yaml higher.yaml --commands walk.commands --json",),
}
COMMON = ("schema", "schema_version", "program")  # fields of each document, which docs/results.md explains
DOCTOR_CHECKS = ("python", "numpy")  # the others name folders of a machine


def page(kind: str, example: str) -> str:
    """The page of a schema; `example`: its last section, which begins with a line break."""
    schema = load_schema(kind)
    lines = [f"# {schema['title']}", "", schema["description"], ""]
    lines += [
        f"Schema: [`walker/{kind}`](../../game/reports/schemas/{kind}.json), version "
        f"{schema['properties']['schema_version']['const']}. The table leaves out the [fields of all "
        "documents](../results.md#read-results-with-a-program).",
        "",
        "| field | type | meaning |",
        "|---|---|---|",
    ]
    lines += [
        f"| `{name}` | {kind_of_value} | {text} |"
        for name, kind_of_value, text in _rows(schema, "")
        if name not in COMMON
    ]
    return "\n".join(lines) + "\n" + SECTIONS.get(kind, str)() + example


def _walk_fields() -> str:
    """The section about the fields in which two walks can differ."""
    difference = load_schema("diff")["properties"]["difference"]["properties"]
    names = difference["fields"]["items"]["properties"]["field"]["oneOf"]
    head = ["", "## Fields in which walks differ", ""]
    head += ["Vectors point east, up and south: three numbers, in this order.", ""]
    head += ["| field | type, unit: meaning |", "|---|---|"]
    return "\n".join([*head, *(f"| `{one['const']}` | {one['description']} |" for one in names)]) + "\n"


SECTIONS = {"diff": _walk_fields}  # further sections of pages


def _rows(schema: dict[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    """Name, type and meaning of each field below a schema."""
    for name, field in schema.get("properties", {}).items():
        own = f"{path}{name}"
        meaning = field.get("description", "").replace("|", "\\|")
        if "enum" in field:
            meaning += " (" + ", ".join(_word(word) for word in field["enum"]) + ")"
        yield own, _type_name(field), meaning
        yield from _rows(field, f"{own}.")
        items, others = field.get("items", {}), field.get("additionalProperties")
        if "properties" in items:
            yield from _rows(items, f"{own}[].")
        if isinstance(others, dict) and "properties" in others:
            yield from _rows(others, f"{own}.*.")


def _word(value: str | None) -> str:
    """A value of an enumeration."""
    return "null" if value is None else f"`{value}`" if value else "empty"


def _type_name(field: dict[str, Any]) -> str:
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    words = field.get("enum", [])
    kind = field.get("type") or ["string", *(["null"] if None in words else [])]
    names = [kind] if isinstance(kind, str) else kind
    items = field.get("items", {}).get("type")
    if items and "array" in names:
        plural = " and ".join(f"{name}s" for name in ([items] if isinstance(items, str) else items))
        names = [f"array of {plural}" if name == "array" else name for name in names]
    return " or ".join(names)


def make_example(kind: str) -> str:
    """The section with the document of a real run; empty for a kind without a command here."""
    if kind not in COMMANDS:
        return ""
    with tempfile.TemporaryDirectory() as name:
        folder, before = Path(name).resolve(), Path.cwd()
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            for command in COMMANDS[kind]:
                out = io.StringIO()
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                    walker(shlex.split(command))
        finally:
            os.chdir(before)
        document = json.loads(out.getvalue().replace(str(folder), "/home/me"))
    for test in document.get("tests", ()):
        test["wall_seconds"] = WALL_SECONDS
    if kind == "doctor":
        document["checks"] = [check for check in document["checks"] if check["name"] in DOCTOR_CHECKS]
    lines = "\n".join(f"walker {command}" for command in COMMANDS[kind])
    files = "".join(_file_text(name) for name in FILES if name in shlex.split(lines))
    return f"\n## Example\n\n{files}```sh\n{lines}\n```\n\n```json\n{json.dumps(document, indent=1)}\n```\n"


def _file_text(name: str) -> str:
    """A file of an example, which a reader saves to run its commands."""
    language = "yaml" if name.endswith(".yaml") else "commands"
    return f"Save this as `{name}`:\n\n```{language}\n{FILES[name]}```\n\n"


def present_example(kind: str) -> str:
    """The section that the page has now."""
    path = FOLDER / f"{kind}.md"
    found = EXAMPLE.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    return found[0] if found is not None else ""


def outdated(example: Callable[[str], str] = present_example) -> list[str]:
    """Kinds whose page differs from its schema."""
    kinds = sorted(path.stem for path in SCHEMAS.glob("*.json"))
    wanted = {kind: page(kind, example(kind)) for kind in kinds}
    files = {kind: FOLDER / f"{kind}.md" for kind in kinds}
    return [kind for kind in kinds if not files[kind].is_file() or files[kind].read_text("utf-8") != wanted[kind]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.docs.json_pages", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 where a page is not current")
    parser.add_argument("kinds", nargs="*", help="pages to write (default: all)")
    options = parser.parse_args(arguments)
    if options.check:
        wrong = outdated()
        print("\n".join(f"docs/json/{kind}.md is not current" for kind in wrong) or "the pages are current")
        return 1 if wrong else 0
    FOLDER.mkdir(exist_ok=True)
    for kind in options.kinds or sorted(path.stem for path in SCHEMAS.glob("*.json")):
        (FOLDER / f"{kind}.md").write_text(page(kind, make_example(kind) or present_example(kind)), encoding="utf-8")
        print(f"docs/json/{kind}.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
