// Ellipsoid: translucent ghost or solid in flat shading, or a lit character with a visor, or a part of it.
#include "include/shade.glsl"
#include "include/ambient_cube.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec3 normal;
in vec3 local_normal;
flat in vec4 colour;
flat in float is_character;
flat in int instance;
out vec4 picture_colour;

const vec3 CREAM = vec3(0.74, 0.66, 0.52), DARK = vec3(0.012, 0.016, 0.022), EYE_LIGHT = vec3(0.35, 0.95, 1.0);
const float SEAM = -0.12, STRIPE = 0.16;  // height of the seam, and half the width of the stripe over the head

// 1 inside an ellipse about the centre on the front of the unit sphere, with a smooth edge.
float front_ellipse(vec3 local, vec2 centre, vec2 radii, float edge) {
    float radius = length((local.xy - centre) / radii);
    return (1.0 - smoothstep(1.0 - edge / min(radii.x, radii.y), 1.0, radius)) * step(local.z, -0.1);
}

// Character: lit as the level, with a dark visor and two lit eyes at eye height, a light belly and a stripe.
vec4 shade_character(vec3 n, vec3 from_eye) {
    vec3 view = normalize(from_eye), local = normalize(local_normal);
    vec3 albedo = pow((colour.rgb + 0.055) / 1.055, vec3(2.4));
    float filter_width = fwidth(local.y) + 1e-4;
    float visor = 0.0, eyes = 0.0;
    if (is_character < 1.5) {
        float belly = smoothstep(filter_width, -filter_width, local.y - SEAM);
        float stripe = smoothstep(filter_width, -filter_width, abs(local.x) - STRIPE) * step(0.0, local.z);
        albedo = mix(albedo, CREAM, max(belly, stripe));
        albedo *= mix(1.0, 0.25, smoothstep(0.022 + filter_width, 0.022 - filter_width, abs(local.y - SEAM)));
        visor = front_ellipse(local, vec2(0.0, 0.60), vec2(0.72, 0.15), filter_width);
        eyes = max(front_ellipse(local, vec2(-0.26, 0.60), vec2(0.085, 0.075), filter_width),
                   front_ellipse(local, vec2(0.26, 0.60), vec2(0.085, 0.075), filter_width));
        albedo = mix(albedo, DARK, visor);
    }
    vec3 offset_position = world_position + n * to_sun.w * 1.6;
    float sun_light = max(dot(n, to_sun.xyz), 0.0);
    vec3 shadow_position = (world_to_shadow * vec4(offset_position, 1.0)).xyz;
    vec2 slope = shadow_depth_slope(n);
    sun_light *= static_shadow(shadow_position, slope, world_position, n) * dynamic_shadow(shadow_position, slope);
    vec3 sky_light = instance_light(instance, n);
    // The ground occludes the lower half.
    float ambient_occlusion = mix(0.35, 1.0, smoothstep(-1.0, 0.1, local.y));
    vec3 radiance = albedo * (sky_light * ambient_occlusion + sunlight.rgb * sun_light);
    float specular = pow(max(dot(normalize(to_sun.xyz - view), n), 0.0), mix(40.0, 160.0, visor));
    float fresnel = pow(1.0 - max(-dot(view, n), 0.0), 4.0);
    radiance += sunlight.rgb * sun_light * specular * mix(0.35, 1.2, visor);
    radiance += (0.10 + 0.25 * visor) * fresnel * horizon.rgb;
    radiance = mix(radiance, EYE_LIGHT, 0.9 * eyes);
    return vec4(shown_through_haze(radiance, from_eye).rgb, colour.a);
}

void main() {
    vec3 n = normalize(normal), from_eye = world_position - eye.xyz, view = normalize(from_eye);
    float facing = clamp(-dot(n, view), 0.0, 1.0);
    float fresnel = pow(1.0 - facing, 2.5);
    float brightness = 0.62 + 0.26 * max(dot(n, to_sun.xyz), 0.0) + 0.12 * n.y;
    float transparency = 1.0 - colour.a;
    // A ghost is clear in the centre and bright at the rim; a solid body has a soft highlight of the sun.
    float highlight = pow(max(dot(reflect(view, n), to_sun.xyz), 0.0), 24.0) * (1.0 - 0.6 * transparency);
    vec3 rim_colour = mix(vec3(1.0), colour.rgb, 0.4);
    vec3 shaded = colour.rgb * brightness + (0.30 * fresnel * transparency + 0.35 * highlight) * rim_colour;
    float opacity = mix(colour.a, min(1.0, colour.a + 0.55), fresnel * step(0.001, transparency));
    float edge = fwidth(local_normal.y) + 1e-4;  // a ghost looks where it goes
    float visor = step(0.001, transparency) * step(-1.5, is_character) *
                  front_ellipse(normalize(local_normal), vec2(0.0, 0.60), vec2(0.72, 0.15), edge);
    shaded = mix(shaded, shaded * 0.35, visor);
    opacity = mix(opacity, min(1.0, colour.a + 0.35), visor);
    picture_colour = is_character > 0.5 ? shade_character(n, from_eye) : vec4(min(shaded, vec3(1.0)), opacity);
    WRITE_DEPTH
}
