"""Import names: `ellipsoid_walker` everywhere; `game` is its alias in a checkout and in an editable install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import venv
from pathlib import Path

import numba
import pytest

from tests.packaging.conftest import ROOT

EDITABLE = pytest.param("editable", marks=pytest.mark.full)  # the tests themselves run in an editable install
ALIASED = ["checkout", EDITABLE]  # have the name `game` as well
INSTALLED = ["wheel", EDITABLE]

PACKAGE = "ellipsoid_walker"
SAME = "import sys, ellipsoid_walker, game; assert game is ellipsoid_walker; "
OWN = {  # projects with a `game` of the user's: files, statement that shows it
    "package": ({"game/__init__.py": "MINE = 1"}, "import game; assert game.MINE"),
    "module": ({"game.py": "MINE = 1"}, "import game; assert game.MINE"),
    "folder": ({"game/level.py": "MINE = 1"}, "from game.level import MINE"),
    "deep folder": ({"game/level/mine.py": "MINE = 1"}, "from game.level.mine import MINE"),
}


def rarely(*cases):
    """Cases that are left out by default."""
    return [pytest.param(*case, marks=pytest.mark.full) for case in cases]


class Interpreters(dict[str, str]):
    """The Python of each layout; an environment is made when a test asks for it first."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        super().__init__(checkout=sys.executable)
        self.folder, self.installed = folder, {"wheel": [str(wheel)], "editable": ["-e", str(ROOT)]}

    def __missing__(self, layout: str) -> str:
        """The libraries of this environment come from a .pth file."""
        folder = self.folder / layout
        venv.EnvBuilder(symlinks=os.name != "nt").create(folder)
        (site,) = folder.rglob("site-packages")
        site.joinpath("zz_libraries.pth").write_text(str(Path(numba.__file__).parents[1]))
        (python,) = [str(path) for path in folder.glob("[bS]*/python*") if path.stem == "python"]
        install = ["install", "-q", "--no-deps", "--no-index", "--no-build-isolation", "--no-compile"]
        pip = [sys.executable, "-m", "pip", "--python", python, *install]
        subprocess.run([*pip, *self.installed[layout]], check=True, capture_output=True, timeout=120)
        self[layout] = python
        return python


@pytest.fixture(scope="session")
def interpreters(wheel, tmp_path_factory):
    pytest.importorskip("pip")
    return Interpreters(tmp_path_factory.mktemp("environments"), wheel)


@pytest.fixture
def python(interpreters, tmp_path):
    """Run a Python program or arguments of Python in a folder of the test; returns the output.

    A checkout is on the path.
    """

    def run(layout, *arguments, status=0, **more):
        words = ["-c", textwrap.dedent(arguments[0])] if len(arguments) == 1 else list(arguments)
        env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        env |= {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error::ImportWarning", **more}
        if layout == "checkout":
            env["PYTHONPATH"] = str(ROOT)
        call = [interpreters[layout], *words]
        done = subprocess.run(call, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


EVERY_MODULE = """
    import pkgutil, sys
    from importlib import import_module
    first, second = sys.argv[1:]
    import_module(first)
    names = [name for _, name, _ in pkgutil.walk_packages(sys.modules[first].__path__, "")]
    deep = [".".join(path) for path in [("core", "angles"), ("physics", "walker"), ("physics", "query", "results"),
        ("level", "build", "pieces"), ("sim", "replay", "history"), ("level",), ("physics",), ("sim",), ("render",)]]
    for k, name in enumerate([*deep, *(f"{part}.{name}" for part in ("core", "physics", "level", "sim")
                              for _, name, _ in pkgutil.walk_packages(import_module(f"{first}.{part}").__path__))]):
        one, other = (first, second) if k % 2 else (second, first)
        a, b = import_module(f"{one}.{name}"), import_module(f"{other}.{name}")
        assert a is b, name
        assert a.__name__ == a.__spec__.name == f"ellipsoid_walker.{name}", (a.__name__, a.__spec__)
    import game.physics.walker, ellipsoid_walker.physics.walker
    from game.physics import Walker as one
    from ellipsoid_walker.physics import Walker as other
    assert one is other is game.physics.Walker is ellipsoid_walker.physics.Walker
    for name, module in list(sys.modules.items()):
        if name.startswith("ellipsoid_walker."):
            alias = sys.modules.get("game" + name.removeprefix("ellipsoid_walker"), module)
            assert alias is module, name
        assert not module.__name__.startswith("game."), name
    assert game.__version__ == ellipsoid_walker.__version__
    assert game.shipped("levels").joinpath("demo.yaml").exists()
    print(k)
"""


@pytest.mark.parametrize("layout", ALIASED)
@pytest.mark.parametrize("names", ["game ellipsoid_walker", *rarely(("ellipsoid_walker game",))])
def test_every_module_is_one_object_under_both_names(python, layout, names, tmp_path):
    (tmp_path / "every.py").write_text(textwrap.dedent(EVERY_MODULE))
    assert int(python(layout, "every.py", *names.split())) > 40


@pytest.mark.sample(1)
@pytest.mark.parametrize("own", ["package", "folder", *rarely(("module",), ("deep folder",))])
@pytest.mark.parametrize("layout", INSTALLED)
def test_a_game_of_the_users_own_wins_and_the_package_works_beside_it(python, layout, own, tmp_path):
    files, show = OWN[own]
    write(tmp_path, files)
    shown = python(layout, f"{show}; from ellipsoid_walker.core import angles; {show}; import game.core", status=1)
    assert "No module named 'game.core'" in shown
    python(layout, f"from ellipsoid_walker.core import angles; {show}; import ellipsoid_walker.core.arguments")


FINDER = """
    import sys
    from importlib.util import spec_from_file_location
    class Finder:
        def find_spec(self, name, path=None, target=None):
            return spec_from_file_location(name, {file!r}) if name == "game" else None
    sys.meta_path.append(Finder())
"""
INSTALLED_OWN = {  # a `game` of the user's that is installed: files of site-packages; {here} is that folder
    "package": {"game/__init__.py": "MINE = 1"},
    "editable by path": {"zz_mine.pth": "{here}/elsewhere", "elsewhere/game/__init__.py": "MINE = 1"},
    "editable by finder": {
        "zz_mine.pth": "import zz_finder", "zz_finder.py": FINDER, "elsewhere/game/__init__.py": "MINE = 1",
    },
}  # fmt: skip


@pytest.mark.parametrize("own", INSTALLED_OWN)
@pytest.mark.parametrize("layout", INSTALLED)
def test_an_installed_game_of_the_users_own_wins(python, interpreters, layout, own):
    (site,) = Path(interpreters[layout]).parents[1].rglob("site-packages")
    files = {name: text.replace("{here}", str(site)) for name, text in INSTALLED_OWN[own].items()}
    files = {name: text.format(file=f"{site}/elsewhere/game/__init__.py") if text is FINDER else text
             for name, text in files.items()}  # fmt: skip
    write(site, files)
    try:
        for first, second in (("game", "ellipsoid_walker.core"), ("ellipsoid_walker.core", "game")):
            python(layout, f"import {first}, {second}, game; assert game.MINE and not hasattr(game, 'shipped')")
    finally:
        for name in files:
            site.joinpath(name).unlink()
        for name in ("game", "elsewhere"):
            shutil.rmtree(site / name, ignore_errors=True)


@pytest.mark.parametrize(("layout", "found"), [("wheel", "[]\n"), *rarely(("editable", "['game']\n"))])
def test_a_wheel_and_an_editable_install_offer_no_other_names(python, layout, found):
    names = ("game", "tools", "benchmarks", "levels", "assets", "shaders", "examples", "tests", "docs", "setup")
    code = "from importlib.util import find_spec; print([name for name in {} if find_spec(name)])"
    assert python(layout, code.format(names)) == found


@pytest.mark.full
def test_an_editable_install_works_without_its_link(python, tmp_path):
    """The link is for type checkers; `git clean` deletes it."""
    code = "import sys; sys.path[:] = [entry for entry in sys.path if not entry.endswith('editable')]; "
    python("editable", code + SAME + "import game.core.angles")
    python("editable", code + "import ellipsoid_walker.core.angles; " + SAME)


@pytest.mark.full
def test_modules_of_an_editable_install_have_the_paths_of_the_checkout(python):
    """Not those of the link: breakpoints and tracebacks name the file that is edited."""
    code = "import ellipsoid_walker.core.angles as angles; print(angles.__file__)"
    assert python("editable", code).strip() == str(ROOT / "game" / "core" / "angles.py")


def test_the_folder_game_alone_is_enough(tmp_path):
    """As found by an editable install of version 0.1.0, whose finder knows no `ellipsoid_walker`."""
    code = f"""
        import sys
        from importlib.util import module_from_spec, spec_from_file_location
        spec = spec_from_file_location("game", {str(ROOT / "game" / "__init__.py")!r})
        sys.modules["game"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["game"])
        import ellipsoid_walker, game.core.notices
        assert game is ellipsoid_walker and game.core.notices is ellipsoid_walker.core.notices
    """
    call = [sys.executable, "-I", "-S", "-c", textwrap.dedent(code)]  # without the packages of this environment
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_two_installations_in_one_process_are_refused(python, tmp_path):
    """As where pytest loads the plugin of a wheel, and the tests of a checkout then import `game`."""
    shown = python("wheel", f"import ellipsoid_walker, sys; sys.path.insert(0, {str(ROOT)!r}); import game", status=1)
    assert f"game is in {ROOT / 'game'}, but ellipsoid_walker was imported from" in shown
    assert "Uninstall one of them, or start Python in the folder above" in shown


def test_data_of_the_wheel_are_resources(python):
    code = """
        from importlib.resources import files
        assert (files("ellipsoid_walker.levels") / "demo.yaml").read_bytes()
    """
    python("wheel", code)


@pytest.mark.full
@pytest.mark.parametrize(
    ("layout", "name"),
    [("wheel", PACKAGE), ("editable", "game"), ("checkout", PACKAGE), ("editable", PACKAGE)],
)
def test_a_module_runs_as_a_program(python, layout, name):
    assert python(layout, "-W", "error", "-m", f"{name}.physics.prepare").splitlines()[-1].endswith("ready")


PROCESSES = """
    import multiprocessing, sys
    import {name}.physics
    def feet(state):
        import game, ellipsoid_walker.physics
        assert getattr(game, "MINE", 0) or game.physics is ellipsoid_walker.physics
        assert type(state) is ellipsoid_walker.physics.WalkerState
        return state
    if __name__ == "__main__":
        mesh = {name}.physics.TriangleMesh([[[-9, 0, -9], [0, 0, 9], [9, 0, -9]]])
        state = {name}.physics.Walker().spawn(mesh, feet=(0, 0, 0))
        for method in multiprocessing.get_all_start_methods():
            with multiprocessing.get_context(method).Pool(1) as pool:
                assert pool.map(feet, [state]) == [state], method
"""


@pytest.mark.full
@pytest.mark.parametrize(("layout", "name"), [("checkout", "game"), ("wheel", PACKAGE)])
def test_states_travel_to_children_of_every_kind(python, layout, name, tmp_path):
    own = OWN["package"][0] if layout == "wheel" else {}
    write(tmp_path, {"many.py": PROCESSES.format(name=name), **own})
    python(layout, "many.py", "")


PYTEST_PROJECT = {
    "conftest.py": "from ellipsoid_walker.physics import Walker\n",
    "pytest.ini": "[pytest]\n",
    "tests/test_names.py": """
        import ellipsoid_walker.physics, ellipsoid_walker.level
        def test_walker():
            import sys
            walker = ellipsoid_walker.physics.Walker  # a second copy of the module would replace the attribute
            import game.level.format, game.physics as p
            assert p.Walker is walker is sys.modules["game.physics"].Walker
    """,
}


@pytest.mark.full
def test_pytest_rewrites_assertions_of_the_package_without_a_second_copy(python, tmp_path):
    """pytest marks each package of a distribution with a plugin, and puts its finder before all others."""
    write(tmp_path, PYTEST_PROJECT)
    python(
        "editable",
        """
        import sys, game, pytest
        from _pytest.assertion.rewrite import AssertionRewritingHook as Hook
        Hook._is_marked_for_rewrite = lambda self, name, state: name.startswith(("game", "ellipsoid_walker"))
        sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests"]))
        """,
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
    )


def test_type_checkers_find_each_public_package_of_a_checkout():
    public = {
        path.relative_to(ROOT / "game").parent.as_posix()
        for pattern in ("*/__init__.py", "physics/*/__init__.py")
        for path in ROOT.joinpath("game").glob(pattern)
        if "__all__ = " in path.read_text(encoding="utf-8")
    }
    assert {"physics", "level", "sim", "physics/balls"} <= public
    folder = ROOT / PACKAGE
    stubs = {path.relative_to(folder).with_suffix("").as_posix(): path.read_text() for path in folder.rglob("*.pyi")}
    stubs = {name.removesuffix("/__init__"): text for name, text in stubs.items()}
    assert public - set(stubs) == set(), f"add a stub to {folder}"
    for name in public:
        assert stubs[name] == f"from game.{name.replace('/', '.')} import *\n"


TYPED = """
    import ellipsoid_walker
    import ellipsoid_walker.physics
    import game
    from ellipsoid_walker.core.errors import WalkerError
    from ellipsoid_walker.level import Level, load
    from ellipsoid_walker.physics import Command, TriangleMesh, Walker, WalkerState
    from ellipsoid_walker.sim import World


    def walk(walker: Walker, mesh: TriangleMesh) -> ellipsoid_walker.physics.WalkerState:
        state: WalkerState = walker.spawn(mesh, feet=(0.0, 0.0, 0.0))
        return walker.step(state, Command(forward=1.0), mesh)[0]


    def tick(name: str) -> int:
        level: Level = load(name if ellipsoid_walker.__version__ else "demo")
        try:
            return len(World(level).state()) + game.MINE
        except WalkerError:
            return 0
"""


@pytest.mark.full
@pytest.mark.parametrize("layout", INSTALLED)
def test_types_are_known_beside_a_game_of_the_users_own(layout, interpreters, tmp_path, tmp_path_factory):
    pytest.importorskip("mypy")
    wrong = "from ellipsoid_walker.physics import Walker\nWalker(1)\n"
    write(tmp_path, {"typed.py": TYPED, "wrong.py": wrong, **OWN["package"][0]})
    cache = str(tmp_path_factory.getbasetemp() / "mypy-cache")  # the types of NumPy are read once
    call = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "--python-executable", interpreters[layout]]
    done = subprocess.run(
        [*call, "typed.py", "wrong.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.splitlines()[0].startswith(
        'wrong.py:2: error: Argument 1 to "Walker" has incompatible type "int"'
    )
    assert len(done.stdout.splitlines()) == 2, done.stdout
