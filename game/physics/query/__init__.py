"""Queries on meshes and shapes: rays, sweeps, overlaps, closest points, SAT and time of impact."""
