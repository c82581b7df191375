"""Constants that Python and the shaders share."""

from __future__ import annotations

# Every program that names one of these gets it as a define.
SHADER_CONSTANTS = {
    "TONE_CONTRAST": 1.3,  # exponent of the tone curve
    "CHANNEL_MIX": 0.08,  # fraction of the mean of red, green and blue in each of them: bright colours fade to white
    "MAX_RADIANCE": 4.0,  # of baked light; lightmap pixels are the square root of light / MAX_RADIANCE
    "MIN_TINT": 0.40,  # colour factor at alpha 0 of the lightmap
    "TINT_RANGE": 0.75,  # and its increase to alpha 1
    "MAX_FLOW_SPEED": 16.0,  # of the pattern of conveyors, tiles per second
    "LAMP_BULB_RADIUS": 0.10,  # metres: radius of the emitter, for soft shadows and a finite maximum
    "LAMP_SHADOW_NEAR": 0.2,  # metres from a carried lamp within which nothing casts a shadow of it: its own housing
    "ALBEDO_LIMIT": 0.60,  # largest luminance of a painted surface
    "ALBEDO_KNEE": 0.6,  # fraction of the limit from which a colour is darkened
    "RELIEF_STRENGTH": 1.35,  # factor of the slopes of a relief texture
    "PROBE_FARTHEST_WALL": 1.25,  # largest distance from a light probe to a surface, in spacings; from 1 on they blend
    "BIRD_CELL": 70.0,  # metres along a cell with a flock of birds
    "BIRDS_PER_FLOCK": 6,
    "CUBES_IN_ROW": 1024,  # of the texture with the ambient light of balls or bodies
    "CAVITY_RANGE": 1.25,  # ambient light at alpha 1 of a relief texture, as a factor
}
