"""Video memory of a picture as a texture: four bytes a texel, with its mipmaps."""

from __future__ import annotations

MAX_TEXTURE_SIDE = 4096  # texels: larger pictures are reduced, at every quality
BYTES_PER_TEXEL = 4


def reduced_size(width: int, height: int, longest: int = MAX_TEXTURE_SIDE) -> tuple[int, int]:
    """Size of a picture (pixels) after it is reduced to at most `longest` pixels a side, with its proportions."""
    side = max(width, height)
    if side <= longest:
        return max(width, 1), max(height, 1)
    return max(1, round(width * longest / side)), max(1, round(height * longest / side))


def mipmap_sizes(width: int, height: int) -> list[tuple[int, int]]:
    """Sizes of all mipmap levels, from the picture's own down to 1 x 1."""
    sizes = [(width, height)]
    while sizes[-1] != (1, 1):
        width, height = max(width // 2, 1), max(height // 2, 1)
        sizes.append((width, height))
    return sizes


def estimate_texture_bytes(width: int, height: int, longest: int = MAX_TEXTURE_SIDE) -> int:
    """Bytes of video memory of a picture of `width` by `height` pixels, mipmaps included."""
    return BYTES_PER_TEXEL * sum(x * y for x, y in mipmap_sizes(*reduced_size(width, height, longest)))
