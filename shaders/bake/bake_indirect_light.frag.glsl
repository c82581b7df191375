// Light bake: one ray of sky light and indirect light from each lightmap texel. Rays add up by blending.
#include "bake/incoming_light.glsl"

uniform sampler2D positions;        // metres; w: 1 where the texel belongs to the level
uniform sampler2D normals;
uniform vec2 ray_sample;            // 0..1: squared sine of the angle to the normal, and turns around it
uniform vec2 occlusion_distances;   // metres within which a surface darkens the texel
layout(location = 0) out vec4 gathered;   // radiance; w: 1 where the ray hits a back face
layout(location = 1) out float occlusion;  // 1 for a hit at distance 0, 0 from occlusion_distances on

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 texel_position = texelFetch(positions, texel, 0);
    if (texel_position.w < 0.5)
        discard;
    vec3 n = normalize(texelFetch(normals, texel, 0).xyz);
    vec3 tangent = normalize(abs(n.y) > 0.7 ? cross(n, vec3(1.0, 0.0, 0.0)) : cross(n, vec3(0.0, 1.0, 0.0)));
    // Each texel of a 3x3 block sends another ray; the filter over the block averages all nine.
    float neighbour_index = float((texel.x % 3) * 3 + texel.y % 3);
    vec2 disc_sample = fract(ray_sample + neighbour_index * vec2(0.7548777, 0.5698403));
    // Cosine-weighted direction: uniform on the unit disc, projected up to the hemisphere (Malley's method).
    float disc_radius = sqrt(disc_sample.x), azimuth = 6.2831853 * disc_sample.y;
    vec3 direction = tangent * (disc_radius * cos(azimuth)) + cross(n, tangent) * (disc_radius * sin(azimuth)) +
                     n * sqrt(1.0 - disc_sample.x);
    direction += vec3(lessThan(abs(direction), vec3(1e-7))) * 1e-7;
    vec3 origin = texel_position.xyz + n * 0.004;  // 4 mm off the surface, against self-intersection
    float nearest;
    vec4 light = incoming_light(origin, direction, nearest);
    if (light.w < 0.0) {
        gathered = vec4(light.rgb, 0.0);
        occlusion = 0.0;
        return;
    }
    vec2 closeness = max(1.0 - nearest / occlusion_distances, 0.0);
    occlusion = (1.0 - light.w) * 0.5 * dot(closeness, closeness);
    // Near surfaces weigh less than they physically do, which darkens corners.
    float weight = mix(0.15, 1.0, smoothstep(0.0, 0.9, nearest));
    gathered = vec4(weight * light.rgb, light.w);
}
