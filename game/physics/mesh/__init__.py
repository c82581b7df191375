"""Collision meshes: cooking, adjacency, BVH, height fields, materials and triangle geometry."""
