// The world's smaller picture brought to full size.
in vec2 at;
uniform sampler2D world;
out vec4 colour;

void main() {
    colour = vec4(texture(world, at).rgb, 1.0);
}
