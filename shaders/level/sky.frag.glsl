// The sky: air, clouds, sun or moon, stars; hills far away, and the mist that everything stands in.
#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"

in vec3 ray;
uniform sampler2D clouds;  // r: tileable noise, 0.5 with a deviation of 0.2
out vec4 picture_colour;

#if CLOUDS > 0
float billows(vec2 p) {
    float sum = 0.0, part = 0.6, squares = 0.0;
    for (int i = 0; i < CLOUDS; i++) {
        sum += part * (texture(clouds, p).r - 0.5);
        squares += part * part;
        p = p * 2.7 + 0.13;
        part *= 0.45;
    }
    return 0.435 + 0.66 * sum * inversesqrt(squares);  // of one deviation for any number of octaves
}

vec3 clouded(vec3 c, float high, float s, float billow) {
    float thick = smoothstep(0.88 - ground.w, 1.26 - ground.w, billow) * smoothstep(0.03, 0.30, high);
    float rim = max(s, 0.0);
    vec3 cloud = horizon.rgb * (1.0 - 0.5 * billow) + sunlight.rgb * (0.16 + 0.5 * rim * rim * rim * rim);
    return mix(c, cloud, thick * 0.72);
}

// Ranges of hills, the nearer the lower and the darker; mist lies in their valleys.
vec3 with_hills(vec3 c, vec3 d, float climb, float soft, vec2 way) {
    vec3 mist = air(vec3(d.x, 0.03, d.z));
    vec3 shade = 0.42 * zenith.rgb + 0.16 * horizon.rgb;
    for (int k = 0; k < CLOUDS; k++) {
        float back = 1.0 - float(k) / float(CLOUDS);  // 1 the farthest
        vec2 p = way * (0.20 + 0.11 * float(k)) + 0.37 * float(k) + 0.21;
        float top = 0.02 + 0.028 * back + (0.05 + 0.06 * back) * (textureLod(clouds, p, 0.0).r - 0.5);
        top += 0.014 * (textureLod(clouds, 3.0 * p, 0.0).r - 0.5);
        float seen = clamp((top - climb) / soft + 0.5, 0.0, 1.0) * smoothstep(-0.05, -0.01, climb);
        float clear = (0.66 - 0.40 * back) * smoothstep(-0.025, 0.06, climb + 0.02 * (1.0 - back));
        c = mix(c, mix(mist, shade, clear), seen);
    }
    return c;
}

// A sea of mist far below, lit from above, bluer straight down.
vec3 mist_sea(vec3 d, float low, float s, float billow) {
    vec3 mist = air(vec3(d.x, 0.03, d.z));
    vec3 crest = 0.92 * horizon.rgb + (0.14 + 0.22 * max(s, 0.0)) * sunlight.rgb;
    vec3 trough = 0.60 * horizon.rgb + 0.24 * zenith.rgb;
    vec3 sea = mix(trough, crest, smoothstep(0.25, 0.72, billow));
    sea = mix(sea, mix(trough, sea, 0.6), smoothstep(0.2, 0.9, low));
    return mix(mist, sea, smoothstep(0.0, 0.16, low));
}
#endif

// Stars: one in some cells of a cube around the eye.
float starry(vec3 d) {
    vec3 a = abs(d), face = a.x > a.y && a.x > a.z ? vec3(d.yz / a.x, sign(d.x)) : a.y > a.z ? vec3(d.xz / a.y, 3.0 * sign(d.y)) : vec3(d.xy / a.z, 5.0 * sign(d.z));
    vec2 p = face.xy * 90.0;
    vec3 h = fract(vec3(floor(p), face.z) * vec3(0.1031, 0.1030, 0.0973));
    h += dot(h, h.yzx + 33.33);
    h = fract((h.xxy + h.yzz) * h.zyx);
    vec2 off = fract(p) - 0.2 - 0.6 * h.xy;
    float size = 0.05 + 0.09 * h.z * h.z;
    float bright = step(0.93, fract(7.3 * (h.x + h.y + h.z)));
    return bright * smoothstep(size + 0.06, 0.0, length(off)) * (0.25 + 0.75 * h.z);
}

void main() {
    vec3 d = normalize(ray);
    float s = dot(d, to_sun.xyz);
    vec3 c = air(d);
    float near_sun = max(s, 0.0);
    near_sun *= near_sun;
    near_sun *= near_sun;
    near_sun *= near_sun * near_sun;
    c += sunlight.rgb * (halo.w * 0.10 * pow(near_sun, 20.0)) * smoothstep(-0.02, 0.06, d.y);
    if (forward.w > 0.0)
        c += forward.w * starry(d) * smoothstep(0.02, 0.25, d.y);
    float disc = smoothstep(right.w, 0.3 * right.w + 0.7, s) * smoothstep(-0.02, 0.02, d.y);
#if CLOUDS > 0
    float flat_size = inversesqrt(max(dot(d.xz, d.xz), 1e-6));
    float climb = d.y * flat_size;
    c += sunlight.rgb * (12.0 * disc * halo.w);
    float soft = max(fwidth(climb), 1e-4);
    bool down = d.y < 0.0;
    vec2 p = down ? d.xz / (0.05 - d.y) * 0.11 + vec2(0.0007, -0.0005) * eye.w
                  : d.xz / (d.y + 0.12) * 0.16 + vec2(0.0011, 0.0004) * eye.w;
    float billow = billows(p);
    c = down ? mist_sea(d, -d.y, s, billow) : clouded(c, d.y, s, billow);
    if (climb > -0.05 && climb < 0.16)
        c = with_hills(c, d, climb, soft, d.xz * flat_size);
#else
    c += sunlight.rgb * (12.0 * disc * halo.w);
#endif
    picture_colour = shown(c, gl_FragCoord.xy);
}
