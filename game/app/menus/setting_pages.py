"""The settings, a tab for each group of them."""

from __future__ import annotations

from game.app.menus.rows import CHOICE, SLIDER, Row
from game.app.menus.stack import Menu, Page
from game.app.settings import QUALITIES, RANGES

STEPS = {"sensitivity": 0.01, "fov": 1.0, "sound": 0.05, "ambience": 0.05}
TABS = (("Display", ("fov", "quality")), ("Mouse", ("sensitivity",)), ("Sound", ("sound", "ambience")))
LABELS = {
    "sensitivity": ("Mouse sensitivity", "{:.2f}", 1.0),
    "fov": ("Field of view", "{:.0f}°", 1.0),
    "sound": ("Sounds", "{:.0f} %", 100.0),
    "ambience": ("Wind and water", "{:.0f} %", 100.0),
}


class SettingsPage(Page):
    """All settings, by tabs."""

    name = "settings"
    title = "Settings"
    footer = "Tab: next group   ·   left and right change   ·   Esc goes back"
    tabs = tuple(name for name, _ in TABS)

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        return tuple(self._row(menu, name) for name in TABS[self.tab][1])

    def _row(self, menu: Menu, name: str) -> Row:
        if name == "quality":
            value = menu.settings.quality or f"automatic ({menu.quality})"
            return Row(name, "Quality", CHOICE, value)
        label, form, factor = LABELS[name]
        least, most = RANGES[name]
        value = getattr(menu.settings, name)
        return Row(name, label, SLIDER, form.format(factor * value), (value - least) / (most - least))

    def adjust(self, menu: Menu, row: Row, by: int) -> None:
        if row.name == "quality":
            choices = ("", *QUALITIES)
            at = (choices.index(menu.settings.quality) + by) % len(choices)
            menu.settings = menu.settings.changed("quality", choices[at])
        else:
            value = getattr(menu.settings, row.name) + by * STEPS[row.name]
            menu.settings = menu.settings.changed(row.name, round(value, 6))

    def slide(self, menu: Menu, row: Row, part: float) -> None:
        least, most = RANGES[row.name]
        steps = round((most - least) * part / STEPS[row.name])
        menu.settings = menu.settings.changed(row.name, round(least + steps * STEPS[row.name], 6))
