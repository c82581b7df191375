"""Views of the editor: overlays, geometry views, inspector, ruler and key help."""
