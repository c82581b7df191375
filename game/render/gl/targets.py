"""Render targets: multisampled world framebuffer, its resolve texture and the final picture."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .context import ReversedDepth, unbind_framebuffer


class RenderTargets:
    """The world's framebuffer (MSAA where asked), what it resolves to, and the picture with the HUD on it."""

    def __init__(
        self, ctx: Any, size: tuple[int, int], scale: float, samples: int, reversed_depth: ReversedDepth
    ) -> None:
        self.ctx = ctx
        self.size = size
        self.scale = scale
        scaled = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
        self.world_size = scaled
        samples = min(samples, ctx.max_samples)
        self.samples = samples if samples >= 2 else 0
        self.depth = reversed_depth.depth_buffer(ctx, scaled, self.samples)
        self.picture_texture = ctx.texture(size, 4)
        self.picture = ctx.framebuffer([self.picture_texture])
        self.resolved_texture: Any = None
        self.resolved: Any = self.picture
        if scaled != size:
            self.resolved_texture = ctx.texture(scaled, 4)
            self.resolved_texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self.resolved_texture.repeat_x = self.resolved_texture.repeat_y = False
            self.resolved = ctx.framebuffer([self.resolved_texture])
        self.colour: Any = None
        if self.samples:
            self.colour = ctx.renderbuffer(scaled, 4, samples=self.samples)
        self.world = ctx.framebuffer([self.colour or self.resolved_texture or self.picture_texture], self.depth)

    def resolve_multisamples(self) -> bool:
        """Bring the world's samples together; True where it still has to be scaled up to the picture."""
        if self.samples:
            self.ctx.copy_framebuffer(self.resolved, self.world)
        return self.resolved is not self.picture

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        things = (self.world, self.picture, self.colour, self.depth, self.picture_texture, self.resolved_texture)
        if self.resolved is not self.picture:
            self.resolved.release()
        for thing in things:
            if thing is not None:
                thing.release()


def read_image(framebuffer: Any) -> npt.NDArray[np.uint8]:
    """A framebuffer's colours as (height, width, 3) bytes, top row first."""
    width, height = framebuffer.size
    pixels = np.frombuffer(framebuffer.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)
    return np.ascontiguousarray(pixels[::-1])
