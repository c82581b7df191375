// A hole's flag: a pole, and a cloth that waves in the wind. `part` tells which: 0 pole, 1 cloth.
#include "include/frame_block.glsl"
in vec4 in_position;  // metres from the foot; w: part
in vec3 in_normal;
in vec3 in_foot;      // metres
out vec3 place;
out vec3 normal;
flat out float part;

void main() {
    vec3 p = in_position.xyz;
    part = in_position.w;
    normal = in_normal;
    if (part > 0.5) {  // the further from the pole, the more it waves; it hangs a little
        float out_by = p.x, time = eye.w + in_foot.x;
        float phase = 5.2 * out_by - 4.6 * time, lift = 3.1 * out_by - 2.9 * time;
        float wide = 0.16 * smoothstep(0.0, 0.5, out_by);
        p.z += wide * (sin(phase) + 0.35 * sin(1.9 * lift + 4.0 * p.y));
        p.y += -0.13 * out_by * out_by + 0.02 * sin(lift) * out_by;
        float slope = wide * 5.2 * cos(phase) + 0.35 * wide * 5.9 * cos(1.9 * lift);
        normal = normalize(vec3(-slope, 0.25 * wide, 1.0));
        float turn = 0.5 + 0.22 * sin(0.4 * time);
        mat2 wind = mat2(cos(turn), sin(turn), -sin(turn), cos(turn));
        p.xz = wind * p.xz;
        normal.xz = wind * normal.xz;
    }
    place = in_foot + p;
    gl_Position = world_to_clip * vec4(place, 1.0);
}
