"""Documents of `--json`: one JSON object with the name and the version of its schema.

The version of a schema grows when a field is removed, renamed or changes its meaning. A new field does not change it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from .. import __version__

SCHEMA_VERSIONS = {"check": 1, "sim": 1, "test": 1, "replay": 1, "doctor": 1, "fuzz": 1, "sweep": 1, "diff": 1}
SCHEMAS = Path(__file__).parent / "schemas"


def format_document(kind: str, fields: Mapping[str, object]) -> str:
    """Text of a document: its fields after `schema`, `schema_version` and `program`. Ends with a line break.

    kind: a key of SCHEMA_VERSIONS. ValueError for a number that is not finite: JSON has none.
    """
    document = {
        "schema": f"walker/{kind}",
        "schema_version": SCHEMA_VERSIONS[kind],
        "program": f"ellipsoid-walker {__version__}",
        **fields,
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
