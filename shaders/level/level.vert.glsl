#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
invariant gl_Position;
in vec3 in_position;
in vec4 in_normal;  // w: tiles that its texture reaches at most, 127 for more
in vec4 in_tangent;  // w: 127 times the root of a sixteenth of the tiles a second that its pattern runs along it
in vec2 in_tile;
in vec2 in_light;
in vec4 in_colour;  // sRGB; w: texture layer / 255

out vec3 place;
out vec3 normal;
out vec3 sun_place;
flat out vec2 sun_slope;
out vec3 body_place;
out vec3 tile;
flat out float run;  // tiles that the pattern has run
out vec2 light_at;
flat out vec3 colour;
#ifdef RELIEF
flat out vec3 tangent;
flat out float reach;
#endif

void main() {
    place = in_position;
    normal = in_normal.xyz / 127.0;
    // Off the surface by as much as a texel of the sun's map may be wrong, which grows as it grazes.
    float graze = clamp(dot(normal, to_sun.xyz), -1.0, 1.0);
    vec3 lifted = in_position + normal * sign(graze) * to_sun.w * (0.6 + 1.4 * sqrt(1.0 - graze * graze));
    sun_place = (world_to_shadow * vec4(lifted, 1.0)).xyz;
    sun_slope = slope_in_map(normal);
    body_place = beside_body(in_position);
    tile = vec3(in_tile, floor(in_colour.w * 255.0 + 0.5));
    float speed = in_tangent.w / 127.0;
    run = fract(16.0 * speed * speed * eye.w);
    light_at = in_light / 65535.0;
    colour = pow((in_colour.rgb + 0.055) / 1.055, vec3(2.4));
#ifdef RELIEF
    tangent = in_tangent.xyz / 127.0;
    reach = in_normal.w < 127.0 ? in_normal.w : 4096.0;
#endif
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
