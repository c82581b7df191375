"""Off-screen contexts: missing libraries, reversed depth, suggested quality."""

from __future__ import annotations

from typing import Any

import moderngl
import pytest

from game.render import ContextError, offscreen_context, suggested_quality
from game.render.gl import context as context_module
from game.render.gl.context import ReversedDepth


@pytest.mark.parametrize(
    ("found", "package"),
    [({}, "libegl1"), ({"EGL"}, "libgl1"), ({"EGL", "GL"}, "libgl1-mesa-dri")],
)
def test_a_missing_library_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch, found: set[str], package: str
) -> None:
    def refuse(**_: Any) -> None:
        raise Exception("(detect) the driver said no")

    monkeypatch.setattr(moderngl, "create_context", refuse)
    monkeypatch.setattr(context_module.sys, "platform", "linux")
    monkeypatch.setattr(context_module.ctypes.util, "find_library", lambda name: name if name in found else None)
    with pytest.raises(ContextError, match=rf"install the package {package}\b.*the driver said no"):
        offscreen_context()


def test_reversed_depth_is_enabled_or_declined(ctx: Any) -> None:
    can = ctx.version_code >= 450 or "GL_ARB_clip_control" in ctx.extensions
    assert bool(ReversedDepth(ctx)) == can
    assert not ReversedDepth(ctx, allowed=False)


def test_software_rendering_gets_the_low_quality() -> None:
    assert suggested_quality("llvmpipe (LLVM 15.0.6, 256 bits)") == "low"
    assert suggested_quality("Google SwiftShader") == "low"
    assert suggested_quality("NVIDIA GeForce RTX 3060/PCIe/SSE2") == "high"
