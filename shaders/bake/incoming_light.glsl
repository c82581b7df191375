// Light bake: light that arrives along a ray, of the sky or of the surface that it hits.
#include "include/frame_block.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/bvh_traversal.glsl"
uniform sampler2D previous_bounce;  // lightmap of the previous, coarser pass
uniform float bounce_weight;        // factor for the light that previous_bounce holds

// Radiance. w: -1 where the ray leaves the level, 1 where it hits a back face, else 0. nearest: metres to the surface.
vec4 incoming_light(vec3 origin, vec3 direction, out float nearest) {
    nearest = 1e9;
    vec2 hit_uv;
    int hit_triangle = trace_ray(origin, direction, false, nearest, hit_uv);
    if (hit_triangle < 0) {
        // Clouds make the sky less blue: 30 % of its grey value.
        vec3 sky = sky_radiance(direction);
        return vec4(mix(sky, vec3(dot(sky, vec3(0.33))), 0.3), -1.0);
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
    vec3 in_map = (world_to_shadow * vec4(hit_position, 1.0)).xyz;
    sun_light *= texture(shadow_map, vec3(min(in_map.x, 1.0) * level_map_width(), in_map.yz));
    vec2 hit_lightmap_uv = uv01.xy + (uv01.zw - uv01.xy) * hit_uv.x + (uv2 - uv01.xy) * hit_uv.y;
    vec3 bounced = texture(previous_bounce, hit_lightmap_uv).rgb;  // root of a quarter of the light
    vec3 albedo = vec3(vertex.w, e1.w, e2.w);
    albedo = mix(albedo, vec3(dot(albedo, vec3(0.3, 0.5, 0.2))), 0.25);  // less colour bleeding
    return vec4(
        albedo * (bounced * bounced * (MAX_RADIANCE * bounce_weight) + sunlight.rgb * sun_light), back_face);
}
