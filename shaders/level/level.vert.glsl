// Level surface: unpacks the vertex format of game/render/scene/scene_data.py.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
invariant gl_Position;
in vec3 in_position;
in vec4 in_normal;   // times 127; w: largest texture coordinate of the triangle, tiles; 127: unbounded
in vec4 in_tangent;  // times 127; w: 127 sqrt(flow speed / MAX_FLOW_SPEED), in tiles/s along the tangent
in vec2 in_uv;
in vec2 in_lightmap_uv;
in vec4 in_colour;   // sRGB; w: texture layer / 255

out vec3 world_position;
out vec3 normal;
out vec3 shadow_position;
flat out vec2 shadow_slope;
out vec3 body_position;
out vec3 tile_uv;
flat out float flow_offset;  // tiles that the pattern has moved
out vec2 lightmap_uv;
flat out vec3 colour;
#ifdef RELIEF
flat out vec3 tangent;
flat out float max_tile_uv;
#endif

void main() {
    world_position = in_position;
    normal = in_normal.xyz / 127.0;
    shadow_position = shadow_map_position(in_position, normal, to_sun.w);
    shadow_slope = shadow_depth_slope(normal);
    body_position = to_body_space(in_position);
    tile_uv = vec3(in_uv, floor(in_colour.w * 255.0 + 0.5));
    float root_speed = in_tangent.w / 127.0;
    flow_offset = fract(MAX_FLOW_SPEED * root_speed * root_speed * eye.w);
    lightmap_uv = in_lightmap_uv / 65535.0;
    colour = pow((in_colour.rgb + 0.055) / 1.055, vec3(2.4));
#ifdef RELIEF
    tangent = in_tangent.xyz / 127.0;
    max_tile_uv = in_normal.w < 127.0 ? in_normal.w : 4096.0;
#endif
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
