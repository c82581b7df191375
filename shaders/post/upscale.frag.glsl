// Upscale pass: bilinear copy of the world's picture to the window size.
in vec2 uv;
uniform sampler2D source;
out vec4 colour;

void main() {
    colour = vec4(texture(source, uv).rgb, 1.0);
}
