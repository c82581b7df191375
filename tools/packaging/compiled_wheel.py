"""Build a wheel with compiled kernels: `python -m tools.packaging.compiled_wheel` writes it to dist/.

The wheel is for the minor version of Python and the platform that it is built on, and for the installed versions of
Numba and NumPy. With other versions of these, the package compiles its kernels on first use. The kernels are compiled
for the baseline processor of the platform, so they run on every processor of the platform. Run it once for each version
of Python. It takes some minutes. Requires setuptools, and the libraries of the physics.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path

from game.core.errors import WalkerError
from game.physics.numerics import kernel_cache
from game.physics.prepare import COMPILE_PARTS

ROOT = Path(__file__).resolve().parents[2]
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # of the files in the wheel, so that the same content gives the same wheel
GENERIC = {
    "NUMBA_CPU_NAME": kernel_cache.BASELINE["processor"],
    "NUMBA_CPU_FEATURES": kernel_cache.BASELINE["features"],
}
COMPILE = """
import json, sys
from {package}.physics import prepare
from {package}.physics.numerics import kernel_key
from {package}.physics.numerics.jit import CACHE_FOLDER, is_compiled
for part in sys.argv[1:]:
    prepare.compile_part(part)
    if not is_compiled(part):
        sys.exit(f"the kernels of {{part}} could not be kept in {{CACHE_FOLDER}}")
print(json.dumps([str(CACHE_FOLDER), kernel_key.environment()]))
"""
PROBE = """
import sys
import numba.core.event as event
class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event): sys.exit("compiled in spite of the shipped kernels: " + str(event.data["dispatcher"]))
from {package}.physics import prepare
with event.install_listener("numba:compile", Listener()):
    for part in sys.argv[1:]:
        prepare.COMPILE_PARTS[part]()
"""


class WheelError(WalkerError):
    """Error with a message for the person who builds the wheel."""


def main(arguments: list[str]) -> int:
    """Build the wheel. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="folder for the wheel (default: dist)")
    parser.add_argument("--wheel", type=Path, help="wheel without kernels to start from (default: build one)")
    parser.add_argument("--platform", help="platform tag (default: that of the installed numba)")
    parser.add_argument("--parts", nargs="+", default=[*COMPILE_PARTS], choices=[*COMPILE_PARTS], metavar="PART",
                        help=f"parts to compile (default: all, {', '.join(COMPILE_PARTS)})")  # fmt: skip
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="wheel-") as scratch:
        try:
            tag = checked_tag(options.platform or platform_tag())
            make_folder(options.output)
            wheel = options.wheel or build_plain_wheel(Path(scratch))
            print(add_kernels(wheel, options.output, options.parts, tag, Path(scratch)))
        except WheelError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


def build_plain_wheel(folder: Path) -> Path:
    """Build the wheel of these sources without kernels."""
    call = ["setup.py", "-q", "egg_info", "--egg-base", str(folder), "build", "--build-base", str(folder / "build")]
    call += ["bdist_wheel", "--bdist-dir", str(folder / "bdist"), "--dist-dir", str(folder / "plain")]
    run_python(call, cwd=ROOT)
    (wheel,) = (folder / "plain").glob("*.whl")
    return wheel


def run_python(call: list[str], **more: object) -> str:
    """Run Python; returns its output. WheelError with its last line where it fails."""
    done = subprocess.run([sys.executable, *call], capture_output=True, text=True, check=False, **more)  # type: ignore
    if done.returncode:
        last = [*done.stdout.splitlines(), *done.stderr.splitlines()][-1:] or [f"status {done.returncode}"]
        raise WheelError(f"the wheel cannot be built: {last[0]}")
    return done.stdout


def platform_tag() -> str:
    """Platform tag of the installed numba, without which the kernels are not used; or of this Python."""
    lines = (metadata.distribution("numba").read_text("WHEEL") or "").splitlines()
    tags = [line.rpartition("-")[2].strip() for line in lines if line.startswith("Tag:")]
    return ".".join(sorted(tags)) or sysconfig.get_platform().replace("-", "_").replace(".", "_")


def checked_tag(tag: str) -> str:
    """The tag; WheelError if it is not the platform part of a wheel's name."""
    if not re.fullmatch(r"\w+(\.\w+)*", tag, re.ASCII):
        raise WheelError(f"--platform {tag!r}: must be a platform tag such as manylinux_2_28_x86_64 or win_amd64")
    return tag


def make_folder(folder: Path) -> None:
    """Make the folder for the wheel. WheelError where that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WheelError(f"--output {folder}: {(error.strerror or str(error)).lower()}; give another folder") from None


def add_kernels(wheel: Path, output: Path, parts: list[str], tag: str, scratch: Path) -> Path:
    """Write a copy of a wheel with the kernels of `parts`; returns its path."""
    folder = scratch / "lib"
    try:
        with zipfile.ZipFile(wheel) as held:
            held.extractall(folder)
    except (OSError, zipfile.BadZipFile) as error:
        raise WheelError(f"{wheel}: not a wheel that can be read ({error})") from None
    found = list(folder.glob("*/physics/numerics/kernel_cache.py"))
    if len(found) != 1:
        raise WheelError(f"{wheel}: has no physics; give a wheel of this project")
    package = found[0].parents[2]
    shipped = package / "physics" / kernel_cache.SHIPPED_FOLDER.name
    if shipped.exists():
        raise WheelError(f"{wheel}: has kernels already; give the wheel without them")
    compile_kernels(package, shipped, parts, scratch)
    (about,) = folder.glob("*.dist-info")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    write_wheel_file(about / "WHEEL", python, tag)
    run_python(["-c", PROBE.format(package=package.name), *parts], cwd=scratch, env=clean_environment(folder, scratch))
    return pack(folder, about, output, f"{about.stem}-{python}-{python}-{tag}.whl")


def compile_kernels(package: Path, shipped: Path, parts: list[str], scratch: Path) -> None:
    """Compile into the folder `shipped`, under the name of the installed package."""
    environment = {**clean_environment(package.parent, scratch), **GENERIC}
    call = ["-c", COMPILE.format(package=package.name), *parts]
    made, versions = json.loads(run_python(call, cwd=scratch, env=environment).splitlines()[-1])
    shipped.mkdir()
    for path in sorted(Path(made).iterdir()):
        if path.suffix in (kernel_cache.SUFFIX, kernel_cache.RECORD_SUFFIX):
            (shipped / path.name).write_bytes(path.read_bytes())
    rules = package / "sim" / "replay" / "fingerprint.py"
    found = re.search(r"^RULES_VERSION = (\d+)", rules.read_text(encoding="utf-8"), re.M) if rules.exists() else None
    manifest = {
        "environment": versions,
        "python": platform.python_version(),
        "architecture": platform.machine(),
        "rules": int(found[1]) if found else None,
        "parts": parts,
    }
    (shipped / kernel_cache.MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def clean_environment(folder: Path, scratch: Path) -> dict[str, str]:
    """Environment variables of a process that imports the package from `folder`, without settings of Numba."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "WALKER_", "PYTHON"))}
    return {**kept, "PYTHONPATH": str(folder), "WALKER_CACHE": str(scratch / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}


def write_wheel_file(path: Path, python: str, tag: str) -> None:
    """Change the file WHEEL from a wheel for any platform to one for this Python and platform."""
    lines = [
        line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith(("Root", "Tag"))
    ]
    tags = [f"Tag: {python}-{python}-{each}" for each in tag.split(".")]
    path.write_text("\n".join([*lines, "Root-Is-Purelib: false", *tags]) + "\n", encoding="utf-8")


def pack(folder: Path, about: Path, output: Path, name: str) -> Path:
    """Write the files of a folder as a wheel, with a new RECORD."""
    record = about / "RECORD"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != record)
    rows = []
    for path in files:
        data = path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path.relative_to(folder).as_posix()},sha256={digest},{len(data)}")
    rows.append(f"{record.relative_to(folder).as_posix()},,")
    record.write_text("\n".join(rows) + "\n", encoding="utf-8")
    with zipfile.ZipFile(output / name, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in [*files, record]:
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), ZIP_TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, path.read_bytes())
    return output / name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
