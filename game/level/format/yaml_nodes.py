"""YAML composer: parser events become nodes with their places in the text, in one pass, with bounds on everything.

One tree serves the reader and edits in place: a node knows the characters that it is written with. PyYAML's own
composer recurses in C, and a deeply nested file ends the process. Here depth, nodes, anchors and aliases are checked
before a node is created. All scalars stay text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import yaml

from .findings import LINE_BREAKS, InputError, SourceSpan, line_starts, quote_text, sanitize_text, suggest_word
from .plain_values import MAX_DEPTH, Plain, PlainWord

YAML_LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
MAX_NODES = 300_000  # in all files of a level; an alias counts as all nodes of its anchor
TOO_MANY_NODES = f"the level has more than {MAX_NODES} values"
NESTED_TOO_DEEP = f"lists and mappings are nested more than {MAX_DEPTH} deep"
MAX_ALIASES = 1000

_BLANKS_AND_COMMENTS = re.compile(f"(?:[ \t{LINE_BREAKS}]|(?<=[ \t{LINE_BREAKS}])#[^{LINE_BREAKS}]*)*")
_COLON = re.compile("[ \t]*:")


@dataclass(eq=False, slots=True)
class YamlUsage:
    """Total of nodes, aliases and expression characters in the files of one level."""

    nodes: int = 0
    aliases: int = 0
    expression_characters: int = 0


@dataclass(eq=False, slots=True)
class YamlAnchor:
    """An anchor: its node (None while that is not finished), nodes in it, levels below it, and uses by aliases."""

    name: str
    node: YamlNode | None = None
    size: int = 1
    height: int = 0
    uses: int = 0


class YamlText:
    """A text in which nodes are written. starts: the offset of each line.

    file: the displayed path, "" for the level's own file. usage: counts of all files of the level.
    """

    __slots__ = ("file", "starts", "text", "usage")

    def __init__(self, text: str, file: str, usage: YamlUsage) -> None:
        self.text = text
        self.file = file
        self.usage = usage
        self.starts = line_starts(text)


class YamlNode:
    """A value, written as text[start:end] with its anchor.

    parent: the list or mapping around it, in a text that is edited. nodes: those that are written in it.
    The length of `place` is 1 for a block, and for what is on more than one line.
    """

    __slots__ = ("anchor", "end", "parent", "source", "start")
    flow = True
    nodes: Sequence[YamlNode] = ()

    def __init__(self, source: YamlText, start: int, end: int, anchor: YamlAnchor | None) -> None:
        self.source = source
        self.start = start
        self.end = end
        self.anchor = anchor
        self.parent: YamlCollection | None = None

    @property
    def place(self) -> SourceSpan:
        source, start, end = self.source, self.start, self.end
        starts = source.starts
        line = bisect_right(starts, start)
        if start == end or not self.flow or (line < len(starts) and end >= starts[line]):
            end = start + 1
        return SourceSpan(line, start - starts[line - 1] + 1, end - start, source.file)

    @property
    def after_anchor(self) -> int:
        """Offset after the anchor."""
        return self.start if self.anchor is None else self.start + 1 + len(self.anchor.name)

    @property
    def content(self) -> int:
        """Offset of the value itself, after the anchor and the blanks and comments that follow it."""
        if self.anchor is None:
            return self.start
        gap = _BLANKS_AND_COMMENTS.match(self.source.text, self.after_anchor)
        assert gap is not None
        return min(gap.end(), max(self.end, self.after_anchor))

    @property
    def written(self) -> str:
        """The text of the value, without its anchor."""
        return self.source.text[self.content : self.end]

    def shared_anchor(self) -> str:
        """The anchor of this node or of a node around it that an alias uses; '' if there is none."""
        node: YamlNode | None = self
        while node is not None:
            if node.anchor is not None and node.anchor.uses:
                return node.anchor.name
            node = node.parent
        return ""


class YamlScalar(YamlNode):
    """Text. plain: without quotes and not a block scalar."""

    __slots__ = ("plain", "text")

    def __init__(
        self, source: YamlText, start: int, end: int, anchor: YamlAnchor | None, text: str, plain: bool
    ) -> None:
        self.source = source  # without a call of the base class: most nodes are scalars
        self.start = start
        self.end = end
        self.anchor = anchor
        self.parent = None
        self.text = text
        self.plain = plain

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written."""
        return self.plain and not self.text

    def locate(self, column: int, length: int = 1) -> SourceSpan:
        """Position of the character `column` (from 1) of its text; the whole scalar if escapes make that unknown."""
        place = self.place
        quote = (place.length - len(self.text)) // 2
        if quote not in (0, 1) or place.length != len(self.text) + 2 * quote:
            return place
        return SourceSpan(place.line, place.column + quote + column - 1, length, place.file)


class YamlAlias(YamlNode):
    """An alias `*name` with the node of its anchor, which stands in its place for the reader."""

    __slots__ = ("name", "target")

    def __init__(self, source: YamlText, start: int, end: int, name: str, target: YamlNode) -> None:
        super().__init__(source, start, end, None)
        self.name = name
        self.target = target


class YamlCollection(YamlNode):
    """List or mapping; flow: written in [ ] or { }. nodes: its items, or its keys and values in turn."""

    __slots__ = ("flow", "nodes")

    def __init__(self, source: YamlText, start: int, end: int, anchor: YamlAnchor | None, flow: bool) -> None:
        super().__init__(source, start, end, anchor)
        self.flow = flow
        self.nodes: list[YamlNode] = []


class YamlList(YamlCollection):
    """List: `items` in order."""

    __slots__ = ("items",)
    items: list[YamlNode]


class YamlMapping(YamlCollection):
    """Mapping: `pairs` of key and value in order. A key may occur twice."""

    __slots__ = ("pairs",)
    pairs: list[tuple[YamlNode, YamlNode]]

    @property
    def first_name(self) -> str:
        """Text of the first key; '' if there is none, or if it is no scalar."""
        key = self.pairs[0][0] if self.pairs else None
        return key.text if isinstance(key, YamlScalar) else ""

    @property
    def bare(self) -> bool:
        """Whether it is a single pair in [ ] without braces of its own."""
        return self.flow and self.source.text[self.content : self.content + 1] != "{"

    @property
    def written_pairs(self) -> list[tuple[YamlNode, YamlNode]]:
        """The pairs with aliases as nodes of their own."""
        return list(zip(self.nodes[::2], self.nodes[1::2], strict=True))

    def find(self, name: str) -> list[tuple[YamlNode, YamlNode]]:
        """The pairs with that key: more than one if the key is given twice."""
        return [(key, value) for key, value in self.pairs if isinstance(key, YamlScalar) and key.text == name]


@dataclass(eq=False, slots=True)
class YamlTree:
    """The nodes of a text. root: None for an empty document. anchors: by name."""

    source: YamlText
    root: YamlNode | None = None
    anchors: dict[str, YamlAnchor] = field(default_factory=dict)


def lone_node(value: Plain) -> YamlNode:
    """Node of a value that stands in no file."""
    return make_node(value, YamlText("", "", YamlUsage()))


def make_node(
    value: Plain,
    source: YamlText,
    scalar: type[YamlScalar] = YamlScalar,
    items: type[YamlList] = YamlList,
    mapping: type[YamlMapping] = YamlMapping,
) -> YamlNode:
    """Node of a value, with its number among the nodes of the level in place of its offset."""
    source.usage.nodes += 1
    at = source.usage.nodes
    kinds = scalar, items, mapping
    if isinstance(value, dict):
        made = mapping(source, at, at, None, True)
        made.pairs = [(make_node(key, source, *kinds), make_node(one, source, *kinds)) for key, one in value.items()]
        return made
    if isinstance(value, list):
        listed = items(source, at, at, None, True)
        listed.items = [make_node(one, source, *kinds) for one in value]
        return listed
    return scalar(source, at, at, None, value, isinstance(value, PlainWord))


def duplicate_message(name: str, first: SourceSpan) -> str:
    """Words for a name that is given again."""
    return f"{quote_text(name)} is given twice; the first is at line {first.line}, column {first.column}"


def iterate_nodes(root: YamlNode | None) -> Iterator[YamlNode]:
    """A node and all nodes below it, in the order of the text."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.nodes)


def compose_nodes(
    text: str,
    file: str = "",
    usage: YamlUsage | None = None,
    for_edits: bool = False,
    outer: Mapping[str, YamlAnchor] | None = None,
) -> YamlTree:
    """The nodes of the one document in `text`. Raises InputError where it is not YAML, and past any bound.

    file: the displayed path that the nodes' places name. usage: counts of the other files of the same level.
    for_edits: items and pairs hold aliases as nodes of their own. outer: anchors around a part of a text, which its
    aliases may name.
    """
    composer = _Composer(YamlTree(YamlText(text, file, usage or YamlUsage())), for_edits, outer or {})
    try:
        composer.compose()
    except yaml.YAMLError as error:
        if "maximum nesting depth" in str(error):  # libyaml 0.2.6 reads ahead to its own limit of 1000
            mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
            place = SourceSpan(mark.line + 1, mark.column + 1) if mark else SourceSpan()
            raise InputError(NESTED_TOO_DEEP, "", place) from None
        raise _plain_yaml_error(error, text) from None
    return composer.result


@dataclass(eq=False, slots=True)
class _OpenCollection:
    """List or mapping whose end has not been read. size: nodes in it, itself included. height: levels below it."""

    node: YamlCollection
    has_alias: bool = False
    size: int = 1
    height: int = 0


class _Composer:
    """Builds the nodes from PyYAML's parser events, with a stack instead of recursion."""

    def __init__(self, result: YamlTree, for_edits: bool, outer: Mapping[str, YamlAnchor]) -> None:
        self.result = result
        self._source = result.source
        self._usage = result.source.usage
        self._for_edits = for_edits
        self._outer = outer
        self._stack: list[_OpenCollection] = []

    def compose(self) -> None:
        source = self._source
        documents = 0
        for event in yaml.parse(source.text, Loader=YAML_LOADER):
            start_mark, end_mark = event.start_mark, event.end_mark
            assert start_mark is not None
            assert end_mark is not None
            start, end = start_mark.index, end_mark.index
            if isinstance(event, yaml.ScalarEvent):
                anchor = self._begin(event, start)
                scalar = YamlScalar(source, start, end, anchor, event.value, not event.style)
                if self._for_edits:
                    self._place_end(scalar, event.style)
                self._add(scalar)
            elif isinstance(event, yaml.CollectionStartEvent):
                anchor = self._begin(event, start)
                if len(self._stack) >= MAX_DEPTH:
                    self._fail(start, NESTED_TOO_DEEP)
                kind = YamlMapping if isinstance(event, yaml.MappingStartEvent) else YamlList
                node = kind(source, start, end, anchor, bool(event.flow_style))
                self._stack.append(_OpenCollection(node))
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close(self._stack.pop(), end)
            elif isinstance(event, yaml.AliasEvent):
                self._add_alias(str(event.anchor), start, end)
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    cure = "a file contains one level: remove the `---`"
                    self._fail(start, "a second YAML document begins here", cure)

    def _begin(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, start: int) -> YamlAnchor | None:
        """The anchor of a node that begins. Its tag, its anchor and the number of nodes are checked."""
        if event.tag is not None and event.tag != "!":
            cure = "levels do not use tags: remove it"
            self._fail(start, f"the tag {quote_text(str(event.tag))} is not allowed", cure)
        self._usage.nodes += 1
        if self._usage.nodes > MAX_NODES:
            self._fail(start, TOO_MANY_NODES, "use `array`, or split the level")
        if event.anchor is None:
            return None
        if event.anchor in self.result.anchors:
            message = f"the anchor {quote_text('&' + event.anchor)} is already defined"
            self._fail(start, message, "give it another name")
        anchor = self.result.anchors[event.anchor] = YamlAnchor(event.anchor)
        return anchor

    def _place_end(self, scalar: YamlScalar, style: str | None) -> None:
        """End a block scalar before the blank lines below it, and put an empty value behind the colon of its key."""
        if style in ("|", ">"):
            scalar.end = scalar.content + len(scalar.written.rstrip(LINE_BREAKS + " "))
        elif scalar.start == scalar.end and self._stack and isinstance(self._stack[-1].node, YamlMapping):
            nodes = self._stack[-1].node.nodes
            if len(nodes) % 2:  # the value of a key
                colon = _COLON.match(scalar.source.text, nodes[-1].end)
                scalar.start = scalar.end = colon.end() if colon else nodes[-1].end

    def _add(self, node: YamlNode, size: int = 1, height: int = 0) -> None:
        """Append a finished node to the innermost open collection."""
        anchor = node.anchor
        if anchor is not None:
            anchor.node, anchor.size, anchor.height = node, size, height
        if not self._stack:
            self.result.root = node
            return
        parent = self._stack[-1]
        parent.node.nodes.append(node)
        parent.size += size
        if height >= parent.height:
            parent.height = height

    def _close(self, closed: _OpenCollection, end: int) -> None:
        node = closed.node
        nodes = node.nodes
        values = nodes
        if closed.has_alias and not self._for_edits:
            values = [one.target if isinstance(one, YamlAlias) else one for one in nodes]
        if isinstance(node, YamlMapping):
            node.pairs = list(zip(values[::2], values[1::2], strict=True))
        elif isinstance(node, YamlList):
            node.items = values
        if not node.flow or self._source.text[end - 1 : end] not in ("]", "}"):
            # A block, or a pair in [ ] without braces: the parser's end is where the next token begins.
            end = max(node.content, *(child.end for child in nodes[-2:]))
        node.end = end
        if self._for_edits:
            for child in nodes:
                child.parent = node
        self._add(node, closed.size, closed.height + 1)

    def _add_alias(self, name: str, start: int, end: int) -> None:
        anchor = self.result.anchors.get(name) or self._outer.get(name)
        if anchor is None:
            cure = suggest_word(name, self.result.anchors) or f"write `&{sanitize_text(name)}` before it"
            self._fail(start, f"the alias {quote_text('*' + name)} has no anchor", cure)
        if anchor.node is None:
            self._fail(start, f"the alias {quote_text('*' + name)} is inside its own anchor")
        anchor.uses += 1
        self._usage.aliases += 1
        self._usage.nodes += anchor.size
        if self._usage.aliases > MAX_ALIASES:
            self._fail(start, f"the level has more than {MAX_ALIASES} aliases", "use `array`")
        if len(self._stack) + anchor.height > MAX_DEPTH:
            self._fail(start, f"{NESTED_TOO_DEEP} through aliases")
        if self._usage.nodes > MAX_NODES:
            self._fail(start, TOO_MANY_NODES, "use `array`, or split the level")
        if self._stack:
            self._stack[-1].has_alias = True
        self._add(YamlAlias(self._source, start, end, name, anchor.node), anchor.size, anchor.height)

    def _fail(self, start: int, message: str, cure: str = "") -> NoReturn:
        """Raise InputError for what begins at an offset."""
        place = YamlNode(self._source, start, start, None).place
        raise InputError(message, cure, SourceSpan(place.line, place.column))


# By a part of the parser's message: a plain message and its cure
_PLAIN_ERRORS = {
    "did not find expected node content": ("a value is missing", "add a value, or remove the name before it"),
    "mapping values are not allowed": (
        "a colon is not allowed here",
        "put text with a colon in quotes; or finish the line above, or indent this line like the one above",
    ),
    "did not find expected ',' or ']'": (
        "a list `[` is not closed",
        "close it with `]`, or put a comma between its items",
    ),
    "did not find expected ',' or '}'": (
        "a mapping `{` is not closed",
        "close it with `}`, put a comma between its fields, or put text with a colon or # in quotes",
    ),
    "found unexpected end of stream": ("a quotation mark is not closed", "close it with the same mark"),
    "did not find expected key": (
        "this does not continue the block above",
        "indent it like that block; look before it for a colon, comma or bracket that is missing or too many",
    ),
    "found a tab character": ("the line contains a tab", "use spaces: YAML does not allow tabs for indentation"),
    "did not find expected '-' indicator": (
        "the list ends here, but this line is indented like a list item",
        "indent it like the key it belongs to, or start the line with `- `",
    ),
    "could not find expected ':'": (
        "a colon is missing here or above",
        "write `name: value`, with a space after the colon",
    ),
    "found unexpected ':'": ("a space is missing after the colon", "write `name: value`, with a space after the colon"),
    "found unknown escape character": (
        "this backslash starts an escape sequence that YAML does not have",
        "write two backslashes, or use single quotes",
    ),
    "found undefined alias": ("an alias `*` has no anchor `&`", "write the anchor before the alias"),
    "block sequence entries are not allowed": ("a list cannot begin here", "start the list on its own line"),
}


def _plain_yaml_error(error: yaml.YAMLError, text: str) -> InputError:
    """The parser's error about `text` in plain words, with its place and its cure."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return InputError(f"this is not YAML: {sanitize_text(str(error), 120)}")
    mark, start, problem = error.problem_mark, error.context_mark, error.problem or "it cannot be read"
    message, cure = next(
        (plain for pattern, plain in _PLAIN_ERRORS.items() if pattern in problem),
        (f"this is not YAML: {sanitize_text(problem, 120)}", ""),
    )
    if "cannot start any token" in problem:
        character = text[mark.index : mark.index + 1] if mark.index is not None else ""
        message, cure = f"a value cannot begin with {quote_text(character)}", "put the text in quotes"
        if character == "\t":
            message, cure = _PLAIN_ERRORS["found a tab character"]
    if start is not None and "not closed" in message:
        message += f", opened at line {start.line + 1}, column {start.column + 1}"
    return InputError(message, cure, SourceSpan(mark.line + 1, mark.column + 1))
