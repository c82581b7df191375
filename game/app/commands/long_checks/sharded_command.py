"""Common steps of `fuzz` and `sweep`: levels, the folder of results, the run, and the document at its end."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...launch.level_lookup import UserError, load_level, printable_name, printable_text
from ...launch.world_setup import ensure_compiled, print_status
from ..argument_types import add_output_option
from .worker_options import ShardProgress, open_executor

if TYPE_CHECKING:
    from ....cluster.level_files import LevelFiles
    from ....cluster.shards import Shard
    from ....core.walker_settings import WalkerSettings
    from ....level import Level

WRONG_INPUT_STATUS = 2
PREFABS_FOLDER = "prefabs"  # folder of pieces for the level editor, which are no levels to play
FORMATS = ("npz", "parquet")
_MODEL_LEVEL = "format: 1\nspawn: {{at: [0, 0, 0]}}\npieces:\n  - model: {{file: {file}}}\n"


def add_folder_options(parser: argparse.ArgumentParser) -> None:
    add_output_option(
        parser,
        "folder for the results, which is created; the same command goes on with an interrupted run there",
        metavar="FOLDER",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default=FORMATS[0], help="format of the files in the folder (default: npz)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON, and nothing else")


def read_levels(names: Sequence[str], models: bool) -> list[tuple[LevelFiles, Level]]:
    """The levels of paths, shipped names and folders, with their files. models: a named model counts as a level.

    Files in a folder `prefabs` below a given folder are left out. Each level has a label: its path below the given
    folder, else its file name; its whole path where two have the same. Of files with the same name and contents only
    the first one is taken. UserError where one cannot be read, or where a folder has none.
    """
    from ....cluster.errors import ClusterError
    from ....cluster.level_files import collect_level_files
    from ....level.format.file_access import folder_of
    from ....testing.level_files import select_levels

    selection = select_levels(names)
    folders = {name: folder for name in names if (folder := folder_of(name)) is not None}
    labels = _level_labels(selection.paths, folders.values())
    for name, folder in folders.items():
        if not any(folder in Path(path).parents for path in labels):
            cure = "; name its models to walk them" if models and models_below(folder) else ""
            raise UserError(f"{printable_name(name)}: no level in this folder{cure}")
    found: dict[str, tuple[LevelFiles, Level]] = {}
    used: set[Path] = set()
    try:
        for name in labels:
            text = _model_level(name) if models else None
            level = load_level(name) if text is None else _load_model(name, text)
            files = replace(collect_level_files(level, text), label=labels[name])
            used.update(level.files)
            if files.digest in found:
                same = found[files.digest][0].shown_name
                print_status(printable_text(f"{files.shown_name}: the same level as {same}, which is walked once"))
            else:
                found[files.digest] = files, level
    except ClusterError as error:
        raise UserError(printable_text(str(error))) from None
    if models:
        used |= {Path(name) for name in names}
        _report_models({path for folder in folders.values() for path in models_below(folder)}, used)
    return list(found.values())


def models_below(folder: Path) -> set[Path]:
    """The real paths of all models below a folder, without those in folders named `prefabs` and in hidden ones."""
    from ....level.models.model_reader import MODEL_EXTENSIONS

    return {
        path.resolve()
        for path in folder.rglob("*")
        if path.suffix.lower() in MODEL_EXTENSIONS
        and path.is_file()
        and not any(part == PREFABS_FOLDER or part.startswith(".") for part in path.relative_to(folder).parts)
    }


def _report_models(models: Collection[Path], used: Iterable[Path]) -> None:
    """Say which models of folders are left out: all but those of a level, and named ones."""
    left = set(models) - {path.resolve() for path in used} if models else set()
    if left:
        shown = printable_name(min(left).name)
        subject = f"1 model ({shown}) is" if len(left) == 1 else f"{len(left)} models ({shown}, ...) are"
        print_status(f"{subject} left out; name a model to walk it")


def _level_labels(paths: Sequence[str], folders: Iterable[Path]) -> dict[str, str]:
    """The paths of the levels to walk, without prefabs of the folders, with a label for each."""
    labels: dict[str, str] = {}
    folders = list(folders)
    for path in paths:
        folder = next((one for one in folders if one in Path(path).parents), None)
        below = Path(Path(path).name) if folder is None else Path(path).relative_to(folder)
        if PREFABS_FOLDER not in below.parts[:-1]:
            labels[path] = below.as_posix()
    counts = Counter(labels.values())
    return {path: Path(path).as_posix() if counts[label] > 1 else label for path, label in labels.items()}


def _model_level(name: str) -> str | None:
    """Text of a level around a model; None where the name is not that of a model."""
    from ....level.models.model_reader import MODEL_EXTENSIONS

    path = Path(name)
    if path.suffix.lower() not in MODEL_EXTENSIONS:
        return None
    if not path.is_file():
        raise UserError(f"{printable_name(name)}: no such file")
    import json

    return _MODEL_LEVEL.format(file=json.dumps(path.name))


def _load_model(name: str, text: str) -> Level:
    """The level around a model; UserError with its findings."""
    from ....level import LevelError, load

    try:
        level = load(text=text, base=f"{name}.yaml")
    except LevelError as error:
        raise UserError("\n".join(finding.render() for finding in error.findings)) from None
    return level


def run_command(
    options: argparse.Namespace,
    levels: Sequence[LevelFiles],
    shards: Sequence[Shard],
    inputs: Mapping[str, Any],
    shard_ticks: int,
    make_document: Callable[[Iterable[Mapping[str, Any]]], str],
    other_files: Mapping[str, bytes] = MappingProxyType({}),
) -> str:
    """Run the shards; the document that `make_document` makes of their results, which also goes into the folder.

    shard_ticks: of each shard, for the throughput; 0: unknown. other_files: by their path in the folder, into which
    they go too; `make_document` fills them. UserError for a folder that cannot be used and for a run that stops.
    """
    from ....cluster.errors import ClusterError
    from ....cluster.results_folder import ResultsFolder
    from ....cluster.sharded_run import run_shards

    folder = None
    progress = ShardProgress(shard_ticks)
    if options.output is not None:
        folder = ResultsFolder(options.output, inputs, shards, options.format, progress.read)
        try:
            folder.open()
        except ClusterError as error:
            raise UserError(printable_text(str(error)), WRONG_INPUT_STATUS) from None
    if not options.scheduler:
        ensure_compiled(ticks=len(shards) * max(shard_ticks, 1000))
    with open_executor(options, levels, len(shards)) as executor:
        try:
            results = run_shards(shards, executor, folder, progress)
        except BaseException as error:
            progress.line.clear()
            if isinstance(error, KeyboardInterrupt) and folder is not None:
                print_status(f"interrupted; the same command goes on with {printable_name(str(options.output))}")
            raise
        if folder is not None and folder.damaged:
            count = "1 file was" if folder.damaged == 1 else f"{folder.damaged} files were"
            print_status(f"{count} cut off or damaged, and made again")
        document = make_document(results)
        progress.line.clear()
        if folder is not None:
            folder.finish(document, other_files)
    if options.json:
        sys.stdout.write(document)
    return document


def level_inputs(levels: Sequence[LevelFiles]) -> list[dict[str, str]]:
    """Names and digests of the levels, for the manifest and the document."""
    return [{"name": one.shown_name, "digest": one.digest} for one in levels]


def level_bodies(levels: Sequence[tuple[LevelFiles, Level]]) -> list[tuple[LevelFiles, WalkerSettings]]:
    return [(files, level.player) for files, level in levels]
