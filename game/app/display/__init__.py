"""Frames and window display: HUD building, frame statistics, dynamic resolution, screenshots."""
