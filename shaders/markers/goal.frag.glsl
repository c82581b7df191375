// Goal marker: ground ring, column of light and core, premultiplied.
#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 local_position;
in vec3 world_position;
flat in float mesh_part;
uniform vec3 colour;   // linear
uniform float reached; // 0 or 1
uniform float waits;   // 0 or 1: of the ring only the dashes
out vec4 picture_colour;

const float TURN = 6.2831853;

void main() {
    float strength;
    float pulse = 0.85 + 0.15 * sin(eye.w * 2.1);
    if (mesh_part < 0.5) {
        float r = length(local_position.xz), angle = atan(local_position.z, local_position.x) / TURN;
        float filter_width = fwidth(r) + 0.01;
        float outer_ring = smoothstep(0.045 + filter_width, 0.045 - filter_width * 0.5, abs(r - 0.93));
        float dashes = smoothstep(0.28, 0.34, abs(fract(angle * 24.0 + eye.w * 0.12) - 0.5));
        float dashed_ring = smoothstep(0.018 + filter_width, 0.0, abs(r - 0.78)) * dashes;
        float ripple = fract(r - eye.w * 0.22);
        float ripple_wave = smoothstep(0.80, 1.0, ripple) * smoothstep(1.0, 0.97, ripple) * (1.0 - r);
        float glow = 0.30 * smoothstep(1.0, 0.0, r);
        strength = (r < 1.0 ? 1.0 : 0.0) * (glow + 0.5 * ripple_wave * pulse) + 0.95 * outer_ring;
        strength = (1.0 - waits) * strength + 0.55 * dashed_ring;
    } else if (mesh_part < 1.5) {
        // Column of light: brighter at grazing view, where the wall is thicker, which gives the look of a volume.
        vec2 outward = normalize(local_position.xz), towards = normalize(eye.xz - world_position.xz);
        float across = abs(dot(outward, towards));
        float height = local_position.y;
        float angle = atan(local_position.z, local_position.x) / TURN;
        float beat = sin(TURN * (angle * 9.0 + eye.w * 0.05)) * sin(TURN * (angle * 5.0 - eye.w * 0.08));
        float streaks = 0.75 + 0.25 * beat;
        float fade = exp2(-3.6 * height) * smoothstep(1.0, 0.75, height);
        strength = 0.30 * fade * streaks * smoothstep(0.0, 0.55, across) * pulse * (1.0 - waits);
    } else {
        float r = length(local_position.xy);
        float falloff = max(1.0 - r, 0.0);
        strength = smoothstep(0.17, 0.10, r) * 0.9 + 0.55 * exp2(-9.0 * r) * falloff + 0.10 * falloff * falloff;
        strength *= pulse * (1.0 - waits);
    }
    strength = min(strength * (1.0 + 0.4 * reached), 1.6);
    vec3 glow = mix(colour, vec3(1.0, 0.97, 0.90), smoothstep(0.55, 1.5, strength));
    picture_colour = vec4(glow * min(strength, 1.0), 0.8 * min(strength, 1.0));
    WRITE_DEPTH
}
