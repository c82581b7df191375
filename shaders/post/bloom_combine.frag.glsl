// What bright places give to those around them; added to the picture.
in vec2 uv;
uniform sampler2D narrow_blur;
uniform sampler2D wide_blur;
uniform float strength;
out vec4 colour;

void main() {
    colour = vec4(strength * (0.5 * texture(narrow_blur, uv).rgb + texture(wide_blur, uv).rgb), 0.0);
}
