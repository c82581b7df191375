"""The fixtures of `reports`: small levels, a walk, the command line, and pictures with few pixels."""

from tests.reports.conftest import coarse_pictures, folder, walker

__all__ = ["coarse_pictures", "folder", "walker"]
