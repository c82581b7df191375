"""Model import: OBJ, glTF and Quake map files as faces with part names, layers and materials.

Every reader takes bytes, bounds time and memory, opens no file itself, and raises ModelError with a message for the
author.
"""
