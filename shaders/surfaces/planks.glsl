// Boards of 15 cm by 3 m, butt joints at random positions.
#include "surfaces/tile_common.glsl"

const float WIDE = 0.15, GAP = 0.0022;

Surface surface(vec2 p) {
    ivec2 boards = ivec2(1, int(round(TILE_SIZE / WIDE)));
    int board = wrap(ivec2(0, int(floor(p.y / WIDE))), boards).y;
    float shift = random(ivec2(board, 3), 31) * TILE_SIZE;
    float x = p.x + shift;
    float along = x - floor(x / TILE_SIZE) * TILE_SIZE, across = p.y - floor(p.y / WIDE) * WIDE;
    float side = min(min(across, WIDE - across), min(along, TILE_SIZE - along));
    float top = edge(side - GAP, 0.0018);
    float corner_radius = edge(side - 0.007, 0.006);
    // Grain: long streaks that bend around knots.
    vec2 knot = vec2(TILE_SIZE * random(ivec2(board, 4), 32), WIDE * mix(0.25, 0.75, random(ivec2(board, 5), 33)));
    vec2 off = vec2(along - knot.x, across - knot.y);
    float near = exp(-dot(off * vec2(5.0, 22.0), off * vec2(5.0, 22.0)));
    vec2 g = vec2(x * 1.0, p.y * 40.0 + 2.2 * near * sign(off.y));
    float streak = fractal_noise(g, ivec2(int(TILE_SIZE), int(TILE_SIZE * 40.0)), 4, 34 + board);
    float fibre = noise(vec2(x * 10.0, p.y * 330.0), ivec2(TILE_SIZE * vec2(10.0, 330.0)), 35);
    float tone = 0.80 + 0.34 * random(ivec2(board, 6), 36) + 0.40 * (streak - 0.5) + 0.10 * (fibre - 0.5) - 0.34 * near * near;
    vec3 hue = mix(vec3(1.06, 1.0, 0.90), vec3(0.98, 1.0, 1.02), random(ivec2(board, 7), 37));
    float nail = length(vec2(min(along, TILE_SIZE - along) - 0.03, abs(across - WIDE * 0.5) - WIDE * 0.3));
    tone *= 1.0 - 0.6 * (1.0 - edge(nail - 0.004, 0.002));
    vec3 tint = mix(vec3(0.16, 0.14, 0.12), hue * tone * (0.86 + 0.14 * corner_radius), top);
    return Surface(tint, 0.003 * top + 0.002 * corner_radius + 0.0012 * streak, 0.22 * top);
}
