#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 local;
in vec3 place;
flat in float part;
uniform vec3 colour;   // linear
uniform float reached; // 0 or 1
out vec4 picture_colour;

const float TURN = 6.2831853;

void main() {
    float strength;
    float pulse = 0.85 + 0.15 * sin(eye.w * 2.1);
    if (part < 0.5) {
        float r = length(local.xz), angle = atan(local.z, local.x) / TURN;
        float soft = fwidth(r) + 0.01;
        float rim = smoothstep(0.045 + soft, 0.045 - soft * 0.5, abs(r - 0.93));
        float dashes = smoothstep(0.28, 0.34, abs(fract(angle * 24.0 + eye.w * 0.12) - 0.5));
        float inner = smoothstep(0.018 + soft, 0.0, abs(r - 0.78)) * dashes;
        float ripple = fract(r - eye.w * 0.22);
        float wave = smoothstep(0.80, 1.0, ripple) * smoothstep(1.0, 0.97, ripple) * (1.0 - r);
        float glow = 0.30 * smoothstep(1.0, 0.0, r);
        strength = (r < 1.0 ? 1.0 : 0.0) * (glow + 0.5 * wave * pulse) + 0.95 * rim + 0.55 * inner;
    } else if (part < 1.5) {
        // the wall of a column of light: seen along its rim it is thicker, which reads as a volume
        vec2 outward = normalize(local.xz), towards = normalize(eye.xz - place.xz);
        float across = abs(dot(outward, towards));
        float high = local.y;
        float angle = atan(local.z, local.x) / TURN;
        float streaks = 0.75 + 0.25 * sin(TURN * (angle * 9.0 + eye.w * 0.05)) * sin(TURN * (angle * 5.0 - eye.w * 0.08));
        float fade = exp2(-3.6 * high) * smoothstep(1.0, 0.75, high);
        strength = 0.30 * fade * streaks * smoothstep(0.0, 0.55, across) * pulse;
    } else {
        float r = length(local.xy);
        float fall = max(1.0 - r, 0.0);
        strength = smoothstep(0.17, 0.10, r) * 0.9 + 0.55 * exp2(-9.0 * r) * fall + 0.10 * fall * fall;
        strength *= pulse;
    }
    strength = min(strength * (1.0 + 0.4 * reached), 1.6);
    vec3 glow = mix(colour, vec3(1.0, 0.97, 0.90), smoothstep(0.55, 1.5, strength));
    picture_colour = vec4(glow * min(strength, 1.0), 0.8 * min(strength, 1.0));
    WRITE_DEPTH
}
