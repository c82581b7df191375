"""The figures of docs/physics.md show current values, and the links of the pages are valid."""

from __future__ import annotations

import platform
import re
from pathlib import Path

import pytest

from tools.docs import physics_figures

ROOT = Path(__file__).resolve().parents[2]


HERE = platform.system() == "Linux" and platform.machine() == "x86_64"


@pytest.fixture(scope="module")
def drawn():
    return {name: physics_figures.draw(name) for name in physics_figures.FIGURES}


@pytest.mark.skipif(not HERE, reason="kept from Linux on x86-64; elsewhere last digits may round otherwise")
@pytest.mark.parametrize("name", physics_figures.FIGURES)
def test_the_kept_figure_is_up_to_date(drawn, name):
    kept = (physics_figures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert kept == drawn[name], "the physics draws it otherwise now: python -m tools.docs.physics_figures"


def test_every_figure_is_shown_and_described():
    page = (ROOT / "docs" / "physics.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"!\[([^\]]+)\]\(pictures/physics/(\w+)\.svg\)", page))
    assert sorted(shown.values()) == sorted(physics_figures.FIGURES)
    assert sorted(p.stem for p in physics_figures.FOLDER.glob("*")) == sorted(physics_figures.FIGURES)
    assert all(len(words) > 30 for words in shown)


@pytest.mark.parametrize("name", ["physics", "limits"])
def test_files_and_modules_named_there_are_there(name):
    """Names in `code` style: paths of this repository, and modules to run with -m."""
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for word in re.findall(r"`((?:\w[\w.-]*/)+[\w.-]+)`", text):
        assert (ROOT / word).exists(), word
    for module in re.findall(r"python -m ((?:game|ellipsoid_walker|tools|benchmarks)[\w.]*)", text):
        at = ROOT / module.replace("ellipsoid_walker", "game").replace(".", "/")
        assert at.is_dir() or at.with_suffix(".py").exists(), module
