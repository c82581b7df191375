"""The pause menu as plain data: rows to choose from by keys and mouse, and what choosing one means."""

from __future__ import annotations

from dataclasses import dataclass

from game.app.settings import QUALITIES, RANGES, Settings


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the menu. `part` (0 to 1) is how far a slider stands, None where there is no slider."""

    name: str
    label: str
    value: str = ""
    part: float | None = None


STEPS = {"sensitivity": 0.01, "fov": 1.0, "sound": 0.05, "ambience": 0.05}


class Menu:
    """Rows, and the one that is chosen. `settings` changes with them; the caller applies and saves."""

    def __init__(self, settings: Settings, quality: str) -> None:
        self.settings = settings
        self.quality = quality
        self.selected = 0

    @property
    def rows(self) -> tuple[Row, ...]:
        """What to show, from top to bottom."""
        return (
            Row("resume", "Resume"),
            Row("restart", "Start again"),
            self._slider("sensitivity", "Mouse sensitivity", f"{self.settings.sensitivity:.2f}"),
            self._slider("fov", "Field of view", f"{self.settings.fov:.0f}°"),
            self._slider("sound", "Sounds", f"{100 * self.settings.sound:.0f} %"),
            self._slider("ambience", "Wind and water", f"{100 * self.settings.ambience:.0f} %"),
            Row("quality", "Quality", self.settings.quality or f"automatic ({self.quality})"),
            Row("quit", "Quit"),
        )

    def _slider(self, name: str, label: str, value: str) -> Row:
        least, most = RANGES[name]
        return Row(name, label, value, (getattr(self.settings, name) - least) / (most - least))

    def move(self, by: int) -> None:
        """Choose the row so many below (negative: above), around the ends."""
        self.selected = (self.selected + by) % len(self.rows)

    def choose(self, row: int) -> None:
        """Choose a row that the mouse is over."""
        if 0 <= row < len(self.rows):
            self.selected = row

    def adjust(self, by: int) -> None:
        """Turn the chosen row's value up or down; nothing where it has none."""
        name = self.rows[self.selected].name
        if name in STEPS:
            value = getattr(self.settings, name) + by * STEPS[name]
            self.settings = self.settings.changed(name, round(value, 6))
        elif name == "quality":
            choices = ("", *QUALITIES)
            at = (choices.index(self.settings.quality) + by) % len(choices)
            self.settings = self.settings.changed("quality", choices[at])

    def slide(self, part: float) -> None:
        """Set the chosen slider to a part (0 to 1) of its range, in its steps."""
        name = self.rows[self.selected].name
        if name in STEPS:
            least, most = RANGES[name]
            steps = round((most - least) * min(max(part, 0.0), 1.0) / STEPS[name])
            self.settings = self.settings.changed(name, round(least + steps * STEPS[name], 6))

    def activate(self) -> str:
        """What choosing the selected row asks for: resume, restart, quit, or nothing but a changed value."""
        name = self.rows[self.selected].name
        if name == "quality":
            self.adjust(1)
        return name if name in ("resume", "restart", "quit") else ""
