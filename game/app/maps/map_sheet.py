"""The map of a level as a sheet: its storeys side by side, what the bots reached, numbered findings, a legend."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from . import floor_plans as cut
from .floor_plans import INK_COLOUR, PAPER_COLOUR, Flags, PlanWindow, Storey

if TYPE_CHECKING:
    from ...level import Finding, Level
    from ...sim.bots.finding_data import BotFinding
    from ...sim.bots.standable_cells import StandableCells
    from ...sim.bots.walk_findings import BotReport

SHEET_WIDTH, SHEET_HEIGHT = 1700, 1100  # pixels that a sheet's plans may take, about
LEGEND_WIDTH = 430
STOREY_GAP, SHEET_MARGIN = 26, 30
RAYS_PER_PIXEL_SIDE = 2  # rays to a pixel each way
MAX_SCALE = 60.0  # pixels to the metre
MARK_SUPERSAMPLING = 4  # how much larger marks are drawn before they are brought down
SPAWN_COLOUR, GOAL_COLOUR, TARGET_COLOUR, EXIT_COLOUR, FINDING_COLOUR, PATH_COLOUR = (
    (38, 104, 184), (214, 152, 16), (124, 84, 168), (22, 140, 130), (200, 44, 34), (38, 104, 184)
)  # fmt: skip
PALE_INK = (120, 112, 104)


@dataclass(frozen=True, slots=True)
class MapData:
    """What a map is drawn from: where one could stand, and what was reached."""

    level: Level
    standable_cells: StandableCells
    is_closed: NDArray[np.bool_]
    bot_results: BotReport | None

    @property
    def heights(self) -> tuple[float, float]:
        """The lowest and the highest ground to stand on that matters (m)."""
        feet = (
            self.bot_results.reached
            if self.bot_results is not None and len(self.bot_results.reached)
            else self.standable_cells.feet
        )
        if not len(feet):
            return 0.0, 1.0
        return float(np.quantile(feet[:, 1], 0.002)), float(np.quantile(feet[:, 1], 0.998))


def collect_map_data(level: Level, walked: BotReport | None = None) -> MapData:
    """What there is to draw of a level."""
    from ...physics import WalkerSettings
    from ...sim.bots import reachability, standable_cells

    closed = reachability.is_solid_triangle(level)
    found = walked.standable_cells if walked is not None else None
    return MapData(
        level,
        found
        or standable_cells.find_standable_cells(
            level.mesh, WalkerSettings(), closed, reachability.is_closed_triangle(level)
        ),
        closed,
        walked,
    )


def draw_map_sheet(
    level: Level, walked: BotReport | None = None, size: tuple[int, int] = (SHEET_WIDTH, SHEET_HEIGHT)
) -> Image.Image:
    """The whole map. size: pixels that its plans may take together, about."""
    known = collect_map_data(level, walked)
    stages = cut.find_storeys(known.standable_cells.feet)
    extent = _map_extent(level, known)
    columns, scale = _choose_columns(len(stages), extent, size)
    window = PlanWindow(*extent, scale)
    rows = math.ceil(len(stages) / columns)
    wide, tall = window.size
    head = 64
    area = columns * (wide + STOREY_GAP) - STOREY_GAP, rows * (tall + STOREY_GAP + 18) - STOREY_GAP
    image = Image.new(
        "RGB", (2 * SHEET_MARGIN + area[0] + LEGEND_WIDTH, max(2 * SHEET_MARGIN + head + area[1], 640)), PAPER_COLOUR
    )
    pen = ImageDraw.Draw(image)
    pen.text((SHEET_MARGIN, SHEET_MARGIN - 8), _elide_text(level.name, 60), fill=INK_COLOUR, font=_load_font(30))
    pen.text((SHEET_MARGIN, SHEET_MARGIN + 27), _subtitle(known, extent), fill=PALE_INK, font=_load_font(14))
    for number, storey in enumerate(stages):
        left = SHEET_MARGIN + number % columns * (wide + STOREY_GAP)
        top = SHEET_MARGIN + head + number // columns * (tall + STOREY_GAP + 18)
        if len(stages) > 1:
            pen.text((left, top - 2), _storey_label(storey, number, len(stages)), fill=INK_COLOUR, font=_load_font(13))
            top += 18
        plan = draw_storey(known, window, storey)
        _draw_marks(plan, window, storey, known)
        image.paste(plan, (left, top))
        pen.rectangle((left - 1, top - 1, left + wide, top + tall), outline=(206, 200, 190))
    _draw_legend(image, SHEET_MARGIN + area[0] + 28, SHEET_MARGIN, known, scale)
    return image


def draw_finding_detail(level: Level, walked: BotReport, told: BotFinding, side: int = 640) -> Image.Image:
    """The place of one finding, cut above its head: the walk that shows it, and a ring."""
    known = collect_map_data(level, walked)
    x, y, z = told.position
    reach = _detail_radius(told)
    storey = Storey(y - 0.7, y + 1.5)
    window = PlanWindow(x - reach, z - reach, x + reach, z + reach, side / (2.0 * reach))
    plan = draw_storey(known, window, storey)
    layer = _SupersampledLayer(plan, window)
    if len(told.path) > 1:
        layer.draw_line(told.path, FINDING_COLOUR, 2.5)
        layer.draw_dot(float(told.path[0, 0]), float(told.path[0, 2]), 5, SPAWN_COLOUR)
    _draw_symbols(layer, storey, known)
    layer.draw_ring(x, z, 15, FINDING_COLOUR)
    layer.composite()
    image = Image.new("RGB", (side, side + 54), PAPER_COLOUR)
    image.paste(plan, (0, 0))
    pen = ImageDraw.Draw(image)
    from .bot_finding_messages import BotFindingWriter

    finding = BotFindingWriter(level).finding(told)
    lines = _wrap_text(str(finding).removeprefix(f"{finding.file}:"), side - 20, 13, 2)
    pen.multiline_text((10, side + 7), lines, fill=INK_COLOUR, font=_load_font(13), spacing=4)
    _draw_scale_bar(pen, window.scale, 12, side - 14, side / 4)
    return image


def draw_storey(known: MapData, window: PlanWindow, storey: Storey) -> Image.Image:
    """One storey in a window, without marks."""
    mesh = known.level.mesh
    view = cut.render_plan_view(mesh, known.is_closed, window, storey, RAYS_PER_PIXEL_SIDE)
    reached = room = None
    if known.bot_results is not None:
        reached, room = _reached_pixels(view, window, known, known.bot_results)
    limit = math.cos(math.radians(45.0))
    pixel = 1.0 / (window.scale * RAYS_PER_PIXEL_SIDE)
    pixels = cut.paint_plan(view, storey, known.heights, limit, pixel, reached, room)
    return Image.fromarray(cut.downsample(pixels, RAYS_PER_PIXEL_SIDE), "RGB")


def _reached_pixels(view: cut.PlanView, window: PlanWindow, known: MapData, walked: BotReport) -> tuple[Flags, Flags]:
    """(h,w) each: which pixels' ground was stood on, and on which there would be room to. What lies beside a place that
    was reached was too, unless it is known that nobody got there: walls are thinner than cells."""
    from ...sim.bots.search import cell_indices, pack_cells
    from ...sim.bots.standable_cells import NEIGHBOURS

    height, width = view.height.shape
    step = 1.0 / (window.scale * RAYS_PER_PIXEL_SIDE)
    points = np.empty((height, width, 3))
    points[..., 0] = window.west + (np.arange(width) + 0.5) * step
    points[..., 1] = np.nan_to_num(view.height, nan=-1e5)
    points[..., 2] = (window.north + (np.arange(height) + 0.5) * step)[:, None]
    here = pack_cells(cell_indices(points.reshape(-1, 3)))

    def among(feet: NDArray[np.float64], around: NDArray[np.int64]) -> Flags:
        found: Flags = np.isin(here, np.unique(pack_cells((cell_indices(feet)[:, None] + around).reshape(-1, 3))))
        return found.reshape(height, width)

    above_and_below = np.array([(0, -1, 0), (0, 0, 0), (0, 1, 0)])
    spots = known.standable_cells.feet
    own = among(np.concatenate([walked.reached, spots[walked.visited_mask]]), above_and_below)
    missed = among(spots[~walked.visited_mask], above_and_below)
    return own | (among(walked.reached, NEIGHBOURS) & ~missed), among(spots, NEIGHBOURS)


# ---- layout


def _map_extent(level: Level, known: MapData) -> tuple[float, float, float, float]:
    """West, north, east, south (m) of what is drawn."""
    feet = known.standable_cells.feet
    points = [feet, np.array([spawn.feet for spawn in level.spawns]).reshape(-1, 3)]
    if level.goal is not None:
        points.append(np.array([level.goal.at]))
    flat = np.concatenate(points)[:, [0, 2]]
    (west, north), (east, south) = flat.min(axis=0) - 1.5, flat.max(axis=0) + 1.5
    return float(west), float(north), float(east), float(south)


def _choose_columns(count: int, extent: tuple[float, float, float, float], size: tuple[int, int]) -> tuple[int, float]:
    """In how many columns the storeys are set, and pixels to the metre: as large as there is room for."""
    wide, tall = extent[2] - extent[0], extent[3] - extent[1]
    best = (0.0, 1)
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        room_x = (size[0] - (columns - 1) * STOREY_GAP) / columns
        room_y = (size[1] - (rows - 1) * (STOREY_GAP + 18)) / rows
        best = max(best, (min(room_x / wide, room_y / tall, MAX_SCALE), -columns))
    return -best[1], best[0]


def _detail_radius(told: BotFinding) -> float:
    """Half the side (m) of the picture of a finding."""
    if not len(told.area_points):
        return 7.0
    apart = np.abs(told.area_points[:, [0, 2]] - np.array([told.position[0], told.position[2]])).max(axis=1)
    return float(np.clip(np.quantile(apart, 0.9) * 1.3, 6.0, 12.0))


def _storey_label(storey: Storey, number: int, count: int) -> str:
    if number == 0:
        return f"below {_format_metres(storey.high)} m"
    if number == count - 1:
        return f"above {_format_metres(storey.low)} m"
    return f"{_format_metres(storey.low)} to {_format_metres(storey.high)} m"


def _format_metres(metres: float) -> str:
    """With one decimal, and no -0.0."""
    return f"{round(metres, 1) + 0.0:.1f}"


def _subtitle(known: MapData, extent: tuple[float, float, float, float]) -> str:
    area = len(known.standable_cells) * known.standable_cells.side**2
    text = f"{extent[2] - extent[0]:.0f} x {extent[3] - extent[1]:.0f} m,  {area:.0f} m² walkable"
    if known.bot_results is not None and len(known.bot_results.visited_mask):
        text += f",  {known.bot_results.visited_mask.mean() * 100:.0f} % reached"
    return text


# ---- marks


class _SupersampledLayer:
    """Drawn larger than the picture under it and brought down, so that lines are smooth."""

    def __init__(self, image: Image.Image, window: PlanWindow) -> None:
        self.image, self.window = image, window
        self.origin = Image.new("RGBA", (image.width * 2, image.height * 2), (0, 0, 0, 0))
        self.pen = ImageDraw.Draw(self.origin)

    def to_pixel(self, x: float, z: float) -> tuple[float, float]:
        px, py = self.window.to_pixel(x, z)
        return 2 * px, 2 * py

    def draw_line(self, points: NDArray[np.float64], colour: tuple[int, int, int], width: float) -> None:
        flat = [self.to_pixel(float(x), float(z)) for x, _, z in points[:: max(1, len(points) // 4000)]]
        self.pen.line(flat, fill=(255, 255, 255, 150), width=round(2 * width + 4), joint="curve")
        self.pen.line(flat, fill=(*colour, 235), width=round(2 * width), joint="curve")

    def draw_dot(self, x: float, z: float, radius: float, colour: tuple[int, int, int], text: str = "") -> None:
        px, py = self.to_pixel(x, z)
        r = 2 * radius
        box = (px - r, py - r, px + r, py + r)
        self.pen.ellipse(box, fill=(*colour, 255), outline=(255, 255, 255, 255), width=3)
        if text:
            self.pen.text((px, py), text, fill=(255, 255, 255, 255), font=_load_font(round(2.3 * radius)), anchor="mm")

    def draw_ring(self, x: float, z: float, radius: float, colour: tuple[int, int, int]) -> None:
        px, py = self.to_pixel(x, z)
        for r, shade, width in ((2 * radius + 2, (255, 255, 255), 12), (2 * radius, colour, 6)):
            self.pen.ellipse((px - r, py - r, px + r, py + r), outline=(*shade, 255), width=width)

    def draw_polygon(self, corners: list[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        self.pen.polygon(corners, fill=(*colour, 255), outline=(255, 255, 255, 255), width=3)

    def composite(self) -> None:
        small = self.origin.resize(self.image.size, Image.Resampling.LANCZOS)
        self.image.paste(small, (0, 0), small)


def _draw_marks(plan: Image.Image, window: PlanWindow, storey: Storey, known: MapData) -> None:
    layer = _SupersampledLayer(plan, window)
    walked = known.bot_results
    if walked is not None and len(walked.path_to_goal) > 1:
        inside = storey.contains(walked.path_to_goal[:, 1])
        for part in np.split(walked.path_to_goal, np.flatnonzero(np.diff(inside.astype(int))) + 1):
            if len(part) > 1 and storey.contains(part[:, 1]).all():
                layer.draw_line(part, PATH_COLOUR, 2.0)
    _draw_symbols(layer, storey, known)
    for number, told in enumerate(walked.findings if walked is not None else (), start=1):
        if storey.low <= told.position[1] + 0.3 < storey.high:
            layer.draw_dot(told.position[0], told.position[2], 10, FINDING_COLOUR, str(number))
    layer.composite()


def _draw_symbols(layer: _SupersampledLayer, storey: Storey, known: MapData) -> None:
    """Spawns, goal, targets, exits."""
    level = known.level

    def here(at: tuple[float, float, float]) -> bool:
        return storey.low <= at[1] + 0.5 < storey.high

    for way in filter(lambda one: here(one.at), level.exits):
        px, py = layer.to_pixel(way.at[0], way.at[2])
        layer.draw_polygon(
            [(px - 11, py - 11), (px + 11, py - 11), (px + 11, py + 11), (px - 11, py + 11)], EXIT_COLOUR
        )
    for target in filter(lambda one: here(one.at), level.targets):
        px, py = layer.to_pixel(target.at[0], target.at[2])
        layer.draw_polygon([(px, py - 15), (px + 15, py), (px, py + 15), (px - 15, py)], TARGET_COLOUR)
    if level.goal is not None and here(level.goal.at):
        layer.draw_polygon(_star_points(*layer.to_pixel(level.goal.at[0], level.goal.at[2]), 24), GOAL_COLOUR)
    for spawn in filter(lambda one: here(one.feet), level.spawns):
        layer.draw_polygon(
            _arrow_points(*layer.to_pixel(spawn.feet[0], spawn.feet[2]), spawn.heading, 20), SPAWN_COLOUR
        )


def _star_points(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    turns = [(k * math.pi / 5, radius if k % 2 == 0 else radius * 0.45) for k in range(10)]
    return [(x + r * math.sin(a), y - r * math.cos(a)) for a, r in turns]


def _arrow_points(x: float, y: float, heading: int, radius: float) -> list[tuple[float, float]]:
    a = heading / 65536 * 2.0 * math.pi
    ahead, right = (-math.sin(a), -math.cos(a)), (math.cos(a), -math.sin(a))
    corners = ((radius, 0.0), (-0.8 * radius, 0.72 * radius), (-0.42 * radius, 0.0), (-0.8 * radius, -0.72 * radius))
    return [(x + u * ahead[0] + v * right[0], y + u * ahead[1] + v * right[1]) for u, v in corners]


# ---- legend


def _draw_legend(image: Image.Image, left: int, top: int, known: MapData, scale: float) -> None:
    """What the signs mean, and the findings by their numbers."""
    pen = ImageDraw.Draw(image)
    y = _draw_height_scale(image, left, top, known)
    layer = _SupersampledLayer(image, PlanWindow(0.0, 0.0, float(image.width), float(image.height), 1.0))
    rows: list[tuple[str, str]] = [("spawn", "spawn and its direction")] if known.level.spawns else []
    rows += [("goal", "goal")] if known.level.goal is not None else []
    rows += [("target", "target")] if known.level.targets else []
    rows += [("exit", "exit")] if known.level.exits else []
    if known.bot_results is not None:
        rows += [("way", _path_description(known.bot_results))] if len(known.bot_results.path_to_goal) > 1 else []
    for kind, text in rows:
        middle = (left + 12.0, y + 9.0)
        px, py = 2 * middle[0], 2 * middle[1]
        if kind == "spawn":
            layer.draw_polygon(_arrow_points(px, py, 0, 18), SPAWN_COLOUR)
        elif kind == "goal":
            layer.draw_polygon(_star_points(px, py, 20), GOAL_COLOUR)
        elif kind == "target":
            layer.draw_polygon([(px, py - 14), (px + 14, py), (px, py + 14), (px - 14, py)], TARGET_COLOUR)
        elif kind == "exit":
            layer.draw_polygon(
                [(px - 11, py - 11), (px + 11, py - 11), (px + 11, py + 11), (px - 11, py + 11)], EXIT_COLOUR
            )
        else:
            layer.draw_line(np.array([(left, 0.0, middle[1]), (left + 24.0, 0.0, middle[1])]), PATH_COLOUR, 2.0)
        pen.text((left + 34, y), text, fill=INK_COLOUR, font=_load_font(14))
        y += 24
    y = _draw_swatches(image, left, y + 6, known.bot_results is not None)
    _draw_north_and_scale(pen, left, y + 4, scale)
    y += 44
    told = known.bot_results.findings if known.bot_results is not None else ()
    y += 10
    for number, finding in enumerate(_findings(known), start=1):
        lines = _wrap_text(f"{finding.line}: {finding.where}: {finding.message}", LEGEND_WIDTH - 70, 12, 3)
        tall = 15 * (lines.count("\n") + 1)
        if y + tall > image.height - 70:
            pen.text((left, y), f"and {len(told) - number + 1} more", fill=PALE_INK, font=_load_font(13))
            break
        layer.draw_dot(left + 11.0, y + 10.0, 10, FINDING_COLOUR, str(number))
        pen.multiline_text((left + 34, y), lines, fill=INK_COLOUR, font=_load_font(12), spacing=3)
        y += tall + 9
    if known.bot_results is not None and not told:
        pen.text((left, y), "the bots found no problems", fill=INK_COLOUR, font=_load_font(14))
    layer.composite()


def _findings(known: MapData) -> list[Finding]:
    """The bots' findings in words."""
    if known.bot_results is None:
        return []
    from .bot_finding_messages import BotFindingWriter

    writer = BotFindingWriter(known.level)
    return [writer.finding(found) for found in known.bot_results.findings]


def _path_description(walked: BotReport) -> str:
    ticks = next((ticks for mark, ticks in walked.target_ticks if mark.kind == "goal"), None)
    return f"fastest way to the goal: {ticks / 60:.1f} s" if ticks is not None else "fastest way to the goal"


def _draw_height_scale(image: Image.Image, left: int, top: int, known: MapData) -> int:
    """The colours of heights, with three figures; the y below it."""
    pen = ImageDraw.Draw(image)
    low, high = known.heights
    wide = LEGEND_WIDTH - 90
    strip = cut.height_colour(np.linspace(low, high, wide)[None].repeat(14, 0), low, high)
    image.paste(Image.fromarray(np.clip(strip, 0, 255).astype(np.uint8), "RGB"), (left, top + 22))
    pen.text((left, top), "ground height", fill=INK_COLOUR, font=_load_font(14))
    for part in (0.0, 0.5, 1.0) if high - low >= 0.15 else (0.0,):
        x = left + part * wide
        anchor = "la" if part == 0.0 else "ma" if part == 0.5 else "ra"
        pen.text(
            (x, top + 40),
            f"{_format_metres(low + part * (high - low))} m",
            fill=PALE_INK,
            font=_load_font(12),
            anchor=anchor,
        )
    return top + 70


def _draw_north_and_scale(pen: ImageDraw.ImageDraw, left: int, y: int, scale: float) -> None:
    """Where north is, and a round number of metres."""
    pen.polygon([(left + 12, y), (left + 18, y + 20), (left + 12, y + 15), (left + 6, y + 20)], fill=INK_COLOUR)
    pen.text((left + 12, y + 22), "N", fill=INK_COLOUR, font=_load_font(12), anchor="ma")
    _draw_scale_bar(pen, scale, left + 34, y + 24, LEGEND_WIDTH - 130)


def _draw_swatches(image: Image.Image, left: int, y: int, walked: bool) -> int:
    """What the kinds of ground look like."""
    pen = ImageDraw.Draw(image)
    rows = [("too steep to walk", cut.STEEP_COLOUR, False), ("solid (cut)", cut.SOLID_COLOUR, False)]
    if walked:
        rows.append(("room to stand, but not reached", cut.UNREACHED_COLOUR, True))
    for text, colour, hatched in rows:
        box = (left, y + 2, left + 24, y + 16)
        pen.rectangle(box, fill=colour)
        if hatched:
            for k in range(-14, 24, 7):
                x0, x1 = max(left, left + k), min(left + 24, left + k + 14)
                pen.line((x0, y + 16 - (x0 - left - k), x1, y + 16 - (x1 - left - k)), fill=cut.HATCH_COLOUR)
        pen.text((left + 34, y), text, fill=INK_COLOUR, font=_load_font(14))
        y += 24
    return y


def _draw_scale_bar(pen: ImageDraw.ImageDraw, scale: float, left: float, bottom: float, room: float) -> None:
    """A round number of metres."""
    tens = 10.0 ** math.floor(math.log10(max(room / scale, 1e-6)))
    metres = max(step * tens for step in (1, 2, 5) if step * tens <= room / scale)
    pen.line((left, bottom, left + metres * scale, bottom), fill=INK_COLOUR, width=2)
    pen.text((left, bottom - 17), f"{metres:g} m", fill=INK_COLOUR, font=_load_font(12))


def _load_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _elide_text(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def _wrap_text(text: str, width: float, size: int, most: int) -> str:
    """Broken into at most so many lines of so many pixels."""
    face = _load_font(size)
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
        lines = [*lines[: most - 1], _elide_text(" ".join(lines[most - 1 :]), len(lines[0]))]
    return "\n".join(lines)
