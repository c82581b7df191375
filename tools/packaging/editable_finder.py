"""Meta path finder of an editable install: `ellipsoid_walker` and its alias `game` from a checkout.

`setup.py` copies this module into the editable wheel; a .pth file calls `install` at each start of Python. The finder
asks all others first, so that a `game` of the user's wins, wherever it is installed. The package itself is found on a
path entry with a link to it, which type checkers follow; the finder serves it where there is no link.
See docs/decisions/0022-two-import-names.md.
"""

import sys


class EditableFinder:
    """Finder of last resort for the two import names. folder: the package's folder in the checkout."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        """The spec of one of the two names, if no later finder has one. None for other names."""
        if name not in ("ellipsoid_walker", "game"):
            return None
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        from importlib.util import spec_from_file_location  # takes a millisecond of each start of Python

        return spec_from_file_location(name, f"{self.folder}/__init__.py", submodule_search_locations=[self.folder])


def install(folder):
    """Append the finder for a checkout's folder of the package to `sys.meta_path`."""
    sys.meta_path.append(EditableFinder(folder))
