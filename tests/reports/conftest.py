"""Small levels, a walk and the command line in this process."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from game.app.commands.command_line import main
from game.drawing import canvas, plan
from tools.docs.json_pages import FILES


@pytest.fixture(autouse=True)
def coarse_pictures(monkeypatch):
    """Pictures with few pixels, which are quick to draw."""
    monkeypatch.setattr(plan, "PLAN_DETAIL", 0.25)
    monkeypatch.setattr(canvas, "OVERSAMPLING", 1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files of the examples of the pages; commands run in it."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def walker(folder, capsys):
    """Run the command line in this process."""

    def run(*words: object) -> SimpleNamespace:
        status = main([str(word) for word in words])
        output = capsys.readouterr()
        assert "Traceback" not in output.err
        assert "crash" not in output.err
        return SimpleNamespace(status=status, out=output.out, err=output.err)

    return run
