in vec2 at;
in float down;
flat in vec4 colour;
flat in vec3 box;
flat in vec2 first;
flat in uvec3 kind;
uniform sampler2D letters;
uniform sampler2D pictures;
uniform vec4 band;  // from, to, and the pixels over which what is clipped fades at each
out vec4 picture_colour;

// a body of frosted glass, lit from the upper left, with the sky along its upper rim and the ground's light below
vec3 orb(vec2 p, vec3 base) {
    vec3 n = vec3(p.x, -p.y, sqrt(max(0.0, 1.0 - dot(p, p))));
    float light = max(dot(n, normalize(vec3(-0.55, 0.62, 0.56))), 0.0);
    float rim = pow(1.0 - n.z, 2.5);
    vec3 lit = base * (0.30 + 0.85 * light) + base * vec3(1.0, 0.62, 0.40) * 0.22 * max(-n.y, 0.0);
    lit += rim * mix(vec3(0.10, 0.05, 0.02), vec3(0.55, 0.62, 0.70), 0.5 + 0.5 * n.y) * 0.8;
    return lit + vec3(1.0, 0.97, 0.90) * 0.75 * pow(light, 26.0);
}

void main() {
    vec2 q = abs(at) - box.xy + box.z;
    float inside = clamp(box.z - length(max(q, 0.0)) - min(max(q.x, q.y), 0.0) + 0.5, 0.0, 1.0);
    vec2 p = at / box.xy;  // -1..1 across a box
    vec2 part = clamp(0.5 + 0.5 * p, 0.0, 1.0);
    vec3 tone = colour.rgb;
    float cover = inside;
    if (kind.x == 1u) {
        cover = texelFetch(letters, ivec2(at), 0).r;
    } else if (kind.x == 2u) {
        ivec2 most = ivec2(2.0 * box.xy) - 1;
        tone *= texelFetch(pictures, ivec2(first) + clamp(ivec2(floor(at + box.xy)), ivec2(0), most), 0).rgb;
    } else if (kind.y == 1u) {
        cover *= 1.0 - smoothstep(0.0, 1.0, part.x);
    } else if (kind.y == 2u) {
        cover *= 1.0 - smoothstep(0.0, 1.0, part.y);
    } else if (kind.y == 3u) {
        cover *= smoothstep(0.0, 1.0, part.y);
    } else if (kind.y == 4u) {
        float reach = length(p);
        cover = clamp((1.0 - reach) / max(fwidth(reach), 1e-4) + 0.5, 0.0, 1.0);
        tone = orb(p, colour.rgb);
    } else if (kind.y == 5u) {
        float far = max(0.0, 1.0 - length(p));
        cover = far * far * (3.0 - 2.0 * far);
    }
    if (kind.z != 0u) {
        vec2 edge = vec2(down - band.x, band.y - down) / max(band.zw, vec2(0.5));
        edge = smoothstep(vec2(0.0), vec2(1.0), edge);
        cover *= edge.x * edge.y;
    }
    picture_colour = vec4(tone, colour.a * cover);
}
