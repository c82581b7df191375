"""GLSL programs from files: constants shared with Python, the programs of a renderer and their hot reload, sources with
their includes, and diagnostics of the compiler."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import shipped
from ...core.errors import WalkerError

# Every program that names one of these gets it as a define.
SHADER_CONSTANTS = {
    "TONE_CONTRAST": 1.3,  # exponent of the tone curve
    "CHANNEL_MIX": 0.08,  # fraction of the mean of red, green and blue in each of them: bright colours fade to white
    "MAX_RADIANCE": 4.0,  # of baked light; lightmap pixels are the square root of light / MAX_RADIANCE
    "MIN_TINT": 0.40,  # colour factor at alpha 0 of the lightmap
    "TINT_RANGE": 0.75,  # and its increase to alpha 1
    "MAX_FLOW_SPEED": 16.0,  # of the pattern of conveyors, tiles per second
    "LAMP_BULB_RADIUS": 0.10,  # metres: radius of the emitter, for soft shadows and a finite maximum
    "LAMP_SHADOW_NEAR": 0.2,  # metres from a carried lamp within which nothing casts a shadow of it: its own housing
    "ALBEDO_LIMIT": 0.60,  # largest luminance of a painted surface
    "ALBEDO_KNEE": 0.6,  # fraction of the limit from which a colour is darkened
    "RELIEF_STRENGTH": 1.35,  # factor of the slopes of a relief texture
    "PROBE_FARTHEST_WALL": 1.25,  # largest distance from a light probe to a surface, in spacings; from 1 on they blend
    "BIRD_CELL": 70.0,  # metres along a cell with a flock of birds
    "BIRDS_PER_FLOCK": 6,
    "CUBES_IN_ROW": 1024,  # of the texture with the ambient light of balls or bodies
    "CAVITY_RANGE": 1.25,  # ambient light at alpha 1 of a relief texture, as a factor
}


# Programs

BLOCK_BINDINGS = {"Frame": 1, "Material": 2}  # of uniform blocks; pyglet's WindowBlock uses 0


@dataclass(frozen=True, slots=True)
class ProgramKey:
    """Identity of a program: vertex file, fragment file and the defines of both stages."""

    vertex: str
    fragment: str
    defines: tuple[tuple[str, str], ...] = ()


class ShaderCache:
    """All programs of a renderer. `get` compiles on first use; `rebuild` reloads changed files.

    A program that no longer compiles keeps its last good version; `.diagnostics` lists the reasons.
    """

    def __init__(self, ctx: Any, folder: Path | None = None) -> None:
        self.ctx = ctx
        self.folder = folder or default_folder()
        self.diagnostics: tuple[ShaderDiagnostic, ...] = ()
        self._programs: dict[ProgramKey, tuple[Any, Stages]] = {}  # each with the sources that it was made of

    def get(self, vertex: str, fragment: str, **defines: object) -> Any:
        """Program of two files. Raises ShaderError when it does not compile and has no earlier version."""
        key = ProgramKey(vertex, fragment, tuple((name, str(value)) for name, value in sorted(defines.items())))
        if key not in self._programs:
            stages = self._read(key)
            self._programs[key] = self._compile(stages), stages
        return self._programs[key][0]

    def rebuild(self) -> tuple[ProgramKey, ...]:
        """Reload all files. Returns the keys of the programs that changed; failures are in `.diagnostics`.

        With any failure no program changes, because vertex format and uniforms of several programs may depend on each
        other.
        """
        rebuilt: dict[ProgramKey, tuple[Any, Stages]] = {}
        failures: list[ShaderDiagnostic] = []
        for key, (_, old_stages) in self._programs.items():
            try:
                stages = self._read(key)
                if stages != old_stages:
                    rebuilt[key] = self._compile(stages), stages
            except ShaderError as error:
                failures += error.diagnostics
        self.diagnostics = tuple(dict.fromkeys(failures))
        if failures:
            for program, _ in rebuilt.values():
                program.release()
            return ()
        for key in rebuilt:
            self._programs[key][0].release()
        self._programs |= rebuilt
        return tuple(rebuilt)

    def _read(self, key: ProgramKey) -> Stages:
        return read_shader(self.folder, key.vertex, key.defines), read_shader(self.folder, key.fragment, key.defines)

    def _compile(self, stages: Stages) -> Any:
        vertex, fragment = stages
        try:
            program = self.ctx.program(vertex_shader=vertex.text, fragment_shader=fragment.text)
        except Exception as error:  # moderngl.Error holds only the log
            log = str(error)
            raise ShaderError(parse_compiler_log(log, fragment if "fragment_shader" in log else vertex)) from None
        for block, binding in BLOCK_BINDINGS.items():
            if block in program:
                program[block].binding = binding
        return program

    def files(self) -> tuple[Path, ...]:
        """All GLSL files of the folder, for the file watcher."""
        return tuple(sorted(self.folder.rglob("*.glsl")))

    def release(self) -> None:
        for program, _ in self._programs.values():
            program.release()
        self._programs.clear()


def set_uniforms(program: Any, **values: object) -> None:
    """Set uniforms by name. Names that the compiler optimised away are skipped."""
    for name, value in values.items():
        member = program.get(name, None)
        if member is not None:
            member.value = value


# Sources

GLSL_VERSION = "#version 330 core"  # compatible with OpenGL 3.3; macOS offers 4.1
INCLUDE_PATTERN = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')

Origin = tuple[str, int]  # file and line


@dataclass(frozen=True, slots=True)
class ShaderSource:
    """One shader stage with its includes expanded. Line n of `text` comes from `origins[n - 1]`.

    The origins are kept here because drivers treat `#line` differently; Mesa drops the file.
    """

    text: str
    origins: tuple[Origin, ...]


Stages = tuple[ShaderSource, ShaderSource]  # vertex and fragment shader


def default_folder() -> Path:
    """Shader folder of this checkout or installation."""
    return shipped("shaders")


def read_shader(folder: Path, name: str, defines: tuple[tuple[str, str], ...] = ()) -> ShaderSource:
    """Read one shader stage, expand its `#include "file"` lines, each file once; define the constants it names.

    Paths are relative to `folder`. Raises ShaderError for a missing file.
    """
    lines = list(_expand_includes(folder, name, (name, 0), set()))
    words = set(re.findall(r"[A-Z_]+", "\n".join(line for line, _ in lines)))
    constants = [(key, str(value)) for key, value in SHADER_CONSTANTS.items() if key in words]
    head = [GLSL_VERSION, *(f"#define {key} {value}" for key, value in (*constants, *defines))]
    lines = [*((line, (name, 0)) for line in head), *lines]
    return ShaderSource("".join(f"{line}\n" for line, _ in lines), tuple(origin for _, origin in lines))


def _expand_includes(folder: Path, name: str, includer: Origin, included: set[str]) -> Iterator[tuple[str, Origin]]:
    """Lines of a file with those of its includes in their places, each with its origin; none of a file in `included`.

    includer: the line that includes the file.
    """
    if name in included:
        return
    included.add(name)
    try:
        text = (folder / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ShaderError([ShaderDiagnostic(*includer, f"cannot read {name}: {error}")]) from None
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE_PATTERN.match(line)
        if match is None:
            yield line, (name, number)
        else:
            yield from _expand_includes(folder, match[1], (name, number), included)


# Diagnostics

# Mesa and most drivers write "0:12(3): ..." or "ERROR: 0:12: ..."; NVIDIA writes "0(12) : ...".
LOG_LOCATION_PATTERN = re.compile(r"(?<![\w.])0(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:\s*(.*)")


@dataclass(frozen=True, slots=True)
class ShaderDiagnostic:
    """Compiler message with file and line."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class ShaderError(WalkerError):
    """A program does not compile and has no earlier version. `.diagnostics` lists the reasons."""

    def __init__(self, diagnostics: Iterable[ShaderDiagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))


def parse_compiler_log(log: str, source: ShaderSource) -> list[ShaderDiagnostic]:
    """Compiler log as diagnostics with our files and lines; line 0 with the whole log when it cannot be parsed."""
    diagnostics: list[ShaderDiagnostic] = []
    for line in log.splitlines():
        match = LOG_LOCATION_PATTERN.search(line)
        if match is not None and 0 < (at := int(match[1] or match[2])) <= len(source.origins):
            diagnostics.append(ShaderDiagnostic(*source.origins[at - 1], match[3].strip()))
    return diagnostics or [ShaderDiagnostic(source.origins[-1][0], 0, " ".join(log.split()))]
