"""Maps of levels and runs: floor plans, map sheets and top-down maps."""
