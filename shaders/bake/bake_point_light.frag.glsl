// Light bake: direct light of one point light on each lightmap texel that it reaches. Lights add up by blending.
#include "include/bvh_traversal.glsl"

uniform sampler2D positions;       // metres; w: 1 where the texel belongs to the level
uniform sampler2D normals;
uniform vec4 lamp_position_reach;  // metres
uniform vec3 lamp_radiance;        // of a white surface that faces the light at 1 m
uniform vec3 bulb_sample;          // 0..1: sample point within the bulb
uniform float bulb_radius;         // metres
out vec4 gathered;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 texel_position = texelFetch(positions, texel, 0);
    vec3 n = texelFetch(normals, texel, 0).xyz;
    vec3 origin = texel_position.xyz + n * 0.004;  // 4 mm off the surface, against self-shadowing
    vec3 to_lamp = lamp_position_reach.xyz - origin;
    float distance_squared = dot(to_lamp, to_lamp), reach_squared = lamp_position_reach.w * lamp_position_reach.w;
    if (texel_position.w < 0.5 || distance_squared > reach_squared || dot(to_lamp, n) <= 0.0)
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
    float cos_incidence = dot(to_lamp, normalize(n)) * inversesqrt(distance_squared);
    float attenuation = cos_incidence * window * window / (distance_squared + bulb_radius * bulb_radius);
    gathered = vec4(lamp_radiance * attenuation, 0.0);
}
