"""Address of a Dask scheduler, as `--scheduler` takes it, checked without Dask."""

from __future__ import annotations

import re

from .errors import ClusterError

SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")
MAX_PORT = 65535
_ADDRESS = re.compile(r"(?:(?P<scheme>[^:/]*)://)?(?P<host>\[[0-9A-Fa-f:.%]+\]|[\w.-]+):(?P<port>[0-9]{1,5})/?")
_SHOWN = 80  # characters of an address that a message quotes


def check_address(address: str) -> None:
    """ClusterError for a text that is not SCHEME://HOST:PORT. Without a scheme, Dask uses tcp."""
    scheme, separator, _ = address.partition("://")
    example = "write SCHEME://HOST:PORT, such as tcp://10.0.0.5:8786"
    if separator and scheme not in SCHEMES:
        raise ClusterError(
            f"--scheduler '{address[:_SHOWN]}': the scheme must be one of {', '.join(SCHEMES)}; {example}"
        )
    match = _ADDRESS.fullmatch(address)
    if match is None or not 1 <= int(match["port"]) <= MAX_PORT:
        raise ClusterError(f"--scheduler '{address[:_SHOWN]}': this is no address of a scheduler; {example}")
