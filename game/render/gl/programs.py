"""GLSL programs from files: includes, defines, constants shared with Python, compiler diagnostics and hot reload."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import shipped
from ...core.errors import WalkerError

# Diagnostics


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


# Sources: files, includes and constants

GLSL_VERSION = "#version 330 core"  # compatible with OpenGL 3.3; macOS offers 4.1
INCLUDE_PATTERN = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')
MAX_INCLUDE_DEPTH = 8
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


def default_folder() -> Path:
    """Shader folder of this checkout or installation."""
    return shipped("shaders")


@dataclass(frozen=True, slots=True)
class ShaderSource:
    """One shader stage with its includes expanded. Line n of `text` comes from `origins[n - 1]` (file, line).

    The origins are kept here because drivers treat `#line` differently; Mesa drops the file.
    """

    text: str
    origins: tuple[tuple[str, int], ...]


def read_shader(folder: Path, name: str, defines: tuple[tuple[str, str], ...] = ()) -> ShaderSource:
    """Read one shader stage, expand its `#include "file"` lines, each file once; define the constants it names.

    Paths are relative to `folder`. Raises ShaderError for a missing file or too deep includes.
    """
    included: set[str] = set()
    lines: list[str] = []
    origins: list[tuple[str, int]] = []

    def append_file(name: str, including_file: str, including_line: int, depth: int) -> None:
        if name in included:
            return
        if depth > MAX_INCLUDE_DEPTH:
            raise ShaderError([ShaderDiagnostic(including_file, including_line, f"includes nest too deeply at {name}")])
        try:
            text = (folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ShaderError(
                [ShaderDiagnostic(including_file, including_line, f"cannot read {name}: {error}")]
            ) from None
        included.add(name)
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE_PATTERN.match(line)
            if match is None:
                lines.append(line)
                origins.append((name, number))
            else:
                append_file(match[1], name, number, depth + 1)

    append_file(name, name, 0, 0)
    words = set(re.findall(r"[A-Z_]+", "\n".join(lines)))
    constants = [(key, str(value)) for key, value in SHADER_CONSTANTS.items() if key in words]
    head = [GLSL_VERSION, *(f"#define {key} {value}" for key, value in (*constants, *defines))]
    return ShaderSource("\n".join((*head, *lines)) + "\n", (*((name, 0) for _ in head), *origins))


# Programs

# Mesa and most drivers write "0:12(3): ..." or "ERROR: 0:12: ..."; NVIDIA writes "0(12) : ...".
LOG_LOCATION_PATTERN = re.compile(r"(?<![\w.])0(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:\s*(.*)")
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
        self._programs: dict[ProgramKey, Any] = {}
        self._sources: dict[ProgramKey, tuple[str, str]] = {}

    def get(self, vertex: str, fragment: str, **defines: object) -> Any:
        """Program of two files. Raises ShaderError when it does not compile and has no earlier version."""
        key = ProgramKey(vertex, fragment, tuple((name, str(value)) for name, value in sorted(defines.items())))
        if key not in self._programs:
            self._programs[key], self._sources[key] = self._build(key)
        return self._programs[key]

    def rebuild(self) -> tuple[ProgramKey, ...]:
        """Reload all files. Returns the keys of the programs that changed; failures are in `.diagnostics`.

        With any failure no program changes, because vertex format and uniforms of several programs may depend on each
        other.
        """
        rebuilt: dict[ProgramKey, tuple[Any, tuple[str, str]]] = {}
        failures: list[ShaderDiagnostic] = []
        for key, old_sources in self._sources.items():
            try:
                if self._read_stages(key) != old_sources:
                    rebuilt[key] = self._build(key)
            except ShaderError as error:
                failures += error.diagnostics
        self.diagnostics = tuple(dict.fromkeys(failures))
        if failures:
            for program, _ in rebuilt.values():
                program.release()
            return ()
        for key, (program, sources) in rebuilt.items():
            self._programs[key].release()
            self._programs[key], self._sources[key] = program, sources
        return tuple(rebuilt)

    def files(self) -> tuple[Path, ...]:
        """All GLSL files of the folder, for the file watcher."""
        return tuple(sorted(self.folder.rglob("*.glsl")))

    def release(self) -> None:
        for program in self._programs.values():
            program.release()
        self._programs.clear()
        self._sources.clear()

    def _read_stages(self, key: ProgramKey) -> tuple[str, str]:
        return (
            read_shader(self.folder, key.vertex, key.defines).text,
            read_shader(self.folder, key.fragment, key.defines).text,
        )

    def _build(self, key: ProgramKey) -> tuple[Any, tuple[str, str]]:
        vertex = read_shader(self.folder, key.vertex, key.defines)
        fragment = read_shader(self.folder, key.fragment, key.defines)
        try:
            program = self.ctx.program(vertex_shader=vertex.text, fragment_shader=fragment.text)
        except Exception as error:  # moderngl.Error holds only the log
            log = str(error)
            raise ShaderError(parse_compiler_log(log, fragment if "fragment_shader" in log else vertex)) from None
        for block, binding in BLOCK_BINDINGS.items():
            if block in program:
                program[block].binding = binding
        return program, (vertex.text, fragment.text)


def parse_compiler_log(log: str, source: ShaderSource) -> list[ShaderDiagnostic]:
    """Compiler log as diagnostics with our files and lines; line 0 with the whole log when it cannot be parsed."""
    diagnostics: list[ShaderDiagnostic] = []
    for line in log.splitlines():
        match = LOG_LOCATION_PATTERN.search(line)
        if match is not None and 0 < (at := int(match[1] or match[2])) <= len(source.origins):
            diagnostics.append(ShaderDiagnostic(*source.origins[at - 1], match[3].strip()))
    return diagnostics or [ShaderDiagnostic(source.origins[-1][0], 0, " ".join(log.split()))]


def set_uniforms(program: Any, **values: object) -> None:
    """Set uniforms by name. Names that the compiler optimised away are skipped."""
    for name, value in values.items():
        member = program.get(name, None)
        if member is not None:
            member.value = value
