"""Passes of nature: leaf cards, tufts of grass near the eye, birds, and particles; each is one draw call."""

from __future__ import annotations

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from ..gl.programs import SHADER_CONSTANTS
from ..gl.quality import shader_defines, shadow_defines
from ..gl.render_pass import OWN_UNIT, PassContext, RenderPass, set_state, write_growing
from ..nature.leaf_cards import LEAF_CARD, LeafCards
from ..nature.particles import PARTICLE, Particles
from ..nature.tufts import TUFT_RANGE, TuftField, tuft_picture
from .frame import Frame

SAMPLE_ALPHA_TO_COVERAGE = 0x809E
FLOCKS, VERTICES_PER_BIRD = 9, 24  # a flock in each of 3 x 3 cells around the eye
BIRD_COUNT = FLOCKS * int(SHADER_CONSTANTS["BIRDS_PER_FLOCK"])
HEIGHT_ABOVE_LEVEL = 6.0  # metres of the lowest bird above what collides
MIN_SUNLIGHT = 0.5  # radiance: at night and where no sun shines no birds fly


class LeafPass(RenderPass):
    """Draws cards (n,) LEAF_CARD with a picture (h, w, 4)."""

    def __init__(self, context: PassContext, cards: LeafCards, picture: npt.NDArray[np.uint8]) -> None:
        quality = context.quality
        super().__init__(context, shader_defines(context.reversed_depth, quality) | shadow_defines(quality))
        self._samples = min(quality.samples, self.ctx.max_samples)
        if self._samples >= 2:
            self.defines["ALPHA_TO_COVERAGE"] = 1
        self._buffer = self.own(self.ctx.buffer(reserve=LEAF_CARD.itemsize * max(len(cards), 64)))
        self._write_cards(cards)
        self._texture = self.own(self.ctx.texture(picture.shape[1::-1], 4, picture.tobytes()))
        self._texture.build_mipmaps()
        self._texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self._texture.repeat_x = self._texture.repeat_y = False

    def _write_cards(self, cards: LeafCards) -> None:
        self.count = len(cards)
        write_growing(self._buffer, cards)

    def draw(self, frame: Frame) -> None:
        """Draw the cards."""
        if not self.count:
            return
        array = self.array("nature/leaf_card", (self._buffer, LEAF_CARD, "/i"), leaf_picture=OWN_UNIT)
        self._texture.use(OWN_UNIT)
        set_state(self.ctx, frame.target, ">")
        if self._samples >= 2:
            self.ctx.enable_direct(SAMPLE_ALPHA_TO_COVERAGE)
        array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self.count)
        if self._samples >= 2:
            self.ctx.disable_direct(SAMPLE_ALPHA_TO_COVERAGE)


class TuftPass(LeafPass):
    """Draws the tufts of grass that are near the eye."""

    def __init__(self, context: PassContext, field: TuftField) -> None:
        super().__init__(context, np.zeros(0, LEAF_CARD), tuft_picture())
        self.defines["TUFT_RANGE"] = TUFT_RANGE
        self._field = field

    def draw(self, frame: Frame) -> None:
        """Draw the tufts near the eye of the frame."""
        cards = self._field.near(frame.snapshot.view.eye)
        if cards is not None:
            self._write_cards(cards)
        super().draw(frame)


class BirdPass(RenderPass):
    """Draws small flocks that circle around the eye by day, placed and moved by the time alone.

    level_top: m, of what collides. sunlight (3,), stars: of the daylight.
    """

    def __init__(self, context: PassContext, level_top: float, sunlight: Floats, stars: float) -> None:
        super().__init__(context)
        self._lowest = level_top + HEIGHT_ABOVE_LEVEL
        self.is_empty = max(sunlight) < MIN_SUNLIGHT or stars > 0.0

    def draw(self, frame: Frame) -> None:
        """Draw the birds; none while the picture is calm."""
        if self.is_empty or frame.snapshot.calm:
            return
        array = self.array("nature/bird", lowest=self._lowest)
        set_state(self.ctx, frame.target, ">")
        array.render(moderngl.TRIANGLES, vertices=VERTICES_PER_BIRD, instances=BIRD_COUNT)


class ParticlePass(RenderPass):
    """Draws particles (n,) as soft discs that begin again when they end; without any, those of the snapshot, once."""

    def __init__(self, context: PassContext, looped: Particles | None = None) -> None:
        super().__init__(context)
        if looped is not None:
            self.defines["LOOPED"] = 1
        self._looped = looped
        self.count = 0 if looped is None else len(looped)
        self._buffer = self.own(self.ctx.buffer(reserve=PARTICLE.itemsize * max(self.count, 64)))
        if self.count:
            self._buffer.write(looped.tobytes())  # type: ignore[union-attr]

    def draw(self, frame: Frame) -> None:
        """Blend the particles over the target; none while the picture is calm."""
        if self._looped is None and (particles := frame.snapshot.particles) is not None:
            self.count = len(particles)
            write_growing(self._buffer, particles)
        if not self.count or frame.snapshot.calm:
            return
        array = self.array("nature/particle", (self._buffer, PARTICLE, "/i"))
        set_state(self.ctx, frame.target, ">", writes_depth=False, blending="alpha")
        array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self.count)
