"""The F2 mode: what its keys and the mouse do, and what it shows over the picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...render import Card, CardRow, Hud, Panel, Snapshot, View
from ..cameras import first_person
from ..cameras.fly_motion import Flyer
from ..display import hud_builder
from ..editor import external_editor, inspector, key_help, ruler, walker_placement
from ..editor.edit_tools import FACE, Hands
from ..editor.geometry_views import Shown
from ..editor.overlays import Overlays
from ..editor.picking import Picked, Picker, Vector
from ..settings.mode_names import EDITING

if TYPE_CHECKING:
    from ...level import Level
    from ..game import Game

UNIT = 2.0 * math.pi / 65536
GRIDS = (1.0, 0.5, 0.25, 0.1)  # m
SAID_SECONDS = 5.0
ARROWS = ("UP", "DOWN", "LEFT", "RIGHT", "PAGEUP", "PAGEDOWN")
MORE, LESS = ("EQUAL", "PLUS", "NUM_ADD"), ("MINUS", "NUM_SUBTRACT")
EDITS = frozenset(("R", "T", "TAB", "C", "X", "DELETE", "N", "Z", "Y", *MORE, *LESS))  # one after another


class Editor:
    """Belongs to one game; `open` while it is in the F2 mode, also under help or menu.

    `clipboard` is what the window puts into the clipboard at the request "clipboard".
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.open = False
        self.away = False  # the window has lost the focus: the mouse is let go
        self.flyer = Flyer((0.0, 0.0, 0.0))
        self.shown = Shown()
        self.ruler = ruler.Ruler()
        self.grid = GRIDS[1]
        self.seen: Picked | None = None
        self.clipboard = ""
        self._shift: bool | None = None
        self.said, self._said_until, self.urgent = "", 0.0, False
        self._now = 0.0
        self._picker: Picker | None = None
        self._overlays = Overlays()
        self._level = game.level
        self.hands = Hands(self)
        self._acts: dict[str, Callable[[], None]] = {
            "F1": game.help,
            "F2": self.leave,
            "ESCAPE": self.escape,
            "ENTER": self.walk_here,
            "RETURN": self.walk_here,
            "NUM_ENTER": self.walk_here,
            "M": self.measure,
            "E": self.open_line,
            "P": self.copy_place,
            "O": self.copy_spawn,
            "G": self.next_grid,
            "R": lambda: self.hands.turn(1),
            "T": lambda: self.hands.turn(-1),
            "Q": self.hands.widen,
            "TAB": self.hands.next_row,
            "C": self.hands.copy,
            "X": self.hands.delete,
            "DELETE": self.hands.delete,
            "N": self.hands.open_palette,
            "Z": lambda: self.hands.undo(True),
            "Y": lambda: self.hands.undo(False),
            **dict.fromkeys(MORE, lambda: self.hands.step(1)),
            **dict.fromkeys(LESS, lambda: self.hands.step(-1)),
        }

    # In and out

    def enter(self) -> None:
        """From walking into the F2 mode; the world stands still meanwhile."""
        game = self.game
        assert game.session is not None
        game.session.pause()
        game.held.clear()
        flown = game.flying.flyer.at if game.flying.away else game.eye.follow(game.session.pose(), 0.0)
        self.flyer = Flyer(flown)
        self.open, self.away, self.seen = True, False, None
        game.mode = EDITING

    def leave(self) -> None:
        """Back to the walker, where it stands."""
        self.hands.bench.finish()
        self.open, self.away = False, False
        self.game.held.clear()
        self.game.resume()

    def walk_here(self) -> None:
        """Back to walking, from where one has flown to."""
        said = walker_placement.put_down(self.game, self.flyer.at)
        if said:
            self.say(said, urgent=True)
        else:
            self.leave()

    def escape(self) -> None:
        """One step back: what is measured, what is picked, then the mode."""
        if self.ruler.open:
            self.ruler = ruler.Ruler()
        elif self.hands.picked is not None:
            self.hands.let_go()
        else:
            self.leave()

    def pause(self) -> None:
        """The window lost the focus: let go of keys and mouse, until a click or a key."""
        self.away = True
        self.hands.drop()
        self.game.held.clear()

    def poke(self) -> None:
        """A file was saved: the game need not wait until it notices."""
        if self.game.reloading is not None:
            self.game.reloading.poke()

    def say(self, text: str, urgent: bool = False) -> None:
        """A line above the strip for some seconds; urgent ones in a card that stays longer."""
        self.said, self.urgent = text, urgent
        self._said_until = self._now + SAID_SECONDS * (2.0 if urgent else 1.0)

    # Keys and mouse

    def key_pressed(self, key: str) -> None:
        """A key went down in this mode."""
        if self.away:
            self._back()
        raw, key = key, self.game.settings.bound.swaps.get(key, key)
        act = self._acts.get(key)
        if self.hands.offers and self._palette_key(key):
            return
        if key in ARROWS:
            self._edit(lambda: self.hands.arrow(key))
        elif act is not None and key in EDITS:
            self._edit(act)
        elif act is not None:
            act()
        elif not self.shown.press(key.removeprefix("_").removeprefix("NUM_")):
            self.game.held.press(raw, usual=True)

    def _edit(self, act: Callable[[], None]) -> None:
        """An act: at once, or after those that are being worked on, with Shift as it is now."""
        shift = self.shift

        def later() -> None:
            self._shift = shift
            act()
            self._shift = None

        self.hands.bench.later(later)

    def _palette_key(self, key: str) -> bool:
        """A key while the palette is open; whether it was for that."""
        hands = self.hands
        if key in ("UP", "DOWN"):
            hands.choose(-1 if key == "UP" else 1)
        elif key in ("PAGEUP", "PAGEDOWN"):
            hands.choose(-5 if key == "PAGEUP" else 5)
        elif key in ("RETURN", "ENTER", "NUM_ENTER"):
            self._edit(hands.put_down)
        elif key in ("ESCAPE", "N"):
            hands.offers = []
        else:
            return False
        return True

    def button(self, name: str, down: bool) -> None:
        """A mouse button ("LEFT", "RIGHT") went down or up; nothing outside this mode."""
        if self.game.mode != EDITING:
            return
        if self.away:
            if down:
                self._back()
        elif name == "RIGHT" and down:
            self.hands.let_go()
        elif name == "LEFT":
            self._left(down)

    def _left(self, down: bool) -> None:
        """Put down, drag what is picked, or pick."""
        hands = self.hands
        if not down:
            hands.drop()
        elif hands.offers:
            self._edit(hands.put_down)
        else:
            hands.grip()
            if not hands.gripped:
                hands.pick()

    def scrolled(self, by: float) -> None:
        """The wheel turned, positive away from the hand: through the palette, or the numbers of what is picked."""
        if self.game.mode != EDITING or not by:
            return
        if self.hands.offers:
            self.hands.choose(-1 if by > 0 else 1)

    def _back(self) -> None:
        self.away = False
        self.game.look.captured()

    @property
    def shift(self) -> bool:
        """Whether the key is held that makes steps finer or larger."""
        return "sprint" in self.game.held.down if self._shift is None else self._shift

    # Looking

    @property
    def level(self) -> Level:
        """As the last act left it, which is what the game is about to show."""
        return self.hands.level

    @property
    def eye(self) -> Vector:
        return self.flyer.at

    @property
    def direction(self) -> Vector:
        """Unit vector ahead."""
        yaw, pitch = self.game.look.yaw * UNIT, self.game.look.pitch * UNIT
        return (-math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch))

    def look(self) -> Picked | None:
        """What the cross-hair is on now."""
        self.hands.bench.settle()
        if self._level is not self.game.level and not self.hands.bench.busy:
            self._level = self.game.level
            self.hands.caught_up()
        if self._picker is None or self._picker.level is not self.level:
            self._picker = Picker(self.level, self._picker)
        self.seen = self._picker.pick(self.eye, self.direction)
        return self.seen

    @property
    def corner(self) -> Vector | None:
        """The corner that is marked: the nearest one of the face looked at."""
        return None if self.seen is None else inspector.nearest_corner(self.level, self.seen)

    @property
    def aim(self) -> Vector | None:
        """The place looked at, or the corner next to it."""
        if self.seen is None or self.corner is None:
            return None
        return ruler.snapped(self.eye, self.seen.point, self.corner)

    def measure(self) -> None:
        """Put down an end of the ruler."""
        aim = self.aim
        if aim is None:
            self.say("nothing to measure from there")
        else:
            self.ruler.press(aim)

    def open_line(self) -> None:
        """Open the piece's line in the author's editor."""
        if self.seen is None:
            self.say("look at a piece to open its line")
            return
        spot = inspector.spot(self.level, self.seen)
        said, done = external_editor.open_line(inspector.file_of(self.level, spot), spot.line, spot.column)
        if not done:
            self.copy(spot.where)
        self.say(said)

    def copy(self, text: str) -> None:
        """Put a text into the clipboard."""
        self.clipboard = text
        self.game.requests.append("clipboard")

    def copy_place(self) -> None:
        """The place looked at, as YAML: a corner where one is near."""
        at = self.aim or self.eye
        self.copy(inspector.place_yaml(at))
        self.say(f"copied  {self.clipboard}")

    def copy_spawn(self) -> None:
        """Feet under the eye, looking where one looks, as YAML."""
        x, y, z = self.eye
        feet = (x, y - walker_placement.eye_height(self.game), z)
        self.copy(inspector.spawn_yaml(feet, self.game.look.yaw * 360.0 / 65536))
        self.say(f"copied  {self.clipboard}")

    def next_grid(self) -> None:
        """The next finer grid, and around."""
        self.grid = GRIDS[(GRIDS.index(self.grid) + 1) % len(GRIDS)]
        self.say(f"grid of {inspector.metres(self.grid)} m")

    # What a frame shows

    def over(self, shot: Snapshot, seconds: float, now: float, aspect: float) -> Snapshot:
        """The game's picture from the flying eye, with all that this mode shows."""
        self._now = now
        game = self.game
        flying = game.mode == EDITING and not self.away
        yaw, pitch = game.look.yaw * UNIT, game.look.pitch * UNIT
        held = game.held
        self.flyer.advance(seconds if flying else 0.0, held.down if flying else (), yaw, pitch, held.stick)
        self.look()
        self.hands.drag()
        fov = shot.view.fov_degrees
        near = first_person.near_plane(self.level.mesh, self.eye, fov, aspect)
        panel = shot.hud.panel
        return replace(
            shot,
            view=View(self.eye, yaw, pitch, fov, near),
            overlay=self._overlays.made(self),
            hud=shot.hud if panel is not None else self._hud(),
        )

    def _hud(self) -> Hud:
        game = self.game
        saying = self._now < self._said_until
        return Hud(
            lines=hud_builder.figures(game) if game.debug else (),
            hint=key_help.AWAY if self.away else self.said if saying and not self.urgent else "",
            cards=self._cards(saying),
            strip=self._strip(),
            veil=game.travel.veil,
        )

    def help_panel(self) -> Panel:
        """What all the keys do."""
        return Panel(title="Look and edit", keys=self.game.settings.bound.flown(key_help.HELP), width=key_help.WIDE)

    def _strip(self) -> key_help.Keys:
        picked = key_help.LOOKING if self.hands.picked is None else key_help.PICKED
        return self.game.settings.bound.flown(key_help.PALETTE if self.hands.offers else picked)

    def _cards(self, saying: bool) -> tuple[Card, ...]:
        cards: list[Card] = []
        if self.seen is not None:
            cards.append(inspector.card(self.level, self.seen))
        else:
            cards.append(Card("", "", note="nothing there"))
        if self.hands.picked is not None:
            cards.append(self._picked_card())
        span = self.ruler.span(self.aim)
        if span is not None:
            cards.append(ruler.card(*span))
        if saying and self.urgent:
            cards.append(Card("", "", note=self.said, urgent=True))
        if self.hands.offers:
            rows = tuple(
                CardRow(offer.label, chosen=index == self.hands.offer) for index, offer in enumerate(self.hands.offers)
            )
            cards.append(Card("New", "", rows, side="right"))
        reloaded = () if self.game.reloading is None else self.game.reloading.cards
        return (*cards, *reloaded, *self.shown.cards())

    def _picked_card(self) -> Card:
        """What is picked, what it stands in, and its numbers."""
        hands, picked = self.hands, self.hands.picked
        assert picked is not None
        rows = []
        if hands.has_faces:
            rows.append(CardRow(FACE, f"by {inspector.metres(self.grid)} m", chosen=hands.row == 0))
        shift = len(rows)
        rows += [
            CardRow(number.label, number.value, chosen=hands.row == index + shift)
            for index, number in enumerate(hands.rows())
        ]
        where = f"{picked.file(self.level).name}:{picked.place.line}"
        below = f"{where}, in {picked.around}" if picked.around else where
        return Card(f"Picked: {picked.label}", below, tuple(rows))
