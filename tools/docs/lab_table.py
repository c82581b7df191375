"""Measure every method of the collision lab: `python -m tools.docs.lab_table [--check] [SCENE...]`.

Without scenes it measures all and writes the tables of docs/lab.md; with scenes it prints theirs. The measurement is
deterministic.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from game.lab import OWN_CONTROLLER, REFERENCE_CONTROLLERS, WalkMetrics, create_controller
from game.lab.fauerby_slide import FauerbyController
from game.lab.triangle_arrays import TriangleArrays
from game.physics import Command, TriangleMesh, Walker, bare
from tools.docs.lab_scenes import SCENES, SPEED, Scene, ahead, floor, quads, ramp, wall

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "lab.md"
BEGIN, END = "<!-- tables: python -m tools.docs.lab_table -->", "<!-- end of tables -->"
HEAD = (
    "| method | smallest gap (mm) | speed error | stuck | backward | embedded | tunnelled |\n"
    "|---|---:|---:|---:|---:|---:|---:|"
)
SLIM = (0.35, 0.90, 0.12)


def walk(walker: Walker, scene: Scene) -> tuple[WalkMetrics, list[np.ndarray]]:
    """Metrics of a walk, and the centre of the body before and after each tick."""
    faces, measure = TriangleArrays(scene.mesh.triangles12), WalkMetrics()
    state = walker.spawn(scene.mesh, scene.feet, scene.heading)
    places = [np.array(state.position)]
    for tick in range(scene.ticks):
        command = scene.command(tick)
        after, _ = walker.step(state, command, scene.mesh)
        measure.add_tick(state, command, after, walker.settings, scene.mesh, faces)
        state = after
        places.append(np.array(state.position))
    return measure, places


def pace_error(scene: Scene, places: list[np.ndarray]) -> float | None:
    """Relative error of the horizontal speed against the exact one; in a corner, the jitter in m/s."""
    if scene.exact is None:
        return None
    count = len(places) - 1 - scene.begin
    if scene.exact == 0.0:
        steps = np.diff(np.array(places[scene.begin :])[:, [0, 2]], axis=0)
        return float(np.hypot(steps[:, 0], steps[:, 1]).sum()) * 60.0 / count
    turn = math.radians(scene.along)
    way = places[-1] - places[scene.begin]
    made = (-math.sin(turn) * way[0] - math.cos(turn) * way[2]) * 60.0 / count
    return float(made / scene.exact - 1.0)


def row(name: str, scene: Scene) -> str:
    """One method in one scene."""
    walker = create_controller(name, bare())
    measure, places = walk(walker, scene)
    error = pace_error(scene, places)
    if error is None:
        pace = ""
    elif scene.exact == 0.0:
        pace = f"{1e3 * error:.0f} mm/s"
    else:
        pace = f"{100 * error + 0.0:+.1f} %" if abs(error) >= 5e-4 else "0.0 %"
    title = "**ours**" if name == OWN_CONTROLLER else REFERENCE_CONTROLLERS[name].title
    counts = (measure.stuck, measure.backward, measure.embedded, measure.tunnelled)
    return f"| {title} | {1e3 * measure.smallest_gap:.2f} | {pace} | " + " | ".join(map(str, counts)) + " |"


def table(name: str) -> str:
    """The table of a scene with its heading. KeyError for an unknown scene."""
    scene = SCENES[name]()
    rows = [row(method, scene) for method in (*REFERENCE_CONTROLLERS, OWN_CONTROLLER)]
    return "\n".join((f"### {scene.title}", "", f"{scene.says[0].upper()}{scene.says[1:]}.", "", HEAD, *rows))


# Defects of the guide, each alone


def only(defect: str, **settings: object) -> Walker:
    """The guide with only this defect."""
    return create_controller("guide", bare(**settings), set(FauerbyController.known_defects) - {defect})


def stop_side_on(walker: Walker) -> str:
    """Distance from a wall in the north at which the centre stops when pressed sideways."""
    mesh = TriangleMesh([*floor(), *wall(10.0, -3.0, -10.0, -3.0)])
    side_on = Command(strafe=1.0, heading=16384)
    scene = Scene("", "", mesh, (0.0, 0.0, 0.0), 90, lambda tick: side_on)
    return f"{3.0 + walk(walker, scene)[1][-1][2]:.3f} m from the wall"


def off_the_corner(walker: Walker) -> str:
    """Longest distance in the air at platform height when walking diagonally off each corner of a platform."""
    top = quads([(-2, 2, 2), (2, 2, 2), (2, 2, -2), (-2, 2, -2)])
    mesh = TriangleMesh([*floor(), *top])
    ways = []
    for degrees in (45.0, 135.0, 225.0, 315.0):
        scene = Scene("", "", mesh, (0.0, 2.0, 0.0), 100, ahead(degrees))
        places = np.array(walk(walker, scene)[1])
        held = places[:, 1] > 2.0 + walker.settings.radii[1] - 0.05
        ways.append(float(np.abs(places[held][:, [0, 2]]).max()) - 2.0)
    return f"{max(ways):.2f} m beyond the corner without support"


def run_at_a_wall(walker: Walker) -> str:
    """Ticks until the body is within 1 cm of its stopping place at a wall 0.9 m ahead."""
    mesh = TriangleMesh([*floor(), *wall(10.0, -1.0, -10.0, -1.0)])
    scene = Scene("", "", mesh, (0.0, 0.0, 0.15), 240, ahead(0.0))
    places = np.array(walk(walker, scene)[1])
    near = np.flatnonzero(places[:, 2] - (-1.0 + walker.settings.radii[2]) < 0.01)
    return f"{near[0]} ticks to the wall" if len(near) else "not there after 4 s"


def up_the_ramp(walker: Walker) -> str:
    """Speed up a 30 degree ramp as a fraction of the wished speed."""
    scene = ramp(30.0)
    error = pace_error(scene, walk(walker, scene)[1])
    assert error is not None
    return f"{SPEED * (1.0 + error):.2f} m/s up 30°"


def far_away(walker: Walker) -> str:
    """Error of a walk over level ground 2 km from the origin."""
    offset = np.array((2000.0, 0.0, 2000.0))
    mesh = TriangleMesh(np.array(floor(10.0, 1.0)) + offset)
    scene = Scene("", "", mesh, (2000.0, 0.0, 2000.0), 120, ahead(30.0))
    measure, places = walk(walker, scene)
    turn = math.radians(30.0)
    way = np.array((-math.sin(turn), -math.cos(turn))) * 8.0
    off = float(np.hypot(*(places[-1][[0, 2]] - places[0][[0, 2]] - way)))
    return f"{1e3 * off:.1f} mm off after 8 m, 2 km from the origin; smallest gap {1e3 * measure.smallest_gap:.2f} mm"


DEFECTS = {
    "turn": ("pushed sideways against a wall; correct: 0.35 m", stop_side_on),
    "inside": ("walks diagonally off the corners of a platform", off_the_corner),
    "margin": ("runs straight at a wall 0.90 m away; correct: 14 ticks", run_at_a_wall),
    "slide": ("up a ramp; correct, projected in metres: 2.93 m/s", up_the_ramp),
    "single": ("over level ground", far_away),
}


def defect_table() -> str:
    """Each defect of the guide alone, against the guide without defects."""
    lines = ["| key | defect | scene | with this defect only | fixed |", "|---|---|---|---|---|"]
    for key, (name, (scene, measure)) in zip("7890P", DEFECTS.items(), strict=True):
        radii = {"radii": SLIM} if name == "turn" else {}
        ends = [measure(walker) for walker in (only(name, **radii), create_controller("mended", bare(**radii)))]
        lines.append(f"| {key} | {FauerbyController.known_defects[name]} | {scene} | {ends[0]} | {ends[1]} |")
    return "\n".join(lines)


def whole() -> str:
    """All tables of the page."""
    parts = ["## Defects of the forum guide, one by one", defect_table(), "## Results by station"]
    return "\n\n".join([*parts, *(table(name) for name in SCENES)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables, or with --check compare them. Status 0: written or up to date, 1: out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.docs.lab_table", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"print these only: {', '.join(SCENES)}")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is out of date")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.scenes if name not in SCENES]
    if unknown:
        parser.error(f"no such scene: {', '.join(unknown)}")
    if options.scenes:
        for name in options.scenes:
            print(table(name), end="\n\n")
        return 0
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    made = f"{before}{BEGIN}\n\n{whole()}\n\n{END}{after}"
    if made == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)}: {'not up to date' if options.check else 'written'}")
    if not options.check:
        PAGE.write_text(made, encoding="utf-8", newline="\n")
    return 1 if options.check else 0


if __name__ == "__main__":
    sys.exit(main())
