"""The installed package `game`: another name of `ellipsoid_walker`. See docs/decisions/0022-two-import-names.md."""

from ellipsoid_walker.core.import_alias import serve_alias

serve_alias(__file__)
