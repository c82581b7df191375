"""Scene data for the GPU: meshes, UV unwrapping, light maps, shadow maps and textures."""
