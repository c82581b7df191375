"""Queries of meshes and shapes: rays, sweeps, overlaps, closest points, separating axes and times of impact."""
