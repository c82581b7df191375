"""Long checks in shards: `fuzz` and `sweep`, and the options that choose who does the work."""
