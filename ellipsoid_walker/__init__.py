"""The package under its canonical name in a checkout; its files are in `game/`. An installed package is a plain folder.

See docs/decisions/0022-two-import-names.md.
"""

import sys
from importlib.util import spec_from_file_location
from pathlib import Path

_spec = spec_from_file_location(__name__, Path(__file__).resolve().parents[1] / "game" / "__init__.py")
assert _spec is not None
assert _spec.loader is not None
__file__, __path__, __loader__ = _spec.origin, list(_spec.submodule_search_locations or ()), _spec.loader
_spec.loader.exec_module(sys.modules[__name__])
__spec__ = _spec
