#include "frame.glsl"
#include "tone.glsl"
#include "air.glsl"

in vec3 ray;
uniform sampler2D clouds;  // r: tileable noise
out vec4 picture_colour;

#if CLOUDS > 0
float billows(vec2 p) {
    float sum = 0.0, part = 0.6;
    for (int i = 0; i < CLOUDS; i++) {
        sum += part * texture(clouds, p).r;
        p = p * 2.7 + 0.13;
        part *= 0.45;
    }
    return sum;
}
#endif

void main() {
    vec3 d = normalize(ray);
    vec3 c = air(d);
    float s = dot(d, to_sun.xyz);
#if CLOUDS > 0
    float high = max(d.y, 0.0);
    vec2 p = d.xz / (high + 0.12) * 0.16 + vec2(0.0011, 0.0004) * eye.w;
    float billow = billows(p);
    float thick = smoothstep(0.88 - ground.w, 1.26 - ground.w, billow) * smoothstep(0.03, 0.30, high);
    float rim = max(s, 0.0);
    vec3 cloud = horizon.rgb * (1.0 - 0.5 * billow) + sunlight.rgb * (0.16 + 0.5 * rim * rim * rim * rim);
    c = mix(c, cloud, thick * 0.72);
#endif
    float disc = smoothstep(0.99975, 0.99992, s) * smoothstep(-0.02, 0.02, d.y);
    c += sunlight.rgb * (12.0 * disc * halo.w);
    picture_colour = shown(c, gl_FragCoord.xy);
}
