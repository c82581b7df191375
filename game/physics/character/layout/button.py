"""Bits of `buttons` in a command."""

JUMP = 1 << 0
CROUCH = 1 << 1
SPRINT = 1 << 2
USE = 1 << 3
