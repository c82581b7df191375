"""The structure of `game/`: which package may import which, no import cycle, short modules, and light start-up.

Every import counts: absolute and relative ones, imports inside functions and imports under TYPE_CHECKING, but not the
one of `Game` for types by the modules of the application, which get the one object that holds them.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAX_LINES = 600  # of one module

# What each folder or module of game/ may import. A name includes the folders below it. Every folder may also import
# itself, the folders below it and the package `game`, which holds only metadata. A module has an entry of its own if
# its layer is lower than that of its folder.
ALLOWED = {
    ".": "",  # game/__init__.py
    "core": "",
    "physics": "core",
    "physics/numerics": "core",
    "physics/mesh": "core physics/numerics",
    "physics/query": "core physics/numerics physics/mesh",
    "physics/triangle_mesh": "core physics/numerics physics/mesh physics/query",
    "physics/environment": "core physics/numerics physics/mesh physics/query physics/triangle_mesh",
    "physics/character": ("core physics/numerics physics/mesh physics/query physics/triangle_mesh physics/environment"),
    "physics/character/tick": (
        "core physics/numerics physics/mesh physics/query physics/triangle_mesh physics/environment physics/character"
    ),
    "physics/balls": "core physics/numerics physics/mesh physics/query physics/triangle_mesh physics/environment",
    "level": "core physics",
    "level/format": "core physics level/materials text/shipped_fonts",
    "level/format/level_tests": "core physics level/materials text/shipped_fonts level/format",
    "level/materials": "core",
    "level/geometry": "core level/format",
    "level/models": "core level/format level/geometry level/materials",
    "level/models/gltf": "core level/format level/geometry level/models level/materials",
    "level/models/quake": "core level/format level/geometry level/models level/materials",
    "level/build": "core physics level/format level/geometry level/models level/materials",
    "level/build/entities": "core physics level/format level/geometry",
    "level/build/pieces": "core level/format level/geometry level/models level/materials level/build/entities",
    "level/export": "core level/format level/edit",
    "level/level": "core physics level/format level/geometry level/build level/export",
    "level/lint": "core level/format level/geometry level/build level/level level/materials",
    "level/edit": "core level/format",
    "level/edit/autofix": "core level",
    "sim": "core physics level",
    "sim/generator": "core physics level sim",
    "sim/replay": "core physics level sim",
    "sim/bots": "core physics level sim",
    "text": "core",
    "text/font_tables": "core",
    "text/graphemes": "",
    "text/shipped_fonts": "text/font_tables text/graphemes",
    "render": "core physics level",
    "render/camera": "core",
    "render/colour_palettes": "core level/build/entities",
    "render/overlay_layers": "core render/camera",
    "render/decal": "core",
    "render/snapshot": ("core render/camera render/overlay_layers render/decal render/nature"),
    "render/gl": "core",
    "render/text": "core text render/gl",
    "render/hud": ("core text render/colour_palettes render/gl render/text render/camera render/snapshot"),
    "render/materials": "core level render/gl",
    "render/nature": "core render/gl",
    "render/scene": (
        "core text level render/gl render/text render/materials render/nature render/camera render/snapshot "
        "render/decal"
    ),
    "render/passes": (
        "core level/build level/materials render/colour_palettes render/gl render/text render/materials render/nature "
        "render/scene render/camera render/snapshot render/overlay_layers render/decal"
    ),
    "drawing": "core physics level sim text",
    "video": "core physics level sim render drawing",
    "gym": "core physics level sim render",
    "testing": "core physics level sim render drawing",
    "reports": "core physics level sim drawing testing text",
    "fuzz": "core physics level sim",
    "lab": "core physics level sim render",
    "app": "core physics level sim render drawing testing reports fuzz video text",
    "app/settings": "core app/input/actions",
    "app/input/actions": "",
    "app/input": "core physics text app/settings",
    "app/input/gamepad": "core app/settings app/input app/visuals",
    "app/audio": "core physics sim app/settings",
    "app/visuals": "core physics level sim render text app/input app/audio",
    "app/cameras": "core physics level sim render app/settings app/audio app/input/actions",
    "app/launch": "core physics level sim reports app/settings app/input",
    "app/launch/lab_registry": "core physics level sim render lab",  # the only door to the lab
    "app/editor": "core physics level sim render app/input app/visuals app/cameras app/launch app/runs",
    "app/editor/picking": "core physics level app/editor/selection",
    "app/editor/selection": "core level",
    "app/editor/undo_history": "core level",
    "app/editor/pieces": "core level app/editor/selection",
    "app/editor/tools": "core level render app/input app/editor",
    "app/editor/panels": "core physics level render app/input/actions app/editor",
    "app/editor/views": "core level sim render app/input/actions app/editor",
    "app/hot_reload": "core physics level sim render app/settings app/launch app/visuals",
    "app/runs": (
        "core physics level sim render app/settings app/input drawing app/launch app/hot_reload app/cameras app/visuals"
    ),
    "app/runs/library": "core physics level sim render text drawing app/settings app/cameras app/launch app/runs",
    "app/menus": (
        "core physics level sim render text app/settings app/input app/visuals app/cameras app/launch app/runs"
    ),
    "app/guidance": "core physics text level sim render app/settings app/input app/launch app/runs app/menus",
    "app/display": (
        "core physics level sim render app/settings app/input app/visuals app/cameras app/menus app/guidance drawing "
        "app/launch app/hot_reload app/runs"
    ),
    "app/modes": (
        "core physics text level sim render app/settings app/input app/audio app/visuals app/cameras app/runs "
        "app/menus app/guidance app/display app/launch app/hot_reload app/editor"
    ),
    "app/commands": "core physics level sim render drawing testing reports fuzz video app",
    "app/commands/check": "core physics level sim render drawing testing reports fuzz app",
}
# Third-party packages, and the places that may import them.
HOMES = {
    "pyglet": ("app", "gym"),
    "moderngl": ("app", "render"),
    "glcontext": (),
    "pyrr": ("render",),
    "PIL": ("app", "drawing", "render", "text", "level/build/pieces", "level/materials", "video"),
    "imageio_ffmpeg": ("video",),
    "DracoPy": ("level/models",),
    "distributed": ("fuzz",),
    "plotly": ("drawing",),
    "numba": ("physics", "sim/replay"),
    "trimesh": ("level/models", "physics/mesh"),
}
GRAPHICS = {"pyglet", "moderngl", "pyrr", "glcontext", "PIL"}
CLOCKS = {"time", "datetime", "random", "secrets"}  # below app nothing depends on the time of day or on chance
CLOCK_USERS = {  # measure how long compiling and interpreting take; both stages of a kernel give the same bits
    "game.physics.numerics.background_compile",
    "game.physics.numerics.staged_kernel",
}


SIDE_BY_SIDE = {"startup", "window", "settings", "input"}  # of app: import others of their row


class Imports:
    """Every import of every module below `root`/game: `internal` by modules of game, `external` by other packages."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = {_module_name(path.relative_to(root)): path for path in sorted((root / "game").rglob("*.py"))}
        self.internal: set[tuple[str, str]] = set()
        self.external: set[tuple[str, str]] = set()
        self.absolute: set[str] = set()  # modules with an import that names `game`
        for module, path in self.paths.items():
            self._read(module, path)

    def _read(self, module: str, path: Path) -> None:
        package = path.relative_to(self.root).parent.parts
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        allowed = _game_for_types(tree) if module.startswith("game.app.") else set()
        for node in _statements(tree):
            if node in allowed:
                continue
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
                level = 0
            elif isinstance(node, ast.ImportFrom):
                level = node.level
                base = package[: len(package) - level + 1] if level else ()
                stem = ".".join((*base, *filter(None, [node.module])))
                names = [f"{stem}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                name = re.sub(r"^ellipsoid_walker\b", "game", name)  # two names of the package
                if name.partition(".")[0] != "game":
                    self.external.add((module, name.partition(".")[0]))
                    continue
                if not level:
                    self.absolute.add(module)
                target = name if name in self.paths else name.rpartition(".")[0]  # else a name inside a module
                assert target in self.paths, f"{module} imports {name}, which does not exist"
                if target != module:
                    self.internal.add((module, target))

    def node(self, module: str) -> str:
        """The entry of ALLOWED that a module belongs to: its own, else that of the nearest folder above it."""
        path = self.paths[module].relative_to(self.root / "game").with_suffix("")
        return next(entry for entry in (path.as_posix(), *(p.as_posix() for p in path.parents)) if entry in ALLOWED)

    def forbidden(self) -> set[tuple[str, str]]:
        """(entry, imported entry) of all internal imports that ALLOWED does not list."""
        pairs = {(self.node(module), self.node(target)) for module, target in self.internal}
        return {(one, other) for one, other in pairs if not _within(other, (one, ".", *ALLOWED[one].split()))}

    def cycles(self) -> set[frozenset[str]]:
        """Strongly connected components with more than one module (Tarjan 1972)."""
        edges = defaultdict(list)
        for module, target in sorted(self.internal):
            edges[module].append(target)
        order: dict[str, int] = {}
        lowest: dict[str, int] = {}
        stack: list[str] = []
        found: set[frozenset[str]] = set()

        def visit(module: str) -> None:
            order[module] = lowest[module] = len(order)
            stack.append(module)
            for target in edges[module]:
                if target not in order:
                    visit(target)
                    lowest[module] = min(lowest[module], lowest[target])
                elif target in stack:
                    lowest[module] = min(lowest[module], order[target])
            if lowest[module] == order[module]:
                component = stack[stack.index(module) :]
                del stack[-len(component) :]
                if len(component) > 1:
                    found.add(frozenset(component))

        for module in self.paths:
            if module not in order:
                visit(module)
        return found

    def misplaced(self) -> list[str]:
        """Imports of graphics and other heavy packages, and of clocks, from a place that may not."""
        wrong = []
        for module, package in sorted(self.external):
            folder = self.node(module)
            if package in HOMES and not _within(folder, HOMES[package]):
                wrong.append(f"{module} imports {package}")
            if package in CLOCKS and not _within(folder, ("app",)) and module not in CLOCK_USERS:
                wrong.append(f"{module} imports {package}: no clock and no chance below app")
        return wrong


def _game_for_types(tree: ast.Module) -> set[ast.stmt]:
    """The imports of `Game`, and of nothing else, under `if TYPE_CHECKING`."""
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {node for node in imports if node.module == "game" and [alias.name for alias in node.names] == ["Game"]}


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements inside a node, at any depth. They are a small part of all nodes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from _statements(child)


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _within(entry: str, allowed: tuple[str, ...]) -> bool:
    return any(entry == name or entry.startswith(f"{name}/") for name in allowed)


@pytest.fixture(scope="module")
def imports() -> Imports:
    return Imports(ROOT)


def test_packages_import_only_what_the_table_allows(imports: Imports) -> None:
    assert imports.forbidden() == set()


def test_no_import_cycles(imports: Imports) -> None:
    assert imports.cycles() == set()


def test_imports_inside_the_package_are_relative(imports: Imports) -> None:
    """So that the package can be installed under a second name."""
    assert imports.absolute == set()


def test_graphics_and_clocks_are_imported_where_they_belong(imports: Imports) -> None:
    assert imports.misplaced() == []


def test_modules_are_short(imports: Imports) -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in imports.paths.values()}
    assert {path.name: count for path, count in lines.items() if count > MAX_LINES} == {}


def test_the_table_lists_every_folder_and_nothing_else(imports: Imports) -> None:
    game = ROOT / "game"
    folders = {path.parent.relative_to(game).as_posix() for path in imports.paths.values()}
    modules = {path.relative_to(game).with_suffix("").as_posix() for path in imports.paths.values()}
    assert folders - set(ALLOWED) == set()
    assert set(ALLOWED) - folders - modules == set()
    named = {name for names in ALLOWED.values() for name in names.split()}
    assert named <= set(ALLOWED)


def test_a_module_imports_from_lower_layers(imports: Imports) -> None:
    """The rows of docs/architecture.md; settings and input import modules of each other."""
    (page,) = re.findall(r"```text\n(app:.*?)```", (ROOT / "docs" / "architecture.md").read_text("utf-8"), re.S)
    layers = [row.strip().removeprefix("app:").split() for row in page.splitlines()]
    rows = {f"game.{name}": row for row, layer in enumerate(layers) for name in layer}
    assert rows.keys() == {module for module in imports.paths if re.fullmatch(r"game\.(app\.)?\w+", module)}
    pairs = {tuple(".".join(name.split(".")[:depth]) for name in pair) for pair in imports.internal for depth in (2, 3)}
    listed = [pair for pair in pairs if rows.keys() >= set(pair) and pair[0] not in (pair[1], "game.app")]  # app is all
    assert [(one, other) for one, other in listed if rows[other] < rows[one]] == []
    assert {one for one, other in listed if rows[other] == rows[one]} <= {f"game.app.{name}" for name in SIDE_BY_SIDE}


# A forbidden import of the application into the level package: its text, if it is absolute, if it closes a cycle.
BROKEN = {
    "late": ("def f():\n    from ..app import game\n", False, True),
    "in a handler": ("try:\n    x = 1\nexcept OSError:\n    from ..app import game\n", False, True),
    "in a case": ("match 1:\n    case 1:\n        from ..app import game\n", False, True),
    "for types": ("if TYPE_CHECKING:\n    from ..app.game import Game\n", False, True),
    "absolute": ("import game.app.game\n", True, True),
    "absolute, by the other name": ("import ellipsoid_walker.app.game\n", True, True),
    "absolute, from": ("from game import app\n", True, False),
    "of a package": ("from .. import app\n", False, False),
}


@pytest.mark.parametrize(("text", "absolute", "cycle"), BROKEN.values(), ids=BROKEN)
def test_every_kind_of_import_is_seen(text: str, absolute: bool, cycle: bool, tmp_path: Path) -> None:
    for name in ("", "level", "app"):
        (tmp_path / "game" / name).mkdir(exist_ok=True)
        (tmp_path / "game" / name / "__init__.py").write_text("")
    (tmp_path / "game" / "app" / "game.py").write_text("from ..level import loader\n\n\nclass Game: ...\n")
    (tmp_path / "game" / "level" / "loader.py").write_text(text)
    broken = Imports(tmp_path)
    assert broken.forbidden() == {("level", "app")}
    assert broken.absolute == ({"game.level.loader"} if absolute else set())
    assert broken.cycles() == ({frozenset({"game.level.loader", "game.app.game"})} if cycle else set())


def test_graphics_and_clocks_are_seen(tmp_path: Path) -> None:
    for name in ("", "sim"):
        (tmp_path / "game" / name).mkdir(exist_ok=True)
        (tmp_path / "game" / name / "__init__.py").write_text("")
    (tmp_path / "game" / "sim" / "world.py").write_text("def f():\n    import pyglet.window as w, time\n")
    assert Imports(tmp_path).misplaced() == [
        "game.sim.world imports pyglet",
        "game.sim.world imports time: no clock and no chance below app",
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    "module", [pytest.param(name, marks=pytest.mark.full) for name in ("game.physics", "game.level")] + ["game.sim"]
)
def test_physics_level_and_sim_load_without_graphics(module: str) -> None:
    loaded = _loaded_packages(module)
    assert "numpy" in loaded
    assert not loaded & GRAPHICS


def test_the_command_line_starts_without_heavy_libraries() -> None:
    """`--help` and `check` wait for no compiler, window or image library."""
    assert not _loaded_packages("game.app.commands.command_line") & (GRAPHICS | {"numba", "numpy", "yaml"})


def _loaded_packages(module: str) -> set[str]:
    code = f"import sys, {module}; print(*sorted(m.partition('.')[0] for m in sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(result.stdout.split())
