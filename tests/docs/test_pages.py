"""Links between the pages: the table of contents lists every page, and the README lists the levels by their names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.app.launch.level_lookup import load_level

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([A-Z][^|]+) \| `([\w/]+)` \|", README, re.M)


def links(path):
    return re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8"))


def test_the_contents_list_every_page_once():
    docs = ROOT / "docs"
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")} - {"README.md"}
    listed = [link for link in links(docs / "README.md") if not link.startswith("..")]
    assert sorted(listed) == sorted(pages)


def test_the_readme_leads_to_the_contents():
    assert "docs/README.md" in links(ROOT / "README.md")


def test_the_readme_lists_nine_levels():
    assert len(ROWS) == 9


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "word"), ROWS)
def test_a_level_has_the_name_that_the_readme_gives_it(name, word):
    def letters(text):
        return text.casefold().replace(" ", "")

    assert letters(load_level(word).name).startswith(letters(name))


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_files(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert "://" in target or (path.parent / target).exists(), target


def test_sections_that_pages_link_to_exist():
    """GitHub's anchors: lower case, no punctuation, hyphens for spaces."""
    for path in PAGES:
        for target, section in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", path.read_text(encoding="utf-8")):
            if "://" not in target:
                text = (path.parent / target if target else path).read_text(encoding="utf-8")
                heads = re.findall(r"^#+ (.+)$", text, re.M)
                anchors = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
                assert section in anchors, (path.name, target, section)


def test_modules_that_the_page_of_the_architecture_names_exist():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:game/)?((?:app|fuzz|core|drawing|level|physics|render|sim|text|video)/[\w/.]+)`", page)
    assert len(named) > 40
    assert [name for name in named if not (ROOT / "game" / name).exists()] == []
