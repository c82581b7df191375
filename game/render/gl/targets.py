"""Render targets: multisampled world framebuffer, its resolve texture and the final picture."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .context import ReversedDepth, release_resources, unbind_framebuffer


class RenderTargets:
    """Framebuffers of one window size.

    `world`: scaled and multisampled, with depth. `resolved`: the world after the multisample resolve. `picture`: window
    size, RGBA8, with the HUD on it.
    """

    def __init__(
        self, ctx: Any, size: tuple[int, int], scale: float, samples: int, reversed_depth: ReversedDepth
    ) -> None:
        self.ctx = ctx
        self.size = size
        self.scale = scale
        world_size = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
        self.world_size = world_size
        samples = min(samples, ctx.max_samples)
        self.samples = samples if samples >= 2 else 0
        self.depth = reversed_depth.depth_buffer(ctx, world_size, self.samples)
        self.picture_texture = ctx.texture(size, 4)
        self.picture = ctx.framebuffer([self.picture_texture])
        self.resolved_texture: Any = None
        self.resolved: Any = self.picture
        if world_size != size:
            self.resolved_texture = ctx.texture(world_size, 4)
            self.resolved_texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self.resolved_texture.repeat_x = self.resolved_texture.repeat_y = False
            self.resolved = ctx.framebuffer([self.resolved_texture])
        self.colour: Any = None
        if self.samples:
            self.colour = ctx.renderbuffer(world_size, 4, samples=self.samples)
        self.world = ctx.framebuffer([self.colour or self.resolved_texture or self.picture_texture], self.depth)

    def resolve_multisamples(self) -> bool:
        """Resolve the samples of the world. Returns True if it must still be scaled to the picture."""
        if self.samples:
            self.ctx.copy_framebuffer(self.resolved, self.world)
        return self.resolved is not self.picture

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        resources = (self.world, self.picture, self.colour, self.depth, self.picture_texture, self.resolved_texture)
        if self.resolved is not self.picture:
            self.resolved.release()
        release_resources(*resources)


def read_image(framebuffer: Any) -> npt.NDArray[np.uint8]:
    """Colours of a framebuffer as (height, width, 3) bytes, top row first."""
    width, height = framebuffer.size
    pixels = np.frombuffer(framebuffer.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)
    return np.ascontiguousarray(pixels[::-1])
