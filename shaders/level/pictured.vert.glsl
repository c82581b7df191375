// Surface with pictures: unpacks the vertex format of game/render/materials/pictured_mesh.py.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
#include "include/material_block.glsl"
#include "include/mover_lamps.glsl"
#include "include/ambient.glsl"
#ifdef MOVER
in float in_openness;       // times 65535: fraction of the hemisphere that the mover's own faces leave free
out vec3 mover_sky_light;
#else
in vec2 in_lightmap_uv;     // times 65535
out vec2 lightmap_uv;
#endif
#ifdef LAMPS
out vec3 mover_lamp_light;  // of all lamps in reach
#endif
invariant gl_Position;
in vec3 in_position;
in vec4 in_normal;        // times 127; w: y of the normal of the triangle
in vec4 in_tangent;       // times 127; w: handedness
in vec2 in_uv;
in vec4 in_colour; // linear

out vec3 world_position;
out vec3 normal;
out vec3 shadow_position;
flat out vec2 shadow_slope;
out vec3 body_position;
out vec2 uv;
out vec4 vertex_colour;
#ifdef FACE_NORMAL
flat out float face_up;  // y of the normal of the triangle
#endif
#ifdef NORMAL_MAP
flat out vec4 tangent;
#endif

void main() {
    world_position = carried_position(in_position);
    normal = carried_direction(in_normal.xyz / 127.0);
    shadow_position = shadow_map_position(world_position, normal, to_sun.w);
    shadow_slope = shadow_depth_slope(normal);
    body_position = to_body_space(world_position);
    uv = scrolled_uv(in_uv, eye.w);
#ifndef SEPARATE_TRANSFORMS
    uv = texture_uv(uv, BASE_MAP);  // all textures have the same transform
#endif
    vertex_colour = in_colour;
#ifdef MOVER
    mover_sky_light = ambient(world_position, normal) * mix(0.12, 1.0, in_openness / 65535.0);
#else
    lightmap_uv = in_lightmap_uv / 65535.0;
#endif
#ifdef LAMPS
    mover_lamp_light = light_of_lamps(world_position, normal);
#endif
#ifdef FACE_NORMAL
    face_up = in_normal.w / 127.0;
#endif
#ifdef NORMAL_MAP
    tangent = vec4(carried_direction(in_tangent.xyz / 127.0), sign(in_tangent.w));
#endif
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
