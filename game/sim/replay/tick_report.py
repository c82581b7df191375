"""What a tick was asked, what it gave, and why, told from the physics' own trace: for people who want to see it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...physics import Command, Environment, TriangleMesh, WalkerState
from ...physics.character.trace import Contact, Slide, Trace
from ...physics.mesh.material import Material
from ..events import Event, Point, Respawned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..world import World

REFERENCE_FLOOR_HALF_SIZE = 400.0  # m, half the side of the level ground that the tick is made on once more
LEVEL_GROUND_SLOPE = 0.5  # degrees: ground that leans less is level
SAME_DIRECTION_FRACTION = (
    0.05  # part of the way given that may lead aside of the one asked for, where it is the same way
)
MIN_WISH = 1e-5  # m that are asked for: less is nothing
MIN_REPORTED_LENGTH = 0.5e-3  # m: less is not told
STOPPED_FRACTION = 0.02  # of the way asked for: who is given no more is stopped
SAME_NORMAL_TOLERANCE = 1e-6  # normals closer than this are of one plane
EDGE_NORMAL_TOLERANCE, EDGE_POINT_TOLERANCE = (
    0.12,
    0.12,
)  # of normals, and m: contacts of an edge that are closer than this are one


@dataclass(frozen=True, slots=True)
class TouchedSurface:
    """A plane that the tick touched or was stopped by. `number` from 1; `kind` walkable, wall or ceiling; `corners`
    (3 points, m) of its triangle, as it stands; `place` its `file:line`, `file` whole, `piece` what was written there;
    `stopped`: it took something away; `touching`: it is touched at the tick's end."""

    number: int
    kind: str
    feature: str
    normal: Point
    point: Point
    corners: tuple[Point, Point, Point]
    place: str
    piece: str
    file: str
    stopped: bool
    touching: bool
    slope: float  # degrees from level ground


@dataclass(frozen=True, slots=True)
class TickReport:
    """One tick. `before` and `after` it; `asked`: the way (m) that the same command leads on level ground with nothing
    about; `given`: the way it led here, without what a mover carried it; `looked_at` (N, 3, 3): the triangles that were
    looked at; `headline`, and `words` that say why."""

    before: WalkerState
    after: WalkerState
    wished: Point
    moved: Point
    carried_by_platform: Point
    slides: tuple[Slide, ...]
    surfaces: tuple[TouchedSurface, ...]
    candidate_triangles: NDArray[np.float64]
    headline: str
    sentences: tuple[str, ...]
    events: tuple[str, ...]

    @property
    def blocked(self) -> Point:
        """What of the way asked for was not given, along the ground (m)."""
        up = self.before.up
        return _project_on_plane(tuple(a - g for a, g in zip(self.wished, self.moved, strict=True)), up)

    @property
    def stopped(self) -> bool:
        """Whether a wall or a ceiling took something away."""
        return any(surface.stopped and surface.kind != "walkable" for surface in self.surfaces)


def describe_tick(world: World, before: WalkerState, command: Command, happened: tuple[Event, ...] = ()) -> TickReport:
    """Of the tick at whose end the world stands, its trace with it, and that began with `before`. `happened`: the
    world's events in it. ValueError where the world has no trace."""
    trace, clock = world.trace, world.tick - 1
    if trace is None:
        raise ValueError("the world has no trace of this tick")
    after = world.walker_state
    moved = any(isinstance(event, Respawned) for event in happened) or "lost" in trace.events
    carried = _platform_motion(world, before, clock)
    given = (0.0, 0.0, 0.0)
    if not moved:
        given = _subtract(_subtract(after.position, before.position), carried)
    surfaces = _touched_surfaces(world, trace)
    if any(one.stopped and one.kind != "walkable" for one in surfaces) or not (before.grounded and after.grounded):
        asked = _unobstructed_move(world, before, command, clock)
    else:
        asked = _project_on_plane(given, before.up)
    looked_at = world.walker.candidates(before, command, world.mesh, world.around, clock)
    bare = TickReport(
        before, after, asked, given, carried, tuple(trace.slides), surfaces, looked_at, "", (), tuple(trace.events)
    )
    headline, words = _describe_in_words(bare, command, happened, world)
    return replace(bare, headline=headline, sentences=words)


# What was asked


def _unobstructed_move(world: World, before: WalkerState, command: Command, clock: int) -> Point:
    """The same tick where nothing is in the way: on level ground of the same stuff, or in empty air."""
    walker, around = world.walker, world.around
    zones = None if around is None or around.zones is None else Environment(around.zones)
    ground = _reference_floor(world, before) if before.grounded else TriangleMesh(np.zeros((0, 3, 3)))
    if before.mover >= 0:
        row = before.row()
        row["mover"] = 0
        before = WalkerState(row)
    after, _ = walker.step(before, command, ground, zones, clock)
    return _subtract(after.position, before.position)


def _reference_floor(world: World, state: WalkerState) -> TriangleMesh:
    """A wide level floor that the walker stands on, of what it stands on."""
    up, north = np.array(state.up), np.array(state.north)
    east = np.cross(north, up)
    skin = world.settings.skin
    middle = np.array(state.position) - (1.0 + skin) * state.radii[1] * up
    a, b, c, d = (
        middle + REFERENCE_FLOOR_HALF_SIZE * (x * east + z * north) for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return TriangleMesh([(a, b, c), (a, c, d)], [0, 0], [_ground_material(world, state)])


def _ground_material(world: World, state: WalkerState) -> Material:
    """Of the ground under the walker; plain where there is none."""
    mesh, place, up = world.mesh, np.array(state.position), np.array(state.up)
    movers = None if world.around is None else world.around.movers
    if state.mover >= 0 and movers is not None:
        pose = movers.poses(world.tick - 1)[state.mover]
        mesh = movers[state.mover].mesh
        place, up = pose[:, :3].T @ (place - pose[:, 3]), pose[:, :3].T @ up
    hit = mesh.raycast(_point_tuple(place), _point_tuple(-up), state.radii[1] + world.settings.step_height)
    if hit is None or not len(mesh.materials):
        return Material()
    kind = int(mesh.surface[int(np.flatnonzero(mesh.source == hit.triangle)[0])])
    friction, bounce, speed, east, south, rub, *_ = mesh.materials[kind].tolist()
    return Material(friction, bounce, speed, (east, south), rub)


def _platform_motion(world: World, before: WalkerState, clock: int) -> Point:
    """How far the mover that one stands on took one along (m)."""
    movers = None if world.around is None else world.around.movers
    if before.mover < 0 or movers is None:
        return (0.0, 0.0, 0.0)
    was, now = movers.poses(clock)[before.mover], movers.poses(clock + 1)[before.mover]
    place = np.array(before.position)
    own = was[:, :3].T @ (place - was[:, 3])
    x, y, z = (now[:, :3] @ own + now[:, 3] - place).tolist()
    return x, y, z


# What was touched


def _touched_surfaces(world: World, trace: Trace) -> tuple[TouchedSurface, ...]:
    """Those that stopped it first, then those touched at the end; each plane once."""
    made: list[TouchedSurface] = []
    stops, contacts = trace.stops, trace.contacts
    seen: list[Contact] = []
    for one in (*stops, *contacts):
        if any(_is_same_surface(one, other) for other in seen):
            continue
        seen.append(one)
        stopped = any(_is_same_surface(one, other) for other in stops)
        touching = any(_is_same_surface(one, other) for other in contacts)
        piece, file, line = _surface_origin(world, one)
        up = world.walker_state.up
        lean = sum(a * b for a, b in zip(one.normal, up, strict=True))
        made.append(
            TouchedSurface(
                len(made) + 1, one.kind, one.feature, one.normal, one.point, _surface_corners(world, one),
                f"{Path(file).name}:{line}" if file else "", piece, file, stopped, touching,
                math.degrees(math.acos(min(1.0, max(-1.0, lean)))),
            )
        )  # fmt: skip
    return tuple(made)


def _is_same_surface(a: Contact, b: Contact) -> bool:
    """Whether two contacts are of one surface: two halves of a quad are one plane, and an edge's plane turns as the
    body goes round it."""
    if (a.kind, a.mover, a.feature) != (b.kind, b.mover, b.feature):
        return False
    apart = max(abs(x - y) for x, y in zip(a.normal, b.normal, strict=True))
    if a.feature != "face" and apart < EDGE_NORMAL_TOLERANCE:  # both faces of an edge tell of it
        return math.dist(a.point, b.point) < EDGE_POINT_TOLERANCE
    return a.triangle == b.triangle or apart < SAME_NORMAL_TOLERANCE


def _surface_origin(world: World, one: Contact) -> tuple[str, str, int]:
    """(piece, file, line) that the surface was written at; empty where the level does not know."""
    level = world.level
    if one.mover >= 0:
        mover = level.movers[one.mover]
        return f"mover {mover.name}".strip(), mover.place.file or str(level.path), mover.place.line
    piece, file, line, _ = level.origin(one.triangle)
    return piece, file, line


def _surface_corners(world: World, one: Contact) -> tuple[Point, Point, Point]:
    mesh, turn, at = world.mesh, np.eye(3), np.zeros(3)
    if one.mover >= 0 and world.around is not None and world.around.movers is not None:
        movers = world.around.movers
        mesh = movers[one.mover].mesh
        pose = movers.poses(world.tick)[one.mover]
        turn, at = pose[:, :3], pose[:, 3]
    row = int(np.flatnonzero(mesh.source == one.triangle)[0])
    a, b, c = (turn @ corner + at for corner in mesh.triangles12[row, :9].reshape(3, 3))
    return _point_tuple(a), _point_tuple(b), _point_tuple(c)


# In words

KIND_NAMES = {"walkable": "ground", "wall": "wall", "ceiling": "ceiling"}
EVENT_SENTENCES = {
    "crushed": ("Crushed by a moving platform", "A moving platform left no room: back to the last safe position."),
    "lost": (
        "Stuck inside geometry",
        "The body was inside geometry and found no way out: back to the last safe position.",
    ),
    "launched": ("Launched by a pad", "The pad set the velocity; the body leaves the ground."),
    "gravity turned": ("Gravity changed", "The body is in a zone with another gravity and turns upright along it."),
    "swims": ("Swims", "Most of the body is under water: it moves where it looks, and the water slows it."),
    "climbs": ("Climbs", "The body is on a ladder: look up to climb up, look down to climb down."),
}
RESPAWN_SENTENCES = {
    "fell": "Fell: respawned", "stuck": "Stuck: respawned", "killed": "Killed: respawned",
    "crushed": "Crushed by a moving platform: respawned", "teleported": "Teleported", "asked": "Restarted",
}  # fmt: skip


def _describe_in_words(
    account: TickReport, command: Command, happened: tuple[Event, ...], world: World
) -> tuple[str, tuple[str, ...]]:
    """(headline, sentences)."""
    words: list[str] = []
    for event in happened:
        if isinstance(event, Respawned):
            return RESPAWN_SENTENCES[event.reason], (f"New position: {_format_point(event.feet)}.",)
    held, stops = account.blocked, [one for one in account.surfaces if one.stopped and one.kind != "walkable"]
    lost, wish = math.hypot(*held), math.hypot(*_project_on_plane(account.wished, account.before.up))
    headline = ""
    for word, (head, text) in EVENT_SENTENCES.items():
        if word in account.events:
            headline = headline or head
            words.append(text)
    if stops and wish > MIN_WISH and lost > MIN_WISH:
        headline = headline or _blocked_headline(account, stops, lost / wish)
        words += _blocked_sentences(account, stops, lost, wish)
    elif stops:
        names = _join_names([_surface_name(one) for one in stops])
        words.append(f"Touches {names}; no movement is blocked.")
    headline, more = _other_sentences(account, headline, world)
    words += more
    if not headline:
        moves = math.hypot(*account.moved) > MIN_REPORTED_LENGTH
        if not account.after.grounded:
            headline = "Rises" if account.after.velocity[1] > 0.0 else "Falls"
            words.append(f"In the air, at {abs(_upward_speed(account)):.1f} m/s "
                         f"{'upwards' if _upward_speed(account) > 0.0 else 'downwards'}.")  # fmt: skip
        elif moves:
            headline, text = _describe_walk(account)
            words.append(text)
        elif math.hypot(*account.carried_by_platform) > MIN_REPORTED_LENGTH:
            headline = "Carried along"
            words.append(
                f"The moving platform under it moved it by {_format_length(math.hypot(*account.carried_by_platform))}."
            )
        else:
            headline = "Stands still"
            words.append("No input and no movement.")
    return headline, tuple(words)


def _describe_walk(account: TickReport) -> tuple[str, str]:
    """Of one who walks, and whom nothing stops."""
    rise = _vertical_move(account)
    ground = next((one for one in account.surfaces if one.kind == "walkable" and one.touching), None)
    if ground is None or abs(rise) <= MIN_REPORTED_LENGTH:
        return "Nothing in the way", "The whole requested movement was made."
    way = "up" if rise > 0.0 else "down"
    if ground.feature == "face" and ground.slope < LEVEL_GROUND_SLOPE:
        return (
            f"Moves {way} onto level ground",
            f"It moved {_format_length(rise)} {way} onto {_surface_name(ground)} and lost no speed.",
        )
    if ground.feature == "face":
        text = f"The whole requested movement was made, and {_format_length(rise)} {way} on {_surface_name(ground)}: a slope costs no speed."
        return f"Walks {way} a slope", text
    text = f"The round body moves {way} over the {ground.feature} of {_surface_name(ground)}: {_format_length(rise)} in this tick."
    return f"Moves {way} over an edge", text


def _blocked_headline(account: TickReport, stops: list[TouchedSurface], part: float) -> str:
    kinds = _join_names(sorted({KIND_NAMES[one.kind] for one in stops}, key="wall ceiling ground".find))
    what = f"a {kinds}" if len(stops) == 1 else f"{len(stops)} surfaces"
    gone, wish = (math.hypot(*_project_on_plane(way, account.before.up)) for way in (account.moved, account.wished))
    if gone <= max(MIN_WISH, STOPPED_FRACTION * wish):
        return f"Stopped by {what}"
    across = np.linalg.norm(np.cross(account.wished, _project_on_plane(account.moved, account.before.up)))
    if across <= SAME_DIRECTION_FRACTION * gone * wish:
        return f"Runs into {what}"
    return f"Slides along {what}"


def _blocked_sentences(account: TickReport, stops: list[TouchedSurface], lost: float, wish: float) -> list[str]:
    words = []
    limit = [one for one in stops if _is_steep(one)]
    names = _join_names([_surface_name(one) for one in stops])
    gone = math.hypot(*_project_on_plane(account.moved, account.before.up))
    if gone > max(MIN_WISH, STOPPED_FRACTION * wish):
        words.append(
            f"Requested: {_format_length(wish)}. Blocked by {names}: {_format_length(lost)}. Moved: {_format_length(gone)}."
        )
        words.append("The arrows of blocked and moved add up to the requested one.")
    else:
        words.append(f"{names[0].upper()}{names[1:]} blocked all of the requested {_format_length(wish)}.")
    words += [
        f"Surface {one.number} has a slope of {one.slope:.0f}°: too steep to walk on, so it counts as a wall."
        for one in limit
    ]
    if any(one.feature != "face" for one in stops):
        one = next(one for one in stops if one.feature != "face")
        words.append(
            f"Surface {one.number} is hit at its {one.feature}: the contact plane is that of the {one.feature}, "
            "not of the face."
        )
    return words


def _other_sentences(account: TickReport, headline: str, world: World) -> tuple[str, list[str]]:
    """Steps, snaps, jumps, and what was refused."""
    words: list[str] = []
    events, rise = account.events, _vertical_move(account)
    grounds = [one for one in account.surfaces if one.kind == "walkable" and one.touching]
    onto = f" onto {_surface_name(grounds[0])}" if grounds else ""
    if "stepped" in events:
        headline = headline or f"Steps up {_format_length(rise)}"
        words.append(f"It stepped {_format_length(rise)} up over an edge{onto}: lower than the step height of "
                     f"{_format_length(world.settings.step_height)}, so the edge counts as ground.")  # fmt: skip
    elif "snapped" in events and rise < -MIN_REPORTED_LENGTH:
        headline = headline or f"Snaps down {_format_length(-rise)}"
        words.append(f"The ground drops by less than {_format_length(world.settings.snap_down)}: the body was moved down "
                     f"{_format_length(-rise)}{onto} and stays on the ground.")  # fmt: skip
    if "jumped" in events:
        headline = headline or "Jumps"
        words.append(f"It left the ground at {_upward_speed(account):.1f} m/s upwards.")
    if "landed" in events:
        headline = headline or "Lands"
        words.append(f"It landed{onto}.")
    if "bounced" in events:
        headline = headline or "Bounces"
        words.append("The ground returned part of its speed.")
    if "head" in events:
        headline = headline or "Head hits a ceiling"
        words.append("The ceiling stopped the upward movement.")
    if "pushed" in events:
        words.append("The body overlapped something and was pushed out first.")
    for word, head, text in REFUSAL_SENTENCES:
        if word in events:
            headline = headline or head
            words.append(text)
    return headline, words


REFUSAL_SENTENCES = (
    ("turn cut", "No room to turn", "The body cannot turn further here: there is no room."),
    ("no room to stand", "No room to stand up", "There is no head room to stand up: the body stays crouched."),
    ("squeezed", "No free direction", "The surfaces leave no free direction: the body did not move."),
    ("funnel", "Wedged", "Slopes that are too steep to walk on hold the body up together."),
)


def _is_steep(one: TouchedSurface) -> bool:
    """Whether it is a slope that is too steep to walk."""
    return one.kind == "wall" and one.feature == "face" and one.slope < 85.0


def _surface_name(one: TouchedSurface) -> str:
    what = "steep slope" if _is_steep(one) else KIND_NAMES[one.kind]
    return f"{what} {one.number}" + (f" ({one.place})" if one.place else "")


def _join_names(names: list[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def _format_length(metres: float) -> str:
    """A length as people read it."""
    size = abs(metres)
    if size >= 0.9995:
        return f"{size:.2f} m"
    return f"{1e3 * size:.0f} mm" if size >= 0.09995 else f"{1e3 * size:.1f} mm"


def _format_point(point: Point) -> str:
    return " ".join(f"{value:.2f}" for value in point)


def _vertical_move(account: TickReport) -> float:
    return sum(a * b for a, b in zip(account.moved, account.before.up, strict=True))


def _upward_speed(account: TickReport) -> float:
    return sum(a * b for a, b in zip(account.after.velocity, account.after.up, strict=True))


def _project_on_plane(vector: Any, up: Point) -> Point:
    """Without its part along up."""
    along = sum(a * b for a, b in zip(vector, up, strict=True))
    x, y, z = (a - along * b for a, b in zip(vector, up, strict=True))
    return x, y, z


def _subtract(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _point_tuple(array: Any) -> Point:
    x, y, z = (float(value) for value in array)
    return x, y, z
