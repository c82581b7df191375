// Boards of 15 cm by 3 m, butt joints at random positions.
#include "surfaces/tile_common.glsl"

const float BOARD_WIDTH = 0.15, GAP = 0.0022;

Surface surface(vec2 p) {
    ivec2 boards = ivec2(1, int(round(TILE_SIZE / BOARD_WIDTH)));
    int board = wrap(ivec2(0, int(floor(p.y / BOARD_WIDTH))), boards).y;
    float shift = random(ivec2(board, 3), 31) * TILE_SIZE;
    float x = p.x + shift;
    float along = x - floor(x / TILE_SIZE) * TILE_SIZE, across = p.y - floor(p.y / BOARD_WIDTH) * BOARD_WIDTH;
    float side = min(min(across, BOARD_WIDTH - across), min(along, TILE_SIZE - along));
    float top = edge(side - GAP, 0.0018);
    float corner_radius = edge(side - 0.007, 0.006);
    // Grain: long streaks that bend around knots.
    vec2 knot = vec2(TILE_SIZE * random(ivec2(board, 4), 32), BOARD_WIDTH * mix(0.25, 0.75, random(ivec2(board, 5), 33)));
    vec2 knot_offset = vec2(along - knot.x, across - knot.y);
    float knot_weight = exp(-dot(knot_offset * vec2(5.0, 22.0), knot_offset * vec2(5.0, 22.0)));
    vec2 grain = vec2(x * 1.0, p.y * 40.0 + 2.2 * knot_weight * sign(knot_offset.y));
    float streak = fractal_noise(grain, ivec2(int(TILE_SIZE), int(TILE_SIZE * 40.0)), 4, 34 + board);
    float fibre = noise(vec2(x * 10.0, p.y * 330.0), ivec2(TILE_SIZE * vec2(10.0, 330.0)), 35);
    float tone = 0.80 + 0.34 * random(ivec2(board, 6), 36) + 0.40 * (streak - 0.5) + 0.10 * (fibre - 0.5) - 0.34 * knot_weight * knot_weight;
    vec3 hue = mix(vec3(1.06, 1.0, 0.90), vec3(0.98, 1.0, 1.02), random(ivec2(board, 7), 37));
    float nail = length(vec2(min(along, TILE_SIZE - along) - 0.03, abs(across - BOARD_WIDTH * 0.5) - BOARD_WIDTH * 0.3));
    tone *= 1.0 - 0.6 * (1.0 - edge(nail - 0.004, 0.002));
    vec3 tint = mix(vec3(0.16, 0.14, 0.12), hue * tone * (0.86 + 0.14 * corner_radius), top);
    return Surface(tint, 0.003 * top + 0.002 * corner_radius + 0.0012 * streak, 0.22 * top);
}
