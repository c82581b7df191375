"""Pictures of levels and walks: floor plans, map sheets, run maps, charts, heat maps and plot sheets."""
