"""Export of levels: level files, glTF and OBJ models."""
