#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec2 local;
in vec3 place;
flat in vec4 centre;
flat in vec4 look;
flat in vec2 state;
out vec4 picture_colour;

const float TURN = 6.2831853;
const vec2 GEM = vec2(0.21, 0.34);  // half its width and height, of the mark's size
const float RING = 0.60;            // radius, of the mark's size

vec2 turned(vec2 p, float angle) {
    float s = sin(angle), c = cos(angle);
    return vec2(c * p.x - s * p.y, s * p.x + c * p.y);
}

// A gem of eight sides that turns: light (as it is shown), how much it covers, and how far away it is.
vec4 gem(vec3 o, vec3 d, float angle, float scale, out float away) {
    o.xz = turned(o.xz, angle);
    d.xz = turned(d.xz, angle);
    vec3 shape = 1.0 / (vec3(GEM.x, GEM.y, GEM.x) * max(scale, 1e-3));
    float enter = -1e9, second = -1e9, leave = 1e9;
    vec3 front = shape;
    for (int k = 0; k < 4; k++) {
        vec3 n = shape * vec3(float(k & 1) * 2.0 - 1.0, 1.0, float(k >> 1) * 2.0 - 1.0);
        float along = dot(n, d), from = dot(n, o);
        along = abs(along) < 1e-6 ? 1e-6 : along;
        float a = (-1.0 - from) / along, b = (1.0 - from) / along;
        float near = min(a, b);
        if (near > enter) {
            second = enter;
            enter = near;
            front = along > 0.0 ? -n : n;
        } else
            second = max(second, near);
        leave = min(leave, max(a, b));
    }
    away = enter;
    float thick = (leave - enter) / (GEM.x * scale);
    float cover = clamp(thick / max(fwidth(thick), 1e-4) + 0.5, 0.0, 1.0) * step(-0.2, thick);
    front = normalize(front);
    vec3 lamp = normalize(vec3(0.45, 0.80, 0.40));
    lamp.xz = turned(lamp.xz, angle);
    float lit = 0.5 + 0.5 * dot(front, lamp);
    float high = (o.y + d.y * enter) / (GEM.y * max(scale, 1e-3));
    // lit from above and from within, brightest where the light goes through the most
    float bright = 0.30 + 0.46 * lit * lit + 0.30 * min(thick * 0.55, 1.0) + 0.12 * high;
    float spark = pow(max(dot(reflect(d, front), lamp), 0.0), 10.0);
    float edge = 1.0 - smoothstep(0.0, 0.10, (enter - second) / (GEM.x * scale));
    bright += 0.35 * spark + 0.20 * edge;
    vec3 tint = mix(look.rgb, vec3(0.95, 1.0, 1.0), smoothstep(0.62, 1.30, bright));
    return vec4(tint * min(0.10 + 0.95 * bright, 1.0), 0.9) * cover;
}

// A thin ring in the plane of normal m: how strongly it is seen, and how far away that is.
float ring(vec3 o, vec3 d, vec3 m, float radius, float wide, out float away) {
    float slant = dot(d, m);
    away = -dot(o, m) / (abs(slant) < 1e-3 ? 1e-3 : slant);
    float off = abs(length(o + d * away) - radius);
    float soft = clamp(fwidth(off), 1e-4, 0.10);
    return (1.0 - smoothstep(wide, wide + 1.5 * soft, off)) * smoothstep(0.03, 0.12, abs(slant)) * min(1.0, wide / soft + 0.35);
}

void main() {
    float r = length(local), time = eye.w;
    vec4 shown = vec4(0.0);
    if (look.w < 0.5) {
        vec3 o = (eye.xyz - centre.xyz) / centre.w, d = normalize(place - eye.xyz);
        float done = state.x, here = 1.0 - smoothstep(0.0, 0.45, done);
        float angle = 0.55 * time + TURN * state.y;
        vec3 tilt = normalize(vec3(0.34 * cos(0.4 * angle), 1.0, 0.34 * sin(0.4 * angle)));
        float fade = 1.0 - smoothstep(0.85, 1.0, r);
        float halo = exp2(-9.0 * r * r) * 0.34 * here;
        float at_ring, at_gem;
        float band = ring(o, d, tilt, RING, 0.012, at_ring) * (0.75 * here + 0.26 * (1.0 - here));
        float wave = 0.30 + 0.62 * sqrt(done);
        float burst = (1.0 - smoothstep(0.0, 0.03 + 0.05 * done, abs(r - wave))) * 0.8 * sin(3.14159 * min(done, 1.0));
        vec3 light = mix(vec3(0.72, 0.80, 0.82), look.rgb, here);
        vec4 drawn = vec4(light, 0.35) * (band * fade);
        shown.rgb = light * ((halo + burst) * fade);
        if (here > 0.01) {
            vec4 stone = gem(o, d, angle, here, at_gem);
            vec4 behind = at_ring > at_gem ? drawn : vec4(0.0);
            shown = (shown + behind) * (1.0 - stone.a) + stone;
            shown = at_ring > at_gem ? shown : shown * (1.0 - drawn.a) + drawn;
        } else
            shown += drawn;
    } else if (look.w < 1.5) {
        float night = 1.0 - smoothstep(0.15, 0.9, dot(zenith.rgb + horizon.rgb, vec3(0.33)));
        float fall = max(1.0 - r, 0.0);
        float bulb = smoothstep(0.13, 0.06, r);
        float halo = (exp2(-6.0 * r) * 0.95 + 0.20 * fall) * fall * mix(0.20, 0.85, night);
        shown.rgb = mix(look.rgb, vec3(1.0, 0.99, 0.96), 0.8 * bulb + 0.3 * exp2(-9.0 * r)) * min(bulb + halo, 1.0);
        shown.a = 0.9 * bulb;
    } else {
        // an arch of light: a fine rim, and a curtain that grows thin towards the middle
        float aspect = 2.25 / max(centre.w, 0.05);
        vec2 p = vec2(abs(local.x), max(local.y * aspect - (aspect - 1.0), 0.0));
        float in_arch = local.y * aspect > aspect - 1.0 ? length(p) : p.x;
        float soft = fwidth(in_arch) + 0.004;
        float rim = 1.0 - smoothstep(0.02, 0.02 + soft, abs(in_arch - 0.95));
        float inside = 1.0 - smoothstep(0.95 - soft, 0.95, in_arch);
        float wave = sin(TURN * (local.x * 1.7 + 0.35 * sin(TURN * local.y * 0.6 + 0.5 * time)) + 0.7 * time);
        float streaks = 0.70 + 0.30 * wave * sin(TURN * local.x * 2.3 - 0.43 * time);
        float foot = 0.35 + 0.65 * exp2(-2.2 * local.y);
        float curtain = inside * (0.07 + 0.26 * in_arch * in_arch) * streaks * foot;
        float strength = curtain + 0.42 * rim * (0.45 + 0.55 * foot);
        shown = vec4(look.rgb * strength, 0.30 * strength);
    }
    if (max(max(shown.r, shown.g), max(shown.b, shown.a)) < 0.002)
        discard;
    picture_colour = shown;
    WRITE_DEPTH
}
