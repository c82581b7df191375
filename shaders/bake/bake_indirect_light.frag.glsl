// Light bake: one ray of sky light and indirect light from each lightmap texel. Rays add up by blending.
#include "include/frame_block.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/bvh_traversal.glsl"

uniform sampler2D positions;        // metres; w: 1 where the texel belongs to the level
uniform sampler2D normals;
uniform sampler2D previous_bounce;  // lightmap of the previous, coarser pass
uniform float bounce_weight;        // factor for the light that previous_bounce holds
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
    float nearest = 1e9;
    vec2 hit_uv;
    int hit_triangle = trace_ray(origin, direction, false, nearest, hit_uv);
    if (hit_triangle < 0) {
        // Clouds make the sky less blue: 30 % of its grey value.
        vec3 sky = sky_radiance(direction);
        gathered = vec4(mix(sky, vec3(dot(sky, vec3(0.33))), 0.3), 0.0);
        occlusion = 0.0;
        return;
    }
    vec4 vertex = fetch_row(bvh_triangles, 5 * hit_triangle);
    vec4 e1 = fetch_row(bvh_triangles, 5 * hit_triangle + 1), e2 = fetch_row(bvh_triangles, 5 * hit_triangle + 2);
    vec4 uv01 = fetch_row(bvh_triangles, 5 * hit_triangle + 3);
    vec2 uv2 = fetch_row(bvh_triangles, 5 * hit_triangle + 4).xy;
    vec3 hit_normal = normalize(cross(e1.xyz, e2.xyz));
    float back_face = step(0.0, dot(hit_normal, direction));
    hit_normal *= 1.0 - 2.0 * back_face;
    vec3 hit_position = origin + direction * nearest + hit_normal * to_sun.w * 2.0;
    float sun_light = max(dot(hit_normal, to_sun.xyz), 0.0);
    sun_light *= static_shadow((world_to_shadow * vec4(hit_position, 1.0)).xyz, vec2(0.0));
    vec2 hit_lightmap_uv = uv01.xy + (uv01.zw - uv01.xy) * hit_uv.x + (uv2 - uv01.xy) * hit_uv.y;
    vec3 bounced = texture(previous_bounce, hit_lightmap_uv).rgb;  // root of a quarter of the light
    vec3 albedo = vec3(vertex.w, e1.w, e2.w);
    albedo = mix(albedo, vec3(dot(albedo, vec3(0.3, 0.5, 0.2))), 0.25);  // less colour bleeding
    vec2 closeness = max(1.0 - nearest / occlusion_distances, 0.0);
    occlusion = (1.0 - back_face) * 0.5 * dot(closeness, closeness);
    // Near surfaces weigh less than they physically do, which darkens corners.
    float weight = mix(0.15, 1.0, smoothstep(0.0, 0.9, nearest));
    vec3 reflected = albedo * (bounced * bounced * (MAX_RADIANCE * bounce_weight) + sunlight.rgb * sun_light);
    gathered = vec4(weight * reflected, back_face);
}
