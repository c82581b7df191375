// The world's smaller picture brought to full size.
in vec2 uv;
uniform sampler2D source;
out vec4 colour;

void main() {
    colour = vec4(texture(source, uv).rgb, 1.0);
}
