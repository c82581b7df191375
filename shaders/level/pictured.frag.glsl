// Surface with pictures: metallic-roughness material (glTF 2.0) in the light of the level.
#include "include/shade.glsl"
#include "include/sun_shadow.glsl"
#include "include/material_block.glsl"
#include "include/alpha_mask.glsl"
#include "include/write_depth.glsl"
#include "include/reflections.glsl"
#include "include/point_lamp.glsl"
in vec3 world_position;
in vec3 normal;
in vec3 shadow_position;
flat in vec2 shadow_slope;
in vec3 body_position;
in vec2 uv;
in vec4 vertex_colour;
#ifdef MOVER
in vec3 mover_sky_light;  // ambient light
#else
in vec2 lightmap_uv;
#endif
#ifdef LAMPS
in vec3 mover_lamp_light;
#endif
#ifdef FACE_NORMAL
flat in float face_up;
#endif
#ifdef NORMAL_MAP
flat in vec4 tangent;
#endif

uniform sampler2D base_map;       // sRGB, decoded by the sampler
uniform sampler2D emission_map;   // sRGB
uniform sampler2D normal_map;     // tangent space, green up
uniform sampler2D roughness_map;  // g: roughness; b: metallic
uniform sampler2D occlusion_map;  // r
uniform sampler2D lightmap;       // as in level.frag.glsl
out vec4 picture_colour;

const float EMISSION_RADIANCE = 1.9;  // of emission 1: bright enough for the tone curve to show it nearly white

#ifdef SEPARATE_TRANSFORMS
#define UV(map) texture_uv(uv, map)
#else
#define UV(map) uv
#endif

void main() {
    vec3 from_eye = world_position - eye.xyz;
    vec4 base = base_factor * vertex_colour * texture(base_map, UV(BASE_MAP));
#ifdef ALPHA_MASK
    if (masked_opacity(base.a, UV(BASE_MAP), vec2(textureSize(base_map, 0))) < factors.w)
        discard;
#endif
    float opacity = 1.0;
#ifdef ALPHA_BLEND
    opacity = base.a;
#endif
#ifdef UNLIT
    picture_colour = vec4(own_colour_through_haze(base.rgb, from_eye), opacity);
#else
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 shading_normal = n;
    vec2 body_visibility = player_shadow(body_position, n.y);
#ifdef NORMAL_MAP
    vec3 texel_normal = texture(normal_map, UV(NORMAL)).xyz * (255.0 / 127.0) - (128.0 / 127.0);
    texel_normal.xy *= emission.w;
    vec3 along = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    vec3 up_along = cross(n, along) * (gl_FrontFacing ? tangent.w : -tangent.w);
    shading_normal = normalize(texel_normal.x * along + texel_normal.y * up_along + max(texel_normal.z, 0.01) * n);
#endif
#ifdef MOVER
    vec3 sky_light = mover_sky_light * (1.0 + 0.5 * (shading_normal.y - n.y));
    const float stain = 1.0;
#else
    vec4 lightmap_texel = texture(lightmap, lightmap_uv);
    vec3 sky_light = lightmap_texel.rgb * lightmap_texel.rgb * MAX_RADIANCE;
    float stain = MIN_TINT + TINT_RANGE * lightmap_texel.a;
#ifdef FACE_NORMAL
    // The lightmap holds the light of the flat triangle.
    sky_light *= 1.0 + 0.5 * (shading_normal.y - (gl_FrontFacing ? face_up : -face_up));
#endif
#endif
#ifdef LAMPS
    sky_light += mover_lamp_light;
#endif
#ifdef MOVING_LAMPS
    sky_light += moving_lamp_light(world_position, shading_normal);
#endif
#ifdef OCCLUSION_MAP
    sky_light *= 1.0 + factors.z * (texture(occlusion_map, UV(OCCLUSION)).r - 1.0);
#endif
    float sun_light = sun_on_relief(n, shading_normal);
    sun_light *= static_shadow(shadow_position, shadow_slope, world_position, normal) * body_visibility.x;
#ifdef DYNAMIC_SHADOWS
    sun_light *= dynamic_shadow(shadow_position, shadow_slope);
#endif
    vec3 albedo = limit_albedo(base.rgb) * stain;
#ifdef REFLECTIONS
    float metallic = factors.x, roughness = factors.y;
#ifdef ROUGHNESS_MAP
    vec2 measured = texture(roughness_map, UV(ROUGHNESS)).gb;
    roughness *= measured.x;
    metallic *= measured.y;
#endif
    vec3 view = normalize(from_eye);
    vec3 mirror = mix(vec3(scroll.z), albedo, metallic);  // reflectance at normal incidence
    vec3 reflectance = rough_reflectance(mirror, roughness, max(-dot(view, shading_normal), 0.001));
    vec3 ambient = sky_light * body_visibility.y;
    vec3 diffuse = albedo * (1.0 - metallic) * (1.0 - reflectance);
    vec3 radiance = diffuse * (ambient + sunlight.rgb * sun_light);
    radiance += reflectance * reflected_surroundings(view, shading_normal, sky_light, roughness) * body_visibility.y;
    radiance += sunlight.rgb * sun_light * sun_highlight(view, shading_normal, mirror, roughness);
    // Glass that mirrors hides what is behind it.
    opacity = mix(opacity, 1.0, max(reflectance.r, max(reflectance.g, reflectance.b)));
#else
    vec3 radiance = albedo * (sky_light * body_visibility.y + sunlight.rgb * sun_light);
#endif
    vec3 glow = emission.rgb;
#ifdef EMISSION_MAP
    glow *= texture(emission_map, UV(EMISSION)).rgb;
#endif
    radiance += EMISSION_RADIANCE * glow;
    picture_colour = vec4(shown_through_haze(radiance, from_eye).rgb, opacity);
#endif
#ifndef ALPHA_BLEND
    picture_colour.a = 1.0;
#endif
    WRITE_DEPTH
}
