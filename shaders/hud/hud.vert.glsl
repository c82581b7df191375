// HUD: one instance per box, glyph or image, as a quad in pixels.
in vec4 in_rect;            // pixels from the top left: position, size
in vec2 in_atlas_position;  // glyph, image: texel of the atlas; box: corner radius
in vec4 in_colour;
in uvec4 in_kind;           // 0 box, 1 glyph, 2 image; box: fill, image: corner radius; 255: clipped to the scroll band
uniform vec2 viewport_size;
out vec2 quad_position;  // glyph: texel; box, image: pixels from the centre
out float pixel_y;       // pixels from the top
flat out vec4 colour;
flat out vec3 half_size_and_radius;
flat out vec2 image_origin;
flat out uvec3 kind;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    bool is_glyph = in_kind.x == 1u;
    vec2 padding = is_glyph ? vec2(0.0) : (corner * 2.0 - 1.0);  // one more pixel for the antialiased edge
    vec2 pixel = in_rect.xy + corner * in_rect.zw + padding;
    quad_position = is_glyph ? in_atlas_position + corner * in_rect.zw : pixel - in_rect.xy - 0.5 * in_rect.zw;
    pixel_y = pixel.y;
    colour = in_colour;
    float radius = in_kind.x == 2u ? float(in_kind.y) : in_atlas_position.x;
    half_size_and_radius = vec3(in_rect.zw * 0.5, min(radius, 0.5 * min(in_rect.z, in_rect.w)));
    image_origin = in_atlas_position;
    kind = in_kind.xyz;
    gl_Position = vec4(pixel / viewport_size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
