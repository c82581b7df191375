#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/write_depth.glsl"
in vec3 place;
in vec3 local;
flat in vec3 half_box;
flat in vec3 normal;
flat in vec4 look;
flat in vec3 flow;
out vec4 picture_colour;

const float TURN = 6.2831853;
const float WATER = 0.5, PAD = 1.5, TELEPORT = 2.5, CHECKPOINT = 3.5;  // kinds lie below these

// The slope of small waves that run with the water.
vec2 ripples(vec2 p, float time) {
    vec2 slope = vec2(0.0);
    vec2 way = vec2(0.83, 0.56);
    float length_of = 2.3, size = 0.036;
    for (int k = 0; k < 5; k++) {
        float wave = TURN / length_of;
        float phase = dot(p, way) * wave + time * sqrt(9.81 * wave) * 0.55;
        slope += way * (size * wave * cos(phase + 1.7 * float(k)));
        way = mat2(-0.74, 0.67, -0.67, -0.74) * way;
        length_of *= 0.61;
        size *= 0.52;
    }
    return slope;
}

// A web of light, as waves throw it onto what is below them; 0..1.
float web(vec2 p, float time) {
    p *= 2.7;
    p += 0.6 * vec2(sin(0.9 * p.y + 0.7 * time), sin(0.8 * p.x - 0.6 * time));
    p += 0.4 * vec2(sin(2.1 * p.y - 0.9 * time), sin(2.3 * p.x + 0.8 * time));
    float line = 1.0 - abs(0.5 * (sin(2.2 * p.x) + sin(2.2 * p.y + 0.6)));
    float l2 = line * line, l4 = l2 * l2;
    return l4 * l4;
}

vec4 water(vec3 d, float time) {
    // what it scatters is what falls into it: dark by night
    vec3 own = look.rgb * sqrt(clamp(dot(zenith.rgb + horizon.rgb + 0.4 * sunlight.rgb, vec3(0.4)), 0.02, 1.0));
    if (normal.y < 0.5)
        return vec4(own * 0.55, 0.55) * (0.30 + 0.20 * local.y / half_box.y);
    float far = length(place - eye.xyz);
    vec2 slope = ripples(place.xz - flow.xz * time, time) / (1.0 + 0.02 * far * far);
    vec3 n = normalize(vec3(-slope.x, 1.0, -slope.y));
    bool below = eye.y < place.y;
    float facing = abs(dot(d, n));
    float mirror = below ? smoothstep(0.72, 0.60, facing) : 0.02 + 0.68 * pow(1.0 - facing, 4.0);
    vec3 sky = toned(air(reflect(d, below ? -n : n)));
    vec3 sun = toned(sunlight.rgb) * pow(max(dot(reflect(d, n), to_sun.xyz), 0.0), 180.0) * 0.8;
    vec3 deep = own * (1.0 + 1.6 * (slope.x + slope.y));
    // the web lies a little below the surface, so that it slides past the waves as one walks
    float below_by = min(0.5, 2.0 * half_box.y);
    vec2 under = place.xz + d.xz * (below_by / max(-d.y, 0.2)) - flow.xz * time;
    float light = web(under, time) * clamp(dot(sunlight.rgb, vec3(0.25)), 0.0, 1.0) / (1.0 + 0.012 * far * far);
    if (below)
        return vec4(mix(vec3(0.75, 0.93, 0.95) * 0.22, own * 0.6, mirror), mix(0.22, 0.85, mirror));
    float rim = min(min(half_box.x - abs(local.x), half_box.z - abs(local.z)) * 5.0, 1.0);
    float foam = (1.0 - rim) * 0.25 * (0.6 + 0.4 * sin(14.0 * (local.x + local.z) + 2.0 * time));
    float cover = mix(0.62, 0.96, mirror);
    deep += vec3(0.55, 0.75, 0.70) * (0.20 * light);
    vec3 white = vec3(0.9 * foam) * max(own.b, own.g) / max(max(look.g, look.b), 0.01);
    return vec4(mix(deep * 0.62, sky * 0.96, mirror) + sun + white, clamp(cover + foam, 0.0, 1.0));
}

void main() {
    float time = eye.w;
    vec3 d = normalize(place - eye.xyz);
    vec4 drawn = vec4(0.0);
    if (look.w < WATER)
        drawn = water(d, time);
    else if (look.w < PAD) {
        float r = max(abs(local.x), abs(local.z)) / max(half_box.x, 0.01);
        if (normal.y > 0.5) {  // squares that run outwards, brightest at the rim
            float wave = fract(r * 2.0 - time * 0.9);
            float light = smoothstep(0.55, 1.0, wave) * (1.0 - r * 0.4) + smoothstep(0.90, 0.93, r);
            drawn = vec4(look.rgb * light, 0.25 * light);
        } else {
            float high = (local.y + half_box.y) / (2.0 * half_box.y);
            float light = 0.30 * (1.0 - high) * (1.0 - high);
            drawn = vec4(look.rgb * light, 0.0);
        }
    } else if (look.w < TELEPORT) {
        vec2 p = abs(normal.x) > 0.5 ? local.zy : abs(normal.y) > 0.5 ? local.xz : local.xy;
        vec2 half_face = abs(normal.x) > 0.5 ? half_box.zy : abs(normal.y) > 0.5 ? half_box.xz : half_box.xy;
        vec2 q = p / half_face;
        float rim = smoothstep(0.90, 0.97, max(abs(q.x), abs(q.y)));
        float swirl = sin(3.0 * atan(q.y, q.x) + 9.0 * length(q) - 2.6 * time);
        float light = 0.16 + 0.14 * swirl * (1.0 - 0.5 * length(q)) + 0.7 * rim;
        drawn = vec4(look.rgb * light, 0.35 * light);
    } else if (look.w < CHECKPOINT) {
        float high = (local.y + half_box.y) / (2.0 * half_box.y);
        // no veil before the eyes of one who stands in it
        float apart = smoothstep(1.0, 6.0, length(place - eye.xyz));
        float light = 0.26 * apart * exp2(-5.0 * high) * (0.8 + 0.2 * sin(time * 2.0)) * step(abs(normal.y), 0.5);
        drawn = vec4(look.rgb * light, 0.10 * light);
    } else {
        float high = (local.y + half_box.y) / (2.0 * half_box.y);
        float pulse = 0.75 + 0.25 * sin(2.2 * time + 3.0 * (local.x + local.z));
        float light = normal.y > 0.5 ? 0.30 * pulse : 0.22 * high * pulse;
        drawn = vec4(look.rgb * light, 0.5 * light);
    }
    if (max(max(drawn.r, drawn.g), max(drawn.b, drawn.a)) < 0.002)
        discard;
    picture_colour = drawn;
    WRITE_DEPTH
}
