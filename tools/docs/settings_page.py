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
HEAD = "| setting | default | range | in the file | effect |"
_TABLES = re.compile(r"(<!-- (options|keys): made by tools/docs/settings_page.py -->\n).*?(<!-- end -->)", re.S)


def _range(option: SettingOption) -> str:
    if option.kind == SLIDER:
        return f"{option.format_value(option.minimum)} to {option.format_value(option.maximum)}"
    return ", ".join(option.names) if option.kind == CHOICE else "On, Off"


def options() -> str:
    """A table for each page of the settings menu."""
    lines: list[str] = []
    for page, title in PAGES.items():
        lines += [f"### {title}", "", HEAD, "|---" * HEAD.count(" | ") + "|---|"]
        for option in options_on_page(page):
            told = option.sentence.replace("|", "\\|")
            row = (option.label, option.format_value(option.default), _range(option), f"`{option.name}`", told)
            lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    return "\n".join(lines)


def keys() -> str:
    """The keys of each key set."""
    sets = [KeyBindings(preset) for preset in PRESETS]
    titles = " | ".join(preset.label for preset in PRESETS.values())
    lines = [f"| action | {titles} | gamepad |", "|---" * (len(sets) + 2) + "|"]
    for action in PlayAction:
        told = [bound.describe(action) for bound in sets]
        lines.append(f"| {' | '.join((action.label, *told, sets[0].describe(action, pad=True)))} |")
    fixed = [key_label(key) for key in sorted(FIXED_KEYS)]
    menu = [name for name in fixed if not name.startswith(PAD_PREFIX)]
    lines.append(f"| Menu | {' | '.join([menu[0]] * len(sets))} | {fixed[-1]} |")
    return "\n".join((*lines, ""))


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
