// Ambient light of what moves: light probes that are baked with the lightmap (game/render/scene/light_probes.py).
#include "include/frame_block.glsl"
uniform sampler3D light_probes;  // light on the six faces of a cube along y, then again with that of lamps; w: 1 / distance^2

// Light of an open sky and ground on a surface of normal n; as open_sky_irradiance in lightmap.py.
vec3 open_sky_light(vec3 n) {
    vec3 sky = 0.45 * zenith.rgb + 0.55 * horizon.rgb;
    vec3 below = ground.rgb + 0.12 * sunlight.rgb * max(to_sun.y, 0.0);
    return mix(below, sky, 0.5 + 0.5 * n.y);
}

// A face of the cubes at a place, in spacings from the first probe.
vec4 probe_face(vec3 at, int face) {
    vec3 texel = at + vec3(0.5, float(face) * probe_counts.y + 0.5, 0.5);
    return texture(light_probes, texel / (probe_counts.xyz * vec3(1.0, probe_counts.w, 1.0)));
}

// Coordinate of a place along an axis (0..2), or that of the probe on its side of a wall between two probes.
float on_this_side(vec3 at, int axis) {
    float nearest = floor(at[axis] + 0.5), offset = at[axis] - nearest;
    at[axis] = nearest;
    float wall = inversesqrt(probe_face(at, 2 * axis + (offset < 0.0 ? 1 : 0)).w);  // spacings
    float side = abs(offset) < wall ? 0.0 : 1.0;
    return nearest + sign(offset) * mix(side, abs(offset), clamp((wall - 1.0) / (PROBE_FARTHEST_WALL - 1.0), 0.0, 1.0));
}

// Ambient light on a surface of normal n at a place (metres): that of an open sky until light is baked. LAMPS: without
// the direct light of lamps, which the surface gets by itself.
vec3 ambient(vec3 position, vec3 n) {
    if (probe_counts.w == 0.0)
        return open_sky_light(n);
    vec3 place = clamp((position - probe_origin.xyz) / probe_origin.w, vec3(0.0), probe_counts.xyz - 1.0), at = place;
    at.y = on_this_side(at, 1);
    at.x = on_this_side(at, 0);
    at.z = on_this_side(at, 2);
    // Again, between probes on this side of the walls along the other axes.
    at.y = on_this_side(vec3(at.x, place.y, at.z), 1);
    at.x = on_this_side(vec3(place.x, at.yz), 0);
#ifdef LAMPS
    int first = 0;
#else
    int first = int(probe_counts.w) - 6;
#endif
    vec3 weight = n * n;
    return weight.x * probe_face(at, first + (n.x < 0.0 ? 1 : 0)).rgb +
           weight.y * probe_face(at, first + (n.y < 0.0 ? 3 : 2)).rgb +
           weight.z * probe_face(at, first + (n.z < 0.0 ? 5 : 4)).rgb;
}
