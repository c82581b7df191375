// Sand: faint wavy ripples that fork, and glinting grains.
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    float bend = fractal_noise(p * 1.5, ivec2(TILE_SIZE * 1.5), 4, 111) + 0.35 * noise(p * 5.0, t * 5, 112);
    float ripple = 0.5 + 0.5 * sin(6.2831853 * (p.y * 9.0 + 2.6 * bend));
    ripple = ripple * ripple * (3.0 - 2.0 * ripple);
    float grain = noise(p * 160.0, t * 160, 113), glint = step(0.93, random(wrap(ivec2(floor(p * 150.0)), t * 150), 114));
    float tone = 0.84 + 0.03 * (ripple - 0.5) + 0.14 * (grain - 0.5) + 0.18 * (fractal_noise(p * 2.0, t * 2, 3, 115) - 0.5);
    return Surface(vec3(tone) * mix(vec3(0.995, 1.0, 1.01), vec3(1.01, 1.0, 0.99), ripple), 0.001 * ripple + 0.001 * grain, 0.45 * glint);
}
