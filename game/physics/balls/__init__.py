"""Rigid balls: broad phase, contacts, continuous collision, solver and sleeping."""

from .balls import BALL_ROW, Balls, BallSettings, any_ball_touches, ball_rows, check_balls

__all__ = ["BALL_ROW", "BallSettings", "Balls", "any_ball_touches", "ball_rows", "check_balls"]
