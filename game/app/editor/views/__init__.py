"""Views of the editor: overlays, geometry views, inspector and key help."""
