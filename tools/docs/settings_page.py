"""Write the tables of docs/settings.md from the table of options and the key bindings: `python -m
tools.docs.settings_page`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from game.app.input.actions import PlayAction
from game.app.settings.key_bindings import FIXED_KEYS, PAD_PREFIX, KeyBindings, key_label
from game.app.settings.key_presets import PRESETS
from game.app.settings.settings_table import CHOICE, OPTIONS, PAGES, SLIDER, SettingOption, options_on_page
from tools.docs.pictures.shared import ROOT

PAGE = ROOT / "docs" / "settings.md"
_TABLES = re.compile(r"(<!-- (options|keys): made by tools/docs/settings_page.py -->\n).*?(<!-- end -->)", re.S)


def _range(option: SettingOption) -> str:
    if option.kind == SLIDER:
        return f"{option.format_value(option.minimum)} to {option.format_value(option.maximum)}"
    return ", ".join(option.names) if option.kind == CHOICE else "On, Off"


def options() -> str:
    """A table for each page of the settings menu."""
    lines: list[str] = []
    for page, title in PAGES.items():
        lines += [f"### {title}", "", *_table_head("setting", "default", "range", "in the file", "effect")]
        for option in options_on_page(page):
            told = option.sentence.replace("|", "\\|")
            default = option.format_value(option.default)
            lines.append(_row(option.label, default, _range(option), f"`{option.name}`", told))
        lines.append("")
    return "\n".join(lines)


def keys() -> str:
    """The keys of each layout; those that are the same in all layouts have a table of their own."""
    layouts = [KeyBindings(preset) for preset in PRESETS]
    titles = [preset.label for preset in PRESETS.values()]
    own, same = _table_head("action", *titles, "gamepad"), _table_head("action", "key in every layout", "gamepad")
    for action in PlayAction:
        told = [bound.describe(action) for bound in layouts]
        pad = layouts[0].describe(action, pad=True)
        if len(set(told)) == 1:
            same.append(_row(action.label, told[0], pad))
        else:
            own.append(_row(action.label, *told, pad))
    fixed = [key_label(key) for key in sorted(FIXED_KEYS)]
    menu = [name for name in fixed if not name.startswith(PAD_PREFIX)]
    return "\n".join((*own, "", *same, _row("Menu", menu[0], fixed[-1]), ""))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _table_head(*titles: str) -> list[str]:
    return [_row(*titles), "|---" * len(titles) + "|"]


def page(text: str) -> str:
    """The page with its current tables."""
    made = {"options": options(), "keys": keys()}
    return _TABLES.sub(lambda found: found[1] + made[found[2]] + found[3], text)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.docs.settings_page", description=__doc__)
    parser.parse_args(arguments)
    text = page(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(OPTIONS)} settings, {len(PlayAction)} actions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
