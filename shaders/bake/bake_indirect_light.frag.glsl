// One ray of sky and bounced light for every texel of the unfolded level; rays add up by blending.
#include "include/frame_block.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/bvh_traversal.glsl"

uniform sampler2D positions;  // metres; w: 1 where the texel is part of the level
uniform sampler2D normals;
uniform sampler2D bounced;    // what an earlier, coarser turn has found
uniform float trust;          // how far that is believed
uniform vec2 ray;             // 0..1: how far from the normal, and around it
uniform float crevice;        // metres within which a surface makes another one's corner dark
layout(location = 0) out vec4 gathered;  // light; w: 1 where the ray met the back of a surface
layout(location = 1) out float close;    // 1 where it met a surface at once, 0 beyond a crevice

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 spot = texelFetch(positions, texel, 0);
    if (spot.w < 0.5)
        discard;
    vec3 n = normalize(texelFetch(normals, texel, 0).xyz);
    vec3 side = normalize(abs(n.y) > 0.7 ? cross(n, vec3(1.0, 0.0, 0.0)) : cross(n, vec3(0.0, 1.0, 0.0)));
    // Nine neighbours send nine different rays; the mean that is taken over them later has them all.
    float mate = float((texel.x % 3) * 3 + texel.y % 3);
    vec2 pick = fract(ray + mate * vec2(0.7548777, 0.5698403));
    float wide = sqrt(pick.x), around = 6.2831853 * pick.y;
    vec3 d = side * (wide * cos(around)) + cross(n, side) * (wide * sin(around)) + n * sqrt(1.0 - pick.x);
    d += vec3(lessThan(abs(d), vec3(1e-7))) * 1e-7;
    vec3 o = spot.xyz + n * 0.004;
    vec3 slow = 1.0 / d;

    float nearest = 1e9;
    int met = -1;
    vec2 inside = vec2(0.0);
    int node = 0;
    while (node < node_count) {
        vec4 low = row(nodes, 2 * node), high = row(nodes, 2 * node + 1);
        vec3 a = (low.xyz - o) * slow, b = (high.xyz - o) * slow;
        vec3 enter = min(a, b), leave = max(a, b);
        float t0 = max(max(enter.x, enter.y), enter.z), t1 = min(min(leave.x, leave.y), leave.z);
        bool crossed = t0 <= t1 && t1 > 0.0 && t0 < nearest;
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
            if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && t < nearest) {
                nearest = t;
                met = i;
                inside = vec2(u, v);
            }
        }
        node = crossed ? node + 1 : int(low.w);
    }
    if (met < 0) {
        // clouds pale the sky: its light is less blue than the sky between them
        gathered = vec4(mix(air(d), vec3(dot(air(d), vec3(0.33))), 0.3), 0.0);
        close = 0.0;
        return;
    }
    vec4 corner = row(corners, 5 * met), e1 = row(corners, 5 * met + 1), e2 = row(corners, 5 * met + 2);
    vec4 ab = row(corners, 5 * met + 3);
    vec2 c = row(corners, 5 * met + 4).xy;
    vec3 face = normalize(cross(e1.xyz, e2.xyz));
    float back = step(0.0, dot(face, d));
    face *= 1.0 - 2.0 * back;
    vec3 there = o + d * nearest + face * to_sun.w * 2.0;
    float sun = max(dot(face, to_sun.xyz), 0.0);
    sun *= sun_through_level((world_to_shadow * vec4(there, 1.0)).xyz, vec2(0.0));
    vec3 before = texture(bounced, ab.xy + (ab.zw - ab.xy) * inside.x + (c - ab.xy) * inside.y).rgb;
    vec3 albedo = vec3(corner.w, e1.w, e2.w);
    albedo = mix(albedo, vec3(dot(albedo, vec3(0.3, 0.5, 0.2))), 0.25);  // rooms look less yellow than they are
    float far = min(nearest / crevice, 1.0);
    close = (1.0 - back) * (1.0 - far) * (1.0 - far);
    // What is near counts less than it does in truth: corners and the feet of things stand out.
    float counts = mix(0.15, 1.0, smoothstep(0.0, 0.9, nearest));
    gathered = vec4(counts * albedo * (before * before * (4.0 * trust) + sunlight.rgb * sun), back);
}
