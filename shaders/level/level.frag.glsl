#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"

in vec3 place;
in vec3 normal;
in vec3 sun_place;
flat in vec2 sun_slope;
in vec3 body_place;
in vec3 tile;
flat in float run;
in vec2 light_at;
flat in vec3 colour;

uniform sampler2DArray tints;   // rgb: root of half the tint; a: gloss
uniform sampler2D baked_light;  // rgb: root of a quarter of the sky's and walls' light; a: its tone, by stains and by corners
#ifdef RELIEF
flat in vec3 tangent;
flat in float reach;  // no corner of the triangle is further along its tiles
uniform sampler2DArray reliefs;  // rg: slope; b: height
#endif
out vec4 picture_colour;

void main() {
    vec3 away = place - eye.xyz;
    vec3 n = gl_FrontFacing ? normal : -normal;
    vec3 on_tile = tile;
#ifdef RELIEF
    // Where a pixel's middle lies outside its triangle its place has no bounds, and a driver that walks the texels
    // between neighbours (Mesa's, with anisotropy and MSAA) would never end.
    on_tile.xy = clamp(tile.xy, -reach, reach);
#endif
    on_tile.x -= run;
    vec4 tint = texture(tints, on_tile);
    vec4 baked = texture(baked_light, light_at);
    vec3 sky_light = baked.rgb * baked.rgb * 4.0;
    vec3 albedo = colour * tint.rgb * tint.rgb * (0.80 + 1.50 * baked.a);

    vec3 fine = n;
#ifdef RELIEF
    vec2 slope = (texture(reliefs, on_tile).rg - 0.5) * 2.0;
    vec3 bitangent = cross(n, tangent);
    fine = normalize(n - slope.x * tangent - slope.y * bitangent);
    sky_light *= 1.0 + 0.5 * (fine.y - n.y);
#endif
    vec2 body = past_body(body_place, n.y);
    float facing = dot(n, to_sun.xyz);
    float sun = clamp(facing * 8.0, 0.0, 1.0) * max(dot(fine, to_sun.xyz), 0.0);
    sun *= sun_through_level(sun_place, sun_slope) * body.x;
#ifdef MOVING
    sun *= sun_through_movers(sun_place, sun_slope);
#endif
    vec3 light = albedo * (sky_light * body.y + sunlight.rgb * sun);

#ifdef RELIEF
    vec3 d = normalize(away);
    float gloss = tint.a;
    float grazing = 1.0 - max(-dot(d, fine), 0.0);
    float g2 = grazing * grazing;
    float mirror = gloss * gloss * (0.06 + 0.94 * g2 * g2 * grazing);
    // an indoor floor mirrors its room, not the sky
    float open = smoothstep(0.40, 1.20, dot(sky_light, vec3(0.33)) * 1.6);
    vec3 mirrored = mix(0.75 * sky_light, air(reflect(d, fine)), open) * body.y;
    float shine = exp2(6.0 + 6.0 * gloss);
    float spot = pow(max(dot(normalize(to_sun.xyz - d), fine), 0.0), shine) * shine * 0.04;
    light = mix(light, mirrored, mirror);
    light += sunlight.rgb * (sun * spot * gloss * (0.08 + g2 * 0.5));
#endif
#ifdef QUICK
    picture_colour = vec4(toned(veil(light, away)), 1.0);  // patterns hide the steps that a smooth sky would show
#else
    picture_colour = shown(veil(light, away), gl_FragCoord.xy);
#endif
    WRITE_DEPTH
}
