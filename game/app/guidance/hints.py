"""Hints of play: each appears when it is needed and stays until the player has used it once.

A file in the data folder remembers those that were used. Jump and crouch hints come from a look at what is in front of
the walker, by one cast of rays at the level's mesh.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core import user_folders
from ...core.angles import RADIANS_PER_HEADING_UNIT, wrap_heading
from ...core.vectors import Floats
from ...sim import Respawned
from ...sim.trial import FALL_REASONS
from ...text.key_symbols import key_symbol, key_symbols
from ..input.actions import MOVEMENT_ACTIONS, PlayAction
from ..launch.shared_files import SharedFile
from ..settings.key_bindings import key_label
from ..settings.settings_table import Settings

if TYPE_CHECKING:
    from ...level.build.entities.zones import LevelZone
    from ...sim import World
    from ...sim.events import Event
    from ..game import Game
    from ..input.player_input import HeldActions

BRIEF_SECONDS = 10.0  # s that a hint is shown which is useful but not needed to go on


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint. text: made of the keys and the settings. seconds: longest time that it is shown in one level."""

    name: str
    text: Callable[[HeldActions, Settings], str]
    seconds: float = math.inf


def is_pressed_once(action: PlayAction, held: HeldActions, settings: Settings) -> bool:
    """Whether one press starts an action and the next one ends it: it toggles, or its key is the mouse wheel."""
    if action is PlayAction.REWIND:
        return settings.rewind_key == "toggle"
    by_wheel = not held.uses_gamepad and held.bindings.is_on_wheel(action)
    return by_wheel or action in settings.toggled_actions or held.is_latched(action)


def _hold(action: PlayAction, held: HeldActions, settings: Settings) -> str:
    """`Hold Ctrl`, or `Ctrl` where one press is enough."""
    key = held.describe(action)
    return key if is_pressed_once(action, held, settings) else f"Hold {key}"


def strike_text(held: HeldActions, settings: Settings) -> str:
    """`Hold E, release to hit`, or `E, again to hit` where one press is enough."""
    end = "again to hit" if is_pressed_once(PlayAction.USE, held, settings) else "release to hit"
    return f"{_hold(PlayAction.USE, held, settings)}, {end}"


def _walk_text(held: HeldActions, settings: Settings) -> str:
    if held.uses_gamepad:
        return f"{key_symbol('Left stick')} to move"
    tap = held.bindings.keys_of(PlayAction.AUTO_WALK)[0]
    taps = f"{key_symbol(key_label(tap))} or " if tap.startswith("MOUSE_") else ""  # it walks until the next press
    return f"{taps}{key_symbols(held.bindings.movement_keys)} to move"


def _look_text(held: HeldActions, settings: Settings) -> str:
    if held.uses_gamepad:
        return f"{key_symbol('Right stick')} to look"
    turn_keys = "" if held.bindings.preset == "touchpad" else held.bindings.turn_keys
    return f"{key_symbols(turn_keys or 'Mouse')} to look"


def _rewind_text(held: HeldActions, settings: Settings) -> str:
    return f"{_hold(PlayAction.REWIND, held, settings)}: rewind and try again"


HINTS: tuple[Hint, ...] = (  # the first that is needed is shown
    Hint("swim", lambda held, settings: f"You swim where you look   ·   {held.describe(PlayAction.JUMP)}: swim up"),
    Hint("climb", lambda held, _: f"Walk into the ladder to climb   ·   {held.describe(PlayAction.JUMP)}: let go"),
    Hint("crouch", lambda held, settings: f"{_hold(PlayAction.CROUCH, held, settings)}: crouch"),
    Hint("jump", lambda held, settings: f"{held.describe(PlayAction.JUMP)}: jump"),
    Hint("rewind", _rewind_text, BRIEF_SECONDS),
    Hint("walk", _walk_text),
    Hint("look", _look_text),
    Hint("throw", lambda held, settings: f"{held.describe(PlayAction.USE)}: throw a ball"),
    Hint("ghosts", lambda held, settings: f"{key_symbols('1 to 6')}: add a ghost that walks with you"),
    Hint("aim", lambda held, settings: f"Press {held.describe(PlayAction.AIM)}: what to do, and where", BRIEF_SECONDS),
    Hint("sprint", lambda held, settings: f"{_hold(PlayAction.SPRINT, held, settings)}: sprint", BRIEF_SECONDS),
)
STARTING_HINTS = ("walk", "look")  # shown side by side


FILE_NAME = "hints.json"
FORMAT_VERSION = 1
MAX_BYTES = 1 << 16
MAX_NAMES = 200


class HintMemory:
    """Names of the used hints; the file is read at the first question and written with each change."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: SharedFile[set[str]] = SharedFile(
            FILE_NAME,
            MAX_BYTES,
            "All hints are shown again: their file",
            "The hints that you have used",
            set,
            _parse_names,
            _encode_names,
            path,
        )
        self._used: set[str] | None = None
        self._problem = ""

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def used(self) -> set[str]:
        if self._used is None:
            self._used = set(self._file.read())
        return self._used

    def add(self, name: str) -> None:
        """Remember that a hint was used. Another game may have written the file meanwhile: its names stay."""
        if name not in self.used:
            self.used.add(name)
            self._problem = self._file.update(lambda names: names | self.used)
            self._used = self.used | self._file.read()

    def forget(self) -> None:
        """Forget all, so that every hint is shown again."""
        self._used = set()
        self._problem = self._file.update(lambda names: set())

    def take_problem(self) -> str:
        """A sentence for the player about a damaged or unwritable file, once; empty where there is none."""
        problem = " ".join([*self._file.take_notes(), *filter(None, [self._problem])])
        self._problem = ""
        return problem


def _parse_names(data: bytes) -> tuple[set[str], str]:
    names = (user_folders.decode_object(data, MAX_BYTES) or {}).get("used")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return set(names[:MAX_NAMES]), ""
    return set(), "not a list of hints"


def _encode_names(names: set[str]) -> bytes:
    return (json.dumps({"format": FORMAT_VERSION, "used": sorted(names)}, indent=1) + "\n").encode()


SCAN_SECONDS = 0.25  # s between two looks at the geometry in front of the body
OBSTACLE_SECONDS = 2.0  # s that a hint about an obstacle stays after the obstacle is out of sight
WALK_SECONDS = 0.8  # s of doing that count as used
CLIMB_SECONDS = 0.5
SPRINT_SECONDS = 0.5
LOOK_UNITS = 4000.0  # heading units of turning that count as having looked around: 22 degrees
SPRINT_AFTER = 8.0  # s of walking after which sprint is offered
AIM_AFTER = 20.0  # s of walking after which the aim key is offered
LADDER_REACH = 1.5  # m from the body to a ladder
MIN_STICK = 0.3  # deflection of the stick that counts as walking
JUMP = "jump"
CROUCH = "crouch"

REACH = 1.5  # m in front of the body's centre at which an obstacle is seen
LEDGE_EDGE = 0.12  # m before and behind the front of a ledge between which it rises
LANDING = 0.5  # m behind the front of a ledge at which its top is looked for
BEAM_DEPTH = 1.1  # m behind the front of a beam that must be free for a crouched body
SAMPLE_STEP = 0.4  # m between the points at which ground is looked for
SAMPLES = 11
GAP_START = 1.7  # m in front of the body at which a gap must begin
GAP_DEPTH = 1.2  # m
GAP_RISE = 0.7  # m that the far side of a gap may be higher
GAP_DROP = 0.6  # m that the far side of a gap may be lower
MIN_GAP = 0.7  # m
GAP_JUMP_FRACTION = 0.75  # of the length of a sprinting jump: the longest gap that is worth a hint
MIN_GROUND_NORMAL = 0.7  # component along up
MAX_WALL_NORMAL = 0.5  # component along up


def find_obstacles(world: World, heading: float) -> frozenset[str]:
    """JUMP before a ledge or a gap that the walker can only jump, CROUCH before a beam. heading: of the view.

    Moving platforms are not seen; near one there is no answer. 26 rays, 30 to 60 microseconds.
    """
    state = world.walker_state
    settings = world.settings
    movers = None if world.environment is None else world.environment.movers
    if not state.grounded or (movers is not None and movers.reach(state.position, 4.0)):
        return frozenset()
    up, north = np.array(state.up), np.array(state.north)
    feet = np.array(state.feet)
    angle = heading * RADIANS_PER_HEADING_UNIT
    ahead = math.cos(angle) * north + math.sin(angle) * np.cross(up, north)
    tall = 2.0 * settings.radii[1]
    low = settings.step_height + 0.08
    over = settings.jump_height + 0.25
    crouched = settings.crouch_height + 0.02
    heights = np.array([low, crouched, over, 0.85 * tall, 0.95 * tall])
    distance, normal = _cast(world, feet + heights[:, None] * up, ahead, SAMPLES * SAMPLE_STEP)
    found = set()
    if distance[0] < REACH and abs(float(normal[0] @ up)) < MAX_WALL_NORMAL:
        if distance[2] > distance[0] + LANDING and _is_ledge(world, feet, distance[0] * ahead, ahead, up):
            found.add(JUMP)
    elif distance[0] > REACH and _is_gap_ahead(world, feet, ahead, up, float(distance.min())):
        found.add(JUMP)
    front = float(distance[2:].min())
    if front < REACH and min(distance[0], distance[1]) > front + BEAM_DEPTH:
        under = feet + (front + 0.3) * ahead + crouched * up
        if _cast(world, under[None], up, 0.95 * tall - crouched)[0][0] < math.inf:
            found.add(CROUCH)
    return frozenset(found)


def _is_ledge(world: World, feet: Floats, front: Floats, ahead: Floats, up: Floats) -> bool:
    """Whether the ground rises at `front` (from the feet) by more than a step and at most a jump, as no stairs do."""
    above = world.settings.jump_height + 0.25
    places = np.array([-LEDGE_EDGE, LEDGE_EDGE, LANDING])
    distance, normal = _cast(world, feet + front + places[:, None] * ahead + above * up, -up, above + 0.5)
    before, edge, top = above - distance  # heights over the feet
    is_ground = bool(normal[2] @ up > MIN_GROUND_NORMAL)
    return bool(is_ground and edge - before > world.settings.step_height + 0.02 and top <= world.settings.jump_height)


def _is_gap_ahead(world: World, feet: Floats, ahead: Floats, up: Floats, free: float) -> bool:
    """Whether the ground ends in front of the walker and goes on within a jump. free: m of air ahead of the body."""
    places = SAMPLE_STEP * np.arange(1, SAMPLES + 1)
    distance, _ = _cast(world, feet + places[:, None] * ahead + GAP_RISE * up, -up, GAP_RISE + GAP_DEPTH)
    drop = distance - GAP_RISE  # below the feet; infinite over a gap
    is_gap = ~np.isfinite(drop)
    if not is_gap.any():
        return False
    start = int(np.argmax(is_gap))
    beyond = np.flatnonzero(~is_gap[start:] & (drop[start:] < GAP_DROP))
    if not len(beyond) or places[start] > GAP_START:
        return False
    body = world.settings
    longest = GAP_JUMP_FRACTION * max(body.sprint_speed, body.walk_speed) * body.jump_seconds
    return bool(MIN_GAP <= beyond[0] * SAMPLE_STEP <= longest and places[start + beyond[0]] < free)


def _cast(world: World, origins: Floats, direction: Floats, reach: float) -> tuple[Floats, Floats]:
    """Distances (n,), infinite without a hit, and normals (n, 3) of rays with one direction."""
    hits = world.mesh.raycast_many(origins, direction, reach)
    return np.where(hits.triangle >= 0, hits.distance, np.inf), hits.normal


def is_walking(held: HeldActions) -> bool:
    """Whether the player holds a key or the stick that walks."""
    return bool(held.active.intersection(MOVEMENT_ACTIONS)) or any(abs(axis) > MIN_STICK for axis in held.stick)


class HintGuide:
    """Decides which hints are needed, and notes which were used.

    shown    hints of the present frame
    memory   the used hints, in a file
    """

    def __init__(self, memory: HintMemory | None = None) -> None:
        self.memory = HintMemory() if memory is None else memory
        self.shown: tuple[Hint, ...] = ()
        self._open: tuple[Hint, ...] = ()  # hints that were not used yet, for `_names_used`
        self._names_used: set[str] | None = None
        self.begin_level()

    def begin_level(self) -> None:
        """Another level begins: what was seen in the last one is forgotten."""
        self._seconds: dict[str, float] = {}  # s of doing, by hint
        self._shown_seconds: dict[str, float] = {}
        self._needed_until: dict[str, float] = {}  # on the clock `_now`, by hint
        self._now = self._walked = self._turned = 0.0
        self._next_scan = 0.0
        self._view: tuple[float, float] | None = None
        self._ladders: list[LevelZone] | None = None
        self._has_fallen = False
        self.shown = ()

    def is_open(self, name: str) -> bool:
        """Whether a hint was not used yet."""
        return name not in self.memory.used

    def mark_used(self, name: str) -> None:
        """The player has done what a hint says."""
        if self.is_open(name):
            self.memory.add(name)

    def on_event(self, event: Event) -> None:
        """An event of a tick: falls need the rewind hint."""
        if isinstance(event, Respawned) and event.reason in FALL_REASONS:
            self._has_fallen = True

    def update(self, context: Game, seconds: float) -> None:
        """Advance by a frame of play of `seconds`."""
        self._now += seconds
        self.shown = ()
        if self._names_used is not self.memory.used:  # a changed set is another object
            self._names_used = self.memory.used
            self._open = tuple(hint for hint in HINTS if hint.name not in self._names_used)
        if not self._open:
            return
        world = context.world
        self._note_actions(context, world, seconds)
        if not context.settings.hints:
            return
        needed = [hint for hint in self._open if self._is_due(hint, context, world)]
        if needed and needed[0].name in STARTING_HINTS:
            self.shown = tuple(hint for hint in needed if hint.name in STARTING_HINTS)
        else:
            self.shown = tuple(needed[:1])
        for hint in self.shown:
            self._shown_seconds[hint.name] = self._shown_seconds.get(hint.name, 0.0) + seconds

    def text(self, context: Game) -> str:
        """The hints of this frame with their keys; empty where there is none."""
        held = context.input.held
        parts = [hint.text(held, context.settings) for hint in self.shown]
        if parts and self.shown[0].name in STARTING_HINTS:
            if not held.uses_gamepad and held.bindings.describe(PlayAction.MENU):  # a layout for one hand
                parts.append(f"{held.describe(PlayAction.MENU)} for the menu")
            else:
                parts.append(f"{held.describe(PlayAction.HELP)} for help")
        return "   ·   ".join(parts)

    def _is_due(self, hint: Hint, context: Game, world: World) -> bool:
        """Whether a hint is needed, was not used yet, and was not shown for long enough in this level."""
        if hint.name in self.memory.used or self._shown_seconds.get(hint.name, 0.0) >= hint.seconds:
            return False
        return _NEEDS[hint.name](self, context, world)

    # What the player does

    def _note_actions(self, context: Game, world: World, seconds: float) -> None:
        held = context.input.held
        state = world.walker_state
        actions = held.active
        view = (context.input.view.yaw, context.input.view.pitch)
        if self._view is not None:
            self._turned += abs(wrap_heading(view[0] - self._view[0])) + abs(view[1] - self._view[1])
        self._view = view
        is_moving = is_walking(held)
        self._walked += seconds if is_moving else 0.0
        done = {
            "walk": self._walked >= WALK_SECONDS,
            "look": self._turned >= LOOK_UNITS,
            "jump": PlayAction.JUMP in actions and not state.swimming and not state.climbing,
            "crouch": state.crouched and not state.swimming,
            "sprint": is_moving and PlayAction.SPRINT in actions and self._lasts("sprint", seconds, SPRINT_SECONDS),
            "swim": state.swimming and PlayAction.JUMP in actions,
            "climb": state.climbing and is_moving and self._lasts("climb", seconds, CLIMB_SECONDS),
            "throw": PlayAction.USE in actions and world.level.play is not None and world.level.play.throws,
            "ghosts": context.runs.lab is not None and not context.runs.lab.is_idle and world.level.ghosts,
        }
        for name, is_done in done.items():
            if is_done:
                self.mark_used(name)

    def _lasts(self, name: str, seconds: float, wanted: float) -> bool:
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds
        return self._seconds[name] >= wanted

    # What is needed

    def _sees_obstacle(self, name: str, context: Game, world: World) -> bool:
        """Whether an obstacle of this kind is or was lately in front of the body."""
        if self._now >= self._next_scan:
            self._next_scan = self._now + SCAN_SECONDS
            for found in find_obstacles(world, context.input.view.yaw):
                self._needed_until[found] = self._now + OBSTACLE_SECONDS
        return self._needed_until.get(name, -1.0) > self._now

    def _needs_jump(self, context: Game, world: World) -> bool:
        """Whether an obstacle asks for a jump. A known way tells its own jumps."""
        return context.guide.routes.route is None and self._sees_obstacle("jump", context, world)

    def _is_near_ladder(self, world: World) -> bool:
        if self._ladders is None:
            self._ladders = [
                replace(zone, half=(a + LADDER_REACH, b + LADDER_REACH, c + LADDER_REACH))
                for zone in world.level.all_zones
                for a, b, c in (zone.half,)
                if zone.acts_by("climb")
            ]
        position = world.walker_state.position
        return any(world.is_in_zone(zone, position) for zone in self._ladders)


_Need = Callable[[HintGuide, "Game", "World"], bool]
_NEEDS: Mapping[str, _Need] = {
    "swim": lambda guide, context, world: world.walker_state.swimming,
    "climb": lambda guide, context, world: guide._is_near_ladder(world),
    "crouch": lambda guide, context, world: guide._sees_obstacle("crouch", context, world),
    "jump": lambda guide, context, world: guide._needs_jump(context, world),
    "rewind": lambda guide, context, world: guide._has_fallen,
    "walk": lambda guide, context, world: True,
    "look": lambda guide, context, world: True,
    "throw": lambda guide, context, world: world.level.play is not None and world.level.play.throws,
    "ghosts": lambda guide, context, world: world.level.ghosts,
    "aim": lambda guide, context, world: guide._walked >= AIM_AFTER,
    "sprint": lambda guide, context, world: guide._walked >= SPRINT_AFTER,
}
