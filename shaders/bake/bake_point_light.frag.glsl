// Light bake: direct light of one point lamp on each lightmap texel that it reaches. Lights add up by blending.
// PROBES: on the faces of the ambient cubes of light probes.
#include "include/bvh_traversal.glsl"
#ifdef PROBES
#include "bake/probe_faces.glsl"
#else
out vec4 gathered;
#endif

uniform sampler2D positions;       // metres; w: 0 where nothing belongs to the level
uniform sampler2D normals;
uniform vec4 lamp_position_reach;  // metres
uniform vec3 lamp_radiance;        // of a white surface that faces the light at 1 m
uniform vec3 bulb_sample;          // 0..1: sample point within the bulb
uniform float bulb_radius;         // metres
uniform float blur_radius;         // metres: within it light grows no more

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 texel_position = texelFetch(positions, texel, 0);
#ifdef PROBES
    vec3 n = vec3(0.0);
#else
    vec3 n = texelFetch(normals, texel, 0).xyz;
#endif
    vec3 origin = texel_position.xyz + n * 0.004;  // 4 mm off the surface, against self-shadowing
    vec3 to_lamp = lamp_position_reach.xyz - origin;
    float distance_squared = dot(to_lamp, to_lamp), reach_squared = lamp_position_reach.w * lamp_position_reach.w;
    if (texel_position.w < 0.5 || distance_squared > reach_squared || dot(to_lamp, n) < 0.0)
        discard;
    // Each texel of a 3x3 block samples another point of the bulb; the filter over the block averages all nine.
    float neighbour_index = float((texel.x % 3) * 3 + texel.y % 3);
    vec3 bulb_point = fract(bulb_sample + neighbour_index * vec3(0.8191725, 0.6710436, 0.5497005)) * 2.0 - 1.0;
    vec3 direction = to_lamp + bulb_point * min(bulb_radius, 0.4 * sqrt(distance_squared));
    direction += vec3(lessThan(abs(direction), vec3(1e-6))) * 1e-6;
    float nearest = 1.0;
    vec2 hit_uv;
    if (trace_ray(origin, direction, true, nearest, hit_uv) >= 0)
        discard;
    float ratio = distance_squared / reach_squared;
    float window = clamp(1.0 - ratio * ratio, 0.0, 1.0);  // falls to 0 at the reach
    vec3 light = lamp_radiance * (window * window / (distance_squared + blur_radius * blur_radius));
    vec3 incidence = to_lamp * inversesqrt(distance_squared);
#ifdef PROBES
    vec3 positive = max(incidence, 0.0), negative = max(-incidence, 0.0);
    positive_x = vec4(light * positive.x, 0.0);
    negative_x = vec4(light * negative.x, 0.0);
    positive_y = vec4(light * positive.y, 0.0);
    negative_y = vec4(light * negative.y, 0.0);
    positive_z = vec4(light * positive.z, 0.0);
    negative_z = vec4(light * negative.z, 0.0);
    back_faces = 0.0;
#else
    gathered = vec4(light * dot(incidence, normalize(n)), 0.0);
#endif
}
