"""Benchmarks of ticks, meshes and frames, also against other character controllers."""
