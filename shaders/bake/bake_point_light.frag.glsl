// One lamp's light on every texel of the unfolded level that sees it; lamps add up by blending.
#include "include/bvh_traversal.glsl"

uniform sampler2D positions;  // metres; w: 1 where the texel is part of the level
uniform sampler2D normals;
uniform vec4 lamp;            // metres; w: reach
uniform vec3 shine;           // light of a white surface that faces it a metre away
uniform vec3 pick;            // 0..1: where on the bulb
uniform float bulb;           // metres
out vec4 gathered;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 spot = texelFetch(positions, texel, 0);
    vec3 n = texelFetch(normals, texel, 0).xyz;
    vec3 o = spot.xyz + n * 0.004;
    vec3 towards = lamp.xyz - o;
    float square = dot(towards, towards);
    if (spot.w < 0.5 || square > lamp.w * lamp.w || dot(towards, n) <= 0.0)
        discard;
    // nine neighbours look at nine places of the bulb; the mean that is taken over them later has them all
    float mate = float((texel.x % 3) * 3 + texel.y % 3);
    vec3 at = fract(pick + mate * vec3(0.8191725, 0.6710436, 0.5497005)) * 2.0 - 1.0;
    vec3 d = towards + at * min(bulb, 0.4 * sqrt(square));
    d += vec3(lessThan(abs(d), vec3(1e-6))) * 1e-6;
    vec3 slow = 1.0 / d;
    int node = 0;
    while (node < node_count) {
        vec4 low = row(nodes, 2 * node), high = row(nodes, 2 * node + 1);
        vec3 a = (low.xyz - o) * slow, b = (high.xyz - o) * slow;
        vec3 enter = min(a, b), leave = max(a, b);
        float t0 = max(max(enter.x, enter.y), enter.z), t1 = min(min(leave.x, leave.y), leave.z);
        bool crossed = t0 <= t1 && t1 > 0.0 && t0 < 1.0;
        int code = crossed ? int(high.w) : -1;
        int last = code < 0 ? -1 : (code >> 3) + (code & 7);
        for (int i = code >> 3; i < last; i++) {
            vec3 corner = row(corners, 5 * i).xyz, e1 = row(corners, 5 * i + 1).xyz, e2 = row(corners, 5 * i + 2).xyz;
            vec3 p = cross(d, e2);
            float inverse = 1.0 / dot(e1, p);
            vec3 from = o - corner;
            float u = dot(from, p) * inverse;
            vec3 q = cross(from, e1);
            float v = dot(d, q) * inverse, t = dot(e2, q) * inverse;
            if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && t < 1.0)
                discard;
        }
        node = crossed ? node + 1 : int(low.w);
    }
    float far = square / (lamp.w * lamp.w);
    float within = clamp(1.0 - far * far, 0.0, 1.0);
    float slant = dot(towards, normalize(n)) * inversesqrt(square);
    gathered = vec4(shine * (slant * within * within / (square + bulb * bulb)), 0.0);
}
