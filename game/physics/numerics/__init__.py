"""Numerics: the JIT decorators, deterministic trigonometry and projection onto half-spaces."""
