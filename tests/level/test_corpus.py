"""Each document of the corpus gives its recorded findings, `check --fix` does what is recorded, and cures mend levels.

tests/level/corpus has a text file for each area, and beside some a folder with what such a file cannot hold: pictures,
models, included files, other encodings. A document begins with `=== title`. Its level follows as it is written, and
below it what `check` finds:

  ! 5:11 dropped: box: there is no field `form`       line:column severity: message
  ! cure: start each piece with `- `                  the cure of that finding
  ! apply: OLD => NEW                                 a change that follows the cure, and the finding is gone after it
  ! fixed: did you mean `from`?                       the same, and the finding is gone after `check --fix`
  ! then 5:39 warning: ...                            a finding that `check --fix` brings to light
  !|     5 |   - box: {form: [0, 0, 0]}               all that `check` prints, in some documents

A place in another file begins with the name of that file. In place of its level a document may have `@ name.yaml`, a
file of the area's folder. The level of `=== title < base` is that of the document `base` with these lines at its end.
A document without findings is such a base.

Write the lines with `! apply:` yourself, below the cure; one cure may have several, for each way that it tells. The
level, with that of its base, has OLD once. With NEW in its place the finding is gone, and no other is new. `\\n` stands
for the end of a line; without NEW, OLD is removed.

`python -m tests.level.test_corpus` writes the other lines with `!` anew, and keeps those with `! apply:`, each below
the finding of the same number: read the changes before you keep them. Of a new document, write the title and the level.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from game.level import Finding, LevelError, check, load, severity_exit_code
from game.level.edit import SaveError, read_text
from game.level.edit.autofix import autofix_level
from game.level.format.yaml_layout import apply_edits

CORPUS = Path(__file__).with_name("corpus")
NEVER_FIXED = "geometry/crowded"  # nothing to mend in it, and slow


@dataclass
class Document:
    """One document. base: title of the document that it continues, or nothing. level: its own lines of the level, or
    the one that begins with `@`. told: the lines that begin with `!`."""

    area: str
    title: str
    base: str
    level: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.area}/{self.title}"

    @property
    def in_folder(self) -> bool:
        return bool(self.level) and self.level[0].startswith("@ ")

    @property
    def file(self) -> str:
        return self.level[0][2:] if self.in_folder else f"{self.title.replace(' ', '_')}.yaml"


def read_corpus() -> dict[str, Document]:
    """All documents by `area/title`, in the order of the files."""
    found: dict[str, Document] = {}
    for path in sorted(CORPUS.glob("*.txt")):
        for line in path.read_bytes().decode().split("\n")[:-1]:
            if line.startswith("=== "):
                title, _, base = line[4:].partition(" < ")
                document = Document(path.stem, title, base)
                assert document.name not in found, f"two documents are named {document.name}"
                found[document.name] = document
            else:
                (document.told if line.startswith("!") else document.level).append(line)
    return found


def write_corpus(documents: Sequence[Document]) -> None:
    for area in {document.area for document in documents}:
        lines = []
        for document in documents:
            if document.area == area:
                title = f"{document.title} < {document.base}" if document.base else document.title
                lines += [f"=== {title}", *document.level, *document.told]
        (CORPUS / f"{area}.txt").write_bytes("".join(f"{line}\n" for line in lines).encode())


def level_text(document: Document) -> str:
    base = level_text(DOCUMENTS[f"{document.area}/{document.base}"]) if document.base else ""
    return base + "".join(f"{line}\n" for line in document.level)


@contextlib.contextmanager
def written_levels() -> Iterator[Path]:
    """Temporary folder with a folder for each area, in it all its levels and other files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for area in {document.area for document in DOCUMENTS.values()}:
            if (CORPUS / area).is_dir():
                shutil.copytree(CORPUS / area, folder / area)
            else:
                (folder / area).mkdir()
        for document in DOCUMENTS.values():
            if not document.in_folder:
                (folder / document.area / document.file).write_bytes(level_text(document).encode())
        yield folder


def applied(document: Document) -> dict[int, list[str]]:
    """Lines with `! apply:` by the number of the finding above them, from 0."""
    lines: dict[int, list[str]] = {}
    number = -1
    for line in document.told:
        if line.startswith("! apply: "):
            lines.setdefault(number, []).append(line)
        elif not line.startswith(("! cure: ", "! fixed: ", "! then ", "!|")):
            number += 1
    return lines


def told(document: Document, found: Sequence[Finding], remaining: Sequence[Finding]) -> list[str]:
    """Lines with `!` of a document, from its findings before and after `check --fix` (or twice the same)."""
    left = Counter(unnumbered(each) for each in remaining)
    kept = applied(document)
    lines = []
    for number, finding in enumerate(found):
        stays = left[unnumbered(finding)] > 0
        left[unnumbered(finding)] -= stays
        lines += lines_of(document, finding, "! ", "cure" if stays else "fixed")
        lines += kept.pop(number, [])
    lines += [line for rest in kept.values() for line in rest]
    for finding in remaining:
        if left[unnumbered(finding)] > 0:
            left[unnumbered(finding)] -= 1
            lines += lines_of(document, finding, "! then ", "cure")
    if any(line.startswith("!|") for line in document.told):
        lines += [f"!| {line}".rstrip() for finding in found for line in finding.render().split("\n")]
    return lines


def lines_of(document: Document, finding: Finding, before: str, cure: str) -> list[str]:
    """Line of a finding and that of its cure; line 0 stands for a whole file."""
    place = f"{finding.line}:{finding.column}" if finding.file == document.file else str(finding).split(": ")[0]
    words = f"{finding.where}: {finding.message}" if finding.where else finding.message
    lines = [f"{before}{place} {finding.severity}: {words}"]
    return lines + [f"{before}{cure}: {finding.cure}"] * bool(finding.cure)


def unnumbered(finding: Finding) -> str:
    return finding.message.split(" (line")[0]


def after_fix(document: Document, found: Sequence[Finding]) -> Sequence[Finding]:
    """Findings after `check --fix`, which makes nothing worse; those before it where it does nothing."""
    if document.name == NEVER_FIXED:
        return found
    path = Path(document.file)
    try:
        text = read_text(path)
        done = autofix_level(document.file, text)
    except (LevelError, SaveError):
        return found
    assert path.read_bytes() == text.encode(), "nothing is written"
    was = Counter(unnumbered(each) for each in found)
    errors = Counter(unnumbered(each) for each in done.remaining if each.severity != "warning")
    assert not any("is given twice" in message for message in errors - was)
    assert bool(done.done) == (done.text != text)
    if not done.done:
        return found
    path.write_bytes(done.text.encode())
    try:
        assert [str(each) for each in check(path.name)] == [str(each) for each in done.remaining]
    finally:
        path.write_bytes(text.encode())
    return done.remaining


def change_of(line: str) -> tuple[str, str]:
    """What a line with `! apply:` replaces, and by what."""
    old, arrow, new = line.removeprefix("! apply: ").replace("\\n", "\n").partition(" =>")
    assert arrow, line
    return old, new.removeprefix(" ")


DOCUMENTS = read_corpus()
APPLIED = [name for name, document in DOCUMENTS.items() if applied(document)]
FIXED = [name for name, each in DOCUMENTS.items() if any(line.startswith("! fixed: ") for line in each.told)]
BASES = {f"{document.area}/{document.base}" for document in DOCUMENTS.values()}


@pytest.fixture(scope="module")
def levels() -> Iterator[Path]:
    with written_levels() as folder:
        yield folder


@pytest.mark.sample(60)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_document_gives_its_findings(name: str, levels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = DOCUMENTS[name]
    monkeypatch.chdir(levels / document.area)
    expected = [line.replace("! fixed:", "! cure:", 1) for line in document.told if not line.startswith("! then ")]
    found = check(document.file)
    assert told(document, found, found) == expected
    severities = {each.severity for each in found}
    assert severity_exit_code(found) == (2 if "fatal" in severities else int("dropped" in severities))
    if "fatal" in severities and not document.file.endswith(".tests.yaml"):
        with pytest.raises(LevelError) as error:
            load(document.file)
        assert [str(each) for each in error.value.findings] == [str(each) for each in found]
    assert expected or name in BASES, "a document is wrong in some way, or others continue it"
    for finding in found:
        if finding.excerpt and finding.file == document.file:
            line = Path(document.file).read_bytes().decode(errors="replace").split("\n")[finding.line - 1]
            marked = finding.excerpt[finding.caret : finding.caret + finding.length]
            place = finding.column - 1
            assert marked or place == len(line), "something is underlined, or the end of a line"
            assert line[place : place + len(marked)].translate({ord("\t"): " ", 0xA0: " "}) == marked, finding


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_check_fix_does_what_is_recorded(name: str, levels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = DOCUMENTS[name]
    monkeypatch.chdir(levels / document.area)
    found = check(document.file)
    assert told(document, found, after_fix(document, found)) == document.told


@pytest.mark.sample(15)
@pytest.mark.parametrize("name", APPLIED)
def test_a_cure_that_is_applied_mends_its_finding(name: str, levels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = DOCUMENTS[name]
    monkeypatch.chdir(levels / document.area)
    path = Path(document.file).resolve()
    text = path.read_bytes().decode()
    found = [unnumbered(each) for each in check(document.file)]
    for number, lines in applied(document).items():
        assert number in range(len(found)), lines
        others = Counter(found[:number] + found[number + 1 :])
        for line in lines:
            old, new = change_of(line)
            assert text.count(old) == 1, line
            left = check(document.file, {path: text.replace(old, new).encode()})
            assert Counter(unnumbered(each) for each in left) <= others, (line, [str(each) for each in left])


@pytest.mark.sample(15)
@pytest.mark.parametrize("name", FIXED)
def test_an_edit_alone_mends_its_finding(name: str, levels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = DOCUMENTS[name]
    monkeypatch.chdir(levels / document.area)
    path = Path(document.file).resolve()
    found = check(document.file)
    editable = [finding for finding in found if finding.edit is not None]
    assert editable
    for finding in editable:
        file = path if finding.file == document.file else Path(finding.file).resolve()
        text = file.read_bytes().decode("utf-8-sig")
        new, made = apply_edits(text, [finding.edit])
        assert made == [finding.edit]
        left = Counter(unnumbered(each) for each in check(document.file, {file: new.encode()}))
        assert left[unnumbered(finding)] < Counter(map(unnumbered, found))[unnumbered(finding)]
        assert not any("is given twice" in message for message in left)


def test_documents_of_many_kinds_have_all_that_check_prints() -> None:
    printed = [name for name, document in DOCUMENTS.items() if any(line.startswith("!|") for line in document.told)]
    assert len(printed) >= 24


def test_many_cures_are_applied() -> None:
    assert len(APPLIED) >= 100


if __name__ == "__main__":
    with written_levels() as levels_folder:
        for each in DOCUMENTS.values():
            os.chdir(levels_folder / each.area)
            found = check(each.file)
            each.told = told(each, found, after_fix(each, found))
        os.chdir(CORPUS)
    write_corpus(list(DOCUMENTS.values()))
