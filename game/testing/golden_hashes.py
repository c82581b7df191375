"""Golden hashes of level tests: `--update` writes them into the file of the test, and changes nothing else in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..core.atomic_files import write_atomic
from ..core.errors import WalkerError, error_reason
from ..level import LevelError
from ..level.edit import EditRefused, SaveError, read_text, replace_test_hashes
from ..level.format.findings import SourceSpan
from ..sim.replay.fingerprint import machine_name
from .reports import TestRecord
from .runner import TestStatus


class UpdateError(WalkerError):
    """A file whose hashes cannot be written. It is unchanged."""


def accept_hashes(record: TestRecord) -> None:
    """Accept the hashes of a run: the test passes with them, and `update_hashes` writes them."""
    for one in record.expectations:
        if one.is_hash and not one.held:
            one.held, one.actual = True, ""
            one.expected = f"hash of the path {record.path_hash} (new)"
            record.new_hashes.append((one.line, one.column))
    if record.new_hashes and record.status == TestStatus.FAILED and not record.failures and not record.message:
        record.status = TestStatus.PASSED.value


def update_hashes(records: Sequence[TestRecord]) -> dict[str, list[str]]:
    """Write the accepted hashes into their files. Returns the names of the changed tests by file.

    UpdateError names the first file that cannot be written; the files before it are written.
    """
    changed: dict[str, list[TestRecord]] = {}
    for record in records:
        if record.new_hashes:
            changed.setdefault(record.path, []).append(record)
    for path, of_file in changed.items():
        _rewrite(Path(path), of_file)
    return {of_file[0].file: [record.name for record in of_file] for of_file in changed.values()}


def _rewrite(path: Path, records: Sequence[TestRecord]) -> None:
    hashes = {
        SourceSpan(*place): (record.path_hash, machine_name()) for record in records for place in record.new_hashes
    }
    try:
        before = read_text(path)
        after = replace_test_hashes(before, hashes)

        def refuse_if_changed() -> None:
            if read_text(path) != before:
                raise SaveError(f"{path} was changed by another program in the meantime; it was not overwritten")

        write_atomic(path, after.encode("utf-8"), before_replace=refuse_if_changed)
    except (LevelError, EditRefused, SaveError) as error:
        raise UpdateError(f"{path}: the hash was not written: {error}") from None
    except OSError as error:
        raise UpdateError(f"{path}: the hash was not written: {error_reason(error)}") from None
