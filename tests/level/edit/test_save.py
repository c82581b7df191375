"""Saving a level: the file is complete at every moment, also when the process is killed."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from game.level.edit import SaveError, backup_path, read_text, save_text
from game.level.format.source import MAX_LEVEL_BYTES

START = "\ufeffformat: 1\r\npieces:  # é\r\n" + "".join(f"  - box: {{at: [{k}, 0, 0]}}\r\n" for k in range(400))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "level.yaml"
    path.write_bytes(START.encode())
    return path


def test_a_save_keeps_every_character_and_one_backup(file: Path) -> None:
    file.chmod(0o640)
    text = read_text(file)
    assert text == START
    later = text + "# one\r\n"
    save_text(file, later, expected=text)
    save_text(file, later + "# two\n", expected=later, before=text)
    assert file.read_bytes() == (later + "# two\n").encode()
    assert backup_path(file).read_bytes() == START.encode()
    assert sorted(os.listdir(file.parent)) == [".level.yaml.before", "level.yaml"]
    assert file.stat().st_mode & 0o777 == 0o640
    assert backup_path(file).stat().st_mode & 0o777 == 0o640
    save_text(file, "third\n", expected=later + "# two\n")  # another session
    assert backup_path(file).read_text() == later.replace("\r\n", "\n") + "# two\n"


def test_saving_nothing_new_writes_nothing(file: Path) -> None:
    before = os.stat(file)
    save_text(file, START, expected=START)
    assert (os.stat(file).st_ino, os.stat(file).st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_link_is_followed(file: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.yaml"
    link.symlink_to(file)
    save_text(link, "new\n", expected=START)
    assert link.is_symlink()
    assert file.read_text() == "new\n"
    assert backup_path(link) == backup_path(file) == tmp_path / ".level.yaml.before"


def test_what_another_program_wrote_is_not_written_over(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("theirs\n")
    with pytest.raises(SaveError, match="changed by another program"):
        save_text(file, "ours\n", expected=START)
    assert os.listdir(file.parent) == ["level.yaml"]
    file.write_bytes(START.encode())
    sync = os.fsync

    def in_between(handle: int) -> None:
        if backup_path(file).exists():
            file.write_text("theirs\n")
        sync(handle)

    monkeypatch.setattr(os, "fsync", in_between)
    with pytest.raises(SaveError, match="changed by another program"):
        save_text(file, "ours\n", expected=START)
    assert file.read_text() == "theirs\n"
    assert sorted(os.listdir(file.parent)) == [".level.yaml.before", "level.yaml"]


@pytest.mark.parametrize("what", ["gone", "folder", "pipe", "bytes", "huge", "full"])
def test_what_cannot_be_saved_is_said_in_words(file: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file.unlink()
    words = {
        "gone": "no longer exists", "folder": "not a regular file", "pipe": "not a regular file", "bytes": "not UTF-8",
        "huge": "larger than the limit for a level", "full": "cannot be written: no space left",
    }  # fmt: skip
    if what == "folder":
        file.mkdir()
    elif what == "pipe":
        os.mkfifo(file)
    elif what == "bytes":
        file.write_bytes(b"\xff")
    elif what == "huge":
        file.write_bytes(b"#" * (MAX_LEVEL_BYTES + 1))
    elif what == "full":
        file.write_bytes(START.encode())

        def full(handle: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SaveError, match=words[what]):
        save_text(file, "new", expected=START)
    assert what != "full" or (file.read_bytes() == START.encode() and os.listdir(file.parent) == ["level.yaml"])


def saved_for_ever(path: Path) -> None:
    """Save text after text, each with its number and length, until killed."""
    text = START
    for count in range(100_000):
        new = f"{START}# {count}\r\n" * (1 + count % 3)
        save_text(path, new, expected=text, before=START)
        text = new


def whole(path: Path) -> bool:
    """True if the file holds exactly one of the saved texts."""
    text = path.read_bytes().decode()
    if text == START:
        return True
    mark = text.index("# ", len(START))
    count = int(text[mark + 2 : text.index("\r\n", mark)])
    return text == f"{START}# {count}\r\n" * (1 + count % 3)


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes to kill")
def test_killed_two_hundred_times_while_saving(file: Path) -> None:
    chosen = random.Random(9)
    seen = set()
    for _ in range(200):
        file.write_bytes(START.encode())
        child = os.fork()
        if child == 0:
            try:
                saved_for_ever(file)
            finally:
                os._exit(1)
        time.sleep(chosen.uniform(0.0, 0.012))
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
        assert whole(file)
        seen.add(file.read_bytes() == START.encode())
        backup = backup_path(file)
        assert not backup.exists() or backup.read_bytes() == START.encode()
        parts = set(os.listdir(file.parent)) - {"level.yaml", backup.name}
        assert len(parts) <= 1, "a killed save leaves at most one part, and the next takes it away"
    assert seen == {True, False}, "killed before the first save and after it"
    save_text(file, "end\n", expected=read_text(file), before=START)
    assert backup_path(file).read_bytes() == START.encode()


@pytest.mark.sample(1)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes to kill")
@pytest.mark.parametrize("after", [False, True])
def test_killed_at_each_of_its_steps(file: Path, after: bool) -> None:
    """Kill before or after each system call in turn: open, fsync, chmod, replace, of the backup and of the file."""
    step, states = 0, []
    while True:
        file.write_bytes(START.encode())
        backup_path(file).unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            try:
                _die_at(step, after)
                save_text(file, "new\n", expected=START)
                os._exit(0)
            finally:
                os._exit(1)
        status = os.waitpid(child, 0)[1]
        text = file.read_bytes()
        states.append(text == b"new\n")
        assert text in (START.encode(), b"new\n")
        assert text == START.encode() or backup_path(file).read_bytes() == START.encode()
        assert not backup_path(file).exists() or backup_path(file).read_bytes() == START.encode()
        if not os.WIFSIGNALED(status):
            assert os.WEXITSTATUS(status) == 0
            break
        save_text(file, f"{step}\n", expected=text.decode(), before=START)
        assert sorted(os.listdir(file.parent)) == [".level.yaml.before", "level.yaml"], "what was left is cleaned up"
        step += 1
    assert step >= 8
    assert states == sorted(states), "once it is the new one it stays so"


def _die_at(step: int, after: bool) -> None:
    left = step

    def mortal(call: object) -> object:
        def made(*values: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left < 0 and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = call(*values, **named)  # type: ignore[operator]
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return made

    for name in ("open", "fsync", "chmod", "replace", "unlink"):
        setattr(os, name, mortal(getattr(os, name)))
