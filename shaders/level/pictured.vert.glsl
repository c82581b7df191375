// Surface with pictures: unpacks the vertex format of game/render/materials/pictured_mesh.py.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
#include "include/material_block.glsl"
#ifdef MOVER
#include "include/ambient.glsl"
out vec3 mover_sky_light;
#endif
invariant gl_Position;
in vec3 in_position;
in vec4 in_normal;        // times 127; w: y of the normal of the triangle
in vec4 in_tangent;       // times 127; w: handedness
in vec2 in_uv;
in vec2 in_lightmap_uv;   // times 65535; of a mover x is its ambient openness
in vec4 in_vertex_colour; // linear

out vec3 world_position;
out vec3 normal;
out vec3 shadow_position;
flat out vec2 shadow_slope;
out vec3 body_position;
out vec2 uv;
out vec2 lightmap_uv;
out vec4 vertex_colour;
#ifdef LAMPS
in vec3 in_lamp_light;
out vec3 mover_lamp_light;  // of all lamps in reach
#endif
#ifdef FACE_NORMAL
flat out float face_up;  // y of the normal of the triangle
#endif
#ifdef NORMAL_MAP
flat out vec4 tangent;
#endif

void main() {
    world_position = in_position;
    normal = in_normal.xyz / 127.0;
    shadow_position = shadow_map_position(in_position, normal, to_sun.w);
    shadow_slope = shadow_depth_slope(normal);
    body_position = to_body_space(in_position);
    uv = scrolled_uv(in_uv, eye.w);
#ifndef SEPARATE_TRANSFORMS
    uv = texture_uv(uv, BASE_MAP);  // all textures have the same transform
#endif
    lightmap_uv = in_lightmap_uv / 65535.0;
    vertex_colour = in_vertex_colour;
#ifdef MOVER
    mover_sky_light = ambient(in_position, normal) * mix(0.12, 1.0, lightmap_uv.x);
#endif
#ifdef LAMPS
    mover_lamp_light = in_lamp_light;
#endif
#ifdef FACE_NORMAL
    face_up = in_normal.w / 127.0;
#endif
#ifdef NORMAL_MAP
    tangent = vec4(in_tangent.xyz, sign(in_tangent.w)) / vec4(vec3(127.0), 1.0);
#endif
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
