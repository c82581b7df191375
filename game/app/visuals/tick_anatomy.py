"""Anatomy of a tick: the body, arrows of its contacts and of requested and actual displacement, and a card in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.time_format import format_time
from ...core.vectors import Colour, Floats, Point, to_point
from ...render import Camera, Card, CardRow, ScreenLabel
from ...render.colour_palettes import DEFAULT_PALETTE, contact_colour, theme_for
from ...render.overlay_layers import Overlay, OverlayLines, OverlayPoints, concatenate_layers
from ...render.snapshot import EllipsoidInstance
from .tick_messages import tick_message

if TYPE_CHECKING:
    from ...render import Snapshot
    from ...sim import BodyPose, History, World
    from ...sim.replay.tick_report import TickReport

SCALES = (50.0, 20.0, 10.0, 5.0, 2.0, 1.0)  # factors by which displacements are drawn longer
MAX_ARROW_LENGTH = 1.15  # m, of the longest arrow
MIN_ARROW_LENGTH = 0.5e-3  # m; shorter displacements have no arrow
MIN_REPORTED_LENGTH = 0.05e-3  # m; shorter displacements are left out of the card
MAX_SLIDES = 4  # on the card
NORMAL_LENGTH = 0.45  # m, of the arrow of a contact
HEAD_LENGTH = 0.09  # m, of the four lines at the tip of an arrow
REQUEST_OFFSET = 0.07  # m from the actual displacement up to the requested one
TRAIL_TICKS = 90  # ticks before and after with dots
BLOCKED_COLOUR: Colour = (0.98, 0.36, 0.34)
GLASS_COLOUR: Colour = (0.74, 0.88, 1.0)


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two points (m)."""

    start: Point
    end: Point
    colour: Colour
    label: str = ""


class TickAnatomy:
    """What is shown of one tick. `scale`: factor by which displacements are drawn longer."""

    def __init__(self, report: TickReport, palette: str = DEFAULT_PALETTE) -> None:
        self.report, self.palette = report, palette
        longest = max(math.hypot(*report.wished), math.hypot(*report.moved), 1e-9)
        self.scale = next((scale for scale in SCALES if scale * longest <= MAX_ARROW_LENGTH), 1.0)
        theme = theme_for(palette)
        self.requested_colour: Colour = theme.accent[:3]
        self.actual_colour: Colour = theme.ink[:3]
        self.arrows = self._arrows()
        self._lines = tuple(OverlayLines(_arrow_lines(arrow), (*arrow.colour, 1.0), 4.0, 0.5) for arrow in self.arrows)
        self._points = tuple(
            OverlayPoints([surface.point], (*contact_colour(surface.kind, palette), 1.0), 10.0, 0.5)
            for surface in report.surfaces
        )

    def _arrows(self) -> tuple[Arrow, ...]:
        report, scale = self.report, self.scale
        arrows: list[Arrow] = []

        def add(start: Floats, displacement: Floats, colour: Colour, label: str) -> None:
            if np.linalg.norm(displacement) > MIN_ARROW_LENGTH:
                arrows.append(Arrow(to_point(start), to_point(start + scale * displacement), colour, label))

        for surface in report.surfaces:
            point, normal = np.array(surface.point), np.array(surface.normal)
            tip = to_point(point + NORMAL_LENGTH * normal)
            arrows.append(Arrow(surface.point, tip, contact_colour(surface.kind, self.palette), str(surface.number)))
        start = np.array(report.before.position) + np.array(report.carried_by_platform)
        above = start + REQUEST_OFFSET * np.array(report.before.up)
        requested, moved, blocked = (np.array(vector) for vector in (report.wished, report.moved, report.blocked))
        if report.stopped:
            add(above, requested, self.requested_colour, "requested")
            add(above + scale * (requested - blocked), blocked, BLOCKED_COLOUR, "blocked")
        add(start, moved, self.actual_colour, "moved")
        return tuple(arrows)

    def apply_to_frame(self, shot: Snapshot, world: World, aspect: float) -> Snapshot:
        """The snapshot with arrows, contact points and card, which stands where the figures of the debug info were."""
        card = self.card(world.tick, world.settings.ticks_per_second)
        hud = replace(shot.hud, cards=(card,), labels=self.labels(shot.view, aspect), debug_lines=())
        layers = [Overlay(lines=self._lines, points=self._points)]
        return replace(shot, hud=hud, overlay=concatenate_layers([*filter(None, [shot.overlay]), *layers]))

    def labels(self, view: Camera, aspect: float) -> tuple[ScreenLabel, ...]:
        """The numbers of the contacts and the words of the displacements, at the tips of their arrows."""
        labels = []
        for arrow in self.arrows:
            place = view.project_point(arrow.end, aspect)
            if place is not None:
                labels.append(ScreenLabel(arrow.label, *place, arrow.colour, badge=arrow.label.isdigit()))
        return tuple(labels)

    def card(self, tick: int, rate: float) -> Card:
        """The tick in words and numbers. rate: ticks per second."""
        report = self.report
        rows = []

        def add(label: str, vector: Point, colour: Colour | None = None) -> None:
            if math.hypot(*vector) > MIN_REPORTED_LENGTH or label == "moved":
                rows.append(CardRow(label, format_millimetres(math.hypot(*vector)), colour))

        if report.stopped:
            add("requested", report.wished, self.requested_colour)
            add("blocked", report.blocked, BLOCKED_COLOUR)
        add("moved", report.moved, self.actual_colour)
        add("carried by the platform", report.carried_by_platform)
        slides = [slide for slide in report.slides if math.hypot(*slide.displacement) > MIN_REPORTED_LENGTH]
        for number, slide in enumerate(slides[:MAX_SLIDES], start=1):
            free = "no hit" if slide.fraction >= 1.0 else f"hit at {100 * slide.fraction:.0f} %"
            length = format_millimetres(math.hypot(*slide.displacement))
            rows.append(CardRow(f"slide {number}", f"{length}, {free}"))
        if len(slides) > MAX_SLIDES:
            rows.append(CardRow("", f"and {len(slides) - MAX_SLIDES} more"))
        for surface in report.surfaces:
            kind = "ground" if surface.kind == "walkable" else surface.kind
            colour = contact_colour(surface.kind, self.palette)
            label = f"{surface.number}  {kind}, {surface.feature}"
            rows.append(CardRow(label, surface.place or surface.piece, colour))
        rows.append(CardRow("triangles tested", str(len(report.candidate_triangles))))
        message = tick_message(report)
        note = " ".join(message.sentences)
        if self.scale > 1.0 and len(self.arrows) > len(report.surfaces):
            note += f" Displacements are drawn at {self.scale:.0f} times their length."
        subtitle = f"tick {tick}   ·   {format_time(tick / rate)}"
        return Card(message.headline, subtitle, tuple(rows), note, side="right")


def show_body(shot: Snapshot, pose: BodyPose, trail: OverlayPoints) -> Snapshot:
    """The snapshot with the body as a transparent ellipsoid, and the trail of its feet."""
    yaw = pose.heading * RADIANS_PER_HEADING_UNIT
    body = EllipsoidInstance(pose.centre, pose.radii, GLASS_COLOUR, yaw, 0.42, pose.up, pose.north)
    overlay = concatenate_layers([*filter(None, [shot.overlay]), Overlay(points=(trail,))])
    return replace(shot, ellipsoids=(*shot.ellipsoids, body), overlay=overlay)


def trail_dots(history: History, at: float) -> OverlayPoints:
    """Dots at the feet of each tick: bright before the position `at`, faint after it."""
    first = max(history.first, math.floor(at) - TRAIL_TICKS)
    last = min(history.end, math.ceil(at) + TRAIL_TICKS)
    places = []
    colours = []
    feet = history.columns(first, last)["feet"].tolist()
    for k in range(first, last):
        x, y, z = feet[k - first]
        away = 1.0 - abs(k + 1 - at) / TRAIL_TICKS
        places.append((x, y + 0.015, z))
        colours.append((1.0, 0.97, 0.90, 0.85 * away) if k + 1 <= at else (0.75, 0.82, 0.95, 0.35 * away))
    return OverlayPoints(np.array(places).reshape(-1, 3), np.array(colours).reshape(-1, 4), 5.0, 0.15)


def format_millimetres(metres: float) -> str:
    """`66.7 mm`."""
    return f"{1e3 * metres:.1f} mm" if metres < 1.0 else f"{metres:.2f} m"


def _arrow_lines(arrow: Arrow) -> Floats:
    """Segments (5, 2, 3) of an arrow: its shaft, and four lines back from the tip."""
    start, tip = np.array(arrow.start), np.array(arrow.end)
    length = max(float(np.linalg.norm(tip - start)), 1e-9)
    ahead, head = (tip - start) / length, min(HEAD_LENGTH, 0.4 * length)
    aside = np.cross(ahead, np.eye(3)[np.abs(ahead).argmin()])
    aside *= 0.4 / np.linalg.norm(aside)
    other = np.cross(ahead, aside)
    backs = [tip + head * (side - ahead) for side in (aside, -aside, other, -other)]
    return np.array([(start, tip), *((tip, back) for back in backs)])
