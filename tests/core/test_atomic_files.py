"""Atomic file writes: old or new content, never a mixture."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time

import pytest

from game.core import atomic_files


def test_a_file_is_written_and_replaced_with_its_permissions(tmp_path):
    path = tmp_path / "file"
    atomic_files.write_atomic(path, b"one")
    assert path.read_bytes() == b"one"
    path.chmod(0o640)
    atomic_files.write_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["file"]


def test_a_reader_never_sees_half_a_file(tmp_path):
    path = tmp_path / "file"
    values = [bytes([i]) * 200_000 for i in range(2)]
    atomic_files.write_atomic(path, values[0])
    stop, seen = threading.Event(), set()

    def read():
        while not stop.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(30):
        atomic_files.write_atomic(path, values[i % 2])
    stop.set()
    reader.join()
    assert seen <= set(values)


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "file"
    atomic_files.write_atomic(path, b"old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        atomic_files.write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def write_over_time(path, data):
    with atomic_files.replace_when_done(path) as temporary:
        temporary.write_bytes(data)


@pytest.mark.parametrize("write", [atomic_files.write_atomic, write_over_time])
@pytest.mark.parametrize("refused", [("open", "unlink"), ("unlink",), ("replace",)])
def test_an_error_of_a_read_only_disk_names_the_file_that_was_asked_for(tmp_path, monkeypatch, write, refused):
    def refuse(path, *_):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    target = tmp_path / "walk.csv"
    for name in refused:
        monkeypatch.setattr(os, name, refuse)
    if refused == ("unlink",):  # of a temporary file that is not there
        write(target, b"new")
        return
    with pytest.raises(OSError, match="Read-only") as error:
        write(target, b"new")
    assert error.value.filename == str(target)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == []


def test_writing_to_a_link_changes_its_target(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    atomic_files.write_atomic(link, b"through")
    assert link.is_symlink()
    assert real.read_bytes() == b"through"


def test_devices_and_pipes_are_written_directly(tmp_path):
    atomic_files.write_atomic(os.devnull, b"gone")
    assert not os.path.isfile(os.devnull)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    atomic_files.write_atomic(pipe, b"x" * 300_000)
    reader.join()
    assert got == [b"x" * 300_000]
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_target_is_checked_without_writing(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    for name in ("new", "file"):
        atomic_files.check_target(tmp_path / name)
    for path, kind in (("none/new", FileNotFoundError), ("file/new", NotADirectoryError), ("", IsADirectoryError)):
        for refuse in (atomic_files.check_target, lambda target: atomic_files.write_atomic(target, b"new")):
            with pytest.raises(kind):
                refuse(tmp_path / path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_folder_or_no_folder_is_an_error(tmp_path):
    with pytest.raises(OSError, match="directory"):
        atomic_files.write_atomic(tmp_path, b"")
    with pytest.raises(FileNotFoundError, match="No such folder; create it first") as missing:
        atomic_files.write_atomic(tmp_path / "none" / "deeper" / "file", b"")
    assert missing.value.filename == str(tmp_path / "none")
    (tmp_path / "plain").write_bytes(b"")
    with pytest.raises(NotADirectoryError, match="is a file, not a folder") as plain:
        atomic_files.write_atomic(tmp_path / "plain" / "file", b"")
    assert plain.value.filename == str(tmp_path / "plain")


def test_a_left_over_of_a_killed_process_is_no_hindrance(tmp_path):
    path = tmp_path / "file"
    (tmp_path / f".file.{os.getpid()}.part").write_bytes(b"half")
    atomic_files.write_atomic(path, b"whole")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere only the age of a file is known")
def test_partial_files_of_killed_processes_are_removed_from_a_folder(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    killed, running, stale = (tmp_path / f".{name}.part" for name in (f"a.{ended.pid}", f"b.{os.getpid()}", "c"))
    other = tmp_path / "a.replay"
    for path in (killed, running, stale, other):
        path.write_bytes(b"half")
    long_ago = time.time() - 2.0 * atomic_files.STALE_SECONDS
    os.utime(stale, (long_ago, long_ago))
    atomic_files.remove_partial_files(tmp_path, time.time())
    assert sorted(tmp_path.iterdir()) == sorted([running, other])
    atomic_files.remove_partial_files(tmp_path / "missing", time.time())
