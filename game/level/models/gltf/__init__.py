"""glTF 2 models: container, validation, geometry, materials and textures."""
