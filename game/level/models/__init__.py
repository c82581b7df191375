"""Models made elsewhere: OBJ, glTF and Quake maps as faces with the names, layers and materials of their file.

Every reader takes bytes, keeps bounds on time and memory, opens nothing by itself, and raises ModelError in words.
"""
