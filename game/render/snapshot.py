"""Snapshot: dynamic input of a frame (camera, bodies, overlay, HUD) as plain data that the renderer reads."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..core.vectors import Colour, Floats, Vector
from .camera import Camera
from .decal import Decal
from .nature.particles import Particles, no_particles
from .overlay_layers import Overlay

# Content of a HUD: title card, goal markers, and results of a run with its splits and challenges

MARKER_KINDS = ("goal", "target", "hole", "way", "ball")  # way: a turn of the way to one of the others
# States of a challenge: not done yet; done in an earlier run; done again; done for the first time
NOT_DONE, DONE_BEFORE, DONE_AGAIN, DONE_FIRST = "open", "known", "done", "fresh"


@dataclass(frozen=True, slots=True)
class TitleCard:
    """Card about a level: its name, the aim, what is collected, the best run and the next medal.

    medal: "gold", "silver", "bronze" or nothing, that of the best run. opacity: 0..1.
    """

    name: str
    aim: str
    collected: str = ""
    best: str = ""
    medal: str = ""
    next_medal: str = ""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class ScreenMarker:
    """Marker of a place in the world.

    kind: one of MARKER_KINDS. x, y: fractions (0..1) of width and height from the top left. distance: m, with a
    name and a detail beside it; None shows no number. opacity: 0..1.
    arrow: the place is outside of the picture, in this direction from its centre (right, down; unit); None: it is in
    the picture at (x, y).
    """

    kind: str
    x: float
    y: float
    distance: float | None
    opacity: float = 1.0
    arrow: tuple[float, float] | None = None
    name: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SplitRow:
    """Split time at a checkpoint and its difference to the best run; `is_ahead`: earlier than in the best run."""

    name: str
    time: str
    difference: str = ""
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    label: str
    sentence: str
    state: str = NOT_DONE


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Content of the results page.

    medal: "gold", "silver", "bronze" or nothing; medal_text: its name and the next one; is_new_medal: not won before.
    state: whether the run counts, with the reason; refused: it does not count. map_file: path of the map, empty
    while it is being drawn. legend: colours of the lines on the map and their meaning.
    """

    title: str
    time: str
    score: str = ""
    description: str = ""
    is_new_best: bool = False
    splits: tuple[SplitRow, ...] = ()
    challenges: tuple[ChallengeRow, ...] = ()
    map_file: str = ""
    legend: tuple[tuple[tuple[float, float, float], str], ...] = ()
    state: str = ""
    refused: bool = False
    medal: str = ""
    medal_text: str = ""
    is_new_medal: bool = False


@dataclass(frozen=True, slots=True)
class Body:
    """Ellipsoid of the player, for its shadow and its ripples in water.

    centre, radii: metres. yaw: radians. up, north: as in Camera. speed: m/s.
    """

    centre: Vector
    radii: Vector
    yaw: float = 0.0
    up: Vector = (0.0, 1.0, 0.0)
    north: Vector = (0.0, 0.0, -1.0)
    speed: float = 0.0


@dataclass(frozen=True, slots=True)
class EllipsoidInstance:
    """Ellipsoid in the world.

    centre, radii (right, up, back): metres. yaw: radians from `north` about `up`, as in Camera. colour: sRGB 0..1.
    opacity: 1 opaque, less a translucent ghost. visor: a character, lit as the level, with a dark visor at its front;
    is_part: of a character, lit as the level. Opacity below 1 fades both. ghost: drawn translucent and unlit, with a
    visor only where `visor` is set.
    """

    centre: Vector
    radii: Vector
    colour: Vector
    yaw: float = 0.0
    opacity: float = 0.35
    up: Vector = (0.0, 1.0, 0.0)
    north: Vector = (0.0, 0.0, -1.0)
    visor: bool = False
    is_part: bool = False
    ghost: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BallInstances:
    """Balls and their blob shadows.

    centres: (n, 3), radii: (n,) metres. rotations: (n, 4) unit quaternions w, x, y, z. colours: (n, 3) sRGB. Of m
    shadows: ground_points (m, 3), ground_normals (m, 3), shadow_radii (m,) in metres, shadow_opacities (m,) 0..1.
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
    """One row of a panel, with an optional `value` at the right. fraction: 0..1 of a slider.

    kind: "toggle", "choice" and "binding" draw the value as a switch, between arrows, or as keycaps; "heading" groups
    the rows below. picture: image file of a grid row. is_warning: something needs attention. medal: of
    a grid row, "gold", "silver" or "bronze".
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
    medal: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Menu page: rows, keys and text below each other.

    keys: (key, meaning) pairs in `columns`. text: wrapped paragraphs. tabs: with the open one at index `tab`. sentence:
    description of the selected row, at the bottom. scroll: units from the top of the content.

    layout: "panel", a translucent box in the centre; "title", the game's name with rows at the left; "grid", rows as
    pictures in `columns`; "result", the `run_summary` with rows as buttons.
    """

    title: str = ""
    rows: tuple[PanelRow, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    text: str = ""
    footer: str = ""
    width: float = 440.0  # units: pixels at a height of 720
    layout: str = "panel"
    tabs: tuple[str, ...] = ()
    tab: int = 0
    sentence: str = ""
    reserves_sentence: bool = False  # keep its space also while the selected row has none
    scroll: float = 0.0
    height: float = 0.0  # minimum, so that the size is the same for all tabs
    columns: int = 1
    back: str = ""  # text of the back button
    corner: str = ""  # title page: text at the lower right
    reveal: float = 1.0  # title page: progress of the entrance animation, 0..1
    run_summary: RunSummary | None = None
    back_key: str = "Esc"  # label of the key of the back button


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of a card: label, optional `value` at the right, optional legend swatch of `colour`."""

    label: str
    value: str = ""
    colour: Colour | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """Small panel at the left or right `side`, sized to its content. The `note` comes last, in a warm colour if
    `urgent`. picture: image file, below the rows.
    """

    title: str = ""
    subtitle: str = ""
    rows: tuple[CardRow, ...] = ()
    note: str = ""
    urgent: bool = False
    side: str = "left"
    picture: str = ""


@dataclass(frozen=True, slots=True)
class ScreenLabel:
    """Text at a point of the picture: x and y are fractions (0..1) of width and height from the top left.

    badge: filled, around the point. Other labels are at the right of the point, or centred on it.
    """

    text: str
    x: float
    y: float
    colour: Colour
    badge: bool = False
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Timeline:
    """Timeline of a recording along the bottom.

    columns: speed (0..1) and surface colour over time. marks: letters at fractions (0..1). cursor: shown fraction, with
    a `label`. left, right: texts at the ends.
    """

    columns: tuple[tuple[float, Colour], ...]
    cursor: float
    label: str = ""
    marks: tuple[tuple[float, str], ...] = ()
    left: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class Hud:
    """Content of the head-up display. Empty fields are not drawn.

    debug_lines: top left. counter: top right. timer: top centre, with timer_caption below. message, message_detail:
    above the crosshair. hint: at the bottom. cards: at the sides. key_strip: (key, meaning) pairs along the bottom.
    panel: menu over the dimmed world. progress: 0..1, bar with progress_label and a tick at progress_mark. veil: 0..1,
    darkens the world. picture: image file on the veil, as opaque. scale: of all sizes. text: of letters only. palette,
    contrast: see theme_for. timeline: above the key strip. labels: at points of the world. title_card: above the hint.
    markers: of the next objectives.
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
    progress_mark: float | None = None
    veil: float = 0.0
    picture: str = ""
    scale: float = 1.0
    counter: str = ""
    timer: str = ""
    timer_caption: str = ""
    text: float = 1.0
    palette: str = "usual"
    contrast: bool = False
    labels: tuple[ScreenLabel, ...] = ()
    timeline: Timeline | None = None
    title_card: TitleCard | None = None
    markers: tuple[ScreenMarker, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Dynamic state of one frame.

    time: seconds, animates markers, water and clouds. goal_waits: for targets or holes. checkpoint: number of the last
    one reached, -1: none. targets: 0 waiting to 1 reached for each target of the scene. movers: (K, 3, 4) poses.
    decals: pictures in the world beside those of the scene. sun: height and azimuth (degrees) in place of those of the
    scene, for direct light and sky; the baked light stays. calm: no wind in plants, no birds, spray, dust and ripples.
    particles: (n,) PARTICLE, dust and drops beside the level's spray. sign_keys: names of actions and their keys, which
    signs may show.
    """

    view: Camera
    hud: Hud = Hud()
    overlay: Overlay | None = None
    body: Body | None = None
    ellipsoids: tuple[EllipsoidInstance, ...] = ()
    balls: BallInstances | None = None
    goal_waits: bool = False
    goal_reached: bool = False
    checkpoint: int = -1
    time: float = 0.0
    targets: tuple[float, ...] = ()
    movers: npt.NDArray[np.float64] | None = None
    sun: tuple[float, float] | None = None
    calm: bool = False
    particles: Particles = field(default_factory=no_particles)
    sign_keys: tuple[tuple[str, str], ...] = ()
    decals: tuple[Decal, ...] = ()
