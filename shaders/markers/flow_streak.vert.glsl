// Streaks that show a current or another gravity: each a thin ribbon that drifts through its box.
#include "include/frame_block.glsl"
#include "include/noise.glsl"
in vec3 in_centre;  // metres
in vec3 in_half;
in vec2 in_turn;    // sine and cosine of the box's heading
in vec4 in_flow;    // m/s by the box's own directions; w: length of a streak, metres
in vec4 in_look;    // colour as the screen shows it; w: a number of its own
out float along;
out float across;
flat out vec4 colour;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    int seed = int(in_look.w);
    vec3 start = vec3(random(ivec2(seed, 1), 7), random(ivec2(seed, 2), 7), random(ivec2(seed, 3), 7));
    vec3 size = 2.0 * in_half;
    float speed = max(length(in_flow.xyz), 1e-3);
    vec3 way = in_flow.xyz / speed;
    float travel = dot(abs(way), size) + in_flow.w;  // once through the box
    float gone = fract(random(ivec2(seed, 4), 7) + eye.w * speed * (0.8 + 0.4 * start.x) / travel);
    vec3 p = (start - 0.5) * size;
    p += way * (gone * travel - 0.5 * travel - dot(p, way));  // along the flow where it has got to
    p += way * ((corner.y - 0.5) * in_flow.w);
    vec3 held = clamp(p, -in_half, in_half);
    float s = in_turn.x, c = in_turn.y;
    vec3 world = in_centre + vec3(c * held.x + s * held.z, held.y, c * held.z - s * held.x);
    vec3 ahead = vec3(c * way.x + s * way.z, way.y, c * way.z - s * way.x);
    vec3 away = world - eye.xyz;
    vec3 side = normalize(cross(away, ahead) + vec3(1e-5, 0.0, 0.0));
    float wide = 0.008 + 0.0007 * length(away);
    world += side * ((corner.x - 0.5) * 2.0 * wide);
    along = corner.y;
    across = corner.x * 2.0 - 1.0;
    float shown = sin(3.14159 * gone) * smoothstep(0.3, 1.5, length(away));
    colour = vec4(in_look.rgb, shown * step(0.02, distance(p, held) < 0.5 * in_flow.w ? 1.0 : 0.0));
    gl_Position = world_to_clip * vec4(world, 1.0);
}
