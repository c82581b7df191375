"""The map of a level as a sheet: its storeys side by side, what the bots reached, numbered findings, a legend."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from . import floor_plans as cut
from .floor_plans import INK, PAPER, Flags, Storey, Window

if TYPE_CHECKING:
    from ...level import Level
    from ...sim.bots.standable_cells import Spots
    from ...sim.bots.walk_findings import Told, Walked

WIDTH, HEIGHT = 1700, 1100  # pixels that a sheet's plans may take, about
LEGEND = 430
GAP, RIM = 26, 30
SHARP = 2  # rays to a pixel each way
LARGEST_SCALE = 60.0  # pixels to the metre
FINE = 4  # how much larger marks are drawn before they are brought down
START, GOAL, TARGET, EXIT, MARK, WAY = (
    (38, 104, 184), (214, 152, 16), (124, 84, 168), (22, 140, 130), (200, 44, 34), (38, 104, 184)
)  # fmt: skip
PALE = (120, 112, 104)


@dataclass(frozen=True, slots=True)
class Survey:
    """What a map is drawn from: where one could stand, and what was reached."""

    level: Level
    spots: Spots
    closed: NDArray[np.bool_]
    walked: Walked | None

    @property
    def heights(self) -> tuple[float, float]:
        """The lowest and the highest ground to stand on that matters (m)."""
        feet = self.walked.reached if self.walked is not None and len(self.walked.reached) else self.spots.feet
        if not len(feet):
            return 0.0, 1.0
        return float(np.quantile(feet[:, 1], 0.002)), float(np.quantile(feet[:, 1], 0.998))


def survey(level: Level, walked: Walked | None = None) -> Survey:
    """What there is to draw of a level."""
    from ...physics import WalkerSettings
    from ...sim.bots import reachability, standable_cells

    closed = reachability.solid(level)
    found = walked.spots if walked is not None else None
    return Survey(
        level,
        found or standable_cells.find(level.mesh, WalkerSettings(), closed, reachability.block(level)),
        closed,
        walked,
    )


def sheet(level: Level, walked: Walked | None = None, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Image.Image:
    """The whole map. size: pixels that its plans may take together, about."""
    known = survey(level, walked)
    stages = cut.storeys(known.spots.feet)
    extent = _extent(level, known)
    columns, scale = _layout(len(stages), extent, size)
    window = Window(*extent, scale)
    rows = math.ceil(len(stages) / columns)
    wide, tall = window.size
    head = 64
    area = columns * (wide + GAP) - GAP, rows * (tall + GAP + 18) - GAP
    image = Image.new("RGB", (2 * RIM + area[0] + LEGEND, max(2 * RIM + head + area[1], 640)), PAPER)
    pen = ImageDraw.Draw(image)
    pen.text((RIM, RIM - 8), _cut_off(level.name, 60), fill=INK, font=_font(30))
    pen.text((RIM, RIM + 27), _subtitle(known, extent), fill=PALE, font=_font(14))
    for number, storey in enumerate(stages):
        left = RIM + number % columns * (wide + GAP)
        top = RIM + head + number // columns * (tall + GAP + 18)
        if len(stages) > 1:
            pen.text((left, top - 2), _named(storey, number, len(stages)), fill=INK, font=_font(13))
            top += 18
        plan = storey_image(known, window, storey)
        _marks(plan, window, storey, known)
        image.paste(plan, (left, top))
        pen.rectangle((left - 1, top - 1, left + wide, top + tall), outline=(206, 200, 190))
    _legend(image, RIM + area[0] + 28, RIM, known, scale)
    return image


def place(level: Level, walked: Walked, told: Told, side: int = 640) -> Image.Image:
    """The place of one finding, cut above its head: the walk that shows it, and a ring."""
    known = survey(level, walked)
    x, y, z = told.at
    reach = _reach(told)
    storey = Storey(y - 0.7, y + 1.5)
    window = Window(x - reach, z - reach, x + reach, z + reach, side / (2.0 * reach))
    plan = storey_image(known, window, storey)
    layer = _Layer(plan, window)
    if len(told.trail) > 1:
        layer.line(told.trail, MARK, 2.5)
        layer.dot(float(told.trail[0, 0]), float(told.trail[0, 2]), 5, START)
    _symbols(layer, storey, known)
    layer.ring(x, z, 15, MARK)
    layer.done()
    image = Image.new("RGB", (side, side + 54), PAPER)
    image.paste(plan, (0, 0))
    pen = ImageDraw.Draw(image)
    lines = _wrapped(str(told.finding).removeprefix(f"{told.finding.file}:"), side - 20, 13, 2)
    pen.multiline_text((10, side + 7), lines, fill=INK, font=_font(13), spacing=4)
    _bar(pen, window.scale, 12, side - 14, side / 4)
    return image


def storey_image(known: Survey, window: Window, storey: Storey) -> Image.Image:
    """One storey in a window, without marks."""
    mesh = known.level.mesh
    view = cut.look_down(mesh, known.closed, window, storey, SHARP)
    reached = room = None
    if known.walked is not None:
        reached, room = _reached(view, window, known, known.walked)
    limit = math.cos(math.radians(45.0))
    pixel = 1.0 / (window.scale * SHARP)
    pixels = cut.paint(view, storey, known.heights, limit, pixel, reached, room)
    return Image.fromarray(cut.softened(pixels, SHARP), "RGB")


def _reached(view: cut.View, window: Window, known: Survey, walked: Walked) -> tuple[Flags, Flags]:
    """(h,w) each: which pixels' ground was stood on, and on which there would be room to. What lies beside a place that
    was reached was too, unless it is known that nobody got there: walls are thinner than cells."""
    from ...sim.bots.search import cells, packed
    from ...sim.bots.standable_cells import NEIGHBOURS

    height, width = view.height.shape
    step = 1.0 / (window.scale * SHARP)
    points = np.empty((height, width, 3))
    points[..., 0] = window.west + (np.arange(width) + 0.5) * step
    points[..., 1] = np.nan_to_num(view.height, nan=-1e5)
    points[..., 2] = (window.north + (np.arange(height) + 0.5) * step)[:, None]
    here = packed(cells(points.reshape(-1, 3)))

    def among(feet: NDArray[np.float64], around: NDArray[np.int64]) -> Flags:
        found: Flags = np.isin(here, np.unique(packed((cells(feet)[:, None] + around).reshape(-1, 3))))
        return found.reshape(height, width)

    above_and_below = np.array([(0, -1, 0), (0, 0, 0), (0, 1, 0)])
    spots = known.spots.feet
    own = among(np.concatenate([walked.reached, spots[walked.seen]]), above_and_below)
    missed = among(spots[~walked.seen], above_and_below)
    return own | (among(walked.reached, NEIGHBOURS) & ~missed), among(spots, NEIGHBOURS)


# ---- layout


def _extent(level: Level, known: Survey) -> tuple[float, float, float, float]:
    """West, north, east, south (m) of what is drawn."""
    feet = known.spots.feet
    points = [feet, np.array([spawn.feet for spawn in level.spawns]).reshape(-1, 3)]
    if level.goal is not None:
        points.append(np.array([level.goal.at]))
    flat = np.concatenate(points)[:, [0, 2]]
    (west, north), (east, south) = flat.min(axis=0) - 1.5, flat.max(axis=0) + 1.5
    return float(west), float(north), float(east), float(south)


def _layout(count: int, extent: tuple[float, float, float, float], size: tuple[int, int]) -> tuple[int, float]:
    """In how many columns the storeys are set, and pixels to the metre: as large as there is room for."""
    wide, tall = extent[2] - extent[0], extent[3] - extent[1]
    best = (0.0, 1)
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        room_x = (size[0] - (columns - 1) * GAP) / columns
        room_y = (size[1] - (rows - 1) * (GAP + 18)) / rows
        best = max(best, (min(room_x / wide, room_y / tall, LARGEST_SCALE), -columns))
    return -best[1], best[0]


def _reach(told: Told) -> float:
    """Half the side (m) of the picture of a finding."""
    if not len(told.spread):
        return 7.0
    apart = np.abs(told.spread[:, [0, 2]] - np.array([told.at[0], told.at[2]])).max(axis=1)
    return float(np.clip(np.quantile(apart, 0.9) * 1.3, 6.0, 12.0))


def _named(storey: Storey, number: int, count: int) -> str:
    if number == 0:
        return f"below {_shown(storey.high)} m"
    if number == count - 1:
        return f"above {_shown(storey.low)} m"
    return f"{_shown(storey.low)} to {_shown(storey.high)} m"


def _shown(metres: float) -> str:
    """With one decimal, and no -0.0."""
    return f"{round(metres, 1) + 0.0:.1f}"


def _subtitle(known: Survey, extent: tuple[float, float, float, float]) -> str:
    area = len(known.spots) * known.spots.side**2
    text = f"{extent[2] - extent[0]:.0f} x {extent[3] - extent[1]:.0f} m,  {area:.0f} m2 to stand on"
    if known.walked is not None and len(known.walked.seen):
        text += f",  {known.walked.seen.mean() * 100:.0f} % of it reached"
    return text


# ---- marks


class _Layer:
    """Drawn larger than the picture under it and brought down, so that lines are smooth."""

    def __init__(self, image: Image.Image, window: Window) -> None:
        self.image, self.window = image, window
        self.over = Image.new("RGBA", (image.width * 2, image.height * 2), (0, 0, 0, 0))
        self.pen = ImageDraw.Draw(self.over)

    def at(self, x: float, z: float) -> tuple[float, float]:
        px, py = self.window.place(x, z)
        return 2 * px, 2 * py

    def line(self, points: NDArray[np.float64], colour: tuple[int, int, int], width: float) -> None:
        flat = [self.at(float(x), float(z)) for x, _, z in points[:: max(1, len(points) // 4000)]]
        self.pen.line(flat, fill=(255, 255, 255, 150), width=round(2 * width + 4), joint="curve")
        self.pen.line(flat, fill=(*colour, 235), width=round(2 * width), joint="curve")

    def dot(self, x: float, z: float, radius: float, colour: tuple[int, int, int], text: str = "") -> None:
        px, py = self.at(x, z)
        r = 2 * radius
        box = (px - r, py - r, px + r, py + r)
        self.pen.ellipse(box, fill=(*colour, 255), outline=(255, 255, 255, 255), width=3)
        if text:
            self.pen.text((px, py), text, fill=(255, 255, 255, 255), font=_font(round(2.3 * radius)), anchor="mm")

    def ring(self, x: float, z: float, radius: float, colour: tuple[int, int, int]) -> None:
        px, py = self.at(x, z)
        for r, shade, width in ((2 * radius + 2, (255, 255, 255), 12), (2 * radius, colour, 6)):
            self.pen.ellipse((px - r, py - r, px + r, py + r), outline=(*shade, 255), width=width)

    def shape(self, corners: list[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        self.pen.polygon(corners, fill=(*colour, 255), outline=(255, 255, 255, 255), width=3)

    def done(self) -> None:
        small = self.over.resize(self.image.size, Image.Resampling.LANCZOS)
        self.image.paste(small, (0, 0), small)


def _marks(plan: Image.Image, window: Window, storey: Storey, known: Survey) -> None:
    layer = _Layer(plan, window)
    walked = known.walked
    if walked is not None and len(walked.best) > 1:
        inside = storey.holds(walked.best[:, 1])
        for part in np.split(walked.best, np.flatnonzero(np.diff(inside.astype(int))) + 1):
            if len(part) > 1 and storey.holds(part[:, 1]).all():
                layer.line(part, WAY, 2.0)
    _symbols(layer, storey, known)
    for number, told in enumerate(walked.told if walked is not None else (), start=1):
        if storey.low <= told.at[1] + 0.3 < storey.high:
            layer.dot(told.at[0], told.at[2], 10, MARK, str(number))
    layer.done()


def _symbols(layer: _Layer, storey: Storey, known: Survey) -> None:
    """Spawns, goal, targets, exits."""
    level = known.level

    def here(at: tuple[float, float, float]) -> bool:
        return storey.low <= at[1] + 0.5 < storey.high

    for way in filter(lambda one: here(one.at), level.exits):
        px, py = layer.at(way.at[0], way.at[2])
        layer.shape([(px - 11, py - 11), (px + 11, py - 11), (px + 11, py + 11), (px - 11, py + 11)], EXIT)
    for target in filter(lambda one: here(one.at), level.targets):
        px, py = layer.at(target.at[0], target.at[2])
        layer.shape([(px, py - 15), (px + 15, py), (px, py + 15), (px - 15, py)], TARGET)
    if level.goal is not None and here(level.goal.at):
        layer.shape(_star(*layer.at(level.goal.at[0], level.goal.at[2]), 24), GOAL)
    for spawn in filter(lambda one: here(one.feet), level.spawns):
        layer.shape(_arrow(*layer.at(spawn.feet[0], spawn.feet[2]), spawn.heading, 20), START)


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    turns = [(k * math.pi / 5, radius if k % 2 == 0 else radius * 0.45) for k in range(10)]
    return [(x + r * math.sin(a), y - r * math.cos(a)) for a, r in turns]


def _arrow(x: float, y: float, heading: int, radius: float) -> list[tuple[float, float]]:
    a = heading / 65536 * 2.0 * math.pi
    ahead, right = (-math.sin(a), -math.cos(a)), (math.cos(a), -math.sin(a))
    corners = ((radius, 0.0), (-0.8 * radius, 0.72 * radius), (-0.42 * radius, 0.0), (-0.8 * radius, -0.72 * radius))
    return [(x + u * ahead[0] + v * right[0], y + u * ahead[1] + v * right[1]) for u, v in corners]


# ---- legend


def _legend(image: Image.Image, left: int, top: int, known: Survey, scale: float) -> None:
    """What the signs mean, and the findings by their numbers."""
    pen = ImageDraw.Draw(image)
    y = _height_scale(image, left, top, known)
    layer = _Layer(image, Window(0.0, 0.0, float(image.width), float(image.height), 1.0))
    rows: list[tuple[str, str]] = [("spawn", "a spawn, and where it looks")] if known.level.spawns else []
    rows += [("goal", "the goal")] if known.level.goal is not None else []
    rows += [("target", "a target")] if known.level.targets else []
    rows += [("exit", "an exit")] if known.level.exits else []
    if known.walked is not None:
        rows += [("way", _way_text(known.walked))] if len(known.walked.best) > 1 else []
    for kind, text in rows:
        middle = (left + 12.0, y + 9.0)
        px, py = 2 * middle[0], 2 * middle[1]
        if kind == "spawn":
            layer.shape(_arrow(px, py, 0, 18), START)
        elif kind == "goal":
            layer.shape(_star(px, py, 20), GOAL)
        elif kind == "target":
            layer.shape([(px, py - 14), (px + 14, py), (px, py + 14), (px - 14, py)], TARGET)
        elif kind == "exit":
            layer.shape([(px - 11, py - 11), (px + 11, py - 11), (px + 11, py + 11), (px - 11, py + 11)], EXIT)
        else:
            layer.line(np.array([(left, 0.0, middle[1]), (left + 24.0, 0.0, middle[1])]), WAY, 2.0)
        pen.text((left + 34, y), text, fill=INK, font=_font(14))
        y += 24
    y = _swatches(image, left, y + 6, known.walked is not None)
    _north_and_scale(pen, left, y + 4, scale)
    y += 44
    told = known.walked.told if known.walked is not None else ()
    y += 10
    for number, one in enumerate(told, start=1):
        lines = _wrapped(f"{one.finding.line}: {one.finding.where}: {one.finding.message}", LEGEND - 70, 12, 3)
        tall = 15 * (lines.count("\n") + 1)
        if y + tall > image.height - 70:
            pen.text((left, y), f"and {len(told) - number + 1} more", fill=PALE, font=_font(13))
            break
        layer.dot(left + 11.0, y + 10.0, 10, MARK, str(number))
        pen.multiline_text((left + 34, y), lines, fill=INK, font=_font(12), spacing=3)
        y += tall + 9
    if known.walked is not None and not told:
        pen.text((left, y), "the bots found nothing wrong", fill=INK, font=_font(14))
    layer.done()


def _way_text(walked: Walked) -> str:
    ticks = next((ticks for mark, ticks in walked.marks if mark.kind == "goal"), None)
    return f"the best way to the goal: {ticks / 60:.1f} s" if ticks is not None else "the best way to the goal"


def _height_scale(image: Image.Image, left: int, top: int, known: Survey) -> int:
    """The colours of heights, with three figures; the y below it."""
    pen = ImageDraw.Draw(image)
    low, high = known.heights
    wide = LEGEND - 90
    strip = cut.tint(np.linspace(low, high, wide)[None].repeat(14, 0), low, high)
    image.paste(Image.fromarray(np.clip(strip, 0, 255).astype(np.uint8), "RGB"), (left, top + 22))
    pen.text((left, top), "height of the ground", fill=INK, font=_font(14))
    for part in (0.0, 0.5, 1.0) if high - low >= 0.15 else (0.0,):
        x = left + part * wide
        anchor = "la" if part == 0.0 else "ma" if part == 0.5 else "ra"
        pen.text((x, top + 40), f"{_shown(low + part * (high - low))} m", fill=PALE, font=_font(12), anchor=anchor)
    return top + 70


def _north_and_scale(pen: ImageDraw.ImageDraw, left: int, y: int, scale: float) -> None:
    """Where north is, and a round number of metres."""
    pen.polygon([(left + 12, y), (left + 18, y + 20), (left + 12, y + 15), (left + 6, y + 20)], fill=INK)
    pen.text((left + 12, y + 22), "N", fill=INK, font=_font(12), anchor="ma")
    _bar(pen, scale, left + 34, y + 24, LEGEND - 130)


def _swatches(image: Image.Image, left: int, y: int, walked: bool) -> int:
    """What the kinds of ground look like."""
    pen = ImageDraw.Draw(image)
    rows = [("too steep to walk", cut.STEEP, False), ("cut through", cut.SOLID, False)]
    if walked:
        rows.append(("room to stand, and nobody got there", cut.UNREACHED, True))
    for text, colour, hatched in rows:
        box = (left, y + 2, left + 24, y + 16)
        pen.rectangle(box, fill=colour)
        if hatched:
            for k in range(-14, 24, 7):
                x0, x1 = max(left, left + k), min(left + 24, left + k + 14)
                pen.line((x0, y + 16 - (x0 - left - k), x1, y + 16 - (x1 - left - k)), fill=cut.HATCH)
        pen.text((left + 34, y), text, fill=INK, font=_font(14))
        y += 24
    return y


def _bar(pen: ImageDraw.ImageDraw, scale: float, left: float, bottom: float, room: float) -> None:
    """A round number of metres."""
    tens = 10.0 ** math.floor(math.log10(max(room / scale, 1e-6)))
    metres = max(step * tens for step in (1, 2, 5) if step * tens <= room / scale)
    pen.line((left, bottom, left + metres * scale, bottom), fill=INK, width=2)
    pen.text((left, bottom - 17), f"{metres:g} m", fill=INK, font=_font(12))


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _cut_off(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def _wrapped(text: str, width: float, size: int, most: int) -> str:
    """Broken into at most so many lines of so many pixels."""
    face = _font(size)
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and face.getlength(longer) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut_off(" ".join(lines[most - 1 :]), len(lines[0]))]
    return "\n".join(lines)
