// Paint with a faint grain.
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    float cloud = fractal_noise(p * 2.0, ivec2(TILE_SIZE * 2.0), 4, 1);
    float grain = noise(p * 120.0, ivec2(TILE_SIZE * 120.0), 2);
    return Surface(vec3(0.96 + 0.06 * cloud + 0.03 * grain), 0.0006 * grain, 0.12);
}
