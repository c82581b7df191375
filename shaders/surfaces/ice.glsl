// Ice: cracks at two scales over a milky base.
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    vec2 warped = p + 0.10 * (vec2(noise(p * 4.0, t * 4, 81), noise(p * 4.0, t * 4, 82)) - 0.5);
    vec3 coarse_cells = worley_noise(warped * 1.5, ivec2(TILE_SIZE * 1.5), 0.9, 83);
    vec3 fine_cells = worley_noise(warped * 5.0, t * 5, 1.0, 84);
    float crack = 1.0 - edge((coarse_cells.y - coarse_cells.x) / 1.5 - 0.006, 0.010);
    float fine_crack = (1.0 - edge((fine_cells.y - fine_cells.x) / 5.0 - 0.001, 0.004)) * smoothstep(0.4, 0.7, noise(p * 1.0, t, 85));
    float milk = fractal_noise(p * 1.5, ivec2(TILE_SIZE * 1.5), 4, 86);
    vec3 depth = mix(vec3(0.50, 0.80, 0.98), vec3(1.06, 1.05, 1.03), smoothstep(0.30, 0.75, milk + 0.15 * (coarse_cells.z - 0.5)));
    vec3 tint = depth + vec3(0.42, 0.30, 0.22) * max(crack, 0.6 * fine_crack);
    return Surface(tint, -0.002 * crack - 0.001 * fine_crack + 0.003 * milk, 0.95 - 0.5 * max(crack, 0.6 * fine_crack));
}
