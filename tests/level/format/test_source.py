"""Files that are not levels: one plain finding, in bounded time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from game.level import Finding, LevelError, check, find_level, load, severity_exit_code
from game.level.format import source
from game.level.format.file_access import SHIPPED_LEVELS, is_tests_file
from game.level.format.source import MAX_LEVEL_BYTES
from game.level.format.yaml_nodes import MAX_DEPTH
from tests.support.until import SECONDS

FLOOR = "format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [-1, -1], to: [1, 1]}]\n"


def only(findings: list[Finding]) -> Finding:
    assert len(findings) == 1, [str(finding) for finding in findings]
    return findings[0]


def fatal(path: Path) -> Finding:
    """The only finding of a file that is not a level; `load` reports the same."""
    began = time.process_time()
    finding = only(check(path))
    assert time.process_time() - began < 20.0, "a hang"
    assert finding.severity == "fatal"
    assert severity_exit_code([finding]) == 2
    with pytest.raises(LevelError) as caught:
        load(path)
    assert caught.value.findings == (finding,)
    assert str(path) in str(caught.value)
    return finding


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("folder", "this is a folder, not a level file"),
        ("pipe", "this is a device or pipe, not a level file"),
        ("zeros", f"this file is larger than the limit for a level, {MAX_LEVEL_BYTES // 2**20} MiB"),
    ],
)
def test_what_is_no_file_of_a_usual_size_is_not_read(tmp_path: Path, kind: str, message: str) -> None:
    path = tmp_path / "level.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)  # a reader would wait
    else:
        path.touch()
        os.truncate(path, 200 * 2**20)
    assert fatal(path).message == message


def test_a_missing_file_names_one_that_is_near(tmp_path: Path) -> None:
    (tmp_path / "castle.yaml").write_text(FLOOR)
    finding = fatal(tmp_path / "casle.yaml")
    assert finding.message == "the file does not exist"
    assert finding.cure == "did you mean `castle.yaml`?"
    assert str(finding) == f"{tmp_path / 'casle.yaml'}: the file does not exist"


DEVICES = ["/dev/zero", "/dev/null", "/dev/stdin", "/proc/self/mem"]


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "", "a/b/c/d.yaml", "\udcff.yaml", *DEVICES])
def test_names_that_no_level_can_have(name: str) -> None:
    assert only(check(name)).severity == "fatal"


def test_a_file_without_permission_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text(FLOOR)
    path.chmod(0)

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    if os.access(path, os.R_OK):  # the superuser may read everything
        monkeypatch.setattr(source.os, "open", refuse)
    assert fatal(path).message == "permission to read this file is denied"


def test_a_file_as_large_as_allowed_is_read(written: Callable[[bytes], Path]) -> None:
    padding = b"#" * 100 + b"\n"
    text = FLOOR.encode() + padding * ((MAX_LEVEL_BYTES - len(FLOOR)) // len(padding))
    assert check(written(text)) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"\0" * 4096, "a control character (U+0000): the file is damaged or not text"),
        (b"a: \x1b[31m", "a control character (U+001B): the file is damaged or not text"),
        (b"\x89PNG\r\n\x1a\n", "the file is not UTF-8: byte 0x89"),
        (b"a: \xff", "the file is not UTF-8: byte 0xff"),
        (b"\xed\xa0\x80", "the file is not UTF-8: byte 0xed"),
        (
            b"a: !!python/object/apply:os.system [x]",
            "the tag `tag:yaml.org,2002:python/object/apply:o…` is not allowed",
        ),
    ],
)
def test_no_level_in_one_sentence(written: Callable[[bytes], Path], data: bytes, words: str) -> None:
    assert fatal(written(data)).message == words


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{a: " * 100_000,
        "[" * 4_000_000,
        "- " * 100_000,
        "? " * 100_000,
        "".join(" " * k + "a:\n" for k in range(1500)),
        "".join(f"&a{k} [" for k in range(100_000)),
        "".join(f"{'    ' * k}- group:\n{'    ' * k}    of:\n" for k in range(1000)),
    ],
)
def test_nesting_is_bounded(written: Callable[[str], Path], text: str) -> None:
    assert f"nested more than {MAX_DEPTH} deep" in fatal(written(text)).message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "\n".join(["a0: &a0 [x, x]"] + [f"a{k}: &a{k} [*a{k - 1}, *a{k - 1}]" for k in range(1, 40)]),
            "values",
        ),
        ("a: &a 1\nb: [" + "*a, " * 2000 + "]", "aliases"),
        pytest.param("a: [" + "1," * 400_000 + "]", "values", marks=pytest.mark.full),
        pytest.param("a: [" + "[]," * 400_000 + "]", "values", marks=pytest.mark.full),
        pytest.param("".join(f"k{k}: 1\n" for k in range(200_000)), "values", marks=pytest.mark.full),
    ],
)
def test_bombs_are_counted_before_they_go_off(written: Callable[[str], Path], text: str, words: str) -> None:
    assert words in fatal(written(text)).message


def test_line_ends_byte_order_mark_and_blanks_do_no_harm(written: Callable[[bytes], Path]) -> None:
    for data in (
        FLOOR.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + FLOOR.encode(),
        ("\n\n# comment\n" + FLOOR + "\n\n...\n").encode(),
        ("%YAML 1.1\n---\n" + FLOOR).encode(),
        FLOOR.replace("pieces", "pieces \t").encode(),
    ):
        assert check(written(data)) == [], data


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_are_right_whatever_the_line_ends(written: Callable[[str], Path], end: str) -> None:
    text = (
        f"\ufeff# ä€😀{end}format: 1{end}spawn: {{at: [0, 0, 0]}}{end}"
        + f"pieces: [floor: {{from: [0, x], to: [1, 1]}}]{end}"
    )
    finding = check(written(text))[-1]
    assert (finding.line, finding.column) == (4, 28)
    assert finding.excerpt[finding.caret] == "x"


def test_shipped_levels_go_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = (SHIPPED_LEVELS, SHIPPED_LEVELS / "museum")
    names = sorted(path.stem for folder in folders for path in folder.glob("*.yaml") if not is_tests_file(path))
    monkeypatch.chdir(SHIPPED_LEVELS)
    assert find_level("demo") == Path("demo.yaml")
    assert find_level("jump") == Path("museum/jump.yaml")
    monkeypatch.chdir(tmp_path)
    assert os.path.samefile(load("jump").path, SHIPPED_LEVELS / "museum" / "jump.yaml")
    assert only(check("dmo")).cure == "did you mean `demo`?"
    with pytest.raises(LevelError, match="did you mean `demo`"):
        load("dmeo")
    Path("mine.yaml").write_text(FLOOR)
    assert "did you mean" not in only(check("nope.yaml")).cure
    assert only(check("nosuch")).cure.startswith("shipped levels: "), "`crouch` is not near enough"
    shown, more = names[: source.MAX_NAMES], len(names) - source.MAX_NAMES
    assert only(check("nosuch")).cure == f"shipped levels: {', '.join(shown)} and {more} more"
    assert only(check("nosuch.yaml")).cure == "", "a path: only files in its folder are near"
    assert only(check("eu/demo2.yaml")).cure == "its folder does not exist either"
    assert only(check("mnie.yaml")).cure == "did you mean `mine.yaml`?"


@pytest.mark.full
def test_a_deep_file_does_not_crash_the_interpreter(written: Callable[[str], Path]) -> None:
    """A child process: the failure that this test guards against would end the test run."""
    path = written("[" * 1_000_000)
    code = f"import sys, resource; from game.level import check; f = check({str(path)!r}); print(len(f), f[0].severity)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS)
    assert (run.returncode, run.stdout.split()) == (0, ["1", "fatal"])
