// Conveyor belt: ribs across, and one chevron per metre that points along the flow (+p.x).
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    float worn = fractal_noise(p * 3.0, t * 3, 4, 91), grain = noise(p * 90.0, t * 90, 92);
    float rib = edge(abs(fract(p.x * 10.0) - 0.5) / 10.0 - 0.012, 0.004);
    float arrow = fract(p.x + abs(fract(p.y) - 0.5));  // chevron of 45 degrees
    float mark = edge(arrow - 0.10, 0.004) * edge(0.30 - arrow, 0.004);
    mark *= edge(abs(fract(p.y + 0.5) - 0.5) - 0.06, 0.004) * smoothstep(0.25, 0.42, worn + 0.25 * grain);
    float tone = (0.50 + 0.16 * (worn - 0.5) + 0.08 * (grain - 0.5)) * (0.86 + 0.14 * rib);
    return Surface(mix(vec3(tone), vec3(1.75, 1.60, 1.10), 0.85 * mark), 0.004 * rib + 0.0015 * mark, 0.30 - 0.1 * worn);
}
