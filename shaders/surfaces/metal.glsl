// Brushed metal sheets of 1 m with rivets along the edges.
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    ivec2 sheet = wrap(ivec2(floor(p)), t);
    vec2 inside = fract(p);
    float side = distance_inside_cell(inside, vec2(1.0), 0.01);
    float seam = 1.0 - edge(side - 0.003, 0.002);
    vec2 along = abs(fract(p * 8.0) - 0.5) / 8.0;  // rivets every 12.5 cm
    vec2 rim = min(inside, 1.0 - inside);
    float rivet = 1e3;
    rivet = min(rivet, length(vec2(rim.x - 0.03, along.y)));
    rivet = min(rivet, length(vec2(along.x, rim.y - 0.03)));
    float head = 1.0 - edge(rivet - 0.007, 0.004);
    float brushed = noise(p * vec2(4.0, 300.0), t * ivec2(4, 300), 71), cloud = fractal_noise(p * 3.0, t * 3, 4, 72);
    float tone = 0.95 + 0.10 * (random(sheet, 73) - 0.5) + 0.14 * (brushed - 0.5) + 0.18 * (cloud - 0.5);
    tone *= (1.0 - 0.55 * seam) * (1.0 + 0.12 * head) * (1.0 - 0.3 * (edge(rivet - 0.007, 0.004) - edge(rivet - 0.013, 0.006)));
    return Surface(vec3(tone), 0.004 * head - 0.004 * seam + 0.0004 * brushed, 0.72 - 0.3 * seam - 0.15 * cloud);
}
