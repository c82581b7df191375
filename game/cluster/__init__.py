"""Long checks in shards, on all processors of one machine or on many machines."""
