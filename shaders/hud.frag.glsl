in vec2 at;
flat in vec4 colour;
flat in vec3 box;
flat in float kind;
uniform sampler2D letters;
out vec4 picture_colour;

void main() {
    float cover = texelFetch(letters, ivec2(at), 0).r;
    vec2 q = abs(at) - box.xy + box.z;
    float inside = box.z - length(max(q, 0.0)) - min(max(q.x, q.y), 0.0);
    cover = kind > 0.5 ? cover : clamp(inside + 0.5, 0.0, 1.0);
    picture_colour = vec4(colour.rgb, colour.a * cover);
}
