"""`prepare` as a user types it."""

from __future__ import annotations

import pytest

from game.app.commands import command_line
from game.app.launch import kernel_compilation
from game.physics import prepare

pytestmark = pytest.mark.jit


def test_prepare_compiles_what_is_missing_and_says_where_it_is(monkeypatch, capsys):
    missing, started = ["whole"], []

    class Compilation:
        def __init__(self, steps):
            started.append(list(steps))

        def wait_with_progress(self, print_line):
            missing.clear()

    monkeypatch.setattr(prepare, "missing_steps", lambda steps: list(missing))
    monkeypatch.setattr(kernel_compilation, "KernelCompilation", Compilation)
    for _ in range(2):
        assert command_line.main(["prepare"]) == 0
        assert capsys.readouterr().out == f"all kernels are compiled: {prepare.CACHE_FOLDER}\n"
    assert started == [list(prepare.EXPECTED_STEPS)]


def test_prepare_fails_where_kernels_are_still_missing(monkeypatch):
    monkeypatch.setattr(prepare, "missing_steps", lambda steps: ["whole"])
    monkeypatch.setattr(kernel_compilation.KernelCompilation, "wait_with_progress", lambda self, print_line: None)
    monkeypatch.setattr(kernel_compilation, "COMPILE_COMMAND", ["true"])
    assert command_line.main(["prepare"]) == 1
