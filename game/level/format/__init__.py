"""The level file format: YAML nodes, reader, values, expressions, includes and findings."""
