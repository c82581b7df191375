"""A level file's text and its YAML nodes, read with bounds on time and memory whatever the file holds.

The order matters: what kind of file and how large, then UTF-8, then one pass over YAML's events that
counts depth, nodes and aliases, and only then PyYAML's composer, which a deep enough file would crash.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Protocol

import yaml

from game.level.findings import Place, Report, did_you_mean, harmless, quoted

LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
MOST_BYTES = 8 * 2**20 if LOADER is not yaml.BaseLoader else 2**20  # the pure Python reader is 20 times slower
MOST_NODES = 300_000  # values in a file, each alias counted as all that it stands for
MOST_DEPTH = 64  # lists and mappings inside each other
MOST_ALIASES = 1000

LEVELS = Path(__file__).resolve().parents[2] / "levels"  # the shipped ones

_ODD = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_BARE_COLOUR = re.compile(r":\s+#[0-9a-fA-F]{3,8}\b")  # begins a comment, to its author's surprise

_PLAIN_WORDS = {
    "did not find expected node content": ("a value is missing", "write one, or take out the name before it"),
    "mapping values are not allowed": (
        "a colon where none can be",
        "text with a colon needs quotes; or the line above is not finished, or this one is indented too far",
    ),
    "did not find expected ',' or ']'": (
        "a list `[` is not closed",
        "close it with `]`, or put a comma between its items",
    ),
    "did not find expected ',' or '}'": (
        "a mapping `{` is not closed",
        "close it with `}`, or put a comma between its fields",
    ),
    "found unexpected end of stream": ("a quotation mark is not closed", "close it with the same mark"),
    "did not find expected key": (
        "this line does not fit in here",
        "give it the same indent as the lines above that it belongs with",
    ),
    "did not find expected '-' indicator": (
        "the list ends here, and what follows does not fit in",
        "start the line with `- `, or indent it as far as the key that it belongs beside",
    ),
    "could not find expected ':'": (
        "a colon is missing",
        "write `name: value`, with a space after the colon",
    ),
    "found unknown escape character": (
        "a backslash inside double quotes starts an escape that YAML does not have",
        "write two backslashes, or use single quotes",
    ),
    "found undefined alias": ("an alias `*` without its anchor `&`", "write the anchor before the alias"),
    "block sequence entries are not allowed": (
        "a dash where no list can begin",
        "start the list on a line of its own",
    ),
}


class Mark(Protocol):
    """A place as PyYAML tells it, counting from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its path, its report (which quotes its lines) and the root of its YAML nodes."""

    path: Path
    report: Report
    root: yaml.MappingNode


def place_of(node: yaml.Node) -> Place:
    """Where a node begins; as long as the node when that ends on the same line."""
    start, end = node.start_mark, node.end_mark
    length = end.column - start.column if end.line == start.line else 1
    return Place(start.line + 1, start.column + 1, max(1, length))


def find_level(level: str | os.PathLike[str]) -> Path:
    """The path itself, or the shipped level of that name (`demo` is levels/demo.yaml)."""
    path = Path(level)
    name = os.fspath(level)
    if re.fullmatch("[A-Za-z0-9_-]{1,60}", name) and not os.path.lexists(path):
        for folder in (LEVELS, LEVELS / "museum"):
            shipped = folder / f"{name}.yaml"
            if shipped.is_file():
                return _short(shipped)
    return path


def read_source(level: str | os.PathLike[str]) -> Source:
    """Read and compose. Raises LevelError with one finding when this is no YAML mapping within the bounds."""
    path = find_level(level)
    text = _decode(_read_bytes(path), path)
    report = Report(str(path), text)
    _survey(text, report)
    try:
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        _refuse(error, text, report)
    if root is None:
        _fatal(
            report,
            "there is nothing in this file",
            "start with `format: 1`; docs/level_format.md has an example",
        )
    if not isinstance(root, yaml.MappingNode):
        report.add(
            "fatal",
            place_of(root),
            "",
            "this is not a level: it has no `format:` and no `pieces:`",
            "start with `format: 1`; docs/level_format.md has an example",
        )
        raise report.error()
    return Source(path, report, root)


def _short(path: Path) -> Path:
    """Relative to the working folder when that is shorter to read."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


def _fatal(report: Report, message: str, cure: str = "", place: Place | None = None) -> NoReturn:
    report.add("fatal", place or Place(), "", message, cure)
    raise report.error()


def _read_bytes(path: Path) -> bytes:
    report = Report(str(path))
    try:
        kind = os.stat(path).st_mode  # before opening: a pipe would keep us waiting
        if stat.S_ISDIR(kind):
            _fatal(report, "this is a folder, not a level file", "name one of the .yaml files in it")
        if not stat.S_ISREG(kind):
            _fatal(report, "this is a device or a pipe, not a level file")
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                _fatal(report, "this is a device or a pipe, not a level file")
            size = os.fstat(file.fileno()).st_size
            data = file.read(MOST_BYTES + 1) if size <= MOST_BYTES else b""
    except FileNotFoundError:
        _fatal(report, "there is no such file", _near_names(path))
    except PermissionError:
        _fatal(report, "this file may not be read", "its permissions say no; change them or run as its owner")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        _fatal(report, f"this file cannot be read: {harmless(reason, 100)}")
    if size > MOST_BYTES or len(data) > MOST_BYTES:
        _fatal(report, f"this file is larger than a level may be ({MOST_BYTES // 2**20} MiB)")
    return data


def _near_names(path: Path) -> str:
    shipped = sorted(file.stem for folder in (LEVELS, LEVELS / "museum") for file in folder.glob("*.yaml"))
    name = path.name.removesuffix(".yaml").removesuffix(".yml")
    try:
        siblings = [entry.name for entry in path.parent.glob("*.y*ml")][:1000]
    except (OSError, ValueError):
        siblings = []
    names = f"shipped levels: {', '.join(shipped[:12])}" if shipped else ""
    return did_you_mean(path.name, siblings) or did_you_mean(name, shipped) or names


def _decode(data: bytes, path: Path) -> str:
    """UTF-8 text, without a byte order mark, of characters that YAML allows."""
    report = Report(str(path))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        _fatal(report, "this text is UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        _fatal(report, f"not UTF-8 text: byte 0x{data[error.start]:02x}", "save it as UTF-8", Place(line, column))
    odd = _ODD.search(text)
    if odd:
        start = odd.start()
        place = Place(text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1)
        _fatal(
            report,
            f"a control character (U+{ord(odd.group()):04X}): this is no text file, or damaged",
            "",
            place,
        )
    return text


@dataclass(slots=True)
class _Open:
    """A list or mapping that the survey is inside of."""

    anchor: str | None
    size: int = 1  # nodes in it, itself counted
    height: int = 0  # levels in it

    def take(self, size: int, height: int) -> None:
        self.size += size
        self.height = max(self.height, height)


def _survey(text: str, report: Report) -> None:
    """One pass over the events; raises LevelError at the first bound that is passed."""
    anchors: dict[str, tuple[int, int] | None] = {}  # size and height, None until it is complete
    stack = [_Open(None, 0)]
    total = aliases = documents = 0
    try:
        for event in yaml.parse(text, Loader=LOADER):
            mark = event.start_mark
            if isinstance(event, yaml.CollectionStartEvent):
                _check_properties(event, anchors, report)
                stack.append(_Open(event.anchor))
                total += 1
                if event.anchor:
                    anchors[event.anchor] = None
            elif isinstance(event, yaml.CollectionEndEvent):
                done = stack.pop()
                stack[-1].take(done.size, done.height + 1)
                if done.anchor:
                    anchors[done.anchor] = (done.size, done.height + 1)
            elif isinstance(event, yaml.ScalarEvent):
                _check_properties(event, anchors, report)
                stack[-1].take(1, 0)
                total += 1
                if event.anchor:
                    anchors[event.anchor] = (1, 0)
            elif isinstance(event, yaml.AliasEvent):
                aliases += 1
                size, height = _alias(event, anchors, report)
                stack[-1].take(size, height)
                total += size
                if aliases > MOST_ALIASES:
                    _bound(report, mark, f"more than {MOST_ALIASES} aliases", "use `array`")
                if len(stack) - 1 + height > MOST_DEPTH:
                    _bound(
                        report,
                        mark,
                        f"lists and mappings nested more than {MOST_DEPTH} deep, through aliases",
                    )
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    _bound(
                        report,
                        mark,
                        "a second document begins here",
                        "a file holds one level: take out the `---`",
                    )
            if len(stack) - 1 > MOST_DEPTH:
                _bound(report, mark, f"lists and mappings nested more than {MOST_DEPTH} deep")
            if total > MOST_NODES:
                _bound(
                    report,
                    mark,
                    f"more than {MOST_NODES} values in one level",
                    "use `array`, or split the level",
                )
    except yaml.YAMLError as error:
        _refuse(error, text, report)


def _alias(event: yaml.AliasEvent, anchors: dict[str, tuple[int, int] | None], report: Report) -> tuple[int, int]:
    name = str(event.anchor)
    if name not in anchors:
        cure = did_you_mean(name, anchors) or f"write `&{harmless(name)}` before it"
        _bound(report, event.start_mark, f"an alias {quoted('*' + name)} without its anchor", cure)
    known = anchors[name]
    if known is None:
        _bound(report, event.start_mark, f"the alias {quoted('*' + name)} stands inside what it names")
    return known


def _check_properties(event: yaml.NodeEvent, anchors: dict[str, tuple[int, int] | None], report: Report) -> None:
    tag = getattr(event, "tag", None)
    if tag is not None and tag != "!":
        _bound(report, event.start_mark, f"a tag {quoted(str(tag))}", "levels have no tags: take it out")
    if event.anchor in anchors:
        _bound(
            report,
            event.start_mark,
            f"the anchor {quoted('&' + str(event.anchor))} was used before",
            "give it another name",
        )


def _bound(report: Report, mark: Mark | None, message: str, cure: str = "") -> NoReturn:
    _fatal(report, message, cure, Place(mark.line + 1, mark.column + 1) if mark else Place())


def _refuse(error: yaml.YAMLError, text: str, report: Report) -> NoReturn:
    """PyYAML's complaint in plain words."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        _fatal(report, f"this is not YAML: {harmless(str(error), 120)}")
    mark, problem = error.problem_mark, error.problem or "it cannot be read"
    index = mark.index if mark.index is not None else 0
    message, cure = f"this is not YAML: {harmless(problem, 120)}", ""
    for words, plain in _PLAIN_WORDS.items():
        if words in problem:
            message, cure = plain
    if "cannot start any token" in problem:
        here = text[index : index + 1]
        message = f"nothing can begin with {quoted(here)} here" if here != "\t" else "a tab"
        cure = "put the text in quotes" if here != "\t" else "YAML indents with spaces only"
    start = error.context_mark
    if _BARE_COLOUR.search(text[max(0, index - 300) : index + 1]):
        cure = 'a colour needs quotes, "#ff0000": # begins a comment'
    if start is not None and start.line != mark.line and "not closed" in message:
        message += f", opened at line {start.line + 1}, column {start.column + 1}"
    _bound(report, mark, message, cure)
