// Leaf card: a quad with the light of the face below it. Light is found per corner: a card is small.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
in vec3 in_centre;
in vec3 in_across;
in vec3 in_along;
in vec4 in_normal;
in vec3 in_colour;
in vec2 in_lightmap_uv;
uniform sampler2D lightmap;
out vec3 world_position;
out vec2 picture_uv;
out vec3 radiance;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);  // from the stem, 0..1
    vec3 n = normalize(in_normal.xyz + 0.7 * normalize(in_along) + vec3(0.0, 0.25, 0.0));
    float size = length(in_along), phase = 2.1 * in_centre.x + 1.7 * in_centre.z + in_centre.y;
    vec3 sway = depth_parameters.z * size * corner.y * 0.16 *
                vec3(sin(1.3 * eye.w + phase) + 0.4 * sin(3.7 * eye.w + 2.0 * phase), 0.3 * sin(2.9 * eye.w + phase),
                     cos(1.1 * eye.w + 1.3 * phase));
    float growth = 1.0;
#ifdef TUFT_RANGE
    growth -= smoothstep(0.5 * TUFT_RANGE, TUFT_RANGE, distance(eye.xyz, in_centre));  // lower the farther
    sway *= growth;
#endif
    world_position = in_centre + (2.0 * corner.x - 1.0) * in_across + (2.0 * corner.y * growth - 1.0) * in_along + sway;
    picture_uv = vec2(0.5 * (corner.x + in_normal.w), 1.0 - corner.y);
#ifdef TUFT_RANGE
    picture_uv.x = corner.x;
#endif
    vec4 baked = textureLod(lightmap, in_lightmap_uv, 0.0);
    // Stems are darker than tips, which also see the sky above.
    vec3 sky_light = baked.rgb * baked.rgb * MAX_RADIANCE * (0.75 + 0.35 * n.y) * mix(0.45, 1.25, corner.y);
    float facing = dot(n, to_sun.xyz);
    vec3 receiver = in_centre + 0.6 * size * in_normal.xyz;
    vec3 shadowed = shadow_map_position(receiver, in_normal.xyz, to_sun.w);
    float sun_light = static_shadow(shadowed, vec2(0.0), receiver, in_normal.xyz);
    sun_light *= (max(facing, 0.0) + 0.35 * max(-facing, 0.0)) * mix(0.4, 0.9, corner.y);
    radiance = in_colour * (sky_light + sunlight.rgb * sun_light);
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
