"""`game` and `ellipsoid_walker` are one package: in a checkout, from a wheel and from an editable install."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import venv
from pathlib import Path

import numba
import pytest

from tests.packaging.conftest import ROOT

LAYOUTS = ["checkout", "wheel", "editable"]
INSTALLED = LAYOUTS[1:]
SAME = "import sys, ellipsoid_walker, game; assert game is ellipsoid_walker; "
OWN = {  # projects with a `game` of the user's: files, statement that shows it
    "package": ({"game/__init__.py": "MINE = 1"}, "import game; assert game.MINE"),
    "module": ({"game.py": "MINE = 1"}, "import game; assert game.MINE"),
    "folder": ({"game/level.py": "MINE = 1"}, "from game.level import MINE"),
    "deep folder": ({"game/level/mine.py": "MINE = 1"}, "from game.level.mine import MINE"),
}


@pytest.fixture(scope="session")
def interpreters(wheel, tmp_path_factory):
    """A Python for each layout. The libraries of this environment come from a .pth file."""
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("environments")
    found = {"checkout": sys.executable}
    pip = [sys.executable, "-m", "pip", "--python"]
    install = ["install", "-q", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    for layout, what in (("wheel", [str(wheel)]), ("editable", ["-e", str(ROOT)])):
        venv.EnvBuilder(symlinks=os.name != "nt").create(folder / layout)
        (site,) = folder.joinpath(layout).rglob("site-packages")
        site.joinpath("zz_libraries.pth").write_text(str(Path(numba.__file__).parents[1]))
        (found[layout],) = [
            str(path) for path in folder.joinpath(layout).glob("[bS]*/python*") if path.stem == "python"
        ]
        subprocess.run([*pip, found[layout], *install, *what], check=True, capture_output=True, timeout=120)
    return found


@pytest.fixture
def python(interpreters, tmp_path):
    """Run a Python program or arguments of Python in `folder`; returns the output. A checkout is on the path."""

    def run(layout, *arguments, folder=tmp_path, status=0, **more):
        words = [arguments[0]] if len(arguments) == 1 else list(arguments)
        words = ["-c", textwrap.dedent(words[0])] if len(arguments) == 1 else words
        env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        env |= {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error::ImportWarning", **more}
        if layout == "checkout":
            env["PYTHONPATH"] = str(ROOT)
        done = subprocess.run(
            [interpreters[layout], *words],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
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
        ("level", "build", "pieces"), ("sim", "replay", "recorder"), ("level",), ("physics",), ("sim",), ("render",)]]
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


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("names", ["game ellipsoid_walker", "ellipsoid_walker game"])
def test_every_module_is_one_object_under_both_names(python, layout, names, tmp_path):
    (tmp_path / "every.py").write_text(textwrap.dedent(EVERY_MODULE))
    assert int(python(layout, "every.py", *names.split())) > 40


@pytest.mark.parametrize("own", OWN)
@pytest.mark.parametrize("layout", INSTALLED)
def test_a_game_of_the_users_own_wins_and_the_package_works_beside_it(python, layout, own, tmp_path):
    files, show = OWN[own]
    write(tmp_path, files)
    shown = python(layout, f"{show}; from ellipsoid_walker.level import Level; {show}; import game.core", status=1)
    assert "No module named 'game.core'" in shown
    python(layout, f"from ellipsoid_walker.core import angles; {show}; import ellipsoid_walker.level")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_folder_called_game_without_python_files_hides_nothing(python, layout, tmp_path):
    write(tmp_path, {"game/level.yaml": "", "game/pictures/one.txt": ""})
    python(layout, SAME + "import game.core.angles")


def test_the_folder_game_alone_is_enough(tmp_path):
    """As found by an editable install of version 0.1.0, whose finder knows no `ellipsoid_walker`."""
    code = f"""
        import sys
        from importlib.util import module_from_spec, spec_from_file_location
        spec = spec_from_file_location("game", {str(ROOT / "game" / "__init__.py")!r})
        sys.modules["game"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["game"])
        import ellipsoid_walker, game.core.springs
        assert game is ellipsoid_walker and game.core.springs is ellipsoid_walker.core.springs
    """
    call = [sys.executable, "-I", "-S", "-c", textwrap.dedent(code)]  # without the packages of this environment
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_two_installations_in_one_process_are_refused(python, tmp_path):
    """As where pytest loads the plugin of a wheel, and the tests of a checkout then import `game`."""
    shown = python("wheel", f"import ellipsoid_walker, sys; sys.path.insert(0, {str(ROOT)!r}); import game", status=1)
    assert f"game is in {ROOT / 'game'}, but ellipsoid_walker was imported from" in shown
    assert "Uninstall one of them, or start Python in the folder above" in shown


def test_data_of_the_wheel_are_resources_under_both_names(python):
    python(
        "wheel",
        """
        from importlib.resources import files
        one, other = (files(f"{name}.levels") / "demo.yaml" for name in ("game", "ellipsoid_walker"))
        assert one.read_bytes() == other.read_bytes() != b""
        """,
    )


@pytest.mark.parametrize(("layout", "name"), [*((one, "game") for one in LAYOUTS), ("checkout", "ellipsoid_walker")])
def test_a_module_runs_as_a_program_under_both_names(python, layout, name):
    assert python(layout, "-W", "error", "-m", f"{name}.physics.prepare").splitlines()[-1].endswith("ready")


PICKLES = """
    import pickle
    from {name}.physics import Command, TriangleMesh, Walker
    mesh = TriangleMesh([[[-9, 0, -9], [0, 0, 9], [9, 0, -9]]])
    state = Walker().spawn(mesh, feet=(0, 0, 0))
    kept = pickle.dumps((state, mesh, Walker().settings, Command(forward=1.0)), protocol=2)
    assert b"ellipsoid_walker." in kept and b"game." not in kept
    old = kept.replace(b"cellipsoid_walker.", b"cgame.")
    assert old != kept
    for data in (kept, old):
        again, its_mesh, settings, command = pickle.loads(data)
        assert (again, settings) == (state, Walker().settings) and type(its_mesh) is TriangleMesh
        assert again.to_bytes() == state.to_bytes() and type(command) is Command
    print(old.hex())
"""


@pytest.mark.parametrize("layout", ["checkout", "wheel"])
def test_pickles_of_both_names_are_read_and_new_ones_name_the_package(python, layout, tmp_path):
    told = [python(layout, PICKLES.format(name=name)) for name in ("game", "ellipsoid_walker")]
    assert told[0] == told[1]
    (tmp_path / "kept").write_bytes(bytes.fromhex(told[0]))
    python(layout, "import pickle; state = pickle.load(open('kept', 'rb'))[0]; assert state.grounded")


PROCESSES = """
    import multiprocessing, sys
    import {name}.physics
    def feet(state):
        import game, ellipsoid_walker
        assert game.physics is ellipsoid_walker.physics and type(state) is game.physics.WalkerState
        return state
    if __name__ == "__main__":
        mesh = {name}.physics.TriangleMesh([[[-9, 0, -9], [0, 0, 9], [9, 0, -9]]])
        state = {name}.physics.Walker().spawn(mesh, feet=(0, 0, 0))
        for method in multiprocessing.get_all_start_methods():
            with multiprocessing.get_context(method).Pool(1) as pool:
                assert pool.map(feet, [state]) == [state], method
"""


@pytest.mark.parametrize(("layout", "name"), [("checkout", "game"), ("wheel", "ellipsoid_walker")])
def test_states_travel_to_children_of_every_kind(python, layout, name, tmp_path):
    write(tmp_path, {"many.py": PROCESSES.format(name=name)})
    python(layout, "many.py", "")


PYTEST_PROJECT = {
    "conftest.py": "from ellipsoid_walker.physics import Walker\n",
    "pytest.ini": "[pytest]\n",
    "tests/test_names.py": """
        import ellipsoid_walker.physics, ellipsoid_walker.level
        def test_walker():
            {test}
    """,
}
SAME_WALKER = """
            import sys
            walker = ellipsoid_walker.physics.Walker  # a second copy of the module would replace the attribute
            import game.level.format, game.physics as p
            assert p.Walker is walker is sys.modules["game.physics"].Walker"""


@pytest.mark.parametrize(
    ("layout", "own", "mode"),
    [("wheel", "", "prepend"), ("wheel", "folder", "prepend"), ("wheel", "package", "importlib"),
     ("editable", "", "importlib"), ("editable", "package", "prepend")],
)  # fmt: skip
def test_names_under_pytest_with_a_plugin_of_the_package(python, layout, own, mode, tmp_path):
    files, show = OWN[own] if own else ({}, SAME_WALKER)
    write(
        tmp_path,
        files | PYTEST_PROJECT | {"tests/test_names.py": PYTEST_PROJECT["tests/test_names.py"].format(test=show)},
    )
    words = ["-m", "pytest", "-q", "-p", "ellipsoid_walker.sim", "-p", "no:cacheprovider", f"--import-mode={mode}"]
    shown = python(layout, *words, "tests", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert "1 passed" in shown
    assert "warning" not in shown.lower()


def test_pytest_rewrites_assertions_of_the_package_without_a_second_copy(python, interpreters, tmp_path):
    """pytest marks each package of a distribution with a plugin, and puts its finder before all others."""
    write(
        tmp_path,
        PYTEST_PROJECT | {"tests/test_names.py": PYTEST_PROJECT["tests/test_names.py"].format(test=SAME_WALKER)},
    )
    python(
        "wheel",
        """
        import sys, game, pytest
        from _pytest.assertion.rewrite import AssertionRewritingHook as Hook
        Hook._is_marked_for_rewrite = lambda self, name, state: name.startswith(("game", "ellipsoid_walker"))
        sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests"]))
        """,
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
    )


def test_type_checkers_find_each_public_package_under_the_name_that_is_no_folder():
    public = {
        path.relative_to(ROOT / "game").parent.as_posix()
        for pattern in ("*/__init__.py", "physics/*/__init__.py")
        for path in ROOT.joinpath("game").glob(pattern)
        if "__all__ = " in path.read_text(encoding="utf-8")
    }
    assert {"physics", "level", "sim", "physics/balls"} <= public
    for folder, other in (("ellipsoid_walker", "game"), ("tools/packaging/game_alias", "ellipsoid_walker")):
        stubs = {path.relative_to(ROOT / folder).with_suffix(""): path for path in (ROOT / folder).rglob("*.pyi")}
        stubs = {path.as_posix().removesuffix("/__init__"): file.read_text() for path, file in stubs.items()}
        assert public - set(stubs) == set(), f"add a stub to {folder}"
        for name in public:
            assert stubs[name] == f"from {other}.{name.replace('/', '.')} import *\n"


TYPED = """
    import ellipsoid_walker
    import game.physics
    from ellipsoid_walker.core.errors import WalkerError
    from ellipsoid_walker.level import Level, load
    from ellipsoid_walker.physics import Command, TriangleMesh, Walker, WalkerState
    from ellipsoid_walker.sim import World
    from game.level import load as load_again


    def walk(walker: Walker, mesh: TriangleMesh) -> game.physics.WalkerState:
        state: WalkerState = walker.spawn(mesh, feet=(0.0, 0.0, 0.0))
        return walker.step(state, Command(forward=1.0), mesh)[0]


    def tick(name: str) -> int:
        level: Level = load(name) if ellipsoid_walker.__version__ else load_again(name)
        try:
            return len(World(level).state())
        except WalkerError:
            return 0
"""


@pytest.mark.parametrize("layout", INSTALLED)
def test_types_are_known_under_both_names(layout, interpreters, tmp_path, tmp_path_factory):
    pytest.importorskip("mypy")
    write(tmp_path, {"typed.py": TYPED, "wrong.py": "from ellipsoid_walker.physics import Walker\nWalker(1)\n"})
    cache = str(tmp_path_factory.getbasetemp() / "mypy-cache")  # the types of NumPy are read once
    call = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "--python-executable", interpreters[layout]]
    done = subprocess.run(
        [*call, "typed.py", "wrong.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.splitlines()[0].startswith(
        'wrong.py:2: error: Argument 1 to "Walker" has incompatible type "int"'
    )
    assert len(done.stdout.splitlines()) == 2, done.stdout
