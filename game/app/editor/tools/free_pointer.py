"""Free pointer: the mouse points at pieces and rows of cards instead of turning the view."""

from __future__ import annotations

from ....core.vectors import Vector, to_point
from ....render import Camera, Hud
from ....render.hud.arrangement import arrange_hud

Point = tuple[float, float]  # pixels


class FreePointer:
    """State of the free pointer.

    is_free      whether the pointer is shown
    is_looking   whether the right button is held, which turns the view meanwhile
    hud, camera, size   of the last frame
    """

    def __init__(self) -> None:
        self.is_free = False
        self.is_looking = False
        self.has_looked = False
        self.at: Point = (0.0, 0.0)
        self._ray: Vector | None = None  # through the last place beside the cards
        self.hud = Hud()
        self.camera = Camera((0.0, 0.0, 0.0))
        self.size = (1280, 720)

    @property
    def is_pointing(self) -> bool:
        """Whether the mouse moves the pointer."""
        return self.is_free and not self.is_looking

    def toggle(self) -> None:
        """Show or hide the pointer."""
        self.is_free = not self.is_free
        self.is_looking = False
        self._ray = None

    def move(self, at: Point, size: tuple[int, int], through_cards: bool) -> None:
        """The pointer is at a place of a window of this size, pixels. It points at nothing behind a card, so that the
        cards do not change under it; through_cards: it does while a piece is dragged."""
        self.at = at
        self.size = size
        if self.is_pointing and (through_cards or self.row_at() is None):
            self._ray = self._ray_here()

    def ray(self) -> Vector:
        """Unit vector from the eye through the pointer; over a card through the last place beside it."""
        return self._ray_here() if self._ray is None else self._ray

    def _ray_here(self) -> Vector:
        return to_point(self.camera.pixel_ray(self.at[0] + 0.5, self.at[1] + 0.5, *self.size))

    def row_at(self) -> tuple[int, int] | None:
        """Index of the card under the pointer and of its row, -1 beside a row; None outside all cards."""
        layout = arrange_hud(self.hud, self.size)
        x, y = self.at
        for card, row, (left, top, width, height) in layout.card_rows:
            if left <= x < left + width and top <= y < top + height:
                return card, row
        for panel in layout.panels:
            left, top, width, height = panel.rectangle
            if left <= x < left + width and top <= y < top + height:
                return -1, -1
        return None
