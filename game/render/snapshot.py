"""What a picture is made from: plain data that the game fills and the renderer only reads."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .camera import Camera, Vector
from .overlay_layers import Overlay
from .run_summary import RunSummary

Colour = tuple[float, float, float]  # sRGB, 0..1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Body:
    """The player's ellipsoid, for its shadow. Centre and radii in metres, yaw in radians; its up and north as a
    View's."""

    centre: Vector
    radii: Vector
    yaw: float = 0.0
    up: Vector = (0.0, 1.0, 0.0)
    north: Vector = (0.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True)
class EllipsoidInstance:
    """centre, radii (right, up, ahead): metres; yaw: radians; colour: sRGB 0..1; opacity: 1 is solid, less is glass.

    Yaw counts from `north` and about `up`, as a View's. With a `visor` it is somebody: lit and shaded as the level is,
    faded rather than glass where opacity is less than 1, and with a dark visor where it looks to.
    """

    centre: Vector
    radii: Vector
    colour: Vector
    yaw: float = 0.0
    opacity: float = 0.35
    up: Vector = (0.0, 1.0, 0.0)
    north: Vector = (0.0, 0.0, -1.0)
    visor: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BallInstances:
    """centres (n, 3), radii (n,): metres; turns (n, 4): unit quaternions w, x, y, z; colours (n, 3): sRGB.

    Of the shadows, as many as there are: grounds (m, 3) where they lie, normals (m, 3), spans (m,) their radii in
    metres, darks (m,) 0..1.
    """

    centres: Floats
    radii: Floats
    rotations: Floats
    colours: Floats
    ground_points: Floats
    ground_normals: Floats
    shadow_radii: Floats
    shadow_opacities: Floats


@dataclass(frozen=True, slots=True)
class PanelRow:
    """One line of a panel. `fraction` (0..1) makes it a slider; a `value` stands at the right.

    `kind`: "toggle", "choice" and "binding" draw the value as a switch, between arrows, as keys; "heading" is a line
    that groups those below it. `picture`: an image file, of a row in a grid; `warns`: something wants mending.
    """

    label: str
    value: str = ""
    selected: bool = False
    fraction: float | None = None
    kind: str = ""
    picture: str = ""
    note: str = ""
    enabled: bool = True
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A translucent rounded box in the middle: a menu (`rows`), help (`keys`), or findings (`text`).

    Any mixture is allowed; they stand below each other in that order. `keys` are (key, meaning) pairs.
    Lines of `text` that are too long are folded. `tabs` stand above, the open one being number `tab`; `sentence`
    tells below what the chosen row is for. What does not fit scrolls, by `scroll` units from its top.

    `keys` stand in `columns`.

    `look`: "panel"; "title", rows at the left under the game's name; "grid", rows as pictures in `columns`; "result",
    the `result` of a run with rows as buttons below it.
    """

    title: str = ""
    rows: tuple[PanelRow, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    text: str = ""
    footer: str = ""
    width: float = 440.0  # of 720 lines' height: scales with the picture
    layout: str = "panel"
    tabs: tuple[str, ...] = ()
    tab: int = 0
    sentence: str = ""
    sentences: bool = False  # keep room for a sentence
    scroll: float = 0.0
    height: float = 0.0  # at least, so that a page does not jump from tab to tab
    columns: int = 1
    back: str = ""  # what stands on a button that leads back
    corner: str = ""  # of the title: a line at the lower right
    reveal: float = 1.0  # of the title: how far it has come up, 0..1
    run_summary: RunSummary | None = None


@dataclass(frozen=True, slots=True)
class CardRow:
    """One line of a card: a label, with a `value` at the right; `colour` is a swatch before it, as in a legend."""

    label: str
    value: str = ""
    colour: Colour | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A small panel at a `side`, as wide as its lines; the `note` stands last, where `urgent` in a warm colour."""

    title: str = ""
    subtitle: str = ""
    rows: tuple[CardRow, ...] = ()
    note: str = ""
    urgent: bool = False
    side: str = "left"


@dataclass(frozen=True, slots=True)
class ScreenLabel:
    """A few words at a place of the picture: x and y are parts (0..1) of its width and height, from the top left. A
    `badge` is a filled lozenge round its place; others stand to the right of it, or where `centred` upon it."""

    text: str
    x: float
    y: float
    colour: Colour
    badge: bool = False
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Timeline:
    """A stretch of time along the foot. `columns`: how fast (0..1), and the colour of what it went on; `marks`: letters
    at parts (0..1) of it; `at`: the part that is shown, with a `label`; `left` and `right` stand at its ends."""

    columns: tuple[tuple[float, Colour], ...]
    cursor: float
    label: str = ""
    marks: tuple[tuple[float, str], ...] = ()
    left: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class Hud:
    """Everything drawn over the world. Empty fields are not drawn.

    `lines` top left (F3), `tally` top right, `message` above the cross-hair with `submessage` below it, `hint`
    at the bottom, `cards` at the sides and a `strip` of (key, meaning) along the foot, `panel` a menu with the
    world dimmed behind it, `progress` (0..1) a bar with its label. `veil` (0..1) darkens the world behind all of
    it. `scale` multiplies the size of everything (interface scale), `text` that of letters alone; `palette` and
    `contrast` as of `palette.look`. `timeline` lies along the foot, over the strip; `labels` stand at
    places of the world behind.
    """

    debug_lines: tuple[str, ...] = ()
    message: str = ""
    message_detail: str = ""
    hint: str = ""
    cards: tuple[Card, ...] = ()
    key_strip: tuple[tuple[str, str], ...] = ()
    crosshair: bool = True
    panel: Panel | None = None
    progress: float | None = None
    progress_label: str = "Preparing"
    veil: float = 0.0
    tint: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # over the world: of the water that the eye is in
    scale: float = 1.0
    counter: str = ""
    timer: str = ""  # top middle, with a line below it
    timer_caption: str = ""
    text: float = 1.0
    palette: str = "usual"
    contrast: bool = False
    labels: tuple[ScreenLabel, ...] = ()
    timeline: Timeline | None = None


@dataclass(frozen=True, slots=True)
class DebugLines:
    """Things drawn into the world for F3: they show faintly through walls.

    segments (n, 2, 3) metres with colours (n, 3) sRGB; points (m, 3) with point_colours (m, 3). Anything
    that numpy can make such arrays from will do. Widths in pixels.
    """

    segments: npt.ArrayLike = field(default_factory=lambda: np.zeros((0, 2, 3)))
    colours: npt.ArrayLike = field(default_factory=lambda: np.zeros((0, 3)))
    points: npt.ArrayLike = field(default_factory=lambda: np.zeros((0, 3)))
    point_colours: npt.ArrayLike = field(default_factory=lambda: np.zeros((0, 3)))
    line_width: float = 2.5
    point_size: float = 9.0

    @classmethod
    def from_normals(
        cls,
        points: npt.ArrayLike,
        normals: npt.ArrayLike,
        colour: Colour = (1.0, 0.8, 0.2),
        length: float = 0.3,
    ) -> DebugLines:
        """Points with their normals as lines of `length` metres."""
        at = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        to = at + length * np.asarray(normals, dtype=np.float64).reshape(-1, 3)
        colours = np.tile(np.asarray(colour), (len(at), 1))
        return cls(np.stack((at, to), axis=1), colours, at, colours)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of the game as the picture needs it. `time` in seconds animates the goal, marks and clouds;
    `targets`: of each of the scene's 0 waiting .. 1 reached; `movers` (K, 3, 4): their poses."""

    view: Camera
    hud: Hud = Hud()
    debug: DebugLines | None = None
    overlay: Overlay | None = None
    body: Body | None = None
    ellipsoids: tuple[EllipsoidInstance, ...] = ()
    balls: BallInstances | None = None
    goal_reached: bool = False
    time: float = 0.0
    targets: tuple[float, ...] = ()
    movers: npt.NDArray[np.float64] | None = None
