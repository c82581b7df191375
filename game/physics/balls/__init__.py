"""Rigid balls: broad phase, contacts, continuous collision, solver and sleeping."""

from .balls import BALL_ROW, Balls, BallSettings, ball_rows, check_balls, touches

__all__ = ["BALL_ROW", "BallSettings", "Balls", "ball_rows", "check_balls", "touches"]
