// Level surface: tiled texture, baked lightmap, filtered shadow maps, player shadow, haze, tone mapping.
#include "include/frame_block.glsl"
#ifdef UNDER_WATER
#include "include/water_waves.glsl"
#endif
#include "include/shade.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
#include "include/point_lamp.glsl"

in vec3 world_position;
in vec3 normal;
in vec3 shadow_position;
flat in vec2 shadow_slope;
in vec3 body_position;
in vec3 tile_uv;
flat in float flow_offset;
in vec2 lightmap_uv;
flat in vec3 colour;

uniform sampler2DArray colour_textures;  // rgb: square root of tint / 2; a: gloss
uniform sampler2D lightmap;               // rgb: square root of light / MAX_RADIANCE; a: stains
#ifdef RELIEF
flat in vec3 tangent;
flat in float max_tile_uv;  // largest texture coordinate of the triangle
uniform sampler2DArray relief_textures;  // rg: slope; b: height; a: ambient light in hollows
#else
uniform sampler2D detail;  // noise for surfaces near the eye, whose texels are large there
#endif
out vec4 picture_colour;

void main() {
    vec3 from_eye = world_position - eye.xyz;
    vec3 n = gl_FrontFacing ? normal : -normal;
    vec3 tile_layer_uv = tile_uv;
#ifdef RELIEF
    // With MSAA a pixel centre may lie outside its triangle, where extrapolated coordinates are unbounded. Mesa's
    // anisotropic filter steps through all texels between neighbours and would not end.
    tile_layer_uv.xy = clamp(tile_uv.xy, -max_tile_uv, max_tile_uv);
#endif
    tile_layer_uv.x -= flow_offset;
    vec4 tint = texture(colour_textures, tile_layer_uv);
    vec4 lightmap_texel = texture(lightmap, lightmap_uv);
    vec3 sky_light = lightmap_texel.rgb * lightmap_texel.rgb * MAX_RADIANCE;
    vec3 albedo = colour * tint.rgb * tint.rgb * (2.0 * MIN_TINT + 2.0 * TINT_RANGE * lightmap_texel.a);

    vec3 shading_normal = n;
#ifdef RELIEF
    vec4 relief = texture(relief_textures, tile_layer_uv);
    vec2 slope = (relief.rg - 0.5) * (2.0 * RELIEF_STRENGTH);
    vec3 bitangent = cross(n, tangent);
    shading_normal = normalize(n - slope.x * tangent - slope.y * bitangent);
    sky_light *= relief_in_shade(n, shading_normal) * relief.a * CAVITY_RANGE;
#else
    float nearness = clamp(0.6 - 0.2 * length(from_eye), 0.0, 0.3);
    albedo *= 1.0 + (texture(detail, tile_layer_uv.xy * 6.0).r - 0.5) * nearness;
#endif
    vec2 body_visibility = player_shadow(body_position, n.y);
    float sun_light = sun_on_relief(n, shading_normal);
    sun_light *= static_shadow(shadow_position, shadow_slope, world_position, normal) * body_visibility.x;
#ifdef DYNAMIC_SHADOWS
    sun_light *= dynamic_shadow(shadow_position, shadow_slope);
#endif
#ifdef UNDER_WATER
    float depth = max(water.w - world_position.y, 0.0);
    if (depth > 0.0 && seen_through_water(from_eye))
        sun_light *= 0.7 + 2.2 * caustics(world_position.xz + to_sun.xz * depth, eye.w) * exp2(-0.25 * depth);
#endif
    vec3 radiance = albedo * (sky_light * body_visibility.y + sunlight.rgb * sun_light);
#ifdef MOVING_LAMPS
    radiance += albedo * moving_lamp_light(world_position, shading_normal);
#endif

#ifdef RELIEF
    vec3 view = normalize(from_eye);
    float gloss = tint.a;
    float grazing = 1.0 - max(-dot(view, shading_normal), 0.0);
    float grazing2 = grazing * grazing;
    float reflectance = gloss * gloss * (0.06 + 0.94 * grazing2 * grazing2 * grazing);
    // Indoors a floor reflects its room, not the sky: fade by how much sky light arrives.
    float sky_visibility = smoothstep(0.40, 1.20, dot(sky_light, vec3(0.33)) * 1.6);
    vec3 mirrored_sky = sky_radiance(reflect(view, shading_normal));
    vec3 reflection = mix(0.75 * sky_light, mirrored_sky, sky_visibility) * body_visibility.y;
    float exponent = exp2(6.0 + 6.0 * gloss);
    float specular = pow(max(dot(normalize(to_sun.xyz - view), shading_normal), 0.0), exponent) * exponent * 0.04;
    radiance = mix(radiance, reflection, reflectance);
    radiance += sunlight.rgb * (sun_light * specular * gloss * (0.08 + grazing2 * 0.5));
#endif
    picture_colour = shown_through_haze(radiance, from_eye);
    WRITE_DEPTH
}
