"""Draw the figures of docs/architecture.md: `python -m tools.docs.architecture_figures [--check]`.

One figure shows the packages of `game` and the folders of `app` in the order of their imports. The others show the path
of a tick, a frame, a level and an edit through the modules, and what runs beside the main thread. Each module that a
figure names must exist.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.docs.figures.svg import AIR, BODY, GOOD, INK, OTHER, SOFT, STEP, Drawing

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures" / "architecture"

# Rows of packages, the highest layer first: a package imports only from rows below its own.
LAYERS: tuple[tuple[tuple[str, str, str], ...], ...] = (
    (("app", "the game and the command line", AIR),),
    (
        ("gym", "a world to learn in", SOFT),
        ("lab", "published methods", OTHER),
        ("video", "movies", GOOD),
        ("cluster", "long checks in shards", STEP),
    ),
    (("reports", "results as JSON, tables, plots", GOOD),),
    (("testing", "tests in level files, pytest plugin", STEP),),
    (("drawing", "plans, maps and charts, without OpenGL", GOOD),),
    (("sim", "world, session, replays, bots", STEP), ("render", "pictures with OpenGL", GOOD)),
    (("level", "level files, pieces, models, checks", BODY),),
    (("physics", "mesh, queries, walker, balls", BODY), ("text", "fonts, line breaks", GOOD)),
    (("core", "files, folders, vectors, errors", SOFT),),
)
# Rows of folders and modules of `app`, the highest first. settings and input import modules of each other;
# startup imports window, which imports game.
APP_LAYERS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("commands",), "one module for each verb of the command line"),
    (("startup.py", "window.py", "game.py"), "start and end, the window's events, one frame"),
    (("modes",), "play, editor, menu, title, help, replay, rewind, photo, travel"),
    (("display", "editor"), "what a frame shows beside the world; tools and panels"),
    (("guidance",), "hints, goal marker, title card"),
    (("menus",), "pages and their rows"),
    (("runs",), "recordings, ghosts, time trials, movies, Continue"),
    (("cameras", "hot_reload"), "views; levels that are loaded again"),
    (("visuals",), "what is drawn of what the game knows; messages"),
    (("audio", "launch"), "sound, captions; child processes, crash reports"),
    (("settings", "input"), "table of settings; actions, keys, gamepad"),
)


class Step(NamedTuple):
    """A box of a figure: title, module below `game`, one line about it."""

    title: str
    module: str
    words: str


class Lane(NamedTuple):
    """A row of steps, from left to right. after: number of the lane whose last step leads to the first one here."""

    title: str
    colour: str
    steps: tuple[Step, ...]
    after: int = -1


TICK = (
    Lane(
        "sim and physics, in the main thread",
        BODY,
        (
            Step("world", "sim/world.py", "command in, events out"),
            Step("broad phase", "physics/character/broad_phase.py", "triangles near the body"),
            Step("contacts", "physics/character/contacts.py", "planes, internal edges"),
            Step("slide", "physics/character/slide.py", "sweep, project, repeat"),
            Step("ground move", "physics/character/ground_move.py", "step up, snap down"),
            Step("state", "physics/character/state.py", "one row for the next tick"),
        ),
    ),
)
FRAME = (
    Lane(
        "app, then render, in the main thread",
        GOOD,
        (
            Step("input", "app/input/player_input.py", "keys, mouse, gamepad"),
            Step("session", "sim/session.py", "divides time into ticks"),
            Step("mode", "app/modes", "camera, HUD content"),
            Step("snapshot", "render/snapshot.py", "plain data of one frame"),
            Step("passes", "render/renderer.py", "shadows, level, sky, bloom"),
            Step("HUD", "render/hud", "text and panels"),
        ),
    ),
)
LEVEL_LOAD = (
    Lane(
        "level.load: a file becomes an immutable Level",
        BODY,
        (
            Step("text", "level/format/source.py", "bytes, limits of size"),
            Step("nodes", "level/format/yaml_nodes.py", "YAML with line and column"),
            Step("records", "level/format/reader.py", "fields, by the schema"),
            Step("pieces", "level/build/level_assembly.py", "faces of each piece"),
            Step("faces", "level/build/hidden_faces.py", "common walls, hidden faces"),
            Step("Level", "level/level.py", "arrays and findings"),
        ),
    ),
    Lane(
        "sim and physics: something to walk on",
        STEP,
        (
            Step("cooking", "physics/mesh/cooking.py", "clean, sorted triangles"),
            Step("adjacency", "physics/mesh/adjacency.py", "neighbours of each edge"),
            Step("BVH", "physics/mesh/bvh.py", "boxes around triangles"),
            Step("environment", "physics/environment/environment.py", "zones and movers"),
            Step("world", "sim/world.py", "walker at the spawn"),
        ),
        after=0,
    ),
    Lane(
        "render: something to see",
        GOOD,
        (
            Step("scene", "render/scene/scene.py", "the look, as plain arrays"),
            Step("scene data", "render/scene/scene_data.py", "vertices, shadows, first light"),
            Step("upload", "render/scene_gpu.py", "buffers, textures, shadow map"),
            Step("pictures", "render/materials/picture_loader.py", "decoded in threads"),
            Step("light", "render/scene/light_bake.py", "baked while one plays"),
        ),
        after=0,
    ),
)
EDIT = (
    Lane(
        "main thread: the gesture",
        GOOD,
        (
            Step("key or mouse", "app/modes/editor.py", "an action, a drag, a row"),
            Step("tool", "app/editor/tools", "what it changes in which pieces"),
            Step("job", "app/editor/document/job_queue.py", "waits for the edit before it"),
        ),
    ),
    Lane(
        "editing thread: the file",
        STEP,
        (
            Step("document", "level/edit/yaml_document.py", "new characters, old meaning kept"),
            Step("test load", "level/loader.py", "loads the unsaved text"),
            Step("save", "level/edit/save.py", "backup, atomic replace"),
            Step("undo step", "app/editor/document/undo_history.py", "texts before and after"),
        ),
        after=0,
    ),
    Lane(
        "child process: the level worker",
        BODY,
        (
            Step("level", "app/hot_reload/level_worker.py", "load, mesh, room at the spawn"),
            Step("scene data", "render/scene/scene_data.py", "reuses light of what stayed"),
            Step("answer", "app/hot_reload/pickle_messages.py", "arrays in a mapped file"),
        ),
        after=1,
    ),
    Lane(
        "main thread, some frames later: the level",
        GOOD,
        (
            Step("upload", "app/display/level_renderer.py", "buffers, textures, shadow map"),
            Step("world", "sim/replay/level_migration.py", "walker, clock, targets move over"),
            Step("swap", "app/hot_reload/level_reload.py", "world and picture at once"),
            Step("light", "render/scene/light_bake.py", "final light follows"),
        ),
        after=2,
    ),
)
PROCESSES = (
    Lane(
        "Threads: each has its own input, and leaves its result for a later frame",
        STEP,
        (
            Step("editing", "app/editor/document/job_queue.py", "edits, undo: write level files"),
            Step("session saver", "app/runs/saved_session.py", "writes the file of Continue"),
            Step("settings saver", "app/settings/settings_file.py", "writes the settings file"),
            Step("file watcher", "app/hot_reload/file_watcher.py", "reads times of level files and shaders"),
            Step("run verifier", "app/runs/run_verifier.py", "simulates runs in worlds of its own"),
            Step("run files", "app/runs", "read ghosts, replays, the library"),
            Step("panels", "app/display/door_panels.py", "draw maps for doors"),
            Step("outlines", "app/visuals/outlines.py", "find ledges"),
            Step("pictures", "render/materials/picture_loader.py", "decode textures"),
            Step("fonts", "text/system_fonts.py", "search the system's fonts"),
            Step("kernels", "physics/numerics/staged_kernel.py", "load the compiled tick"),
            Step("readers", "app/launch/child_process.py", "one for each child process"),
        ),
    ),
    Lane(
        "Child processes of the game: killed at its end at the latest",
        BODY,
        (
            Step("level worker", "app/hot_reload/level_worker.py", "levels, meshes, scene data"),
            Step("lighting worker", "app/hot_reload/lighting_worker.py", "light, with its own OpenGL"),
            Step("thumbnails", "app/menus/thumbnails.py", "pictures of the user's levels"),
            Step("movie", "app/commands/video/child.py", "frames; ffmpeg is its child"),
            Step("compilation", "app/launch/kernel_compilation.py", "kernels, before the first tick"),
        ),
    ),
    Lane(
        "Processes with an end of their own",
        OTHER,
        (
            Step("compiler", "physics/numerics/background_compile.py", "ends when no process waits"),
            Step("process pool", "core/process_pool.py", "ends with its iteration"),
            Step("text editor", "app/editor/document/external_editor.py", "belongs to the user"),
            Step("file manager", "app/launch/file_manager.py", "belongs to the user"),
        ),
    ),
)
WIDTH, LEFT, RIGHT = 760, 20, 740
BOX_HEIGHT, GAP = 76.0, 16.0


def _folders(package: str) -> list[str]:
    """Names of the sub-folders of a package that hold modules, in alphabetical order."""
    found = sorted(path.parent.name for path in (ROOT / "game" / package).glob("*/__init__.py"))
    return [name for name in found if name != "layout"]


def _box(d: Drawing, left: float, top: float, width: float, height: float, colour: str) -> None:
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    d.area(corners, colour, fill_opacity=0.1, stroke=colour, width=1.5)


def packages() -> Drawing:
    """The packages of `game` by layer, and the folders of `app` by layer."""
    rows = []
    for layer in LAYERS:
        share = (RIGHT - LEFT - 14 * (len(layer) - 1)) / len(layer)
        wrapped = [textwrap.wrap(", ".join(_folders(name)), int(share / 6.4)) for name, _, _ in layer]
        lines = len(APP_LAYERS) if layer[0][0] == "app" else max(map(len, wrapped))
        rows.append((layer, share, wrapped, 34 + 16 * lines))
    top = 44.0
    d = Drawing(WIDTH, int(top + sum(row[3] + 22 for row in rows) - 2))
    d.text((LEFT, 26), "Packages of game/: each imports only from the rows below it", INK, 14, font_weight="bold")
    for number, (layer, share, wrapped, tall) in enumerate(rows):
        for k, ((name, words, colour), lines) in enumerate(zip(layer, wrapped, strict=True)):
            left = LEFT + k * (share + 14)
            _box(d, left, top, share, tall, colour)
            d.text((left + 12, top + 20), name, INK, 14, font_weight="bold")
            d.text((left + 24 + 9 * len(name), top + 20), words, SOFT, 12)
            if name == "app":
                for row, (folders, about) in enumerate(APP_LAYERS):
                    d.text((left + 12, top + 40 + 16 * row), ", ".join(folders), INK, 12)
                    d.text((left + 240, top + 40 + 16 * row), about, SOFT, 12)
            else:
                d.text((left + 12, top + 39), "\n".join(lines), SOFT, 12)
        top += tall
        if number + 1 < len(rows):
            d.arrow((WIDTH / 2, top + 2), (WIDTH / 2, top + 20), SOFT, 1.6, 7)
        top += 22
    return d


def _step_box(d: Drawing, left: float, top: float, width: float, step: Step, colour: str) -> None:
    if not (ROOT / "game" / step.module).exists():
        raise FileNotFoundError(f"game/{step.module}, which a figure of docs/architecture.md names")
    name = step.module.rpartition("/")[2]
    _box(d, left, top, width, BOX_HEIGHT, colour)
    d.text((left + 8, top + 18), step.title, INK, 12.5, font_weight="bold")
    d.text((left + 8, top + 35), name if name.endswith(".py") else f"{step.module}/", INK, 11)
    d.text((left + 8, top + 52), textwrap.fill(step.words, int((width - 12) / 5.9)), SOFT, 11)


def flow(lanes: Sequence[Lane]) -> Drawing:
    """Lanes below each other, each with its steps from left to right."""
    pitch = BOX_HEIGHT + 54
    tops = [pitch * row + 40 for row in range(len(lanes))]
    widths = [(RIGHT - LEFT - GAP * (len(lane.steps) - 1)) / len(lane.steps) for lane in lanes]
    d = Drawing(WIDTH, int(pitch * len(lanes)))
    for lane, top, width in zip(lanes, tops, widths, strict=True):
        d.text((LEFT, top - 12), lane.title, INK, 13, font_weight="bold")
        for k, step in enumerate(lane.steps):
            left = LEFT + k * (width + GAP)
            _step_box(d, left, top, width, step, lane.colour)
            if k:
                d.arrow((left - 15, top + 38), (left - 1, top + 38), SOFT, 1.6, 6)
        if lane.after >= 0:  # along the left margin
            out, below = RIGHT - widths[lane.after] / 2, tops[lane.after] + BOX_HEIGHT
            d.line([(out, below + 1), (out, below + 14), (8, below + 14), (8, top + 38)], SOFT, 1.6)
            d.arrow((8, top + 38), (LEFT - 1, top + 38), SOFT, 1.6, 6)
    return d


def processes() -> Drawing:
    """The main thread, and below it the threads and processes that it starts."""
    columns = 4
    width = (RIGHT - LEFT - GAP * (columns - 1)) / columns
    rows = [-(-len(lane.steps) // columns) for lane in PROCESSES]
    d = Drawing(WIDTH, int(88 + sum(40 + (BOX_HEIGHT + 12) * count for count in rows)))
    _box(d, LEFT, 20, RIGHT - LEFT, 56, GOOD)
    d.text((LEFT + 12, 42), "Main thread", INK, 14, font_weight="bold")
    d.text((LEFT + 12, 62), "window, OpenGL, modes, the session and its ticks: nothing else touches these", SOFT, 12)
    top = 76.0
    for lane, count in zip(PROCESSES, rows, strict=True):
        d.text((LEFT, top + 28), lane.title, INK, 13, font_weight="bold")
        top += 40
        for k, step in enumerate(lane.steps):
            left = LEFT + (k % columns) * (width + GAP)
            _step_box(d, left, top + (k // columns) * (BOX_HEIGHT + 12), width, step, lane.colour)
        top += count * (BOX_HEIGHT + 12)
    return d


FIGURES: dict[str, Callable[[], Drawing]] = {
    "packages": packages,
    "tick": lambda: flow(TICK),
    "frame": lambda: flow(FRAME),
    "level_load": lambda: flow(LEVEL_LOAD),
    "edit": lambda: flow(EDIT),
    "processes": processes,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the figures, or with --check compare them. Status 0: written or up to date, 1: out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.docs.architecture_figures", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a figure is out of date")
    options = parser.parse_args(arguments)
    status = 0
    for name, draw in FIGURES.items():
        path, text = FOLDER / f"{name}.svg", draw().svg()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if options.check:
            print(f"{path.relative_to(ROOT)}: not up to date")
            status = 1
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
