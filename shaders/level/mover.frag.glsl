// Mover: as the level surface, with ambient light per vertex instead of a lightmap.
#include "include/shade.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec3 normal;
in vec3 shadow_position;
flat in vec2 shadow_slope;
in vec3 body_position;
in vec3 tile_uv;
in vec3 sky_light;  // ambient light
flat in vec3 colour;
#ifdef LAMPS
in vec3 mover_lamp_light;  // of all lamps in reach
#endif
uniform sampler2DArray colour_textures;  // as in level.frag.glsl
#ifdef RELIEF
uniform sampler2DArray relief_textures;
#endif
out vec4 picture_colour;

void main() {
    vec3 n = gl_FrontFacing ? normal : -normal;
    vec4 tint = texture(colour_textures, tile_uv);
    vec3 albedo = colour * tint.rgb * tint.rgb * 2.0;
    vec3 shading_normal = n;
    vec3 ambient_light = sky_light;
#ifdef RELIEF
    vec4 relief = texture(relief_textures, tile_uv);
    vec2 slope = (relief.rg - 0.5) * (2.0 * RELIEF_STRENGTH);
    // Axes of the texture from derivatives (Schueler 2013): the vertices have no tangent.
    vec3 across = cross(dFdy(world_position), n), along = cross(n, dFdx(world_position));
    vec2 du = vec2(dFdx(tile_uv.x), dFdy(tile_uv.x)), dv = vec2(dFdx(tile_uv.y), dFdy(tile_uv.y));
    vec3 tangent = across * du.x + along * du.y, bitangent = across * dv.x + along * dv.y;
    float size = inversesqrt(max(max(dot(tangent, tangent), dot(bitangent, bitangent)), 1e-20));
    shading_normal = normalize(n - size * (slope.x * tangent + slope.y * bitangent));
    ambient_light *= relief_in_shade(n, shading_normal) * relief.a * CAVITY_RANGE;
#endif
    vec2 body_visibility = player_shadow(body_position, n.y);
    float sun_light = sun_on_relief(n, shading_normal);
    sun_light *= static_shadow(shadow_position, shadow_slope, world_position, normal);
    sun_light *= dynamic_shadow(shadow_position, shadow_slope) * body_visibility.x;
    vec3 radiance = albedo * (ambient_light * body_visibility.y + sunlight.rgb * sun_light);
#ifdef LAMPS
    radiance += albedo * mover_lamp_light;
#endif
    picture_colour = shown_through_haze(radiance, world_position - eye.xyz);
    WRITE_DEPTH
}
