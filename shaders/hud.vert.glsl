in vec4 in_rect;    // pixels from the top left: place, size
in vec2 in_more;    // letter: place in the atlas; box: radius
in vec4 in_colour;
in vec4 in_kind;    // x: 1 a letter, 0 a box
uniform vec2 size;
out vec2 at;        // letter: texel; box: pixels from its middle
flat out vec4 colour;
flat out vec3 box;  // half the size, radius
flat out float kind;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    vec2 grown = in_kind.x > 0.5 ? vec2(0.0) : (corner * 2.0 - 1.0);  // a pixel more, for the soft rim
    vec2 pixel = in_rect.xy + corner * in_rect.zw + grown;
    at = in_kind.x > 0.5 ? in_more + corner * in_rect.zw : pixel - in_rect.xy - 0.5 * in_rect.zw;
    colour = in_colour;
    box = vec3(in_rect.zw * 0.5, min(in_more.x, 0.5 * min(in_rect.z, in_rect.w)));
    kind = in_kind.x;
    gl_Position = vec4(pixel / size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
