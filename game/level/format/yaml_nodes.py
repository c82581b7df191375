"""YAML text as nodes that know their place, made in one pass over the parser's events with bounds on everything.

PyYAML's own composer is not used: it recurses, in C, and a deep enough file ends the process. Here the bounds on
depth, nodes, anchors and aliases are held before a node is made. All scalars stay text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn, Protocol

import yaml

from .findings import Place, Refused, did_you_mean, harmless, quoted

LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
MOST_NODES = 300_000  # values in a file, each alias counted as all that it stands for
MOST_DEPTH = 64  # lists and mappings inside each other
MOST_ALIASES = 1000

_NO_COLON = re.compile(r"[ \t]*(?:- +)?([a-z_]+) +[\[{]")  # `- box {from: ...}`
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
    "found unexpected ':'": ("a colon without a space after it", "write `name: value`, with a space after the colon"),
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


class Tally:
    """How much the files of one level hold together: nodes, aliases, characters of sums."""

    __slots__ = ("aliases", "nodes", "sums")

    def __init__(self) -> None:
        self.nodes = 0
        self.aliases = 0
        self.sums = 0


@dataclass(frozen=True, slots=True)
class Written:
    """Where nodes were written: the shown path of an included file, "" for the level's own; and its level's tally."""

    file: str
    tally: Tally


class Node:
    """Something written in the file; `place` is as long as the node where that ends on its first line."""

    __slots__ = ("_column", "_length", "_line", "source")

    def __init__(self, start: Mark | None, end: Mark | None, source: Written) -> None:
        self._line = start.line if start else 0
        self._column = start.column if start else 0
        self._length = end.column - self._column if end and end.line == self._line else 1
        self.source = source

    def ends(self, mark: Mark | None) -> None:
        if mark and mark.line == self._line:
            self._length = mark.column - self._column

    @property
    def place(self) -> Place:
        return Place(self._line + 1, self._column + 1, max(1, self._length), self.source.file)


class Scalar(Node):
    """Text; `plain` where it stands without quotes and not in a block."""

    __slots__ = ("plain", "text")

    def __init__(self, start: Mark | None, end: Mark | None, source: Written, text: str, plain: bool) -> None:
        super().__init__(start, end, source)
        self.text = text
        self.plain = plain

    def within(self, column: int, length: int = 1) -> Place:
        """Where a character of its text, counted from 1, is written; the whole where that cannot be told."""
        whole = self.place
        ahead = (whole.length - len(self.text)) // 2
        if ahead not in (0, 1) or whole.length != len(self.text) + 2 * ahead:
            return whole
        return Place(whole.line, whole.column + ahead + column - 1, length, whole.file)


class List(Node):
    """`items` in order."""

    __slots__ = ("items",)

    def __init__(self, start: Mark | None, source: Written) -> None:
        super().__init__(start, None, source)
        self.items: list[Node] = []


class Mapping(Node):
    """`pairs` of key and value in order, the same key maybe twice."""

    __slots__ = ("pairs",)

    def __init__(self, start: Mark | None, source: Written, pairs: list[tuple[Node, Node]]) -> None:
        super().__init__(start, None, source)
        self.pairs = pairs


def compose(text: str, file: str = "", tally: Tally | None = None) -> Node | None:
    """The root node of the one document in `text`, None where there is none. Raises Refused past any bound.

    file: the shown path that the nodes' places name; tally: what the files of the same level used up before.
    """
    composer = _Composer(Written(file, tally or Tally()))
    try:
        for event in yaml.parse(text, Loader=LOADER):
            composer.take(event)
    except yaml.YAMLError as error:
        _refuse(error, text)
    return composer.root


class _Open:
    """A list or mapping that is not finished, with how much is in it."""

    __slots__ = ("anchor", "children", "height", "node", "size")

    def __init__(self, node: List | Mapping | None, anchor: str | None) -> None:
        self.node = node
        self.anchor = anchor
        self.children: list[Node] = []
        self.size = 1  # nodes, itself counted
        self.height = 0  # levels below it

    def add(self, node: Node, size: int, height: int) -> None:
        self.children.append(node)
        self.size += size
        self.height = max(self.height, height)


class _Composer:
    """Turns events into nodes; `root` is there when the document has ended."""

    def __init__(self, source: Written) -> None:
        self.source = source
        self._tally = source.tally
        self._document = _Open(None, None)
        self._stack = [self._document]
        self._anchors: dict[str, tuple[Node, int, int] | None] = {}  # with size and height; None: not finished
        self._documents = 0

    @property
    def root(self) -> Node | None:
        return self._document.children[0] if self._document.children else None

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            plain = event.style is None or event.style == ""
            scalar = Scalar(event.start_mark, event.end_mark, self.source, event.value, plain)
            if event.tag is None and event.anchor is None and self._tally.nodes < MOST_NODES:
                self._tally.nodes += 1
                here = self._stack[-1]
                here.children.append(scalar)
                here.size += 1
            else:
                self._begin(event)
                self._add(scalar, event.anchor, 1, 0)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
            if len(self._stack) > MOST_DEPTH:
                _bound(event.start_mark, f"lists and mappings nested more than {MOST_DEPTH} deep")
            mapping = isinstance(event, yaml.MappingStartEvent)
            node = Mapping(event.start_mark, self.source, []) if mapping else List(event.start_mark, self.source)
            self._stack.append(_Open(node, event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self._stack.pop()
            assert done.node is not None
            done.node.ends(event.end_mark)
            if isinstance(done.node, Mapping):
                done.node.pairs = list(zip(done.children[::2], done.children[1::2], strict=True))
            else:
                done.node.items = done.children
            self._add(done.node, done.anchor, done.size, done.height + 1)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                cure = "a file holds one level: take out the `---`"
                _bound(event.start_mark, "a second document begins here", cure)

    def _begin(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        """Bounds and properties of a node that begins."""
        if event.tag is not None and event.tag != "!":
            cure = "levels have no tags: take it out"
            _bound(event.start_mark, f"a tag {quoted(str(event.tag))}", cure)
        if event.anchor is not None:
            if event.anchor in self._anchors:
                message = f"the anchor {quoted('&' + event.anchor)} was used before"
                _bound(event.start_mark, message, "give it another name")
            self._anchors[event.anchor] = None
        self._count(1, event.start_mark)

    def _count(self, nodes: int, mark: Mark | None) -> None:
        self._tally.nodes += nodes
        if self._tally.nodes > MOST_NODES:
            message = f"more than {MOST_NODES} values in one level"
            _bound(mark, message, "use `array`, or split the level")

    def _add(self, node: Node, anchor: str | None, size: int, height: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (node, size, height)
        self._stack[-1].add(node, size, height)

    def _alias(self, event: yaml.AliasEvent) -> None:
        name, mark = str(event.anchor), event.start_mark
        if name not in self._anchors:
            cure = did_you_mean(name, self._anchors) or f"write `&{harmless(name)}` before it"
            _bound(mark, f"an alias {quoted('*' + name)} without its anchor", cure)
        known = self._anchors[name]
        if known is None:
            _bound(mark, f"the alias {quoted('*' + name)} stands inside what it names")
        node, size, height = known
        self._tally.aliases += 1
        if self._tally.aliases > MOST_ALIASES:
            _bound(mark, f"more than {MOST_ALIASES} aliases", "use `array`")
        if len(self._stack) - 1 + height > MOST_DEPTH:
            _bound(mark, f"lists and mappings nested more than {MOST_DEPTH} deep, through aliases")
        self._count(size, mark)
        self._stack[-1].add(node, size, height)


def _bound(mark: Mark | None, message: str, cure: str = "") -> NoReturn:
    raise Refused(message, cure, Place(mark.line + 1, mark.column + 1) if mark else Place())


def _refuse(error: yaml.YAMLError, text: str) -> NoReturn:
    """PyYAML's complaint in plain words."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        raise Refused(f"this is not YAML: {harmless(str(error), 120)}")
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
    bare = _NO_COLON.match(text, index - mark.column)
    if bare and "does not fit in" in message:
        message, cure = f"a colon is missing after {quoted(bare[1])}", f"write `{bare[1]}: {{...}}`"
    elif text[index : index + 1] == ":" and "not closed" in message and start and start.line == mark.line:
        message, cure = "a colon where none can be", "text with a colon needs quotes; a piece in a list needs [ ]"
    if _BARE_COLOUR.search(text[max(0, index - 300) : index + 1]):
        cure = 'a colour needs quotes, "#ff0000": # begins a comment'
    if start is not None and start.line != mark.line and "not closed" in message:
        message += f", opened at line {start.line + 1}, column {start.column + 1}"
    _bound(mark, message, cure)
