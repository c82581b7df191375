// Ball: sun with shadow maps, ambient light, specular highlight and rim light.
#include "include/shade.glsl"
#include "include/ambient_cube.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec3 normal;
in vec3 local_normal;
flat in vec3 colour;
flat in int instance;
out vec4 picture_colour;

void main() {
    vec3 from_eye = world_position - eye.xyz;
    vec3 n = normalize(normal), local = normalize(local_normal), view = normalize(from_eye);
    // A pale belt and two caps make the rotation visible.
    float filter_width = fwidth(local.y) + 1e-4;
    float belt = 1.0 - smoothstep(0.16 - filter_width, 0.16 + filter_width, abs(local.y));
    float cap = smoothstep(0.90 - filter_width, 0.90 + filter_width, abs(local.y));
    vec3 albedo = mix(colour, mix(colour, vec3(0.92), 0.72), max(belt, cap));
    vec3 offset_position = world_position + n * to_sun.w * 1.6;
    float sun_light = max(dot(n, to_sun.xyz), 0.0);
    vec3 shadow_position = (world_to_shadow * vec4(offset_position, 1.0)).xyz;
    vec2 slope = shadow_depth_slope(n);
    sun_light *= static_shadow(shadow_position, slope, world_position, n) * dynamic_shadow(shadow_position, slope);
    vec3 sky_light = instance_light(instance, n);
    vec3 radiance = albedo * (sky_light + sunlight.rgb * sun_light);
    float specular = pow(max(dot(normalize(to_sun.xyz - view), n), 0.0), 60.0);
    float fresnel = pow(1.0 - max(-dot(view, n), 0.0), 4.0);
    radiance += sunlight.rgb * sun_light * specular * 0.6 + fresnel * 0.12 * horizon.rgb;
    picture_colour = shown_through_haze(radiance, from_eye);
    WRITE_DEPTH
}
