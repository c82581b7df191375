"""Baked light kept on disk, so that a level that has not changed is lit at once when it is loaded again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

MAX_ENTRIES = 24  # atlases; the oldest beyond that are removed
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def content_key(*parts: object) -> str:
    """A name for whatever the light depends on: arrays by their bytes, all else by its words."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype}{part.shape}".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(repr(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:32]


class LightmapCache:
    """Atlases (h, w, 4) and the places of the corners in them (n, 3, 2), by key, in one folder. A folder that
    cannot be read or written is a cache that is empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, name: str, size: int, triangles: int) -> tuple[Bytes, Floats] | None:
        """The square atlas of that key and its corners; None where there is none, or it is damaged or another."""
        try:
            with np.load(self._path(name), allow_pickle=False) as stored:
                atlas, uv = stored["atlas"], stored["uv"].astype(np.float64)
        except Exception:  # whatever numpy or zipfile make of a damaged file, it is no atlas
            return None
        good = atlas.shape == (size, size, 4) and atlas.dtype == np.uint8 and uv.shape == (triangles, 3, 2)
        return (atlas, uv) if good else None

    def put(self, name: str, atlas: Bytes, uv: Floats) -> None:
        """Keep an atlas (atomically), and forget the oldest ones beyond KEPT."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.savez_compressed(file, atlas=atlas, uv=uv.astype(np.float32))
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, self._path(name))
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
            kept = sorted(self.folder.glob("*.light.npz"), key=lambda path: path.stat().st_mtime)
            for path in kept[:-MAX_ENTRIES]:
                path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.light.npz"
