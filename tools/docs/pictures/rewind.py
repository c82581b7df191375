"""Render the pictures of rewinding in docs/pictures: `python -m tools.docs.pictures.rewind [NAME...]`.

Each picture is a game without a window, played by key presses, rewound and stopped at the tick with the highest score.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

from game.app.game import Game
from game.app.settings.settings_file import Settings
from game.app.visuals.tick_messages import tick_message
from game.level import load
from game.render import Renderer, Scene, Snapshot, offscreen_context
from game.sim.replay.tick_report import TickReport
from tools.docs.pictures.shared import DOCS, ROOT, SIZE, asked_for, drawn, finest, keep

FRAME = 1 / 60  # s
ASPECT = SIZE[0] / SIZE[1]
Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: start (feet in metres, heading in degrees), keys with their duration (s), the score of a tick (the
    best one is shown), and then mouse movement (pixels) and wheel clicks of the camera.
    """

    feet: Point
    heading: float
    keys: tuple[str, ...]
    seconds: float
    worth: Callable[[TickReport], float]
    mouse: tuple[float, float] = (0.0, 0.0)
    wheel: float = 0.0
    after: float = 0.35  # s of walking with other keys afterwards, so that the timeline continues
    level: str = "demo"


def first_touch(report: TickReport) -> float:
    """Score of a slide: the smaller of the blocked and the moved distance."""
    blocked, moved = (math.hypot(*way) for way in (report.blocked, report.moved))
    return min(blocked, moved) if report.stopped and len(report.slides) > 1 else 0.0


def no_way(report: TickReport) -> float:
    """Score of a stop between two walls: the blocked distance."""
    walls = sum(one.stopped and one.kind == "wall" for one in report.surfaces)
    return math.hypot(*report.blocked) * (walls > 1)


def over_an_edge(report: TickReport) -> float:
    """Score of a ride over an edge: the height that it gains."""
    return float(tick_message(report).headline.startswith("Steps up")) * abs(report.moved[1])


PICTURES = {
    "rewind": Shot((-5.2, 0.0, 8.9), -38.0, ("W", "LSHIFT"), 1.4, first_touch),
    "rewind_corner": Shot((-14.6, 0.0, 9.6), 60.0, ("W",), 2.2, no_way, (330.0, -150.0)),
    "rewind_step": Shot((-7.6, 0.0, 2.3), 90.0, ("W",), 1.2, over_an_edge),
}


def main() -> int:
    options = asked_for("rewinding", PICTURES, DOCS)
    context = offscreen_context()
    renderers: dict[str, Renderer] = {}
    for name in options.names:
        shot = PICTURES[name]
        game, shown = play(shot)
        if shot.level not in renderers:
            renderers[shot.level] = Renderer(context, Scene.from_level(game.level), finest(options.quality))
        keep(drawn(renderers[shot.level], shown), options.folder / f"{name}.jpg")
        message = tick_message(game.modes["rewind"].anatomy().report)
        print("   ", message.headline, *message.sentences)
    return 0


def play(shot: Shot) -> tuple[Game, Snapshot]:
    """The game at the best tick, and its frame."""
    game = Game(load(ROOT / "levels" / f"{shot.level}.yaml"), Settings(interface_scale=1.15), "high")
    game.screen.debug = True  # the tick is explained
    now = 0.0

    def wait(seconds: float = FRAME) -> Snapshot:
        nonlocal now
        for _ in range(max(1, round(seconds / FRAME))):
            now += FRAME
            shown = game.advance_frame(now, ASPECT)
        return shown

    wait()
    game.start(game.make_world())
    wait()
    session = game.session
    assert session is not None
    world = session.world
    heading = round(shot.heading / 360 * 65536) % 65536
    world.walker_state = world.walker.spawn(world.mesh, shot.feet, heading, around=world.environment)
    session.reset_interpolation()
    game.cameras.first_person.snap(session.pose())
    game.input.view.face_heading(heading)
    for key in shot.keys:
        game.key_pressed(key)
    wait(shot.seconds)
    for key in shot.keys:
        game.key_released(key)
    game.key_pressed("A")
    wait(shot.after)
    game.key_released("A")
    game.key_pressed("BACKSPACE")
    game.key_released("BACKSPACE")
    wait()
    assert session.history is not None
    worth = []
    for k in range(len(session.history)):
        game.modes["rewind"].go_to(k + 1)
        worth.append(shot.worth(game.modes["rewind"].anatomy().report))
    game.modes["rewind"].go_to(1.0 + max(range(len(worth)), key=worth.__getitem__))
    game.modes["rewind"].place_camera()
    game.mouse_moved(*shot.mouse)
    game.modes["rewind"].scrolled(shot.wheel)
    return game, wait(1.0)


if __name__ == "__main__":
    sys.exit(main())
